import { csrf } from '../checks/csrf.ts'
import { returnTo } from '../checks/return-to.ts'
import type { Context, Reply } from '../contracts.ts'
import { pageUrl } from '../http/explain.ts'
import { signOutPage } from '../pages/sign-out.ts'
import { ownPage } from './own-page.ts'

/** `GET signout`: asks first. */
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

/** `POST signout`: ends the session of this browser. */
export async function signOut(ctx: Context): Promise<Reply> {
  // First of all: a redirect callback that fails must not keep anybody signed in.
  await ctx.config.session.destroy(ctx)
  await csrf.renew(ctx, '')
  return { status: 302, redirect: await returnTo(ctx) }
}
