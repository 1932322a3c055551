import type { Context, Reply } from '../contracts.ts'
import { verifyRequestPage } from '../pages/verify-request.ts'
import { ownPage } from './own-page.ts'

/** `GET verify-request`: says that a mail is on its way. */
export async function showVerifyRequest(ctx: Context): Promise<Reply> {
  const own = ownPage(ctx, 'verifyRequest')
  if (!own) {
    const html = verifyRequestPage({ theme: ctx.config.theme, homeUrl: ctx.origin })
    return { status: 200, html }
  }
  // What the application has put into its own URL stays.
  for (const [name, value] of ctx.request.url.searchParams)
    if (!own.searchParams.has(name)) own.searchParams.set(name, value)
  return { status: 302, redirect: own.href }
}
