/** Charges rates at the store of the application, else in the memory of this process. */
import type { RateDecision, RateLimit, RateLimitStore } from '../config/protection-options.ts'
import { AuthError, withoutLink } from '../errors/base.ts'
import { TIMEOUTS, unavailable, withTimeout } from '../async/timeout.ts'
import type { LimitContext } from './attempt.ts'
import { keptLimits, processLimits } from './memory.ts'
import { recordLimits } from './records.ts'

interface Charged {
  readonly decisions: readonly RateDecision[]
  /** Refunds one charge of each rate, or of some of them, in the store that was charged. */
  readonly refund: (some?: readonly RateLimit[]) => Promise<void>
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
const delayed = new WeakSet<LimitContext['request']>()

/** A sign-in never fails, and hardly waits, because of the store. `null`: no store is configured, or it does not respond. */
async function waitForStore<T>(
  { config, request }: LimitContext,
  begun: Promise<T>,
): Promise<T | null> {
  const what = 'The rate limit store'
  try {
    return await withTimeout(begun, {
      what,
      timeout: TIMEOUTS.limit,
      timers: 10,
      timeoutError: unavailable,
    })
  } catch (error) {
    delayed.add(request)
    config.log.warnEachMinute(
      'limit-store-unavailable',
      `${reasonOf(error)} Until the store responds, each process counts attempts for itself.`,
    )
    return null
  }
}

async function openStore(ctx: LimitContext): Promise<RateLimitStore | null> {
  const { protection, records } = ctx.config
  return (await protection?.store()) ?? (records ? recordLimits(ctx, records) : null)
}

const NO_STORE = 'no store'

type Answer = readonly RateDecision[] | typeof NO_STORE

async function takeFromStore(
  ctx: LimitContext,
  rates: readonly RateLimit[],
  now: number,
): Promise<Answer> {
  const store = await openStore(ctx)
  if (!store) return NO_STORE
  const answer: unknown = await store.take(rates, now)
  if (isAnswer(answer, rates)) return answer
  throw new Error('take of the rate limit store did not return a decision for each rate.')
}

const isCharged = (decisions: readonly RateDecision[]) => decisions.every(({ allowed }) => allowed)

interface Outage {
  readonly rates: readonly RateLimit[]
  readonly now: number
  /** The call of the store, which may still charge; `null` if it was not called. */
  readonly begun: Promise<Answer> | null
  /** Of the memory for calls of the store. */
  readonly giveBack: (some?: readonly RateLimit[]) => void
  readonly refundStore: (some?: readonly RateLimit[]) => Promise<void>
}

/** The decision of the memory, which contains what the store has decided before. */
function decideWithoutStore({ rates, now, begun, giveBack, refundStore }: Outage): Charged {
  const decisions = keptLimits.take(rates, now)
  let isRefunded = !isCharged(decisions)
  const whenLate = (run: (answer: readonly RateDecision[]) => unknown) =>
    void begun?.then(
      (answer) => (answer === NO_STORE ? undefined : run(answer)),
      () => undefined,
    )
  // A store that charges too late counts a failure as well.
  const refundLate = (some = rates) =>
    whenLate((answer) => (isCharged(answer) ? refundStore(some) : undefined))
  whenLate((answer) => {
    if (!isRefunded || !isCharged(answer)) keptLimits.keep(rates, answer, now)
  })
  const refund = async (some = rates) => {
    if (isRefunded) return
    isRefunded = true
    giveBack(some)
    keptLimits.giveBack(some, Date.now())
    refundLate(some)
  }
  if (isRefunded) {
    giveBack()
    refundLate()
  }
  return { decisions, refund }
}

/**
 * The memory of the process is charged while the store is called, and stays charged if the store does not respond. So a
 * process makes at most one burst of calls at a time, and allows at most what the store has left of one burst without it.
 */
export async function charge(ctx: LimitContext, rates: readonly RateLimit[]): Promise<Charged> {
  const now = Date.now()
  const decisions = processLimits.take(rates, now)
  if (!isCharged(decisions)) return { decisions, refund: async () => undefined }
  const giveBack = (some = rates) => processLimits.giveBack(some, Date.now())
  const refundStore = async (some = rates) => {
    const refund = async () => (await openStore(ctx))?.giveBack(some, Date.now())
    await waitForStore(ctx, refund())
  }
  const begun = delayed.has(ctx.request) ? null : takeFromStore(ctx, rates, now)
  const answer = begun && (await waitForStore(ctx, begun))
  if (answer === NO_STORE) return { decisions, refund: async (some) => giveBack(some) }
  if (!answer) return decideWithoutStore({ rates, now, begun, giveBack, refundStore })
  giveBack()
  keptLimits.keep(rates, answer, now)
  const refund = async (some = rates) => {
    keptLimits.giveBack(some, Date.now())
    await refundStore(some)
  }
  return { decisions: answer, refund }
}
