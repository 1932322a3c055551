/** The second step of a sign-in that waits for it. */
import { SEVERAL_FACTORS } from '../assurance/level.ts'
import { findUsed, markUnused, markUsed } from '../checks/transaction.ts'
import type { Context, ProvisionedUser } from '../contracts.ts'
import type { AdapterUser, StoredFactor } from '../database/adapter.ts'
import { AccessDenied, InvalidCheck, InvalidRequest, Verification } from '../errors/classes.ts'
import { noteSecondStep } from '../errors/failed-step-up.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { consumeLimit, refundOutage } from '../limits/consume.ts'
import { findBrowser, rememberBrowser } from '../limits/known-browser.ts'
import { notify } from '../mail/send.ts'
import type { Proof } from '../session/facts.ts'
import type { User } from '../types.ts'
import { acceptCode } from './accept-code.ts'
import type { FactorContext } from './accept-code.ts'
import { finishEnrollment } from './enrollment.ts'
import type { FinishedEnrollment } from './enrollment.ts'
import { describeState, withFactors } from './first-step.ts'
import { deletePending, readPending } from './pending-sign-in.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import { rememberDevice } from './remembered-device.ts'

const EXPIRED =
  'The first step of the sign-in has expired, or was made in another browser. Start again.'

/** A sign-in that waits, and its user. */
export interface WaitingSignIn {
  readonly ctx: Context & FactorContext
  readonly pending: PendingSignIn
  readonly factors: readonly StoredFactor[]
}

/** `null` without a valid cookie, and if the address or the password was changed since the first step. */
export async function findWaiting(request: Context): Promise<WaitingSignIn | null> {
  const pending = await readPending(request)
  if (!pending || findUsed(pending.id)) return null
  const ctx = await withFactors(request)
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

type Accepted = Pick<FinishedEnrollment, 'accepted' | 'recoveryCodes' | 'undo'>

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
  // A code is used up, also if what follows fails.
  return accepted && { accepted, recoveryCodes: [], undo: async () => undefined }
}

/** Charged before the code is compared. @throws TooManyAttempts, Verification */
async function checkCode(waiting: WaitingSignIn): Promise<Accepted> {
  const { ctx, pending } = waiting
  const code = readCode(ctx)
  const kind = ctx.request.body['recovery'] === 'true' ? 'recovery' : 'app'
  const lifetime = ctx.cookies.pending.options.maxAge
  const counted = { transaction: pending.id, user: pending.userId, lifetime }
  const charged = await consumeLimit(ctx, 'secondStep', counted)
  if (charged.error) {
    // After the last try, another first step is needed.
    if (charged.error.limit === 'secondStep') deletePending(ctx)
    else noteSecondStep(charged.error, kind)
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
  noteSecondStep(error, kind)
  throw error
}

/** Records and tells the user what the sign-in has changed. */
async function report(
  { ctx, pending, factors }: WaitingSignIn,
  { accepted }: Accepted,
  user: AdapterUser,
) {
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
  const left = factors.filter(({ type }) => type === 'recovery').length - 1
  await notify(
    ctx,
    user,
    isAdded ? { change: 'factor-added' } : { change: 'recovery-code-used', left },
  )
}

/** The factors of the user, once the code has confirmed one: the session has begun, so they are not read again. */
function withAccepted({ factors }: WaitingSignIn, { accepted }: Accepted): StoredFactor[] {
  return factors.map((each) => (each.id === accepted.factor ? { ...each, confirmed: true } : each))
}

/** That of `authorize` may have fields that the database does not store. */
function userOf({ evidence, provisioned }: PendingSignIn, stored: AdapterUser): User {
  if (evidence.proves !== 'user') return stored
  const { emailVerified } = stored
  // A date is a text in the cookie.
  return Object.assign(
    {},
    provisioned.user,
    'emailVerified' in provisioned.user && { emailVerified },
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
  // Before the code, which is used up.
  const user = await ctx.query('getUser', userId)
  if (!user) throw new InvalidCheck(EXPIRED)
  const code = await checkCode(waiting)
  const { accepted, recoveryCodes, undo } = code
  // Of several tabs, one continues.
  if (findUsed(pending.id)) throw new InvalidCheck(EXPIRED)
  markUsed(pending.id, evidence.returnTo)
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
        await rememberDevice(ctx, userId, withAccepted(waiting, code))
        await report(waiting, code, user)
      },
      async restore() {
        markUnused(pending.id)
        await undo()
      },
    },
    provisioned: { ...pending.provisioned, user: userOf(pending, user), events: [], confirm },
    stepUp,
    passed: { proof: { ...proof, amr: [...proof.amr, 'otp', SEVERAL_FACTORS] }, provedAt },
    recoveryCodes,
  }
}
