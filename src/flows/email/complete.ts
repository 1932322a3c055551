import { issueCsrfToken } from '../../checks/csrf.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import type { Context, Evidence, Reply } from '../../contracts.ts'
import { Verification } from '../../errors/sign-in.ts'
import { confirmPage } from '../../pages/message-pages.ts'
import { parseAddress } from './address.ts'
import { evidenceFor } from './begin.ts'
import { openLink } from './link.ts'
import type { EmailProvider, LinkParts } from './link.ts'

function parseLink({ request }: Context): LinkParts {
  const { method, body, url } = request
  const query = Object.fromEntries(url.searchParams)
  const { token, email }: Readonly<Record<string, unknown>> = method === 'POST' ? body : query
  if (typeof token === 'string' && token && typeof email === 'string' && email)
    return { token, address: email }
  throw new Verification('The magic link has no token or no e-mail address.')
}

/** Asks first: mail scanners open every link, and an attacker may send their own link to a victim (login CSRF). */
async function askForConfirmation(ctx: Context, id: string, link: LinkParts): Promise<Reply> {
  const { origin, config } = ctx
  const { token, address: email } = link
  const csrfToken = await issueCsrfToken(ctx)
  const content = {
    theme: config.theme,
    action: `${origin}${config.basePath}/callback/${id}`,
    hidden: { csrfToken, token, email, callbackUrl: await resolveReturnUrl(ctx) },
    // The address comes from the link, so an attacker can put any text there.
    address: parseAddress(email),
    host: new URL(origin).host,
  }
  // `no-referrer` would make browsers send `Origin: null` with the form; `strict-origin` also hides the token.
  const headers = { 'referrer-policy': 'strict-origin' }
  return { status: 200, html: confirmPage(content), headers }
}

export async function complete(ctx: Context, provider: EmailProvider): Promise<Evidence | Reply> {
  const parts = parseLink(ctx)
  const link = openLink(ctx, provider, parts)
  const isConfirmed = ctx.request.method === 'POST' || (await link.wasRequestedHere())
  if (!isConfirmed) return askForConfirmation(ctx, provider.id, parts)
  const target = await resolveReturnUrl(ctx)
  const { restore } = await link.redeem(target)
  ctx.config.log.debug?.('magic link redeemed', { provider: provider.id })
  return { ...evidenceFor(provider, { address: parts.address, returnTo: target }), restore }
}
