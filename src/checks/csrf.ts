/** Double-submit CSRF tokens: signed, and bound to the current sign-in by a cookie. */
import { chain, firstOf } from '../awaitable.ts'
import type { Context } from '../contracts.ts'
import { equalText, hmac } from '../crypto/digest.ts'
import { MissingCSRF } from '../errors/classes.ts'
import type { Awaitable } from '../types.ts'

/** `unknown`: the headers do not show another origin. */
export function sourceOf(headers: Headers, origin: string): 'same-origin' | 'foreign' | 'unknown' {
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return 'same-origin'
  if (site === 'cross-site' || site === 'same-site') return 'foreign'
  const sent = headers.get('origin')
  return sent === null || sent === origin ? 'unknown' : 'foreign'
}

/** Rejects a request that a page of another origin sent. @throws MissingCSRF */
export function checkSource(headers: Headers, origin: string): void {
  if (sourceOf(headers, origin) !== 'foreign') return
  const site = headers.get('sec-fetch-site')
  const reason = site?.endsWith('-site') ? `Sec-Fetch-Site: ${site}` : `its Origin is not ${origin}`
  throw new MissingCSRF(`The request comes from a page of another origin (${reason}).`)
}

/** Hexadecimal digits of the random part of a token, and of the signature that follows it. */
const HALF_LENGTH = 32
const TOKEN = /^[0-9a-f]{64}$/

interface Signed {
  readonly text: string
  readonly signature: string
  readonly purpose: 'csrf' | 'csrf-cookie'
}

/** `null` if no secret signed the text. */
function isSigned(ctx: Context, { text, signature, purpose }: Signed): Awaitable<true | null> {
  return firstOf(ctx.config.secrets, (secret) =>
    chain(
      hmac(text, { secret, purpose }),
      (code) => equalText(code.slice(0, signature.length), signature) || null,
    ),
  )
}

async function isSignedToken(ctx: Context, token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false
  const [text, signature] = [token.slice(0, HALF_LENGTH), token.slice(HALF_LENGTH)]
  return (await isSigned(ctx, { text, signature, purpose: 'csrf' })) === true
}

function cookieText(token: string, identity: string): string {
  return `${token}.${identity}`
}

function readToken(ctx: Context, identity: string): Awaitable<string | null> {
  const { jar, cookies } = ctx
  return firstOf(jar.getAll(cookies.csrfToken.name), (candidate) => {
    const [token = '', signature = '', ...more] = candidate.split('|')
    if (!TOKEN.test(token) || !TOKEN.test(signature) || more.length > 0) return null
    const text = cookieText(token, identity)
    const signed = isSigned(ctx, { text, signature, purpose: 'csrf-cookie' })
    return chain(signed, (isValid) => isValid && token)
  })
}

function createToken(ctx: Context, identity: string): Awaitable<string> {
  const { jar, cookies, config } = ctx
  const [secret = ''] = config.secrets
  const random = crypto.randomUUID().replaceAll('-', '')
  return chain(hmac(random, { secret, purpose: 'csrf' }), (code) => {
    const token = random + code.slice(0, HALF_LENGTH)
    const signing = hmac(cookieText(token, identity), { secret, purpose: 'csrf-cookie' })
    return chain(signing, (signature) => {
      jar.set({ ...cookies.csrfToken, value: `${token}|${signature}` })
      return token
    })
  })
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
    sourceOf(ctx.request.headers, ctx.origin) === 'same-origin' &&
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
