/** Holds a sign-in until its second step: no session begins before. */
import { levelOf, SEVERAL_FACTORS } from '../assurance/level.ts'
import { readKeepSignedIn } from '../checks/keep-signed-in.ts'
import { markUnused, markUsed, findUsed } from '../checks/transaction.ts'
import type { Context, ProvisionedUser, Reply } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { StoredFactor } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'
import {
  AccessDenied,
  CallbackRouteError,
  InvalidCheck,
  InvalidRequest,
  MissingAdapter,
  TemporarilyUnavailable,
  Verification,
} from '../errors/classes.ts'
import { noteSecondStep } from '../errors/failed-step-up.ts'
import type { SecondStepMessage } from '../config/second-step-options.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { callHook } from '../hooks.ts'
import { builtInPageUrl } from '../http/path.ts'
import { consumeLimit, refundOutage } from '../limits/consume.ts'
import { findBrowser, rememberBrowser } from '../limits/known-browser.ts'
import { notify } from '../mail/send.ts'
import type { Proof } from '../session/facts.ts'
import { acceptCode } from './accept-code.ts'
import type { AcceptedCode, FactorContext } from './accept-code.ts'
import { enroll, finishEnrollment } from './enrollment.ts'
import { deletePending, readPending, setPending } from './pending-sign-in.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import { isRemembered, rememberDevice } from './remembered-device.ts'

async function withDatabase(ctx: Context): Promise<Context & FactorContext> {
  const database = await ctx.config.database?.()
  if (!database) throw new MissingAdapter('Second factors are stored in a database. Set adapter.')
  const query: DatabaseAccess['query'] = (method, ...args) => database.call(ctx, method, ...args)
  return { ...ctx, database, query }
}

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

/** Changes with what the first step relies on, so that a reset or an eviction ends a sign-in that waits. */
async function describeState(ctx: FactorContext, userId: string): Promise<string | null> {
  const user = await ctx.query('getUser', userId)
  if (!user) return null
  const hasPasswords = await ctx.database.has('getPassword')
  const password = hasPasswords ? await ctx.query('getPassword', userId) : null
  const { email, emailVerified } = user
  const parts = [email, emailVerified?.getTime() ?? null, password?.changed.getTime() ?? null]
  return sha256(JSON.stringify(parts), 'base64url')
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

/** Redirects to the page of the second step; `null` if there is none. */
export async function holdSignIn(request: Context, held: HeldSignIn): Promise<Reply | null> {
  const step = await decide(request, held)
  if (step === 'none') return null
  const { evidence, provisioned, stepUp, proof } = held
  const { user, account, isNewUser, wasVerified, confirm } = provisioned
  if (!user.id || wasVerified === null)
    throw new AccessDenied(
      'secondStep.required returned true for a user who is not in the database, and so can have no factor.',
    )
  const ctx = await withDatabase(request)
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
    provisioned: { account, wasVerified, ...(isNewUser !== undefined && { isNewUser }) },
    stepUp,
    enrolling: enrollment?.id,
    typed: evidence.typed,
  })
  ctx.config.log.debug?.('second step required', { provider: account.provider, step })
  return { status: 302, redirect: builtInPageUrl('stepUp', ctx).href }
}

const EXPIRED =
  'The first step of the sign-in has expired, or was made in another browser. Start again.'

/** A sign-in that waits, and its user. */
export interface WaitingSignIn {
  readonly ctx: Context & FactorContext
  readonly pending: PendingSignIn
  readonly factors: readonly StoredFactor[]
}

/** `null`: there is none in this browser, or what its first step relied on has changed. */
export async function findWaiting(request: Context): Promise<WaitingSignIn | null> {
  const pending = await readPending(request)
  if (!pending || findUsed(pending.id)) return null
  const ctx = await withDatabase(request)
  const { userId } = pending
  if ((await describeState(ctx, userId)) !== pending.state) return null
  return { ctx, pending, factors: await ctx.query('listFactors', userId) }
}

function readCode({ request, secrets }: Context): string {
  const { code } = request.body
  if (typeof code !== 'string') throw new InvalidRequest('The field "code" is not a string.')
  secrets.add(code)
  return code
}

interface Accepted {
  readonly accepted: AcceptedCode
  readonly recoveryCodes: readonly string[]
}

async function accept(waiting: WaitingSignIn, code: string): Promise<Accepted | null> {
  const { ctx, pending, factors } = waiting
  const { userId, enrolling } = pending
  const confirmed = factors.filter((factor) => factor.confirmed)
  // The user may have added a factor in another tab.
  if (enrolling !== undefined && confirmed.length === 0) {
    const user = await ctx.query('getUser', userId)
    return user && finishEnrollment({ ctx, user }, enrolling, code)
  }
  const accepted = await acceptCode(ctx, userId, { code, factors: confirmed })
  return accepted && { accepted, recoveryCodes: [] }
}

/** Charged before the code is compared. @throws TooManyAttempts, Verification */
async function checkCode(waiting: WaitingSignIn): Promise<Accepted> {
  const { ctx, pending } = waiting
  const code = readCode(ctx)
  const lifetime = ctx.cookies.pending.options.maxAge
  const counted = { transaction: pending.id, user: pending.userId, lifetime }
  const charged = await consumeLimit(ctx, 'secondStep', counted)
  if (charged.error) {
    // After the last try, another first step is needed.
    if (charged.error.limit === 'secondStep') deletePending(ctx)
    else noteSecondStep(charged.error)
    throw charged.error
  }
  const accepted = await refundOutage(charged, () => accept(waiting, code))
  if (accepted) {
    await charged.refund()
    return accepted
  }
  const error = new Verification('The code of the second step is wrong, or was used before.', {
    code: 'invalid_second_step',
  })
  noteSecondStep(error)
  throw error
}

/** Records and tells the user what the sign-in has changed. */
async function report({ ctx, pending, factors }: WaitingSignIn, { accepted }: Accepted) {
  const { userId, provisioned } = pending
  const isAdded = accepted.type === 'totp' && !factors.some(({ confirmed }) => confirmed)
  if (!isAdded && accepted.type === 'totp') return
  await ctx.config.audit?.record(ctx, {
    type: isAdded ? 'factor.added' : 'factor.removed',
    outcome: 'success',
    ...(!isAdded && { reason: 'recovery code used' }),
    actor: { kind: 'user', id: userId },
    target: { kind: 'factor', id: accepted.factor },
    provider: provisioned.account.provider,
  })
  const user = await ctx.query('getUser', userId)
  const left = factors.filter(({ type }) => type === 'recovery').length - 1
  if (user)
    await notify(
      ctx,
      user,
      isAdded ? { change: 'factor-added' } : { change: 'recovery-code-used', left },
    )
}

/** A sign-in with both steps. */
export interface PassedSignIn {
  readonly evidence: Proved
  readonly provisioned: ProvisionedUser
  readonly stepUp: StepUp | undefined
  /** What both steps prove, and when the first one was made. */
  readonly passed: { readonly proof: Proof; readonly provedAt: number }
  /** New ones, if the user has just added a factor. */
  readonly recoveryCodes: readonly string[]
}

/** Checks the code of the form. @throws InvalidCheck, Verification, TooManyAttempts */
export async function passSecondStep(request: Context): Promise<PassedSignIn> {
  const waiting = await findWaiting(request)
  if (!waiting) {
    deletePending(request)
    throw new InvalidCheck(EXPIRED)
  }
  const { ctx, pending } = waiting
  const { userId, evidence, proof, provedAt, typed, stepUp, state } = pending
  const code = await checkCode(waiting)
  const { accepted, recoveryCodes } = code
  // Of several tabs, one continues.
  if (findUsed(pending.id)) throw new InvalidCheck(EXPIRED)
  markUsed(pending.id, evidence.returnTo)
  const user = await ctx.query('getUser', userId)
  if (!user) throw new InvalidCheck(EXPIRED)
  async function confirm() {
    if ((await describeState(ctx, userId)) !== state)
      throw new AccessDenied('The user was changed or evicted during the sign-in.')
  }
  return {
    evidence: {
      ...evidence,
      proofId: `${pending.id}.${accepted.id}`,
      async remember(id, subjectId) {
        deletePending(ctx)
        if (typed !== undefined)
          await rememberBrowser(ctx, {
            text: typed,
            userId: id,
            subjectId,
            ...(await findBrowser(ctx, [typed])),
          })
        await rememberDevice(ctx, userId)
        await report(waiting, code)
      },
      restore: async () => markUnused(pending.id),
    },
    provisioned: { ...pending.provisioned, user, events: [], confirm },
    stepUp,
    passed: { proof: { ...proof, amr: [...proof.amr, 'otp', SEVERAL_FACTORS] }, provedAt },
    recoveryCodes,
  }
}
