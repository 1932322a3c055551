/** Rate limits in the memory of this process: without a store, and while a store does not respond or is called. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import { decide, impliedTat, refund, usage } from './gcra.ts'
import { processMemory } from './process-memory.ts'
import type { LimitTable } from './process-memory.ts'

const MAX_KEYS = 10_000
/** Keys of which the one nearest to idle is evicted. */
const CANDIDATES = 16

function sharedTable(): LimitTable {
  return (processMemory().limits ??= { positions: new Map(), keys: [], tats: [], rates: [] })
}

/**
 * A flood of new keys does not evict an exhausted one: it is further from idle than they are. That is the part of its
 * burst that is in use, and not a time: one charge of a limit by day is further ahead than many by minutes.
 */
function freePosition({ positions, keys, tats, rates }: LimitTable, now: number): number {
  if (keys.length < MAX_KEYS) return keys.length
  let [best, least] = [0, Infinity]
  for (let tried = 0; tried < CANDIDATES; tried++) {
    const position = Math.floor(Math.random() * keys.length)
    const rate = rates[position]
    const used = rate ? usage(tats[position] ?? 0, rate, now) : 0
    if (used < least) [best, least] = [position, used]
  }
  positions.delete(keys[best] ?? '')
  return best
}

function readTat({ positions, tats }: LimitTable, key: string): number {
  const position = positions.get(key)
  return position === undefined ? 0 : (tats[position] ?? 0)
}

function writeTat(
  table: LimitTable,
  rate: RateLimit,
  { tat, now }: { tat: number; now: number },
): void {
  const { positions, keys, tats, rates } = table
  const { key } = rate
  const position = positions.get(key) ?? freePosition(table, now)
  positions.set(key, position)
  keys[position] = key
  tats[position] = tat
  rates[position] = rate
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
    for (const [index, rate] of rates.entries()) {
      const { allowed = false, tat = 0 } = decisions[index] ?? {}
      // The tat of a rejected key is written, too: it may be one of a clock that was set back.
      if (isCharged || !allowed) writeTat(table, rate, { tat, now })
    }
    return decisions
  },
  giveBack(rates, now) {
    const table = sharedTable()
    for (const rate of rates) {
      if (!table.positions.has(rate.key)) continue
      const tat = refund(readTat(table, rate.key), rate, now)
      // An idle key has no time, which would be in the future if the clock were set back.
      writeTat(table, rate, { tat: tat > now ? tat : 0, now })
    }
  },
}

const keptRates = (rates: readonly RateLimit[]) =>
  rates.map((rate) => ({ ...rate, key: `kept ${rate.key}` }))

/**
 * What the store has decided, and attempts without it: an outage does not open what the store has closed. Not used while
 * the store responds, because it may have been reset.
 */
export const keptLimits: ProcessLimits & {
  /** Keeps the decisions of the store about a charge. */
  keep(rates: readonly RateLimit[], decisions: readonly RateDecision[], now: number): void
} = {
  take: (rates, now) => processLimits.take(keptRates(rates), now),
  giveBack: (rates, now) => processLimits.giveBack(keptRates(rates), now),
  keep(rates, decisions, now) {
    const table = sharedTable()
    const isCharged = decisions.every(({ allowed }) => allowed)
    for (const [index, rate] of keptRates(rates).entries()) {
      const decision = decisions[index]
      if (!decision || decision.allowed !== isCharged) continue
      const tat = Math.max(readTat(table, rate.key), impliedTat(decision, rate, now))
      if (tat > now) writeTat(table, rate, { tat, now })
    }
  },
}
