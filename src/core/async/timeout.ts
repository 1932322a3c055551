import { isPromise } from './awaitable.ts'
import { TemporarilyUnavailable } from '../errors/classes.ts'
import type { Awaitable } from '../types.ts'

/** In milliseconds; `request` is for a whole request, the others are for one call. */
export const TIMEOUTS = {
  request: 15_000,
  body: 10_000,
  provider: 5_000,
  adapter: 5_000,
  mail: 10_000,
  /** The notice may still be sent, but the request does not wait for it. */
  notice: 2_000,
  callback: 10_000,
  /** The handler may continue, but the request does not wait for it. */
  event: 1_000,
  /** `protection.onAttempt`; after it, the attempt is allowed. */
  attempt: 2_000,
  /** The store of rate limits; after it, the memory of the process decides. */
  limit: 200,
} as const

export interface TimeoutOptions {
  /** Subject of the error message: "The signIn callback". */
  readonly what: string
  /** In milliseconds. */
  readonly timeout: number
  /** Deadline of the whole request, in milliseconds as `performance.now()`. */
  readonly deadline?: number
  /** Shorter timers, one after another: between two of them, a busy event loop receives the result. @default 1 */
  readonly timers?: number
  readonly timeoutError: (message: string) => Error
}

export function unavailable(message: string): Error {
  return new TemporarilyUnavailable(message)
}

/** Synchronous if `work` is not a promise; a late result is ignored. */
export function withTimeout<T>(
  work: Awaitable<T>,
  { what, timeout, deadline = Infinity, timers = 1, timeoutError }: TimeoutOptions,
): Awaitable<T> {
  if (!isPromise(work)) return work
  // Calls `then` once: a query builder runs its query on each call.
  const begun = Promise.resolve(work)
  // `Promise.race` creates more promises, and each one costs time when the application tracks async context.
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const left = Math.ceil(Math.max(0, Math.min(timeout, deadline - performance.now())))
    const fail = () => reject(timeoutError(`${what} timed out after ${left} ms.`))
    const wait = (remaining: number): void => {
      const next = () => (remaining > 1 ? wait(remaining - 1) : fail())
      timer = setTimeout(next, left / timers)
    }
    const settled = <U>(outcome: U): U => {
      clearTimeout(timer)
      return outcome
    }
    begun.then(
      (result) => resolve(settled(result)),
      (error: unknown) => reject(settled(error)),
    )
    // Rejects the promise if `setTimeout` throws: some platforms forbid timers outside of a request.
    wait(timers)
  })
}
