/** Charges rates at the store of the application, else in the memory of this process. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import type { Context } from '../contracts.ts'
import { AuthError, withoutLink } from '../errors/base.ts'
import { TIMEOUTS, withTimeout } from '../timeout.ts'
import { processLimits } from './memory.ts'
import { recordLimits } from './records.ts'

interface Charged {
  readonly decisions: readonly RateDecision[]
  /** Refunds one charge of each rate, in the store that was charged. */
  readonly refund: () => Promise<void>
}

function isDecision(value: unknown): value is RateDecision {
  if (typeof value !== 'object' || value === null) return false
  if (!('allowed' in value && 'retryAfter' in value)) return false
  return typeof value.allowed === 'boolean' && Number.isFinite(value.retryAfter)
}

function isAnswer(value: unknown, rates: readonly RateLimit[]): value is readonly RateDecision[] {
  return Array.isArray(value) && value.length === rates.length && value.every(isDecision)
}

/** With the error of the database, which names a missing table and the command that creates it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It threw a value that is not an Error.'
  const cause = error instanceof AuthError ? error.cause?.err : undefined
  return [error, cause].flatMap((each) => (each ? withoutLink(each.message) : [])).join(' ')
}

/** A sign-in never fails, and hardly waits, because of the store. `null`: it does not respond, or does so `late`. */
async function callStore<T>(
  ctx: Context,
  call: (store: RateLimitStore) => Promise<T>,
  late?: (answer: T | null) => Promise<void>,
): Promise<T | null> {
  const { log, protection, records } = ctx.config
  const found = protection?.store() ?? null
  if (found === null && !records) return null
  const work = async (): Promise<T | null> => {
    const store = (await found) ?? (records && (await recordLimits(ctx, records)))
    return store ? call(store) : null
  }
  const begun = work()
  try {
    return await withTimeout(begun, { what: 'The rate limit store', timeout: TIMEOUTS.limit })
  } catch (error) {
    log.warnEachMinute(
      'limit-store-unavailable',
      `${reasonOf(error)} Until the store responds, each process counts attempts for itself.`,
    )
    if (late) begun.then(late, () => undefined)
    return null
  }
}

export async function charge(ctx: Context, rates: readonly RateLimit[]): Promise<Charged> {
  const now = Date.now()
  const refund = async () => {
    await callStore(ctx, async (store) => store.giveBack(rates, Date.now()))
  }
  const take = async (store: RateLimitStore): Promise<readonly RateDecision[]> => {
    const answer: unknown = await store.take(rates, now)
    if (isAnswer(answer, rates)) return answer
    throw new Error('take of the rate limit store did not return a decision for each rate.')
  }
  // The memory of the process was charged by then, else a success would stay charged here.
  const decisions = await callStore(ctx, take, async (answer) => {
    if (answer?.every(({ allowed }) => allowed)) await refund()
  })
  if (!decisions)
    return {
      decisions: processLimits.take(rates, now),
      refund: async () => processLimits.giveBack(rates, Date.now()),
    }
  return { decisions, refund }
}
