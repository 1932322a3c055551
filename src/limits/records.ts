/** Rate limits in records: one read of all keys, then a compare-and-write for each. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from '../records/access.ts'
import { decide, intervalOf, refund } from './gcra.ts'

const MAX_WRITES = 2
/** A refund that is lost only makes the limit stricter. */
const MAX_REFUNDS = 5

interface State {
  readonly value: string | null
  readonly tat: number
}

function stateOf(value: string | undefined): State {
  const tat = Number(value)
  // A value that is not a time is replaced.
  return { value: value ?? null, tat: Number.isFinite(tat) ? tat : 0 }
}

/** `null` if the store has no records, which is unknown until its adapter is loaded. */
export async function recordLimits(
  ctx: CallContext,
  records: RecordAccess,
): Promise<RateLimitStore | null> {
  if (!(await records.isAvailable())) return null

  async function readStates(rates: readonly RateLimit[]): Promise<State[]> {
    const found = await records.read(
      ctx,
      rates.map(({ key }) => key),
    )
    return rates.map(({ key }) => stateOf(found.get(key)?.value))
  }

  function write({ key }: RateLimit, { value }: State, tat: number): Promise<boolean> {
    const record = { key, value: String(tat), owner: null, expires: new Date(tat) }
    return records.write(ctx, record, value)
  }

  /** Charges a rate that was available when it was read; only concurrent attempts make a write fail. */
  async function chargeOne(rate: RateLimit, read: State, now: number): Promise<RateDecision> {
    let state = read
    for (let written = 0; written < MAX_WRITES; written++) {
      const decision = decide(state.tat, rate, now)
      if (!decision.allowed || (await write(rate, state, decision.tat))) return decision
      ;[state = read] = await readStates([rate])
    }
    return { allowed: false, retryAfter: Math.ceil(intervalOf(rate) / 1000) }
  }

  async function giveBackOne(rate: RateLimit, read: State, now: number): Promise<void> {
    let state = read
    for (let written = 0; written < MAX_REFUNDS && state.value !== null; written++) {
      if (await write(rate, state, refund(state.tat, rate, now))) return
      ;[state = read] = await readStates([rate])
    }
  }

  async function giveBack(rates: readonly RateLimit[], now: number): Promise<void> {
    const states = await readStates(rates)
    await Promise.all(
      rates.map((rate, index) => giveBackOne(rate, states[index] ?? stateOf(undefined), now)),
    )
  }

  /** Stores the time of a key that is exhausted since the clock was set back, else it would stay exhausted. */
  async function keepSetBack(
    rates: readonly RateLimit[],
    states: readonly State[],
    decisions: readonly ReturnType<typeof decide>[],
  ): Promise<void> {
    for (const [index, rate] of rates.entries()) {
      const [state, decision] = [states[index], decisions[index]]
      const isSetBack = state && decision && !decision.allowed && decision.tat < state.tat
      if (isSetBack) await write(rate, state, decision.tat)
    }
  }

  async function take(rates: readonly RateLimit[], now: number): Promise<readonly RateDecision[]> {
    const states = await readStates(rates)
    const decisions = rates.map((rate, index) => decide(states[index]?.tat ?? 0, rate, now))
    if (decisions.some(({ allowed }) => !allowed)) {
      await keepSetBack(rates, states, decisions)
      return decisions
    }
    const charged = await Promise.all(
      rates.map((rate, index) => chargeOne(rate, states[index] ?? stateOf(undefined), now)),
    )
    const paid = rates.filter((_, index) => charged[index]?.allowed)
    if (paid.length < rates.length) await giveBack(paid, now)
    return charged
  }

  return { take, giveBack }
}
