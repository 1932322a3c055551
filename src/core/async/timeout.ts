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
  callback: 10_000,
  /** The handler may continue, but the request does not wait for it. */
  event: 1_000,
  /** `protection.onAttempt`, which then allows the attempt. */
  attempt: 2_000,
  /** The rate limit store, which the memory of the process then replaces. */
  limit: 200,
} as const

export interface TimeoutOptions {
  /** Subject of the error message: "The signIn callback". */
  readonly what: string
  /** In milliseconds. */
  readonly timeout: number
  /** Deadline of the whole request, in milliseconds since the epoch. */
  readonly deadline?: number
  /** Timers in turn: a busy event loop, which delays the result as well, receives it between two. @default 1 */
  readonly timers?: number
  /** @default TemporarilyUnavailable */
  readonly timeoutError?: (message: string) => Error
}

/** Microtasks to wait before a timer is set, which costs 15 % of a session read in memory; Kysely takes twelve. */
const TURNS = 16

/** Synchronous if `work` is not a promise; a late result is ignored. @throws TemporarilyUnavailable, or `timeoutError` */
export function withTimeout<T>(
  work: Awaitable<T>,
  {
    what,
    timeout,
    deadline = Infinity,
    timers = 1,
    timeoutError = (message) => new TemporarilyUnavailable(message),
  }: TimeoutOptions,
): Awaitable<T> {
  if (!isPromise(work)) return work
  // A query builder runs its query again with every `then`.
  const begun = Promise.resolve(work)
  // `Promise.race` creates more promises, and each one costs time when the application tracks async context.
  return new Promise<T>((resolve, reject) => {
    let isSettled = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const settled = <U>(outcome: U): U => {
      isSettled = true
      clearTimeout(timer)
      return outcome
    }
    const startTimer = (turn: number): void => {
      if (isSettled) return
      if (turn < TURNS) {
        void Promise.resolve().then(() => startTimer(turn + 1))
        return
      }
      const left = Math.max(0, Math.min(timeout, deadline - Date.now()))
      const message = `${what} timed out after ${left} ms.`
      const wait = (remaining: number): void => {
        const next = () => (remaining > 1 ? wait(remaining - 1) : reject(timeoutError(message)))
        timer = setTimeout(next, left / timers)
      }
      try {
        wait(timers)
      } catch (error) {
        // Some platforms do not allow timers outside of a request.
        reject(error)
      }
    }
    begun.then(
      (result) => resolve(settled(result)),
      (error: unknown) => reject(settled(error)),
    )
    startTimer(0)
  })
}
