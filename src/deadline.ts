/** How long others may take. Nothing a request waits for can hold it for ever. */
import { isPromise } from './awaitable.ts'
import { TemporarilyUnavailable } from './errors/session.ts'
import type { Awaitable } from './types.ts'

/** Milliseconds. */
export const LIMITS = {
  /** A whole request. */
  request: 15_000,
  /** The body of a request. */
  body: 10_000,
  /** One request to a provider. */
  provider: 5_000,
  /** One call of the database adapter. */
  adapter: 5_000,
  /** Sending one e-mail. */
  mail: 10_000,
  /** A callback of the application. */
  callback: 10_000,
  /** An event handler; it may go on afterwards, but nobody waits for it. */
  event: 1_000,
} as const

/** What is waited for, and how long. */
export interface Wait {
  /** Names what did not answer: "The signIn callback". */
  readonly what: string
  /** Milliseconds. */
  readonly limit: number
  /** When the request as a whole has to be answered, in milliseconds since the epoch. */
  readonly deadline?: number
  /** @default TemporarilyUnavailable */
  readonly tooLate?: (message: string) => Error
}

/**
 * Turns of the microtask queue in which work that waits for nothing is done: a timer costs more than they do. Kysely takes
 * twelve over a driver that does not wait.
 */
const TURNS = 16

/**
 * The result of `work`, if it comes in time; at once when it is there.
 *
 * @throws TemporarilyUnavailable, or what `tooLate` makes, when it does not; what `work` does later is
 * ignored.
 */
export function within<T>(work: Awaitable<T>, wait: Wait): Awaitable<T> {
  if (!isPromise(work)) return work
  // What query builders return begins anew with every `then`.
  const begun = Promise.resolve(work)
  // Not a race, which makes more promises: where an application follows what is asynchronous, each costs something.
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
        // Some platforms have no timers outside of a request: nobody waits there.
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
