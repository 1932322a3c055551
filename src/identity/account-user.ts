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

/** Milliseconds for a concurrent sign-up to link the account after it has created the user. */
const PAUSE = 150

function reasonOf({ startedBy, current, sameEmail, owner, mayLink }: LinkFacts): string {
  if (startedBy !== null && current !== null && startedBy !== current)
    return 'The sign-in was started by another user than the one who is signed in now.'
  if (sameEmail)
    return 'Another user has the e-mail address of this account and signs in with another account.'
  if (owner === null && !mayLink)
    return 'The session is older than the verification of the e-mail address. Sign in again, then link the account.'
  return 'The account is linked to another user than the one who is signed in.'
}

/** Whether the user may be of a sign-up that has not linked its account yet. */
async function isUnlinked(ctx: DatabaseContext, { id }: AdapterUser): Promise<boolean> {
  if (await ctx.database.has('transaction')) return false
  if (!(await ctx.database.has('listAccounts'))) return true
  return (await nullOnError(ctx.query('listAccounts', id)))?.length === 0
}

export async function matchAccount(
  ctx: DatabaseContext,
  evidence: AccountEvidence,
): Promise<UserMatch> {
  const { user: profile, account, stored, startedBy } = evidence
  const { provider } = account
  const findOwner = () => ctx.query('getUserByAccount', account)
  const accountOwner = await findOwner()

  function provisionedUser(user: AdapterUser) {
    const wasVerified = user.emailVerified !== null
    return { user, account: { ...account, userId: user.id }, isNewUser: false, wasVerified }
  }

  function linkedUser(user: AdapterUser) {
    const provisioned = provisionedUser(user)
    const message = { user, account: provisioned.account, profile }
    const event: UserEvent = { event: 'linkAccount', message }
    return { ...provisioned, events: [event] }
  }

  /** Best effort: an error is logged and has no other effect. */
  async function updateTokens(): Promise<void> {
    if (!(await ctx.database.has('updateAccount'))) return
    try {
      await ctx.query('updateAccount', stored)
    } catch (error) {
      if (error instanceof Error) ctx.config.log.error(error)
    }
  }

  function enter(user: AdapterUser): ProvisionedUser {
    const provisioned = provisionedUser(user)
    const confirm = async (): Promise<void> => {
      await confirmOwner(ctx, provisioned)
      await updateTokens()
    }
    return { ...provisioned, events: [], confirm }
  }

  async function link(user: AdapterUser, confirm: typeof confirmOwner): Promise<ProvisionedUser> {
    const owner = await linkAccount(ctx, user, stored)
    const reason = 'The account was linked to another user during the sign-in.'
    if (owner.id !== user.id) throw new OAuthAccountNotLinked(reason, { provider })
    const linked = linkedUser(user)
    return { ...linked, confirm: () => confirm(ctx, linked) }
  }

  /** Signs in as the owner if a concurrent sign-up, in another tab, has linked the same account; else throws `error`. */
  async function enterAfterConflict(
    sameEmail: AdapterUser | null,
    error: unknown,
  ): Promise<ProvisionedUser> {
    const mayBeLinkedSoon = sameEmail !== null && (await isUnlinked(ctx, sameEmail))
    let owner = await nullOnError(findOwner())
    if (!owner && mayBeLinkedSoon) {
      await new Promise((resolve) => void setTimeout(resolve, PAUSE))
      owner = await nullOnError(findOwner())
    }
    if (!owner) throw error
    return enter(owner)
  }

  async function create(incomplete: AdapterUser | null): Promise<ProvisionedUser> {
    try {
      const { user, isNew } = await signUp(ctx, evidence, incomplete)
      if (!isNew) return enter(user)
      const linked = linkedUser(user)
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
      const error = isTaken ? new OAuthAccountNotLinked(reason, { provider, cause }) : cause
      return enterAfterConflict(sameEmail, error)
    }
  }

  async function provision(): Promise<ProvisionedUser> {
    const current = startedBy === null ? null : await currentUser(ctx, accountOwner)
    const email = accountOwner || current ? null : profile.email
    const found = email ? await ctx.query('getUserByEmail', email) : null
    const incomplete = found && (await isIncomplete(ctx, found, account)) ? found : null
    const sameEmail = incomplete ? null : found
    const facts = {
      startedBy,
      current: current?.user.id ?? null,
      mayLink: current?.mayLink ?? false,
      owner: accountOwner?.id ?? null,
      sameEmail: sameEmail?.id ?? null,
      trustsEmail: evidence.trustsEmail && evidence.emailVerified,
    }
    const decision = decide(facts)
    ctx.config.log.debug?.('account matched', { provider, decision })
    if (decision === 'enter' && accountOwner) return enter(accountOwner)
    if (decision === 'link_current' && current) return link(current.user, confirmLinkFromSession)
    if (decision === 'link_same_email' && sameEmail)
      return link(sameEmail.emailVerified ? sameEmail : await evict(ctx, sameEmail), confirmOwner)
    if (decision === 'create') return create(incomplete)
    const error = new OAuthAccountNotLinked(reasonOf(facts), { provider })
    if (sameEmail) return enterAfterConflict(sameEmail, error)
    throw error
  }

  const owned = accountOwner && {
    user: accountOwner,
    account: { ...account, userId: accountOwner.id },
  }
  return { ...(owned ?? { user: profile, account }), provision }
}
