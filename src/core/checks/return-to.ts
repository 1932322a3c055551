import type { Context } from '../contracts.ts'
import { withoutError } from '../errors/url.ts'
import { findErrorRow } from '../errors/table.ts'
import { callHook } from '../hooks.ts'
import { isSamePage, pageUrl } from '../http/path.ts'

/** Longest accepted `callbackUrl`, in characters after one decoding. */
const MAX_LENGTH = 2048
/** Longest redirect URL, in bytes: proxies reject long response headers. */
const MAX_TARGET_LENGTH = 3072

/** Schemes that run code or read files. */
const DANGEROUS = /^(?:javascript|vbscript|data|blob|file|filesystem|about):/

/** `null` if it is not a URL or path. A path is appended to the origin, so `//host` is not an open redirect. */
function parseUrl(url: string, origin: string): URL | null {
  const absolute = url.startsWith('/') ? origin + url : url
  return URL.canParse(absolute) ? new URL(absolute) : null
}

function withinOrigin(url: string, origin: string): string {
  if (url === origin) return origin
  const target = parseUrl(url, origin)
  const isHttp = target?.protocol === 'https:' || target?.protocol === 'http:'
  if (!isHttp || target.origin !== origin) return origin
  // Client-side routers use only the path, and two leading slashes would name another host.
  target.pathname = target.pathname.replace(/^\/{2,}/, '/')
  return target.href
}

export async function redirectUrl(ctx: Context, url: string): Promise<string> {
  const { callbacks, log } = ctx.config
  if (!callbacks.redirect) return withinOrigin(url, ctx.origin)
  const result: unknown = await callHook(ctx, {
    what: 'The redirect callback',
    run: () => callbacks.redirect?.({ url, baseUrl: ctx.origin }),
    passes: (error) => findErrorRow(error) !== null,
  })
  const target = typeof result === 'string' ? parseUrl(result, ctx.origin) : null
  if (target && !DANGEROUS.test(target.href))
    return result === ctx.origin ? ctx.origin : target.href
  log.warn(
    'redirect-callback',
    'The redirect callback did not return a URL; the origin is used. Return an absolute URL or a path.',
  )
  return ctx.origin
}

/** The `callbackUrl` of this request, if it is a URL: `redirect` callbacks throw for other values. */
function requestedUrl({ request, origin }: Context): string | undefined {
  const url = request.body['callbackUrl'] ?? request.url.searchParams.get('callbackUrl')
  const isText = typeof url === 'string' && url && url.length <= MAX_LENGTH
  return isText && parseUrl(url, origin) ? url : undefined
}

async function limitedRedirectUrl(ctx: Context, url: string): Promise<string> {
  const target = await redirectUrl(ctx, url)
  if (target.length <= MAX_TARGET_LENGTH) return target
  ctx.config.log.debug?.('return URL dropped', { length: target.length })
  return ctx.origin
}

/** Whether users sign in at this URL: a sign-out may lead there, but a sign-in must lead on. */
export function isSignInPage(url: string, ctx: Context): boolean {
  return URL.canParse(url) && isSamePage(new URL(url), pageUrl('signIn', ctx))
}

/** As {@link resolveReturnUrl}, for a sign-out, which may lead to the origins that the configuration lists. */
export async function resolveLogoutUrl(ctx: Context): Promise<string> {
  const { allowedOrigins = [] } = ctx.config.logout ?? {}
  const requested = allowedOrigins.length > 0 ? requestedUrl(ctx) : undefined
  const url = requested === undefined ? null : parseUrl(requested, ctx.origin)
  const isAllowed = url !== null && url.href.length <= MAX_TARGET_LENGTH
  return isAllowed && allowedOrigins.includes(url.origin) ? url.href : resolveReturnUrl(ctx)
}

/** Returns the `callbackUrl` of the request, else the one stored for forms that do not repeat it, else the origin. */
export async function resolveReturnUrl(ctx: Context): Promise<string> {
  const { jar, cookies, origin, config } = ctx
  const stored = jar.get(cookies.callbackUrl.name)
  const requested = requestedUrl(ctx)
  if (requested !== undefined) {
    const target = await limitedRedirectUrl(ctx, requested)
    const cookie = { value: target, ...cookies.callbackUrl }
    if (target === stored || jar.trySet(cookie)) return target
    // Otherwise an older return URL would be used.
    jar.delete(cookie)
    config.log.debug?.('return URL not stored', { length: target.length })
    return target
  }
  if (stored === undefined || isSignInPage(stored, ctx)) return origin
  // An attacker can set the cookie (cookie tossing).
  const url = stored.length <= MAX_TARGET_LENGTH && URL.canParse(stored) && new URL(stored)
  if (url && !DANGEROUS.test(url.href)) return limitedRedirectUrl(ctx, withoutError(stored))
  jar.delete(cookies.callbackUrl)
  return origin
}
