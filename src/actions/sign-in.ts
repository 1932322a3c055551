import { issueCsrfToken } from '../checks/csrf.ts'
import { resolveReturnUrl } from '../checks/return-to.ts'
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import { ownPage } from './own-page.ts'
import { providersOf, routesOf } from './providers.ts'

function leadTo(url: URL, ctx: Context, target: string): Reply {
  const error = ctx.request.url.searchParams.get('error')
  url.searchParams.set('callbackUrl', target === ctx.origin ? '/' : target)
  if (error !== null) url.searchParams.set('error', error)
  const code = ctx.request.url.searchParams.get('code')
  if (error !== null && code !== null) url.searchParams.set('code', code)
  return { status: 302, redirect: url.href }
}

export async function showSignIn(ctx: Context): Promise<Reply> {
  const target = await resolveReturnUrl(ctx)
  const own = ownPage(ctx, 'signIn')
  if (own) return leadTo(own, ctx, target)
  const choices = providersOf(ctx).map((provider) => ({
    provider,
    routes: routesOf(ctx, provider.id),
  }))
  const csrfToken = await issueCsrfToken(ctx)
  const { theme } = ctx.config
  const query = ctx.request.url.searchParams
  const error = query.get('error') ?? undefined
  const email = query.get('email') ?? undefined
  return {
    status: 200,
    html: signInPage({ theme, choices, csrfToken, returnTo: target, error, email }),
  }
}

/** `POST signin/<provider>`: starts a sign-in; without a provider, redirects to the sign-in page. */
export async function startSignIn(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  if (provider) return provider.begin(ctx)
  await resolveReturnUrl(ctx)
  return { status: 302, redirect: `${ctx.origin}${ctx.config.basePath}/signin` }
}
