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

/** Turns of the microtask queue in which work that waits for nothing is done: a timer costs more than they do. */
const TURNS = 4

/** The result of `work` if it is there in no time; `undefined`: not yet. */
async function atOnce<T>(work: PromiseLike<T>): Promise<{ readonly value: T } | undefined> {
  const results: { readonly value: T }[] = []
  work.then(
    (value) => results.push({ value }),
    () => undefined,
  )
  for (let turn = 0; turn < TURNS && results.length === 0; turn++) await undefined
  return results[0]
}

/**
 * The result of `work`, if it comes in time.
 *
 * @throws TemporarilyUnavailable, or what `tooLate` makes, when it does not; what `work` does later is
 * ignored.
 */
export async function within<T>(work: Awaitable<T>, wait: Wait): Promise<T> {
  if (!isPromise(work)) return work
  const done = await atOnce(work)
  if (done) return done.value
  const left = (wait.deadline ?? Infinity) - Date.now()
  const limit = Math.max(0, Math.min(wait.limit, left))
  let timer: ReturnType<typeof setTimeout> | undefined
  const { what, tooLate = (message: string) => new TemporarilyUnavailable(message) } = wait
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(`${what} did not answer within ${limit} ms.`)), limit)
  })
  try {
    return await Promise.race([work, expiry])
  } finally {
    clearTimeout(timer)
  }
}
