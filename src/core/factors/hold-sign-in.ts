/** Holds a sign-in until its second step: no session begins before. */
import { levelOf } from '../assurance/level.ts'
import { readKeepSignedIn } from '../checks/keep-signed-in.ts'
import type { SecondStepMessage } from '../config/second-step-options.ts'
import type { Context, ProvisionedUser, Reply } from '../contracts.ts'
import type { StoredFactor } from '../database/adapter.ts'
import {
  AccessDenied,
  AdapterError,
  CallbackRouteError,
  TemporarilyUnavailable,
} from '../errors/classes.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { callHook } from '../hooks.ts'
import { builtInPageUrl } from '../http/path.ts'
import type { Proof } from '../session/facts.ts'
import type { FactorContext } from './accept-code.ts'
import { enroll } from './enrollment.ts'
import { describeState, withFactors } from './first-step.ts'
import { setPending } from './pending-sign-in.ts'
import { isRemembered } from './remembered-device.ts'

/** @throws TemporarilyUnavailable if the function fails: no session begins without its answer */
async function isRequired(ctx: Context, message: SecondStepMessage): Promise<boolean> {
  const { required } = ctx.config.secondStep ?? {}
  if (!required) return false
  const what = 'secondStep.required'
  ctx.secrets.addKeysOf(message)
  let answer: unknown
  try {
    answer = await callHook<unknown>(ctx, { what, run: () => required(message) })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) throw cause
    throw new TemporarilyUnavailable(`${what} threw.`, { cause })
  }
  if (typeof answer === 'boolean') return answer
  throw new CallbackRouteError(`${what} did not return true or false (got ${typeof answer}).`)
}

/** Ids that no user has, as texts, UUIDs, numbers and ObjectIds. */
const unusedIds = (): readonly string[] => [crypto.randomUUID(), '0', '0'.repeat(24)]

/** @throws AdapterError if the database does not list the factors of any user */
async function requireListing({ query }: FactorContext): Promise<void> {
  let failure: unknown
  for (const id of unusedIds())
    try {
      await query('listFactors', id)
      return
    } catch (error) {
      failure = error
    }
  throw failure
}

/**
 * The factors of a user from `authorize`, whose id may be one of another table: some databases reject it, for example in a
 * column of type uuid. In an outage, also of the factors alone, they reject every id.
 */
export async function listStated(
  ctx: Context,
  list: () => Promise<readonly StoredFactor[]>,
): Promise<readonly StoredFactor[]> {
  try {
    return await list()
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    await requireListing(await withFactors(ctx))
    return list().catch(() => [])
  }
}

/** A sign-in whose user was found. */
export interface HeldSignIn {
  readonly evidence: Proved
  readonly provisioned: ProvisionedUser
  readonly stepUp: StepUp | undefined
  /** What the first step proves. */
  readonly proof: Proof
  /** Those that a sign-in requires. */
  readonly factors: readonly StoredFactor[]
}

/** Whether the user has to pass a second step, or to add a factor first; `none`: the session may begin. */
async function decide(ctx: Context, held: HeldSignIn): Promise<'pass' | 'enroll' | 'none'> {
  const { provisioned, evidence, stepUp, proof, factors } = held
  const { user, account } = provisioned
  if (levelOf(proof.amr) === 2) return 'none'
  if (factors.length > 0) {
    // A step-up asks for what a remembered browser does not show.
    const isKnown = !stepUp && (await isRemembered(ctx, user.id ?? '', factors))
    return isKnown ? 'none' : 'pass'
  }
  return (await isRequired(ctx, { user, account, profile: evidence.profile })) ? 'enroll' : 'none'
}

/** Redirects to the page of the second step; `null` if the session may begin. */
export async function holdSignIn(request: Context, held: HeldSignIn): Promise<Reply | null> {
  const step = await decide(request, held)
  if (step === 'none') return null
  const { evidence, provisioned, stepUp, proof } = held
  const { user, account, isNewUser, wasVerified, confirm } = provisioned
  if (!user.id || (step === 'enroll' && wasVerified === null))
    throw new AccessDenied(
      'secondStep.required returned true for a user who is not in the database, and so can have no factor.',
    )
  const ctx = await withFactors(request)
  const state = await describeState(ctx, user.id)
  // After the state was read: a change in between is found now, and a later one at the second step.
  await confirm?.()
  await evidence.recheck?.()
  const stored = await ctx.query('getUser', user.id)
  if (state === null || !stored) throw new AccessDenied('The user was deleted during the sign-in.')
  const enrollment = step === 'enroll' ? await enroll({ ctx, user: stored }, null) : undefined
  await setPending(ctx, {
    id: crypto.randomUUID(),
    userId: user.id,
    provedAt: evidence.proves === 'user' ? evidence.checkedSince : Date.now(),
    proof,
    state,
    // The second form has no field for it.
    evidence: { ...evidence, keepSignedIn: readKeepSignedIn(ctx) ?? evidence.keepSignedIn },
    provisioned: { user, account, wasVerified, ...(isNewUser !== undefined && { isNewUser }) },
    stepUp,
    enrolling: enrollment?.id,
    typed: evidence.typed,
  })
  ctx.config.log.debug?.('second step required', { provider: account.provider, step })
  return { status: 302, redirect: builtInPageUrl('stepUp', ctx).href }
}
