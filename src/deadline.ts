import { TemporarilyUnavailable } from './errors/session.ts'
import type { Awaitable } from './types.ts'

export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Milliseconds for one call each; `request` covers a whole request. */
export const LIMITS = {
  request: 15_000,
  body: 10_000,
  provider: 5_000,
  adapter: 5_000,
  mail: 10_000,
  callback: 10_000,
  /** The handler may continue, but the request does not wait for it. */
  event: 1_000,
} as const

export interface Wait {
  /** Subject of the error message: "The signIn callback". */
  readonly what: string
  /** Milliseconds. */
  readonly limit: number
  /** Deadline of the whole request, in milliseconds since the epoch. */
  readonly deadline?: number
  /** @default TemporarilyUnavailable */
  readonly tooLate?: (message: string) => Error
}

/**
 * Microtasks to wait before a timer is set: timers for every call cost 15 % of a session read with an adapter in memory.
 * Kysely takes twelve with a synchronous driver.
 */
const TURNS = 16

/** Synchronous if `work` is not a promise; a late result is ignored. @throws TemporarilyUnavailable, or `tooLate` */
export function within<T>(work: Awaitable<T>, wait: Wait): Awaitable<T> {
  if (!isPromise(work)) return work
  // A query builder runs its query again with every `then`.
  const begun = Promise.resolve(work)
  // `Promise.race` creates more promises, and each one costs time when the application tracks async context.
  return new Promise<T>((resolve, reject) => {
    const state: { isSettled: boolean; timer?: ReturnType<typeof setTimeout> } = {
      isSettled: false,
    }
    const settled = <U>(outcome: U): U => {
      state.isSettled = true
      clearTimeout(state.timer)
      return outcome
    }
    const begin = (): void => {
      const left = (wait.deadline ?? Infinity) - Date.now()
      const limit = Math.max(0, Math.min(wait.limit, left))
      const { what, tooLate = (message: string) => new TemporarilyUnavailable(message) } = wait
      const late = (): Error => tooLate(`${what} did not answer within ${limit} ms.`)
      try {
        state.timer = setTimeout(() => reject(late()), limit)
      } catch (error) {
        // Some platforms do not allow timers outside of a request.
        reject(error)
      }
    }
    const watch = (turn: number): void => {
      if (state.isSettled) return
      if (turn === TURNS) begin()
      else void Promise.resolve().then(() => watch(turn + 1))
    }
    begun.then(
      (result) => resolve(settled(result)),
      (error: unknown) => reject(settled(error)),
    )
    watch(0)
  })
}
