/** Double-submit CSRF tokens: signed, and bound to the current sign-in by a cookie. */
import type { Context } from '../contracts.ts'
import { equalText, hmac } from '../crypto/digest.ts'
import type { MacKey } from '../crypto/digest.ts'
import { MissingCSRF } from '../errors/classes.ts'
import { checkSource, readSource } from './source.ts'

/** Hexadecimal digits of the random part of a token, and of the signature that follows it. */
const HALF_LENGTH = 32
const TOKEN = /^[0-9a-f]{64}$/

async function isSigned(
  { config }: Context,
  text: string,
  { signature, purpose }: { signature: string; purpose: MacKey['purpose'] },
): Promise<boolean> {
  for (const secret of config.secrets) {
    const code = await hmac(text, { secret, purpose })
    if (equalText(code.slice(0, signature.length), signature)) return true
  }
  return false
}

async function isSignedToken(ctx: Context, token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false
  const [text, signature] = [token.slice(0, HALF_LENGTH), token.slice(HALF_LENGTH)]
  return isSigned(ctx, text, { signature, purpose: 'csrf' })
}

async function readToken(ctx: Context, identity: string): Promise<string | null> {
  for (const candidate of ctx.jar.getAll(ctx.cookies.csrfToken.name)) {
    const [token = '', signature = '', ...more] = candidate.split('|')
    if (!TOKEN.test(token) || !TOKEN.test(signature) || more.length > 0) continue
    const text = `${token}.${identity}`
    if (await isSigned(ctx, text, { signature, purpose: 'csrf-cookie' })) return token
  }
  return null
}

async function createToken(ctx: Context, identity: string): Promise<string> {
  const { jar, cookies, config } = ctx
  const [secret = ''] = config.secrets
  const random = crypto.randomUUID().replaceAll('-', '')
  const code = await hmac(random, { secret, purpose: 'csrf' })
  const token = random + code.slice(0, HALF_LENGTH)
  const signature = await hmac(`${token}.${identity}`, { secret, purpose: 'csrf-cookie' })
  jar.set({ value: `${token}|${signature}`, ...cookies.csrfToken })
  return token
}

async function hasValidToken(ctx: Context): Promise<boolean> {
  const { csrfToken } = ctx.request.body
  if (typeof csrfToken !== 'string') return false
  const cookieToken = await readToken(ctx, await ctx.config.session.identify(ctx))
  if (cookieToken !== null && equalText(cookieToken, csrfToken)) return true
  // A page that was opened before a sign-in in another tab has an older token; `Sec-Fetch-Site` shows that it is ours.
  const hasCookie = ctx.jar.get(ctx.cookies.csrfToken.name) !== undefined
  return (
    hasCookie &&
    readSource(ctx.request.headers, ctx.origin) === 'same-origin' &&
    isSignedToken(ctx, csrfToken)
  )
}

/** Returns the token of this browser, or a new one; `null` if the check is disabled. */
export async function issueCsrfToken(ctx: Context): Promise<string | null> {
  if (ctx.config.csrf === 'skipped') return null
  const identity = await ctx.config.session.identify(ctx)
  return (await readToken(ctx, identity)) ?? (await createToken(ctx, identity))
}

/** Rejects a request that none of our forms sent. @throws MissingCSRF */
export async function checkCsrf(ctx: Context): Promise<void> {
  if (ctx.config.csrf === 'skipped') return
  checkSource(ctx.request.headers, ctx.origin)
  if (!(await hasValidToken(ctx)))
    throw new MissingCSRF('The CSRF token is missing or does not match the cookie of this browser.')
}

/** Issues a new token after a sign-in or sign-out, so that an attacker cannot use an earlier one. */
export async function renewCsrfToken(ctx: Context, identity: string): Promise<void> {
  if (ctx.config.csrf === 'checked') await createToken(ctx, identity)
}
