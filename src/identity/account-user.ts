/** How an OAuth account is matched to a user when an adapter is configured. */
import type { AdapterUser } from '../adapters/index.ts'
import type { AccountEvidence, ProvisionedUser, UserEvent, UserMatch } from '../contracts.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import type { DatabaseContext } from './context.ts'
import { nullOnError } from './create-user.ts'
import { evict } from './evict.ts'
import { decide } from './link.ts'
import type { LinkFacts } from './link.ts'
import { confirmLinkFromSession, confirmOwner, confirmSignUp, currentUser } from './ownership.ts'
import { isIncomplete, linkAccount, signUp } from './sign-up.ts'
import type { SignUp } from './sign-up.ts'

interface AccountSignIn {
  readonly evidence: AccountEvidence
  readonly owner: AdapterUser | null
}

export async function matchAccount(
  ctx: DatabaseContext,
  evidence: AccountEvidence,
): Promise<UserMatch> {
  const { user, account } = evidence
  const owner = await ctx.query('getUserByAccount', account)
  return {
    user: owner ?? user,
    account: owner ? { ...account, userId: owner.id } : account,
    provision: () => provision(ctx, { evidence, owner }),
  }
}

async function provision(
  ctx: DatabaseContext,
  { evidence, owner }: AccountSignIn,
): Promise<ProvisionedUser> {
  const { startedBy, account, trustsEmail, emailVerified } = evidence
  const current = startedBy === null ? null : await currentUser(ctx, owner)
  const email = owner || current ? null : evidence.user.email
  const found = email ? await ctx.query('getUserByEmail', email) : null
  const incomplete = found && (await isIncomplete(ctx, found, account)) ? found : null
  const sameEmail = incomplete ? null : found
  const facts = {
    startedBy,
    current: current?.user.id ?? null,
    mayLink: current?.mayLink ?? false,
    owner: owner?.id ?? null,
    sameEmail: sameEmail?.id ?? null,
    trustsEmail: trustsEmail && emailVerified,
  }
  const decision = decide(facts)
  const { provider } = account
  ctx.config.log.debug?.('account matched', { provider, decision })
  if (decision === 'enter' && owner) return enter(ctx, { evidence, user: owner })
  if (decision === 'link_current' && current) {
    const target = { evidence, user: current.user }
    return link(ctx, { ...target, confirm: confirmLinkFromSession })
  }
  if (decision === 'link_same_email' && sameEmail) {
    const target = { evidence, user: await verify(ctx, sameEmail) }
    return link(ctx, { ...target, confirm: confirmOwner })
  }
  if (decision === 'create') return create(ctx, { evidence, incomplete })
  const error = new OAuthAccountNotLinked(reasonOf(facts), { provider })
  if (sameEmail) return enterAfterConflict(ctx, { evidence, sameEmail, error })
  throw error
}

function reasonOf({ startedBy, current, sameEmail, owner, mayLink }: LinkFacts): string {
  if (startedBy !== null && current !== null && startedBy !== current)
    return 'The sign-in was started by another user than the one who is signed in now.'
  if (sameEmail)
    return 'Another user has the e-mail address of this account and signs in with another account.'
  if (owner === null && !mayLink)
    return 'The session is older than the verification of the e-mail address. Sign in again, then link the account.'
  return 'The account is linked to another user than the one who is signed in.'
}

interface Target {
  readonly evidence: AccountEvidence
  readonly user: AdapterUser
}

function provisionedUser({ evidence, user }: Target) {
  const account = { ...evidence.account, userId: user.id }
  return { user, account, isNewUser: false, events: [], wasVerified: user.emailVerified !== null }
}

function linkedUser(target: Target) {
  const provisioned = provisionedUser(target)
  const { user, account } = provisioned
  const event: UserEvent = {
    event: 'linkAccount',
    message: { user, account, profile: target.evidence.user },
  }
  return { ...provisioned, events: [event] }
}

function enter(ctx: DatabaseContext, target: Target): ProvisionedUser {
  const provisioned = provisionedUser(target)
  return {
    ...provisioned,
    async confirm() {
      await confirmOwner(ctx, provisioned)
      await updateTokens(ctx, target.evidence)
    },
  }
}

/** Best effort: an error is logged and has no other effect. */
async function updateTokens(ctx: DatabaseContext, { stored }: AccountEvidence): Promise<void> {
  if (!(await ctx.database.has('updateAccount'))) return
  try {
    await ctx.query('updateAccount', stored)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
  }
}

async function link(
  ctx: DatabaseContext,
  { evidence, user, confirm }: Target & { readonly confirm: typeof confirmOwner },
): Promise<ProvisionedUser> {
  const owner = await linkAccount(ctx, { user, account: evidence.stored })
  if (owner.id !== user.id)
    throw new OAuthAccountNotLinked('The account was linked to another user during the sign-in.', {
      provider: evidence.account.provider,
    })
  const linked = linkedUser({ evidence, user })
  return { ...linked, confirm: () => confirm(ctx, linked) }
}

/** Marks the address as verified; if it was not, first revokes access of the user (account pre-hijacking). */
async function verify(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const canUpdate = await ctx.database.has('updateUser')
  const markVerified = async () =>
    canUpdate ? ctx.query('updateUser', { id: user.id, emailVerified: new Date() }) : user
  return evict(ctx, { user, markVerified })
}

async function create(ctx: DatabaseContext, request: SignUp): Promise<ProvisionedUser> {
  const { evidence } = request
  const { account, user: profile } = evidence
  try {
    const { user, isNew } = await signUp(ctx, request)
    if (!isNew) return enter(ctx, { evidence, user })
    const linked = linkedUser({ evidence, user })
    return {
      ...linked,
      isNewUser: true,
      events: [{ event: 'createUser', message: { user } }, ...linked.events],
      confirm: () => confirmSignUp(ctx, linked),
    }
  } catch (cause) {
    const { email } = profile
    const sameEmail = email ? await nullOnError(ctx.query('getUserByEmail', email)) : null
    const isTaken = sameEmail !== null && !(await isIncomplete(ctx, sameEmail, account))
    const reason = 'A user with the same e-mail address was created during the sign-up.'
    const error = isTaken
      ? new OAuthAccountNotLinked(reason, { provider: account.provider, cause })
      : cause
    return enterAfterConflict(ctx, { evidence, sameEmail, error })
  }
}

interface Conflict {
  readonly evidence: AccountEvidence
  readonly sameEmail: AdapterUser | null
  readonly error: unknown
}

/** Milliseconds for a concurrent sign-up to link the account after it has created the user. */
const PAUSE = 150

/** Signs in as the owner if a concurrent sign-up, in another tab, has linked the same account; else throws `error`. */
async function enterAfterConflict(
  ctx: DatabaseContext,
  { evidence, sameEmail, error }: Conflict,
): Promise<ProvisionedUser> {
  const findOwner = () => nullOnError(ctx.query('getUserByAccount', evidence.account))
  const mayBeLinkedSoon = sameEmail !== null && (await isUnlinked(ctx, sameEmail))
  let owner = await findOwner()
  if (!owner && mayBeLinkedSoon) {
    await new Promise((resolve) => void setTimeout(resolve, PAUSE))
    owner = await findOwner()
  }
  if (!owner) throw error
  return enter(ctx, { evidence, user: owner })
}

/** Whether the user may be of a sign-up that has not linked its account yet. */
async function isUnlinked(ctx: DatabaseContext, { id }: AdapterUser): Promise<boolean> {
  if (await ctx.database.has('transaction')) return false
  if (!(await ctx.database.has('listAccounts'))) return true
  return (await nullOnError(ctx.query('listAccounts', id)))?.length === 0
}
