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
import { sha256 } from '../crypto/digest.ts'
import { emit, runSignInCallback } from '../hooks.ts'
import type { SessionFacts } from '../session/facts.ts'

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

/** How each kind of evidence authenticates, by the names of RFC 8176 where it has one. */
const METHODS: Readonly<Record<Evidence['proves'], string>> = {
  account: 'fed',
  address: 'email',
  passkey: 'swk',
  user: 'pwd',
}

/** Longer values are stored as a hash, which compares as well. */
const MAX_ACR = 32

async function sessionFacts(
  ctx: Context,
  { proves, account, profile }: Evidence,
): Promise<SessionFacts> {
  const { sessionMaxAge, absoluteMaxAge } = ctx.config.tokens
  const acr = proves === 'account' ? profile?.['acr'] : undefined
  const text = typeof acr === 'string' ? acr : undefined
  return {
    startedAt: Date.now(),
    via: account.provider,
    amr: [METHODS[proves]],
    acr: text && text.length > MAX_ACR ? (await sha256(text, 'base64url')).slice(0, MAX_ACR) : text,
    idle: sessionMaxAge,
    absolute: absoluteMaxAge,
    keep: true,
  }
}

async function createSession(
  ctx: Context,
  evidence: Evidence,
  { user, account, isNewUser, wasVerified, confirm = async () => undefined }: ProvisionedUser,
): Promise<void> {
  const { session, log } = ctx.config
  const { profile, proofId } = evidence
  const isNew = isNewUser === undefined ? {} : { isNewUser }
  const facts = { user, account, ...(profile && { profile }), ...isNew }
  const provedAt = evidence.proves === 'user' ? evidence.checkedSince : undefined
  const kept = ctx.config.keepsFacts ? await sessionFacts(ctx, evidence) : undefined
  const identity = await session.create(
    ctx,
    { wasVerified, provedAt, proofId, session: kept, ...facts },
    confirm,
  )
  log.debug?.('session created')
  await recordSignIn(ctx, identity, facts)
  await renewCsrfToken(ctx, identity)
  await evidence.remember?.(user.id)
  // The user from `authorize` may have fields that the database does not store; its id may be one of another table.
  const stated = evidence.proves === 'user' ? { user: { ...evidence.user, id: user.id } } : {}
  await emit(ctx, 'signIn', { ...facts, ...stated })
}

async function complete(ctx: Context, evidence: Evidence): Promise<Reply> {
  const { profile, credentials, returnTo } = evidence
  const match = await ctx.config.matchUser(ctx, evidence)
  const { user, account } = match
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
  const { isNewUser = false, events } = provisioned
  const writes = events.map(({ event }) => event)
  ctx.config.log.debug?.('user provisioned', { isNewUser, writes })
  for (const each of events) {
    await recordEvent(ctx, each, provisioned)
    await emit(ctx, each.event, each.message)
  }
  await provisioned.settle?.()
  await createSession(ctx, evidence, provisioned)
  return { status: 302, redirect: landingUrl(ctx, returnTo, isNewUser) }
}

/** Completes a sign-in; on failure, makes single-use evidence valid again. */
export async function signIn(ctx: Context, evidence: Evidence): Promise<Reply> {
  try {
    return await complete(ctx, evidence)
  } catch (error) {
    await evidence.restore?.()
    throw error
  }
}
