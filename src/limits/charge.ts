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

/** Requests that have waited for the store in vain: they do not wait again. */
const delayed = new WeakSet<Context['request']>()

/** A sign-in never fails, and hardly waits, because of the store. `null`: no store is configured, or it does not respond. */
async function waitForStore<T>({ config, request }: Context, begun: Promise<T>): Promise<T | null> {
  const what = 'The rate limit store'
  try {
    return await withTimeout(begun, { what, timeout: TIMEOUTS.limit, timers: 10 })
  } catch (error) {
    delayed.add(request)
    config.log.warnEachMinute(
      'limit-store-unavailable',
      `${reasonOf(error)} Until the store responds, each process counts attempts for itself.`,
    )
    return null
  }
}

async function openStore(ctx: Context): Promise<RateLimitStore | null> {
  const { protection, records } = ctx.config
  return (await protection?.store()) ?? (records ? recordLimits(ctx, records) : null)
}

async function takeFromStore(
  ctx: Context,
  rates: readonly RateLimit[],
  now: number,
): Promise<readonly RateDecision[] | null> {
  const store = delayed.has(ctx.request) ? null : await openStore(ctx)
  if (!store) return null
  const answer: unknown = await store.take(rates, now)
  if (isAnswer(answer, rates)) return answer
  throw new Error('take of the rate limit store did not return a decision for each rate.')
}

/**
 * The memory of the process is charged while the store is called, and stays charged if the store does not respond. So a
 * process makes at most one burst of calls at a time, and allows at most one burst without the store.
 */
export async function charge(ctx: Context, rates: readonly RateLimit[]): Promise<Charged> {
  const now = Date.now()
  const decisions = processLimits.take(rates, now)
  if (decisions.some(({ allowed }) => !allowed)) return { decisions, refund: async () => undefined }
  const giveBack = () => processLimits.giveBack(rates, Date.now())
  const refundStore = async () => {
    const refund = async () => (await openStore(ctx))?.giveBack(rates, Date.now())
    await waitForStore(ctx, refund())
  }
  const begun = takeFromStore(ctx, rates, now)
  const answer = await waitForStore(ctx, begun)
  if (answer) {
    giveBack()
    return { decisions: answer, refund: refundStore }
  }
  // A store that charges too late counts the failure as well.
  const refundLate = (late: Charged['decisions'] | null) =>
    late?.every(({ allowed }) => allowed) ? refundStore() : undefined
  return {
    decisions,
    refund: async () => {
      giveBack()
      begun.then(refundLate, () => undefined)
    },
  }
}
