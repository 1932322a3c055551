import { issueCsrfToken, renewCsrfToken } from '../checks/csrf.ts'
import { resolveReturnUrl } from '../checks/return-to.ts'
import type { Context, Reply } from '../contracts.ts'
import { builtInPageUrl } from '../http/page-url.ts'
import { signOutPage } from '../pages/sign-out-page.ts'
import { ownPage } from './own-page.ts'

export async function showSignOut(ctx: Context): Promise<Reply> {
  const { theme } = ctx.config
  const target = await resolveReturnUrl(ctx)
  const own = ownPage(ctx, 'signOut')
  if (own) return { status: 302, redirect: own.href }
  const signoutUrl = builtInPageUrl('signOut', ctx).href
  const csrfToken = await issueCsrfToken(ctx)
  return {
    status: 200,
    html: signOutPage({ theme, csrfToken, signoutUrl, returnTo: target }),
  }
}

export async function signOut(ctx: Context): Promise<Reply> {
  // First, so that a failing redirect callback cannot leave the user signed in.
  await ctx.config.session.destroy(ctx)
  await renewCsrfToken(ctx, '')
  return { status: 302, redirect: await resolveReturnUrl(ctx) }
}
