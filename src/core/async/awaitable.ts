/** Synchronous as long as no value is a promise, because each promise costs time, more so if async context is tracked. */
import type { Awaitable } from '../types.ts'

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

export function chain<T, U>(value: Awaitable<T>, step: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then((settled) => step(settled)) : step(value)
}

const isSettled = <T>(value: Awaitable<T>): value is T => !isPromise(value)

export function all<T>(values: Awaitable<T>[]): Awaitable<T[]> {
  return values.every(isSettled) ? values : Promise.all(values)
}

/** The first result of `attempt` that is not `null`; the items are tried in order. */
export function firstResult<T, U>(
  items: readonly T[],
  attempt: (item: T) => Awaitable<U | null>,
): Awaitable<U | null> {
  let tried = 0
  for (const item of items) {
    tried++
    const result = attempt(item)
    if (isPromise(result))
      return result.then((settled) => settled ?? firstResult(items.slice(tried), attempt))
    if (result !== null) return result
  }
  return null
}
