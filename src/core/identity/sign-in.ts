import { anotherUser, sameUser } from '../assurance/step-up.ts'
import { renewCsrfToken } from '../checks/csrf.ts'
import { redirectUrl } from '../checks/return-to.ts'
import type {
  AuditFact,
  Context,
  Evidence,
  ProvisionedUser,
  Reply,
  UserEvent,
} from '../contracts.ts'
import { lazily } from '../async/cache.ts'
import type { AdapterUser, StoredFactor } from '../database/adapter.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { InvalidCheck } from '../errors/classes.ts'
import { noteStepUp } from '../errors/failed-step-up.ts'
import { emit, runSignInCallback } from '../hooks.ts'
import type { User } from '../types.ts'
import type { PassedSignIn } from '../factors/second-step.ts'
import type { Proof } from '../session/facts.ts'
import { chooseLifetime } from './choose-lifetime.ts'

function landingUrl(ctx: Context, returnTo: string, isNewUser: boolean): string {
  const { pages } = ctx.config
  if (!isNewUser || !pages.newUser) return returnTo
  const url = new URL(pages.newUser, ctx.origin)
  url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

type SignedIn = Pick<ProvisionedUser, 'user' | 'account'>

function userActor({ user, account }: SignedIn): Pick<AuditFact, 'actor' | 'provider'> {
  const { id } = user
  return { actor: { kind: 'user', ...(id && { id }) }, provider: account.provider }
}

/** `identity` is empty if the `jwt` callback created no session. */
async function recordSignIn(ctx: Context, identity: string, facts: SignedIn): Promise<void> {
  await ctx.config.audit?.record(ctx, {
    type: 'signin',
    ...userActor(facts),
    ...(identity
      ? { outcome: 'success', session: identity }
      : { outcome: 'denied', reason: 'jwt callback' }),
  })
}

const AUDITED: Readonly<Partial<Record<UserEvent['event'], AuditFact['type']>>> = {
  createUser: 'user.created',
  linkAccount: 'account.linked',
}

async function recordEvent(
  ctx: Context,
  { event, message }: UserEvent,
  by: SignedIn,
): Promise<void> {
  const linked = 'account' in message ? message.account : null
  const isPasskey = linked?.type === 'webauthn'
  const type = isPasskey ? 'factor.added' : AUDITED[event]
  if (!type) return
  const kind = isPasskey ? 'factor' : 'account'
  await ctx.config.audit?.record(ctx, {
    type,
    outcome: 'success',
    ...userActor({ ...by, user: message.user }),
    ...(linked && { target: { kind, id: linked.providerAccountId } }),
  })
}

const loadMail = lazily(() => import('../mail/send.ts'))

function isStored(user: User): user is AdapterUser {
  return user.id !== undefined && 'emailVerified' in user && typeof user.email === 'string'
}

/** Tells the user of another way to sign in. */
async function notifyOwner(ctx: Context, { event, message }: UserEvent): Promise<void> {
  if (!ctx.config.account || event !== 'linkAccount' || !isStored(message.user)) return
  const { type, provider: id } = message.account
  const provider = ctx.config.providers.get(id)?.name ?? id
  const { notify } = await loadMail()
  await notify(
    ctx,
    message.user,
    type === 'webauthn' ? { change: 'passkey-added' } : { change: 'account-linked', provider },
  )
}

const loadFacts = lazily(() => import('./sign-in-facts.ts'))
const loadStepUp = lazily(() => import('../assurance/step-up.ts'))
const loadMerge = lazily(() => import('./complete-merge.ts'))
const loadPending = lazily(() => import('../factors/pending-sign-in.ts'))
const loadHold = lazily(() => import('../factors/hold-sign-in.ts'))

/** A sign-in whose user exists. */
interface SignInState {
  readonly provisioned: ProvisionedUser
  readonly stepUp: StepUp | undefined
  readonly proof: () => Promise<Proof>
  /** When the first of two steps was made, in milliseconds since the epoch. */
  readonly provedAt?: number
}

async function createSession(
  ctx: Context,
  evidence: Proved,
  { provisioned, stepUp, proof, ...state }: SignInState,
): Promise<void> {
  const { user, account, isNewUser, wasVerified, confirm = async () => undefined } = provisioned
  const { session, log } = ctx.config
  const { profile, proofId } = evidence
  const isNew = isNewUser === undefined ? {} : { isNewUser }
  const facts = { user, account, ...(profile && { profile }), ...isNew }
  const provedAt =
    state.provedAt ?? (evidence.proves === 'user' ? evidence.checkedSince : undefined)
  const { isDefault, ...lifetime } = await chooseLifetime(ctx, { ...evidence, stepUp }, facts)
  const kept =
    isDefault && !ctx.config.keepsFacts
      ? undefined
      : await (
          await loadFacts()
        ).sessionFacts(ctx, evidence, {
          provisioned,
          stepUp,
          proof: await proof(),
          lifetime,
        })
  // The jwt callback chooses the user of a session in a cookie.
  let subjectId = user.id
  const refuse = (id: string | undefined) => {
    if (stepUp && id !== stepUp.user) throw anotherUser(account.provider)
    subjectId = id
  }
  const identity = await session.create(
    ctx,
    {
      wasVerified,
      provedAt,
      proofId,
      session: kept,
      refuse,
      headers: ctx.request.headers,
      ...facts,
    },
    async (sid) => {
      await confirm()
      await evidence.recheck?.()
      await evidence.register?.({ userId: user.id ?? '', sid: await sid() })
    },
  )
  log.debug?.('session created')
  await recordSignIn(ctx, identity, facts)
  await renewCsrfToken(ctx, identity)
  await evidence.remember?.(user.id, subjectId)
  // The user from `authorize` may have fields that the database does not store; its id may be one of another table.
  const stated = evidence.proves === 'user' ? { user: { ...evidence.user, id: user.id } } : {}
  await emit(ctx, 'signIn', { ...facts, ...stated })
}

/** A step-up neither creates a user, nor adds an account or a passkey, which would prove nothing about the user. */
function limitToUser(evidence: Evidence, { mergesUntil }: StepUp): Evidence {
  if (evidence.proves === 'passkey' && evidence.passkey.kind === 'new')
    throw anotherUser(evidence.account.provider)
  // The other user of a merge is not that of the session.
  const session = mergesUntil !== undefined && { initiatingUser: null, beganUnstored: false }
  return evidence.proves === 'account'
    ? { ...evidence, ...session, mayCreate: false }
    : { ...evidence, mayCreate: false }
}

/** The user from `authorize` may have an id of another table; the stored user is then compared. */
function checkUser({ config }: Context, evidence: Evidence, stepUp: StepUp, { id }: User): void {
  const isSame = id === stepUp.user
  if (stepUp.mergesUntil !== undefined && isSame) throw sameUser(evidence.account.provider)
  if (stepUp.mergesUntil === undefined && config.database && !isSame)
    throw anotherUser(evidence.account.provider)
}

/** The confirmed factors of the user. @throws AdapterError: what cannot be read is not taken for none */
async function findFactors(
  ctx: Context,
  provisioned: ProvisionedUser,
): Promise<readonly StoredFactor[]> {
  const { id } = provisioned.user
  const database = await ctx.config.database?.()
  if (!database || !id) return []
  if (!ctx.config.secondStep && !(await database.has('listFactors'))) return []
  const list = async () =>
    (await database.call(ctx, 'listFactors', id)).filter(({ confirmed }) => confirmed)
  // Also by the id of a user who is not shown to be in the database: the session would be that of the user with this id.
  return provisioned.wasVerified === null ? (await loadHold()).listStated(ctx, list) : list()
}

/** The only way from a proof to a session. Redirects instead if the user needs a second step. */
async function beginSession(ctx: Context, evidence: Evidence, state: SignInState): Promise<Reply> {
  const { provisioned, stepUp, proof } = state
  const factors = await findFactors(ctx, provisioned)
  if (factors.length > 0 || ctx.config.secondStep?.required) {
    const { holdSignIn } = await loadHold()
    const held = { evidence, provisioned, stepUp, proof: await proof(), factors }
    const reply = await holdSignIn(ctx, held)
    if (reply) return reply
  }
  return finish(ctx, evidence, state)
}

async function finish(ctx: Context, evidence: Proved, state: SignInState): Promise<Reply> {
  const { provisioned, stepUp } = state
  const { returnTo } = evidence
  if (stepUp?.mergesUntil !== undefined) {
    await (await loadMerge()).completeMerge(ctx, { evidence, provisioned, stepUp })
    ;(await loadPending()).deletePending(ctx)
    return { status: 302, redirect: returnTo }
  }
  await createSession(ctx, evidence, state)
  const again = stepUp && (await (await loadStepUp()).insufficientUrl(ctx, stepUp, returnTo))
  if (again) return { status: 302, redirect: again }
  return { status: 302, redirect: landingUrl(ctx, returnTo, provisioned.isNewUser ?? false) }
}

async function complete(ctx: Context, given: Evidence, stepUp: StepUp | undefined): Promise<Reply> {
  const evidence = stepUp ? limitToUser(given, stepUp) : given
  const { profile, credentials } = evidence
  const match = await ctx.config.matchUser(ctx, evidence)
  const { user, account } = match
  // Before anything is written.
  if (stepUp && evidence.proves !== 'user') checkUser(ctx, evidence, stepUp, user)
  const params = { user, account, ...(profile && { profile }), ...(credentials && { credentials }) }
  const answer = await runSignInCallback(ctx, params)
  if (answer !== true) {
    const redirect = await redirectUrl(ctx, answer)
    await evidence.restore?.()
    const reason = 'signIn callback'
    const refused = { type: 'signin', outcome: 'denied', reason, ...userActor(match) } as const
    await ctx.config.audit?.record(ctx, refused)
    return { status: 302, redirect }
  }
  const provisioned = await match.provision()
  if (stepUp) checkUser(ctx, evidence, stepUp, provisioned.user)
  const { isNewUser = false, events } = provisioned
  const writes = events.map(({ event }) => event)
  ctx.config.log.debug?.('user provisioned', { isNewUser, writes })
  for (const each of events) {
    await recordEvent(ctx, each, provisioned)
    await emit(ctx, each.event, each.message)
    if (!isNewUser) await notifyOwner(ctx, each)
  }
  await provisioned.settle?.()
  const proof = async () => (await loadFacts()).firstProof(ctx, evidence, provisioned)
  return beginSession(ctx, evidence, { provisioned, stepUp, proof })
}

/** The session may have changed since the step-up began. Without one, the same user has to sign in. */
async function checkSession(ctx: Context, { sid }: StepUp): Promise<void> {
  const current = await ctx.config.session.subject(ctx)
  if (!current || (await current.sid()) === sid) return
  throw new InvalidCheck('Another session has begun since the user was asked to confirm it.')
}

/**
 * Completes a sign-in; on failure, makes single-use evidence valid again.
 *
 * @param requested - the step-up of the request; else that of the evidence
 */
export async function signIn(ctx: Context, evidence: Evidence, requested?: StepUp): Promise<Reply> {
  const stepUp = requested ?? evidence.stepUp
  try {
    if (stepUp) await checkSession(ctx, stepUp)
    return await complete(ctx, evidence, stepUp)
  } catch (error) {
    await evidence.restore?.()
    if (stepUp && error instanceof Error) noteStepUp(error, stepUp, evidence.returnTo)
    throw error
  }
}

/** Completes a sign-in whose second step was passed; on failure, the browser can enter the next code. */
export async function finishSignIn(
  ctx: Context,
  evidence: Proved,
  { passed, ...state }: Pick<PassedSignIn, 'provisioned' | 'stepUp' | 'passed'>,
): Promise<Reply> {
  const { stepUp } = state
  try {
    if (stepUp) await checkSession(ctx, stepUp)
    return await finish(ctx, evidence, {
      ...state,
      proof: async () => passed.proof,
      provedAt: passed.provedAt,
    })
  } catch (error) {
    await evidence.restore?.()
    throw error
  }
}
