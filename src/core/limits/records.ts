/** Rate limits in records: one read of all keys, then a compare-and-write for each. */
import { unavailable, withTimeout } from '../async/timeout.ts'
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from '../records/access.ts'
import { decide, chargeInterval, refund } from './gcra.ts'

/**
 * Only other processes can make a write fail: see {@link Batch}. Each time, one of them has charged or refunded the key,
 * which the default burst of 20 for a client address allows 40 times.
 */
const MAX_WRITES = 40

/**
 * Milliseconds after which a batch no longer delays others: some platforms cancel it with the request that began it, and
 * also a batch that waits for it.
 */
const MAX_WAIT = 1000

/** What is stored; `value` is `null` without a record. */
interface State {
  readonly value: string | null
  readonly tat: number
}

/** Charges or refunds a key; the result contains the tat to store. */
type Change = (tat: number) => RateDecision & { readonly tat: number }

/**
 * Changes of one key that this process makes at the same time are written together: while one batch is written, the
 * next one fills. As single compare-and-writes they would lose to each other.
 */
interface Batch {
  readonly changes: Change[]
  readonly opened: number
  isBegun: boolean
  readonly decisions: Promise<readonly RateDecision[]>
}

/** By adapter and key, the last batch that has not ended. */
const inProcess = new WeakMap<object, Map<string, Batch>>()

/** Reads and writes the times of keys. */
function recordStates(ctx: CallContext, records: RecordAccess) {
  async function read(keys: readonly string[]): Promise<Map<string, State>> {
    const found = await records.read(ctx, keys)
    const states = keys.map((key): [string, State] => {
      const value = found.get(key)?.value ?? null
      // A value that is not a time is replaced.
      return [key, { value, tat: Number.isFinite(Number(value)) ? Number(value) : 0 }]
    })
    return new Map(states)
  }

  /** `known`: the state that was read before. */
  async function write(
    rate: RateLimit,
    changes: readonly Change[],
    known?: State,
  ): Promise<readonly RateDecision[]> {
    const { key } = rate
    let state = known
    for (let written = 0; written < MAX_WRITES; written++) {
      const { value = null, tat: stored = 0 } = state ?? (await read([key])).get(key) ?? {}
      let tat = stored
      const decisions = changes.map((change) => {
        const decision = change(tat)
        ;({ tat } = decision)
        return decision
      })
      const record = { key, value: String(tat), owner: null, expires: new Date(tat) }
      if (tat === stored || (await records.write(ctx, record, value))) return decisions
      state = undefined
    }
    const lost = { allowed: false, retryAfter: Math.ceil(chargeInterval(rate) / 1000) }
    return changes.map(() => lost)
  }

  return { read, write }
}

type Write = ReturnType<typeof recordStates>['write']

/** The changes that this process makes, by key. */
function createBatches(adapter: object, write: Write) {
  const batches = inProcess.get(adapter) ?? new Map<string, Batch>()
  inProcess.set(adapter, batches)

  function openBatch(rate: RateLimit, last: Batch | undefined, state: State | undefined): Batch {
    const changes: Change[] = []
    const begin = async () => {
      const ended =
        last &&
        withTimeout(last.decisions, {
          what: 'A batch',
          timeout: MAX_WAIT,
          timeoutError: unavailable,
        })
      await Promise.resolve(ended).catch(() => undefined)
      batch.isBegun = true
      try {
        return await write(rate, changes, last ? undefined : state)
      } finally {
        if (batches.get(rate.key) === batch) batches.delete(rate.key)
      }
    }
    const batch: Batch = { changes, opened: Date.now(), isBegun: false, decisions: begin() }
    batches.set(rate.key, batch)
    return batch
  }

  /** Together with other changes of the key that wait; else, the state is the one that was read before. */
  async function apply(rate: RateLimit, change: Change, state?: State): Promise<RateDecision> {
    const found = batches.get(rate.key)
    const last = found && Date.now() - found.opened < MAX_WAIT ? found : undefined
    const batch = last && !last.isBegun ? last : openBatch(rate, last, state)
    const index = batch.changes.push(change) - 1
    return (await batch.decisions)[index] ?? { allowed: false, retryAfter: 0 }
  }

  return { isBusy: (key: string) => batches.has(key), apply }
}

/** `null` if the store has no records, which is unknown until its adapter is loaded. */
export async function recordLimits(
  ctx: CallContext,
  records: RecordAccess,
): Promise<RateLimitStore | null> {
  const adapter = await records.adapter()
  if (!adapter) return null
  const { read, write } = recordStates(ctx, records)
  const { isBusy, apply } = createBatches(adapter, write)

  function applyAll(
    rates: readonly RateLimit[],
    states: ReadonlyMap<string, State>,
    change: (rate: RateLimit) => Change,
  ): Promise<RateDecision[]> {
    return Promise.all(rates.map((rate) => apply(rate, change(rate), states.get(rate.key))))
  }

  /** A refund that is lost only makes the limit stricter. */
  async function giveBack(
    rates: readonly RateLimit[],
    now: number,
    known?: ReadonlyMap<string, State>,
  ): Promise<void> {
    const states = known ?? (await read(rates.map(({ key }) => key)))
    await applyAll(rates, states, (rate) => (tat) => ({
      allowed: true,
      retryAfter: 0,
      tat: tat > now ? refund(tat, rate, now) : tat,
    }))
  }

  async function take(rates: readonly RateLimit[], now: number): Promise<readonly RateDecision[]> {
    const states = await read(rates.map(({ key }) => key))
    const decisions = rates.map((rate) => decide(states.get(rate.key)?.tat ?? 0, rate, now))
    if (decisions.some(({ allowed }) => !allowed)) {
      // The time of an exhausted key changes if the clock was set back, else it would stay exhausted.
      const keep = async (rate: RateLimit, index: number) => {
        const decision = decisions[index]
        if (!decision || decision.allowed) return
        const change: Change = (tat) => ({ ...decision, tat: Math.min(tat, decision.tat) })
        await write(rate, [change], states.get(rate.key))
      }
      await Promise.all(rates.map(keep))
      return decisions
    }
    const charged = new Map<RateLimit, RateDecision>()
    // Those that other attempts charge now come first: if one is exhausted meanwhile, the others need no write.
    const contested = rates.filter(({ key }) => isBusy(key))
    for (const step of [contested, rates.filter((rate) => !contested.includes(rate))]) {
      const answers = await applyAll(step, states, (rate) => (tat) => decide(tat, rate, now))
      for (const [index, rate] of step.entries())
        charged.set(rate, answers[index] ?? { allowed: false, retryAfter: 0 })
      const paid = [...charged.keys()].filter((rate) => charged.get(rate)?.allowed)
      if (paid.length === charged.size) continue
      await giveBack(paid, now, new Map())
      break
    }
    return rates.flatMap((rate, index) => charged.get(rate) ?? decisions[index] ?? [])
  }

  return { take, giveBack }
}
