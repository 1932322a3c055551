/** Sends magic links. Only a hash of the token is stored: read access to the database is not enough to sign in. */
import type { VerificationToken } from '../../adapters/index.ts'
import { redirectUrl, resolveReturnUrl } from '../../checks/return-to.ts'
import { setSealedCookie } from '../../checks/sealed-cookie.ts'
import { createTransaction } from '../../checks/transaction.ts'
import type { TransactionKey } from '../../checks/transaction.ts'
import type { EmailConfig } from '../../config/email.ts'
import type { AddressEvidence, Context, Reply } from '../../contracts.ts'
import { randomHex, sha256 } from '../../crypto/digest.ts'
import type { Database } from '../../database/database.ts'
import { TIMEOUTS } from '../../timeout.ts'
import { AuthError } from '../../errors/base.ts'
import {
  AdapterError,
  CallbackRouteError,
  EmailSignInError,
  InvalidRequest,
  TemporarilyUnavailable,
} from '../../errors/classes.ts'
import { callHook, runSignInCallback } from '../../hooks.ts'
import { rebuildRequest } from '../../http/parse.ts'
import type { Fetch } from '../../types.ts'
import { normalizeAddress } from '../../mail-address.ts'

/** Seconds for which a link is valid: 1 day. */
const MAX_AGE: number = 24 * 60 * 60

/** Errors that indicate a bug in `normalizeIdentifier` rather than an invalid address. */
const BUG = /^(?:Range|Reference|Syntax|Type)Error$/

export interface EmailProvider {
  readonly id: string
  readonly config: EmailConfig
  readonly database: Database
  readonly fetch: Fetch
}

export type LinkKey = Pick<VerificationToken, 'identifier' | 'token'>

/** Returns the keys under which a link may be stored, one for each secret; links are created with the first. */
export async function linkKeys(
  { config: { secrets } }: Context,
  { config: { secret } }: EmailProvider,
  { address, token }: { readonly address: string; readonly token: string },
): Promise<[LinkKey, ...LinkKey[]]> {
  const keyFor = async (each: string) => {
    return { identifier: address, token: await sha256(token + each, 'hex') }
  }
  const [current = '', ...former] = secret ? [secret] : secrets
  return Promise.all([keyFor(current), ...former.map(keyFor)])
}

/** Uses the keyed hash: an unkeyed hash of a short custom token could be brute-forced from the cookie. */
export function transactionKey({ id }: EmailProvider, { token }: LinkKey): TransactionKey {
  return { provider: id, state: token, from: 'same-site' }
}

/** Sets a transaction cookie, so that this browser can use the link without confirmation. */
export async function rememberLink(
  ctx: Context,
  provider: EmailProvider,
  { returnTo, ...link }: VerificationToken & { readonly returnTo: string },
): Promise<void> {
  const { from, ...key } = transactionKey(provider, link)
  const maxAge = Math.ceil((link.expires.getTime() - Date.now()) / 1000)
  await createTransaction(ctx, { ...key, address: link.identifier, returnTo }, { from, maxAge })
}

/** Keeps the address for the built-in pages: to correct it, and to name it after the mail was sent. */
async function keepAddress(ctx: Context, form: string, email: string): Promise<void> {
  const { signIn, verifyRequest } = ctx.config.pages
  const isShown = ctx.request.form !== undefined && !(signIn && verifyRequest)
  if (isShown && email.length <= 254)
    await setSealedCookie(ctx, 'form', { form, values: { email } })
}

async function normalizedAddress(ctx: Context, { id, config }: EmailProvider): Promise<string> {
  const { email } = ctx.request.body
  if (typeof email !== 'string')
    throw new InvalidRequest('The field "email" is missing or not a string.')
  ctx.secrets.add(email)
  await keepAddress(ctx, id, email)
  let address: unknown
  try {
    const run = () =>
      config.normalizeIdentifier ? config.normalizeIdentifier(email) : normalizeAddress(email)
    // Awaited although its type is synchronous: an async function could otherwise cause an unhandled rejection.
    address = await callHook(ctx, { what: 'normalizeIdentifier', run })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable)
      throw new EmailSignInError('normalizeIdentifier did not return in time.', { cause })
    const name = cause instanceof Error ? cause.name : ''
    const advice = `normalizeIdentifier threw a ${name}. To reject an address, throw an Error.`
    if (BUG.test(name)) throw new CallbackRouteError(advice, { cause })
    const reason = 'normalizeIdentifier rejected the e-mail address.'
    throw new EmailSignInError(reason, { code: 'invalid_address', cause })
  }
  if (typeof address === 'string' && address) return address
  throw new CallbackRouteError(
    'normalizeIdentifier did not return a string. Return the address, or throw an Error to reject it.',
  )
}

/** Used before and after the link is redeemed, so `emailVerified` is not set here. */
export function evidenceFor(provider: string, address: string, returnTo: string): AddressEvidence {
  const user = { id: crypto.randomUUID(), email: address, emailVerified: null }
  const account = { providerAccountId: address, type: 'email', provider } as const
  return { proves: 'address', address, user, account, returnTo }
}

async function generateToken(ctx: Context, { config }: EmailProvider): Promise<string> {
  const generated: unknown = await callHook(ctx, {
    what: 'generateVerificationToken',
    run: () => config.generateVerificationToken?.(),
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

async function sendLink(
  ctx: Context,
  { id, config, database, fetch }: EmailProvider,
  link: VerificationToken & { readonly url: string; readonly key: LinkKey },
): Promise<void> {
  const { key, ...sent } = link
  const { theme, log } = ctx.config
  const request = rebuildRequest(ctx.request)
  const params = { ...sent, provider: config, theme, request, fetch }
  const { server } = config
  ctx.secrets.add(Object.values(sent))
  ctx.secrets.addKeysOf(config)
  if (typeof server === 'string') ctx.secrets.add([server, ...passwordsIn(server)])
  try {
    await callHook(ctx, {
      what: `sendVerificationRequest of provider ${id}`,
      run: () => config.sendVerificationRequest?.(params),
      timeout: TIMEOUTS.mail,
    })
  } catch (cause) {
    // The link stays valid, because the mail may still arrive.
    if (cause instanceof TemporarilyUnavailable) {
      const message = 'sendVerificationRequest timed out; the mail may still arrive.'
      log.error(new EmailSignInError(message, cause))
      return
    }
    try {
      await database.call(ctx, 'useVerificationToken', key)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      log.error(error)
    }
    const message = 'sendVerificationRequest threw: the mail was not sent.'
    throw new EmailSignInError(message, { provider: id, cause })
  }
}

/** Responds identically for existing and unknown addresses, to prevent user enumeration. */
export async function begin(ctx: Context, provider: EmailProvider): Promise<Reply> {
  const { id, config, database } = provider
  const identifier = await normalizedAddress(ctx, provider)
  const target = await resolveReturnUrl(ctx)
  const evidence = evidenceFor(id, identifier, target)
  const { user, account } = await ctx.config.matchUser(ctx, evidence)
  const email = { verificationRequest: true } as const
  const answer = await runSignInCallback(ctx, { user, account, email })
  if (answer !== true) return { status: 302, redirect: await redirectUrl(ctx, answer) }
  const token = await generateToken(ctx, provider)
  const expires = new Date(Date.now() + (config.maxAge ?? MAX_AGE) * 1000)
  const [key] = await linkKeys(ctx, provider, { address: identifier, token })
  await database.call(ctx, 'createVerificationToken', { ...key, expires })
  const base = `${ctx.origin}${ctx.config.basePath}`
  const query = new URLSearchParams({ callbackUrl: target, token, email: identifier })
  const url = `${base}/callback/${id}?${query}`
  await sendLink(ctx, provider, { identifier, url, expires, token, key })
  ctx.config.log.debug?.('magic link sent', { provider: id })
  await rememberLink(ctx, provider, { ...key, expires, returnTo: target })
  return { status: 302, redirect: `${base}/verify-request?provider=${id}&type=email` }
}
