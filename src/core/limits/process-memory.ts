import type { RateLimit } from '../config/protection-options.ts'
import type { Flight } from '../tokens/refresh-outcome.ts'

/** Arrays, because a random entry of a map cannot be read. */
export interface LimitTable {
  readonly positions: Map<string, number>
  readonly keys: string[]
  readonly tats: number[]
  readonly rates: RateLimit[]
}

export interface WaitingHash {
  /** In milliseconds as `performance.now()`. */
  readonly since: number
  readonly start: () => void
  readonly reject: (error: Error) => void
}

interface ProcessMemory {
  limits?: LimitTable
  /** Times of messages to the console. */
  console?: Map<string, number>
  /** Refresh tokens that were sent to a provider, by a hash. */
  refreshes?: Map<string, Flight>
  /** When sessions of a user were ended last by this process. */
  revocations?: Map<string, number>
  /** How often this process has learned that sessions have ended. */
  ends?: { count: number }
  /** How many passwords are hashed, and the ones that wait, the oldest first. */
  hashing?: { running: number; readonly waiting: WaitingHash[] }
}

/** Registered, and numbered by the format of its tables. */
const MEMORY: unique symbol = Symbol.for('lib-auth.process.1')

/**
 * The state of this process that must exist once: a bundler may put several instances of a module into one process, and
 * a framework may evaluate the configuration several times.
 */
export function processMemory(): ProcessMemory {
  const scope = globalThis as { [MEMORY]?: ProcessMemory }
  return (scope[MEMORY] ??= {})
}
