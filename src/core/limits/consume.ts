/** Charges an attempt before the work, so that parallel guesses count; it is refunded if the attempt succeeds. */
import type { RateDecision, RateLimit } from '../config/protection-options.ts'
import type { Context } from '../contracts.ts'
import { ChallengeRequired, EmailSignInError, TooManyAttempts } from '../errors/classes.ts'
import { findErrorRow } from '../errors/table.ts'
import { runsInProduction } from '../config/variables.ts'
import { askApplication, readChallenge, readClientAddress } from './attempt.ts'
import type { LimitContext } from './attempt.ts'
import { charge } from './charge.ts'
import { roundWait } from './gcra.ts'
import { hashAll } from './hash.ts'
import type { CountedValues } from './hash.ts'
import { belongsTo, findRates, isByAddress, isLimitedByAddress } from './rules.ts'
import type { LimitKind } from './rules.ts'

/** The result of {@link consumeLimit}. */
export interface Charge {
  /** If the attempt is not allowed. */
  readonly error: TooManyAttempts | null
  /** Tries of the code, including this one; undefined if they are not counted. */
  readonly tries?: number | undefined
  /** After a success, or if the work was not done. */
  readonly refund: () => Promise<void>
  /** Not for the client, who made the work: a mail that the mail server rejected. */
  readonly refundOthers: () => Promise<void>
}

const NOTHING = async () => undefined

const FREE: Charge = { error: null, refund: NOTHING, refundOthers: NOTHING }

/** Never exhausted: it counts failures, and forgets one every 30 days. */
const MANY = 1_000_000
const failureRate = (account: string): RateLimit => ({
  key: `limit:failures:${account}`,
  burst: MANY,
  per: MANY * 30 * 24 * 60 * 60,
})

/** Attempts of users, about which {@link askApplication} asks; `.known` in the kind of a limit makes no difference. */
const ATTEMPTS = ['password', 'mail', 'code', 'passkey'] as const

export interface ChargeOptions {
  /** Seconds for which the transaction of a code is valid. @default 600 */
  readonly lifetime?: number | undefined
  /** Who makes the attempt, if the function of the application knows it. */
  readonly userId?: string | null
}

interface Outcome {
  readonly rates: readonly RateLimit[]
  readonly decisions: readonly RateDecision[]
}

/** The first exhausted limit and its key, and the longest time to wait; `null` if all rates were charged. */
function findExhausted({ rates, decisions }: Outcome) {
  const rejected = rates.filter((_, index) => decisions[index]?.allowed === false)
  const [first] = rejected
  if (!first) return null
  const longest = Math.max(...rejected.map(({ per }) => per))
  const retryAfter = Math.max(...decisions.map((each) => each.retryAfter))
  const [, name = ''] = first.key.split(':')
  return {
    name,
    key: first.key,
    retryAfter: roundWait(Math.min(Math.max(retryAfter, 1), longest) * 1000),
  }
}

function countFailures({ rates, decisions }: Outcome): number | null {
  const counts = rates.flatMap(({ burst }, index) =>
    burst === MANY ? (decisions[index]?.used ?? []) : [],
  )
  return counts.length > 0 ? Math.max(...counts) - 1 : null
}

/** A misspelt header, or a proxy that does not set it, would switch limits off unnoticed. */
function reportMissingAddress({ protection, log }: Context['config']): void {
  const source = protection?.clientAddress
  if (typeof source !== 'object' || !runsInProduction()) return
  const { header, hops = 1 } = source
  log.warnOnce(
    'no-client-address',
    `A request has no client address in the header ${header} with hops ${hops} (protection.clientAddress), so no limit by client address applies to it. Set the header in your proxy, or correct header and hops.`,
  )
}

/**
 * Charges the limits of an attempt, by what the request names and by the client address. Nothing is charged if a limit
 * is exhausted. Without protection, returns at once.
 *
 * @throws ChallengeRequired
 */
export async function consumeLimit(
  ctx: LimitContext,
  kind: LimitKind,
  { lifetime, userId = null, ...values }: CountedValues & ChargeOptions,
): Promise<Charge> {
  const { protection } = ctx.config
  // Six digits need a limit, whether or not others are switched off.
  if (!protection && kind !== 'secondStep') return FREE
  const address = readClientAddress(ctx)
  if (address === null && ctx.request.original) reportMissingAddress(ctx.config)
  const isCounted = address !== null && isLimitedByAddress(kind)
  const hashes = await hashAll(ctx, isCounted ? { ...values, address } : values)
  const accounts = hashes.account ?? hashes.user ?? hashes.recipient ?? []
  const asked =
    protection?.onAttempt && ATTEMPTS.find((each) => kind.replace('.known', '') === each)
  const counted = asked && asked !== 'mail' ? accounts : []
  const rates = [
    ...findRates(kind, hashes, { limits: protection?.limits ?? {}, lifetime }),
    ...counted.map(failureRate),
  ]
  const { decisions, refund } =
    rates.length > 0 ? await charge(ctx, rates) : { decisions: [], refund: NOTHING }
  const limit = findExhausted({ rates, decisions })
  if (limit) {
    const { name, key, retryAfter } = limit
    ctx.config.log.debug?.('attempt limited', { limit: name, retryAfter })
    const reason = `The limit "${name}" is exhausted: the next attempt is available in ${retryAfter} s.`
    // The key is not in the message, which some servers send to the client: see "Unlock an account" in the guide.
    return { ...FREE, error: new TooManyAttempts(reason, { retryAfter, limit: name, key }) }
  }
  const allowed: Charge = {
    error: null,
    tries: decisions[rates.findIndex((rate) => belongsTo('code', rate))]?.used,
    refund: () => refund(),
    refundOthers: () => refund(rates.filter((rate) => !isByAddress(rate))),
  }
  if (!asked) return allowed
  const challenge = readChallenge(ctx)
  const failures = countFailures({ rates, decisions })
  const account = accounts[0] ?? null
  const attempt = { kind: asked, account, address, failures, userId, challenge }
  const answer = await askApplication(ctx, attempt)
  if (answer === 'allow') return allowed
  // A wrong answer to a challenge is charged; an attempt that could not contain one is not.
  if (answer === 'challenge') {
    if (challenge === null) await refund()
    throw new ChallengeRequired('protection.onAttempt requires a challenge.')
  }
  ctx.config.log.debug?.('attempt limited', { limit: 'onAttempt' })
  const reason = 'protection.onAttempt refused the attempt.'
  return { ...FREE, error: new TooManyAttempts(reason, { retryAfter: 0 }) }
}

/** @throws TooManyAttempts if a limit is exhausted */
export function rejectLimited(charged: Charge): Charge {
  if (charged.error) throw charged.error
  return charged
}

/** Records an exhausted limit in both logs, for a response that does not show it. */
export async function recordLimited(ctx: LimitContext, error: TooManyAttempts): Promise<void> {
  await ctx.config.audit?.recordFailure(ctx, error)
  ctx.config.log.error(error)
}

/** An outage of the database or the provider is not a failure of the client. */
function isOutage(error: unknown): boolean {
  return findErrorRow(error)?.status === 503
}

/** Refunds a charge if the work fails because of an outage. A mail that was rejected stays charged to the client. */
export async function refundOutage<T>(
  { refund, refundOthers }: Pick<Charge, 'refund' | 'refundOthers'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof EmailSignInError) await refundOthers()
    else if (isOutage(error)) await refund()
    throw error
  }
}

/** Charges failures by client address: a success, or a page to show, is refunded. @throws TooManyAttempts */
export async function limitFailures<T>(
  ctx: Context,
  kind: 'callback' | 'passkey',
  work: () => Promise<T>,
): Promise<T> {
  const charged = rejectLimited(await consumeLimit(ctx, kind, {}))
  const result = await refundOutage(charged, work)
  await charged.refund()
  return result
}
