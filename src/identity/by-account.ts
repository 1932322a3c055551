/** How an OAuth account is matched to a user when an adapter is configured. */
import type { AdapterUser } from '../adapters/index.ts'
import { resume } from '../checks/resume.ts'
import type { Admission, Context, News, Recognition } from '../contracts.ts'
import type { AccountEvidence } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import { confirmLink, confirmNewLink, confirmOwner } from './confirm.ts'
import { currentUser } from './current-user.ts'
import type { CurrentUser } from './current-user.ts'
import { evict } from './evict.ts'
import { ownerByNow } from './left-behind.ts'
import { decide } from './link.ts'
import type { LinkDecision, LinkFacts } from './link.ts'
import { isLeftBehind, link, signUp } from './sign-up.ts'

interface Situation {
  readonly evidence: AccountEvidence
  readonly facts: LinkFacts
  readonly owner: AdapterUser | null
  /** The signed-in user, if the sign-in was started from a session. */
  readonly current: CurrentUser | null
  /** The user with the same e-mail address. */
  readonly twin: AdapterUser | null
  /** Whether an interrupted sign-up with this account, in this browser, created that user. */
  readonly isResumed: boolean
}

export async function recognizeAccount(
  ctx: Context,
  database: Database,
  { user, account }: AccountEvidence,
): Promise<Recognition> {
  const known = await database.call(ctx, 'getUserByAccount', account)
  return { known, user: known ?? user, account: known ? { ...account, userId: known.id } : account }
}

async function findOut(
  ctx: Context,
  database: Database,
  { evidence, owner }: Pick<Situation, 'evidence' | 'owner'>,
): Promise<Situation> {
  const { startedBy, user, trustsEmail, emailVerified } = evidence
  const current = startedBy === null ? null : await currentUser(ctx, database, owner)
  const email = owner === null && current === null ? user.email : null
  const twin = email ? await database.call(ctx, 'getUserByEmail', email) : null
  const isResumed = twin !== null && (await isLeftBehind(ctx, twin, evidence.account))
  return {
    evidence,
    owner,
    current,
    twin,
    isResumed,
    facts: {
      startedBy,
      current: current?.user.id ?? null,
      mayLink: current?.mayLink ?? false,
      owner: owner?.id ?? null,
      sameEmail: twin?.id ?? null,
      trustsEmail: (trustsEmail && emailVerified) || isResumed,
    },
  }
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

function refuse({ evidence, facts }: Situation): never {
  throw new OAuthAccountNotLinked(reasonOf(facts), { provider: evidence.account.provider })
}

function verification({ emailVerified }: AdapterUser): Pick<Admission, 'wasVerified'> {
  return { wasVerified: emailVerified !== null }
}

async function linkTo(
  ctx: Context,
  database: Database,
  { situation, user }: { readonly situation: Situation; readonly user: AdapterUser | null },
): Promise<Admission> {
  const { evidence, isResumed } = situation
  if (!user) return refuse(situation)
  const owner = await link(ctx, database, { user, account: evidence.stored })
  if (owner.id !== user.id) refuse(situation)
  resume.forget(ctx)
  const account = { ...evidence.account, userId: user.id }
  const news: News[] = [{ event: 'linkAccount', user, account, profile: evidence.user }]
  // The interrupted sign-up emitted no events.
  if (isResumed) news.unshift({ event: 'createUser', user })
  const confirm = () =>
    isResumed
      ? confirmNewLink(ctx, database, { user, account })
      : confirmOwner(ctx, database, { user, account })
  return { user, account, isNewUser: isResumed, news, ...verification(user), confirm }
}

async function linkToCurrent(
  ctx: Context,
  database: Database,
  situation: Situation,
): Promise<Admission> {
  const { current, evidence } = situation
  if (!current) return refuse(situation)
  const { user } = current
  const admission = await linkTo(ctx, database, { situation, user })
  return {
    ...admission,
    async confirm() {
      await confirmLink(ctx, database, { user, evidence })
      await admission.confirm?.()
    },
  }
}

/** Returns the user with the address; revokes access of an unverified one first (account pre-hijacking). */
async function verifiedTwin(
  ctx: Context,
  database: Database,
  { twin, isResumed }: Situation,
): Promise<AdapterUser | null> {
  if (!twin || twin.emailVerified || isResumed) return twin
  const canUpdate = await database.has('updateUser')
  const markVerified = async () =>
    canUpdate ? database.call(ctx, 'updateUser', { id: twin.id, emailVerified: new Date() }) : twin
  return evict(ctx, database, { user: twin, markVerified })
}

async function create(
  ctx: Context,
  database: Database,
  { evidence }: Situation,
): Promise<Admission> {
  const { user: profile, stored, emailVerified } = evidence
  const { user, isNew } = await signUp(ctx, database, {
    user: profile,
    account: stored,
    emailVerified: emailVerified ? new Date() : null,
  })
  resume.forget(ctx)
  const account = { ...evidence.account, userId: user.id }
  const news: News[] = [
    { event: 'createUser', user },
    { event: 'linkAccount', user, account, profile },
  ]
  const confirm = () => confirmNewLink(ctx, database, { user, account })
  return {
    user,
    account,
    isNewUser: isNew,
    news: isNew ? news : [],
    ...verification(user),
    confirm,
  }
}

/** Best effort: an error is logged and has no other effect. */
async function updateStoredTokens(
  ctx: Context,
  database: Database,
  { stored }: AccountEvidence,
): Promise<void> {
  if (!(await database.has('updateAccount'))) return
  try {
    await database.call(ctx, 'updateAccount', stored)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
  }
}

async function enter(ctx: Context, database: Database, situation: Situation): Promise<Admission> {
  const { owner, evidence } = situation
  if (!owner) return refuse(situation)
  const account = { ...evidence.account, userId: owner.id }
  return {
    user: owner,
    account,
    isNewUser: false,
    news: [],
    ...verification(owner),
    async confirm() {
      await confirmOwner(ctx, database, { user: owner, account })
      await updateStoredTokens(ctx, database, evidence)
    },
  }
}

type CarryOut = (ctx: Context, database: Database, situation: Situation) => Promise<Admission>

const carryOut: Readonly<Record<LinkDecision, CarryOut>> = {
  enter,
  create,
  link_current: linkToCurrent,
  link_same_email: async (ctx, database, situation) =>
    linkTo(ctx, database, { situation, user: await verifiedTwin(ctx, database, situation) }),
  refuse: async (ctx, database, situation) => {
    // The user with the same address may be a concurrent sign-up with this account in another tab.
    const { facts, evidence } = situation
    const owner = facts.sameEmail === null ? null : await ownerByNow(ctx, database, evidence)
    return owner ? enter(ctx, database, { ...situation, owner }) : refuse(situation)
  },
}

export async function admitAccount(
  ctx: Context,
  database: Database,
  { evidence, known }: { readonly evidence: AccountEvidence; readonly known: AdapterUser | null },
): Promise<Admission> {
  const situation = await findOut(ctx, database, { evidence, owner: known })
  const decision = decide(situation.facts)
  const { provider } = evidence.account
  ctx.config.log.debug?.('account matched', { provider, decision })
  return carryOut[decision](ctx, database, situation)
}
