import { csrf } from '../checks/csrf.ts'
import { returnTo } from '../checks/return-to.ts'
import type { Context, Reply } from '../contracts.ts'
import { pageUrl } from '../http/explain.ts'
import { signOutPage } from '../pages/sign-out.ts'

/** `GET signout`: asks first. */
export async function showSignOut(ctx: Context): Promise<Reply> {
  const { origin, config } = ctx
  const { basePath, pages, theme } = config
  const target = await returnTo(ctx)
  const url = pageUrl('signOut', { origin, basePath, pages })
  if (pages.signOut) return { status: 302, redirect: url.href }
  const csrfToken = await csrf.current(ctx)
  return {
    status: 200,
    html: signOutPage({ theme, csrfToken, signoutUrl: url.href, returnTo: target }),
  }
}

/** `POST signout`: ends the session of this browser. */
export async function signOut(ctx: Context): Promise<Reply> {
  const target = await returnTo(ctx)
  await ctx.config.session.destroy(ctx)
  await csrf.renew(ctx)
  return { status: 302, redirect: target }
}
