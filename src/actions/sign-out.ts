import { csrf } from '../checks/csrf.ts'
import { returnTo } from '../checks/return-to.ts'
import type { Context, Reply } from '../contracts.ts'
import { pageUrl } from '../http/explain.ts'
import { signOutPage } from '../pages/sign-out.ts'
import { ownPage } from './own-page.ts'

export async function showSignOut(ctx: Context): Promise<Reply> {
  const { origin, config } = ctx
  const { basePath, theme } = config
  const target = await returnTo(ctx)
  const own = ownPage(ctx, 'signOut')
  if (own) return { status: 302, redirect: own.href }
  const signoutUrl = pageUrl('signOut', { origin, basePath, pages: {} }).href
  const csrfToken = await csrf.current(ctx)
  return {
    status: 200,
    html: signOutPage({ theme, csrfToken, signoutUrl, returnTo: target }),
  }
}

export async function signOut(ctx: Context): Promise<Reply> {
  // First, so that a failing redirect callback cannot leave the user signed in.
  await ctx.config.session.destroy(ctx)
  await csrf.renew(ctx, '')
  return { status: 302, redirect: await returnTo(ctx) }
}
