import type { Context, Reply } from '../contracts.ts'
import { verifyRequestPage } from '../pages/verify-request-page.ts'
import { ownPage } from './own-page.ts'

export async function showVerifyRequest(ctx: Context): Promise<Reply> {
  const own = ownPage(ctx, 'verifyRequest')
  if (!own) {
    const html = verifyRequestPage({ theme: ctx.config.theme, homeUrl: ctx.origin })
    return { status: 200, html }
  }
  // Parameters that the application put into its own URL are kept.
  for (const [name, value] of ctx.request.url.searchParams)
    if (!own.searchParams.has(name)) own.searchParams.set(name, value)
  return { status: 302, redirect: own.href }
}
