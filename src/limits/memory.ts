/** Rate limits in the memory of this process: without a store, and while a store does not respond. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import { processTable } from '../process-memory.ts'
import { decide, refund } from './gcra.ts'

const MAX_KEYS = 10_000
/** Keys of which the one nearest to idle is evicted. */
const CANDIDATES = 16

/** Arrays, because a random entry of a map cannot be read. */
interface Table {
  readonly positions: Map<string, number>
  readonly keys: string[]
  readonly tats: number[]
}

function isTable(value: object): value is Table {
  return (
    'positions' in value && value.positions instanceof Map && 'keys' in value && 'tats' in value
  )
}

function sharedTable(): Table {
  return processTable('limits', {
    create: (): Table => ({ positions: new Map(), keys: [], tats: [] }),
    isValid: isTable,
  })
}

/** A flood of new keys does not evict an exhausted one: it is further from idle than they are. */
function freePosition({ positions, keys, tats }: Table): number {
  if (keys.length < MAX_KEYS) return keys.length
  let best = 0
  for (let tried = 0; tried < CANDIDATES; tried++) {
    const position = Math.floor(Math.random() * keys.length)
    if (tried === 0 || (tats[position] ?? 0) < (tats[best] ?? 0)) best = position
  }
  positions.delete(keys[best] ?? '')
  return best
}

function readTat({ positions, tats }: Table, key: string): number {
  const position = positions.get(key)
  return position === undefined ? 0 : (tats[position] ?? 0)
}

function writeTat(table: Table, key: string, tat: number): void {
  const { positions, keys, tats } = table
  const position = positions.get(key) ?? freePosition(table)
  positions.set(key, position)
  keys[position] = key
  tats[position] = tat
}

interface ProcessLimits extends RateLimitStore {
  take(rates: readonly RateLimit[], now: number): readonly RateDecision[]
  giveBack(rates: readonly RateLimit[], now: number): void
}

export const processLimits: ProcessLimits = {
  take(rates, now) {
    const table = sharedTable()
    const decisions = rates.map((rate) => decide(readTat(table, rate.key), rate, now))
    const isCharged = decisions.every(({ allowed }) => allowed)
    for (const [index, { key }] of rates.entries()) {
      const { allowed = false, tat = 0 } = decisions[index] ?? {}
      // The tat of a rejected key is written, too: it may be one of a clock that was set back.
      if (isCharged || !allowed) writeTat(table, key, tat)
    }
    return decisions
  },
  giveBack(rates, now) {
    const table = sharedTable()
    for (const rate of rates)
      if (table.positions.has(rate.key))
        writeTat(table, rate.key, refund(readTat(table, rate.key), rate, now))
  },
}
