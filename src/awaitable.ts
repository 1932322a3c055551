import type { Awaitable } from './types.ts'

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Applies `step`; synchronously if the value is not a promise, because a microtask costs time. */
export function chain<T, U>(value: Awaitable<T>, step: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then((settled) => step(settled)) : step(value)
}
