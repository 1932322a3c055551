import { csrf } from '../checks/csrf.ts'
import { permission } from '../checks/permission.ts'
import { redirectUrl } from '../checks/return-to.ts'
import type { Admission, Context, News, Recognition, Reply } from '../contracts.ts'
import type { Evidence } from '../evidence.ts'
import { emit } from '../hooks.ts'

function callbackParams(evidence: Evidence, { user, account }: Recognition) {
  const { profile, credentials } = evidence
  return { user, account, ...(profile && { profile }), ...(credentials && { credentials }) }
}

async function announce(ctx: Context, news: News): Promise<void> {
  if (news.event === 'linkAccount') {
    const { user, account, profile } = news
    await emit(ctx, news.event, { user, account, profile })
  } else await emit(ctx, news.event, { user: news.user })
}

function landing(ctx: Context, { returnTo }: Evidence, { isNewUser }: Admission): string {
  const { pages } = ctx.config
  if (!isNewUser || !pages.newUser) return returnTo
  const url = new URL(pages.newUser, ctx.origin)
  url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

async function enter(ctx: Context, evidence: Evidence, admission: Admission): Promise<Reply> {
  const { profile } = evidence
  const { user, account, isNewUser, wasVerified, news, confirm = async () => undefined } = admission
  const facts = {
    user,
    account,
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
  }
  const { session } = ctx.config
  for (const each of news) await announce(ctx, each)
  const provedAt = evidence.proves === 'user' ? evidence.checkedSince : undefined
  const name = await session.create(ctx, { ...facts, wasVerified, provedAt }, confirm)
  ctx.config.log.debug?.('session created')
  await csrf.renew(ctx, name)
  // The event receives the user from `authorize`, which may have fields that the database does not store.
  const message = evidence.proves === 'user' ? { ...facts, user: evidence.user } : facts
  await emit(ctx, 'signIn', message)
  return { status: 302, redirect: landing(ctx, evidence, admission) }
}

async function attempt(ctx: Context, evidence: Evidence): Promise<Reply> {
  const { users } = ctx.config
  const recognition = await users.recognize(ctx, evidence)
  const answer = await permission(ctx, callbackParams(evidence, recognition))
  if (answer !== true) {
    const redirect = await redirectUrl(ctx, answer)
    await evidence.restore?.()
    return { status: 302, redirect }
  }
  const admission = await users.admit(ctx, evidence, recognition)
  const { isNewUser = false, news } = admission
  ctx.config.log.debug?.('user admitted', { isNewUser, writes: news.map(({ event }) => event) })
  return enter(ctx, evidence, admission)
}

/** Completes a sign-in; on failure, makes single-use evidence valid again. */
export async function signIn(ctx: Context, evidence: Evidence): Promise<Reply> {
  try {
    return await attempt(ctx, evidence)
  } catch (error) {
    await evidence.restore?.()
    throw error
  }
}
