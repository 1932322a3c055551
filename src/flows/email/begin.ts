import { permission } from '../../checks/permission.ts'
import { redirectUrl, returnTo } from '../../checks/return-to.ts'
import type { AddressEvidence, Context, Reply } from '../../contracts.ts'
import { randomHex } from '../../crypto/random.ts'
import { LIMITS } from '../../deadline.ts'
import { AuthError } from '../../errors/base.ts'
import { InvalidRequest } from '../../errors/request.ts'
import { TemporarilyUnavailable } from '../../errors/session.ts'
import { CallbackRouteError, EmailSignInError } from '../../errors/sign-in.ts'
import { callHook } from '../../hooks.ts'
import { rebuildRequest } from '../../http/rebuild-request.ts'
import { keyFor, rememberLink, withdrawLink } from './link.ts'
import type { LinkKey, LinkParts } from './link.ts'
import type { EmailProvider } from './provider.ts'

/** Errors that indicate a bug in `normalizeIdentifier` rather than an invalid address. */
const MISTAKES = new Set(['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'])

async function addressOf(ctx: Context, provider: EmailProvider): Promise<string> {
  const { email } = ctx.request.body
  if (typeof email !== 'string')
    throw new InvalidRequest('The field "email" is missing or not a string.')
  ctx.secrets.add(email)
  let address: unknown
  try {
    // Awaited although its type is synchronous: an async function could otherwise cause an unhandled rejection.
    address = await callHook(ctx, {
      what: 'normalizeIdentifier',
      run: () => provider.normalize(email),
    })
  } catch (cause) {
    const isRefused = !(cause instanceof TemporarilyUnavailable)
    // A rejected address is logged in one line without a stack, which would hide where the function failed.
    if (cause instanceof Error && MISTAKES.has(cause.name))
      ctx.config.log.error(
        new EmailSignInError('normalizeIdentifier threw. Throw an Error to reject an address.', {
          cause,
        }),
      )
    throw new EmailSignInError('normalizeIdentifier rejected the e-mail address.', {
      ...(isRefused && { code: 'invalid_address' }),
      cause,
    })
  }
  if (typeof address === 'string' && address) return address
  throw new CallbackRouteError(
    'normalizeIdentifier did not return a string. Return the address, or throw an Error to reject it.',
  )
}

/** Used before and after the link is redeemed, so `emailVerified` is not set here. */
export function evidenceFor(
  { id }: EmailProvider,
  { address, returnTo: target }: { readonly address: string; readonly returnTo: string },
): AddressEvidence {
  const user = { id: crypto.randomUUID(), email: address, emailVerified: null }
  const account = { providerAccountId: address, type: 'email', provider: id } as const
  return { proves: 'address', address, user, account, returnTo: target }
}

function linkUrl(
  ctx: Context,
  { id }: EmailProvider,
  link: LinkParts & { readonly returnTo: string },
): string {
  const { origin, config } = ctx
  const url = new URL(`${origin}${config.basePath}/callback/${id}`)
  url.searchParams.set('callbackUrl', link.returnTo)
  url.searchParams.set('token', link.token)
  url.searchParams.set('email', link.address)
  return url.href
}

async function newToken(ctx: Context, provider: EmailProvider): Promise<string> {
  const generated: unknown = await callHook(ctx, {
    what: 'generateVerificationToken',
    run: () => provider.createToken(),
    passes: (error) => error instanceof AuthError,
  })
  const token = generated ?? randomHex()
  if (typeof token === 'string' && token) return token
  throw new CallbackRouteError(
    'generateVerificationToken did not return a string. Return a random token, or undefined for the default.',
  )
}

function passwordsIn(url: string): readonly unknown[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, new URLSearchParams(`p=${password.replaceAll('+', '%2B')}`).get('p')]
}

/** Sends the mail. After a timeout the link stays valid, because the mail may still arrive. */
async function send(
  ctx: Context,
  provider: EmailProvider,
  link: LinkParts & { readonly returnTo: string; readonly expires: Date; readonly key: LinkKey },
): Promise<void> {
  const { config } = provider
  const { address: identifier, token, expires } = link
  const url = linkUrl(ctx, provider, link)
  const { theme, log } = ctx.config
  const request = rebuildRequest(ctx.request)
  const params = { identifier, url, expires, provider: config, token, theme, request }
  const { server } = config
  ctx.secrets.add([url, token, identifier])
  ctx.secrets.addKeysOf(config)
  if (typeof server === 'string') ctx.secrets.add([server, ...passwordsIn(server)])
  try {
    await callHook(ctx, {
      what: `sendVerificationRequest of provider ${provider.id}`,
      run: () => config.sendVerificationRequest?.(params),
      limit: LIMITS.mail,
    })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) {
      log.error(
        new EmailSignInError(
          'sendVerificationRequest timed out; the mail may still arrive.',
          cause,
        ),
      )
      return
    }
    await withdrawLink(ctx, provider, link.key)
    throw new EmailSignInError('sendVerificationRequest threw: the mail was not sent.', {
      provider: provider.id,
      cause,
    })
  }
}

/** Responds identically for existing and unknown addresses, to prevent user enumeration. */
export async function begin(ctx: Context, provider: EmailProvider): Promise<Reply> {
  const address = await addressOf(ctx, provider)
  const target = await returnTo(ctx)
  const evidence = evidenceFor(provider, { address, returnTo: target })
  const { user, account } = await ctx.config.matchUser(ctx, evidence)
  const answer = await permission(ctx, { user, account, email: { verificationRequest: true } })
  if (answer !== true) return { status: 302, redirect: await redirectUrl(ctx, answer) }
  const token = await newToken(ctx, provider)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const key = await keyFor(ctx, provider, { address, token })
  await provider.database.call(ctx, 'createVerificationToken', { ...key, expires })
  await send(ctx, provider, { address, token, expires, returnTo: target, key })
  ctx.config.log.debug?.('magic link sent', { provider: provider.id })
  await rememberLink(ctx, provider, { ...key, expires, returnTo: target })
  const base = `${ctx.origin}${ctx.config.basePath}`
  const query = new URLSearchParams({ provider: provider.id, type: 'email' })
  return { status: 302, redirect: `${base}/verify-request?${query}` }
}
