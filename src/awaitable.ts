import type { Awaitable } from './types.ts'

/** Whether a value is still to come. */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Goes on with a value: at once when it is there, because waiting for nothing takes time too. */
export function chain<T, U>(value: Awaitable<T>, step: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then((settled) => step(settled)) : step(value)
}
