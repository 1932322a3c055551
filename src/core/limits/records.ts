/** Rate limits in records: one read of all keys, then a compare-and-write for each. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from '../records/access.ts'
import { changeInBatch } from './batches.ts'
import type { Batches, Change, State, Written } from './batches.ts'
import { decide, intervalOf, refund } from './gcra.ts'

/**
 * Only other processes can make a write fail: see `batches.ts`. Each time, one of them has charged or refunded the key,
 * which the default burst of 20 for a client address allows 40 times.
 */
const MAX_WRITES = 40

/** By adapter. */
const inProcess = new WeakMap<object, Batches>()

type States = ReadonlyMap<string, State>

function stateOf(value: string | undefined): State {
  const tat = Number(value)
  // A value that is not a time is replaced.
  return { value: value ?? null, tat: Number.isFinite(tat) ? tat : 0 }
}

function charging(rate: RateLimit, now: number): Change {
  return (tat) => decide(tat, rate, now)
}

function refunding(rate: RateLimit, now: number): Change {
  return (tat) => ({ allowed: true, retryAfter: 0, tat: tat > now ? refund(tat, rate, now) : tat })
}

/** Reads and writes the times of keys. */
function recordStates(ctx: CallContext, records: RecordAccess) {
  async function readStates(rates: readonly RateLimit[]): Promise<Map<string, State>> {
    const keys = rates.map(({ key }) => key)
    const found = await records.read(ctx, keys)
    return new Map(keys.map((key) => [key, stateOf(found.get(key)?.value)]))
  }

  function write({ key }: RateLimit, { value }: State, tat: number): Promise<boolean> {
    const record = { key, value: String(tat), owner: null, expires: new Date(tat) }
    return records.write(ctx, record, value)
  }

  async function writeBatch(
    rate: RateLimit,
    read: State | undefined,
    changes: readonly Change[],
  ): Promise<Written> {
    let state = read
    for (let written = 0; written < MAX_WRITES; written++) {
      state ??= (await readStates([rate])).get(rate.key) ?? stateOf(undefined)
      let { tat } = state
      const decisions = changes.map((change) => {
        const decision = change(tat)
        ;({ tat } = decision)
        return decision
      })
      if (tat === state.tat) return { decisions, state }
      if (await write(rate, state, tat)) return { decisions, state: stateOf(String(tat)) }
      state = undefined
    }
    const lost = { allowed: false, retryAfter: Math.ceil(intervalOf(rate) / 1000) }
    return { decisions: changes.map(() => lost), state }
  }

  return { readStates, write, writeBatch }
}

/** `null` if the store has no records, which is unknown until its adapter is loaded. */
export async function recordLimits(
  ctx: CallContext,
  records: RecordAccess,
): Promise<RateLimitStore | null> {
  const adapter = await records.adapter()
  if (!adapter) return null
  const batches: Batches = inProcess.get(adapter) ?? new Map()
  inProcess.set(adapter, batches)
  const { readStates, write, writeBatch } = recordStates(ctx, records)

  function changeAll(
    rates: readonly RateLimit[],
    states: States,
    changeOf: (rate: RateLimit) => Change,
  ): Promise<RateDecision[]> {
    const change = (rate: RateLimit) => {
      const one = { key: rate.key, read: states.get(rate.key), change: changeOf(rate) }
      return changeInBatch(batches, one, (read, changes) => writeBatch(rate, read, changes))
    }
    return Promise.all(rates.map(change))
  }

  /** A refund that is lost only makes the limit stricter. */
  async function giveBack(
    rates: readonly RateLimit[],
    now: number,
    states?: States,
  ): Promise<void> {
    const read = states ?? (await readStates(rates))
    await changeAll(rates, read, (rate) => refunding(rate, now))
  }

  /** Stores the time of a key that is exhausted since the clock was set back, else it would stay exhausted. */
  async function keepSetBack(
    rates: readonly RateLimit[],
    states: States,
    decisions: readonly ReturnType<typeof decide>[],
  ): Promise<void> {
    for (const [index, rate] of rates.entries()) {
      const [state, decision] = [states.get(rate.key), decisions[index]]
      const isSetBack = state && decision && !decision.allowed && decision.tat < state.tat
      if (isSetBack) await write(rate, state, decision.tat)
    }
  }

  async function take(rates: readonly RateLimit[], now: number): Promise<readonly RateDecision[]> {
    const states = await readStates(rates)
    const decisions = rates.map((rate) => decide(states.get(rate.key)?.tat ?? 0, rate, now))
    if (decisions.some(({ allowed }) => !allowed)) {
      await keepSetBack(rates, states, decisions)
      return decisions
    }
    // Those that other attempts charge now come first: if one is exhausted meanwhile, the others need no write.
    const isContested = ({ key }: RateLimit) => batches.has(key)
    const [contested, others] = [
      rates.filter(isContested),
      rates.filter((rate) => !isContested(rate)),
    ]
    const change = (rate: RateLimit) => charging(rate, now)
    const first = await changeAll(contested, states, change)
    const isAllowed = ({ allowed }: RateDecision) => allowed
    const charged = [
      ...first,
      ...(first.every(isAllowed) ? await changeAll(others, states, change) : []),
    ]
    const ordered = [...contested, ...others]
    const paid = ordered.filter((_, index) => charged[index]?.allowed)
    if (paid.length < rates.length) await giveBack(paid, now, new Map())
    return rates.flatMap((rate, index) => charged[ordered.indexOf(rate)] ?? decisions[index] ?? [])
  }

  return { take, giveBack }
}
