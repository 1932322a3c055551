/** How an OAuth account is matched to a user when an adapter is configured. */
import type { AdapterUser } from '../database/adapter.ts'
import type { ProvisionedUser, UserEvent, UserMatch } from '../contracts.ts'
import type { AccountEvidence } from '../evidence.ts'
import { requireFresh } from '../assurance/require-fresh.ts'
import { anotherUser } from '../assurance/step-up.ts'
import { isOfUser } from '../checks/stored-subject.ts'
import { OAuthAccountNotLinked } from '../errors/classes.ts'
import { isIncomplete, linkAccount, nullOnError, signUp } from './create-user.ts'
import type { DatabaseContext, SignedUp } from './create-user.ts'
import {
  checkLink,
  checkLinkFromSession,
  checkSignUp,
  confirmOwner,
  currentUser,
  evict,
} from './evict.ts'
import type { LinkCheck } from './evict.ts'

/** Facts about a sign-in with an account at a provider. Users are given by id. */
export interface LinkFacts {
  /** Signed in when the sign-in began; `null` if unauthenticated. */
  readonly initiatingUser: string | null
  /** Signed in when the sign-in completes. */
  readonly currentUser: string | null
  /** Whether the current session may link accounts: not if it is older than the verification of the address. */
  readonly mayLink: boolean
  readonly accountOwner: string | null
  /** User with the same e-mail address. */
  readonly sameEmail: string | null
  /** Whether a matching address is enough: verified by the provider, and `allowDangerousEmailAccountLinking` or unclaimed. */
  readonly trustsEmail: boolean
  /** Whether a session in which the sign-in began or completes may be that of a stored user, without showing it. */
  readonly isUnstored: boolean
}

export type LinkDecision = 'sign_in' | 'link_current' | 'link_same_email' | 'create' | 'reject'

/** Decides what to do with an account, by the table in docs/reference/linking.md. */
export function decide(facts: LinkFacts): LinkDecision {
  const { initiatingUser, currentUser: current, accountOwner, sameEmail } = facts
  if (initiatingUser !== null && current !== null) {
    // The session may belong to another user of the browser, or to an attacker (session fixation).
    if (initiatingUser !== current) return 'reject'
    if (accountOwner === null) return facts.mayLink ? 'link_current' : 'reject'
    return accountOwner === current ? 'sign_in' : 'reject'
  }
  if (accountOwner !== null) return 'sign_in'
  if (sameEmail === null) return facts.isUnstored ? 'reject' : 'create'
  return facts.trustsEmail ? 'link_same_email' : 'reject'
}

/** What an eviction needs. */
const REVOKING = ['listAccounts', 'unlinkAccount', 'updateUser', 'deleteUserSessions'] as const

/** Milliseconds for a concurrent sign-up to link the account after it has created the user. */
const PAUSE = 150

const UNSTORED =
  'The session does not show that its user is in the database with the same id and email. So the account is not linked, and no second user is created. Return the id and the email of the stored user from authorize, and keep sub in the jwt callback; to sign up with the account, sign out first.'

interface Reason {
  readonly reason: string
  readonly code?: 'session_cannot_link'
}

function explain(facts: LinkFacts): Reason {
  const { initiatingUser, currentUser: current, sameEmail, accountOwner, mayLink } = facts
  if (current !== null && initiatingUser !== current)
    return { reason: 'The sign-in was started by another user than the one who is signed in now.' }
  if (sameEmail)
    return {
      reason:
        'Another user has the e-mail address of this account and signs in with another account.',
    }
  if (facts.isUnstored) return { reason: UNSTORED, code: 'session_cannot_link' }
  if (accountOwner === null && !mayLink)
    return {
      reason:
        'The session is older than the verification of the e-mail address, or does not show that its user is in the database. Sign in again, then link the account.',
      code: 'session_cannot_link',
    }
  return { reason: 'The account is linked to another user than the one who is signed in.' }
}

interface AccountContext extends DatabaseContext {
  readonly evidence: AccountEvidence
}

function provisionedUser({ evidence: { account } }: AccountContext, user: AdapterUser) {
  const wasVerified = user.emailVerified !== null
  return { user, account: { ...account, userId: user.id }, isNewUser: false, wasVerified }
}

/** Also updates the tokens, if that is possible. */
function signInAs(ctx: AccountContext, owner: AdapterUser): ProvisionedUser {
  const provisioned = provisionedUser(ctx, owner)
  async function confirm(): Promise<void> {
    await confirmOwner(ctx, provisioned)
    if (!(await ctx.database.has('updateAccount'))) return
    try {
      await ctx.query('updateAccount', ctx.evidence.stored)
    } catch (error) {
      if (error instanceof Error) ctx.config.log.error(error)
    }
  }
  return { ...provisioned, events: [], confirm }
}

async function linkedUser(ctx: AccountContext, user: AdapterUser, check: LinkCheck) {
  const provisioned = provisionedUser(ctx, user)
  const message = { user, account: provisioned.account, profile: ctx.evidence.user }
  const event: UserEvent = { event: 'linkAccount', message }
  return { ...provisioned, events: [event], confirm: await checkLink(ctx, provisioned, check) }
}

async function link(
  ctx: AccountContext,
  user: AdapterUser,
  check: LinkCheck,
): Promise<ProvisionedUser> {
  const { stored, account } = ctx.evidence
  const owner = await linkAccount(ctx, user, stored)
  if (owner.id === user.id) return linkedUser(ctx, user, check)
  const reason = 'The account was linked to another user during the sign-in.'
  throw new OAuthAccountNotLinked(reason, { provider: account.provider })
}

/** Whether the user may be of a sign-up that has not linked its account yet. */
async function isUnlinked(ctx: DatabaseContext, { id }: AdapterUser): Promise<boolean> {
  if (await ctx.database.has('transaction')) return false
  if (!(await ctx.database.has('listAccounts'))) return true
  return (await nullOnError(ctx.query('listAccounts', id)))?.length === 0
}

/** Signs in as the owner if a concurrent sign-up, in another tab, has linked the same account; else throws `error`. */
async function signInAfterConflict(
  ctx: AccountContext,
  sameEmail: AdapterUser | null,
  error: unknown,
): Promise<ProvisionedUser> {
  const findOwner = () => nullOnError(ctx.query('getUserByAccount', ctx.evidence.account))
  const mayBeLinkedSoon = sameEmail !== null && (await isUnlinked(ctx, sameEmail))
  let owner = await findOwner()
  if (!owner && mayBeLinkedSoon) {
    await new Promise((resolve) => void setTimeout(resolve, PAUSE))
    owner = await findOwner()
  }
  if (!owner) throw error
  return signInAs(ctx, owner)
}

async function create(ctx: AccountContext, incomplete: AdapterUser | null) {
  const { user: profile, account } = ctx.evidence
  let signedUp: SignedUp
  try {
    signedUp = await signUp(ctx, ctx.evidence, incomplete)
  } catch (cause) {
    const { email } = profile
    const sameEmail = email ? await nullOnError(ctx.query('getUserByEmail', email)) : null
    if (!sameEmail || (await isIncomplete(ctx, sameEmail, account)))
      return signInAfterConflict(ctx, sameEmail, cause)
    const reason = 'A user with the same e-mail address was created during the sign-up.'
    const error = new OAuthAccountNotLinked(reason, { provider: account.provider, cause })
    return signInAfterConflict(ctx, sameEmail, error)
  }
  const { user, isNew } = signedUp
  if (!isNew) return signInAs(ctx, user)
  const linked = await linkedUser(ctx, user, checkSignUp)
  const event: UserEvent = { event: 'createUser', message: { user } }
  return { ...linked, isNewUser: true, events: [event, ...linked.events] }
}

/**
 * Whether the user signed up without a proof of the address, by a passkey or a password, and all access from before can
 * be revoked: the address does not block its owner.
 */
async function isUnclaimed(ctx: AccountContext, user: AdapterUser): Promise<boolean> {
  const { config, database } = ctx
  const { events, providers, session } = config
  if (user.emailVerified || !session.isRevocable) return false
  // Only the application can revoke a password that it stores.
  const isUnknown = (id: string) =>
    providers.get(id)?.type === 'credentials' && !providers.get(id)?.passwords
  if (!events.evict && providers.ids.some(isUnknown)) return false
  for (const method of REVOKING) if (!(await database.has(method))) return false
  const accounts = await ctx.query('listAccounts', user.id)
  return accounts.every(({ type }) => type === 'webauthn')
}

async function provision(ctx: AccountContext, owner: AdapterUser | null): Promise<ProvisionedUser> {
  const { user: profile, account, initiatingUser, trustsEmail, emailVerified } = ctx.evidence
  const { beganUnstored } = ctx.evidence
  const { provider } = account
  const getUser = (id: string) => ctx.query('getUser', id)
  const isInSession = initiatingUser !== null || beganUnstored
  const signedIn = isInSession ? await currentUser(ctx, owner) : null
  const current = initiatingUser === null ? null : signedIn
  const email = owner || current ? null : profile.email
  const found = email ? await ctx.query('getUserByEmail', email) : null
  const incomplete = found && (await isIncomplete(ctx, found, account)) ? found : null
  const sameEmail = incomplete ? null : found
  const isTrusted = emailVerified && sameEmail !== null
  const facts = {
    initiatingUser,
    currentUser: current?.user.id ?? null,
    mayLink: current?.mayLink ?? false,
    accountOwner: owner?.id ?? null,
    sameEmail: sameEmail?.id ?? null,
    trustsEmail: isTrusted && (trustsEmail || (await isUnclaimed(ctx, sameEmail))),
    isUnstored: signedIn ? beganUnstored : isInSession && !owner && (await isOfUser(ctx, getUser)),
  }
  const decision = decide(facts)
  ctx.config.log.debug?.('account matched', { provider, decision })
  if (decision === 'sign_in' && owner) return signInAs(ctx, owner)
  if (ctx.evidence.mayCreate === false) throw anotherUser(provider)
  if (decision === 'link_current' && current) {
    await requireFresh(ctx, ctx.evidence.returnTo)
    return link(ctx, current.user, checkLinkFromSession)
  }
  if (decision === 'link_same_email' && sameEmail) {
    const user = sameEmail.emailVerified ? sameEmail : await evict(ctx, sameEmail)
    return link(ctx, user, async () => undefined)
  }
  if (decision === 'create') return create(ctx, incomplete)
  const { reason, ...code } = explain(facts)
  const error = new OAuthAccountNotLinked(reason, { provider, ...code })
  if (sameEmail) return signInAfterConflict(ctx, sameEmail, error)
  throw error
}

export async function matchAccount(
  database: DatabaseContext,
  evidence: AccountEvidence,
): Promise<UserMatch> {
  const ctx = { ...database, evidence }
  const owner = await ctx.query('getUserByAccount', evidence.account)
  const { user, account } = owner ? provisionedUser(ctx, owner) : evidence
  return { user, account, provision: () => provision(ctx, owner) }
}
