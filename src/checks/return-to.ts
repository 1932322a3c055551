/** Where the browser goes after signing in or out. */
import type { Context } from '../contracts.ts'
import { LIMITS, within } from '../deadline.ts'
import { isCookieShort } from '../cookies/serialize.ts'
import { withoutError } from '../errors/address.ts'

/** Longest `callbackUrl` that is accepted, in characters after one decoding. */
const MAX_LENGTH = 2048
/** Longest URL that is redirected to, in bytes: proxies refuse long response headers. */
const MAX_TARGET_LENGTH = 3072

/** Schemes that run code or read files instead of going somewhere. */
const DANGEROUS: ReadonlySet<string> = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
])

/**
 * A URL, or a path of the site; `null` when it is neither. With the origin in front of it, a path cannot name
 * another host, whatever slashes it starts with.
 */
function parseUrl(url: string, origin: string): URL | null {
  const absolute = url.startsWith('/') ? origin + url : url
  return URL.canParse(absolute) ? new URL(absolute) : null
}

/** The default of the `redirect` callback: within the origin, else to the origin itself. */
function withinOrigin(url: string, origin: string): string {
  if (url === origin) return origin
  const target = parseUrl(url, origin)
  const isHttp = target?.protocol === 'https:' || target?.protocol === 'http:'
  if (!target || !isHttp || target.origin !== origin) return origin
  // Routers of browsers take the path alone: with two slashes in front, it would name another host to them.
  target.pathname = target.pathname.replace(/^\/{2,}/, '/')
  return target.href
}

/** The URL the `redirect` callback makes of a wish; the origin when it makes none. */
export async function redirectUrl(ctx: Context, url: string): Promise<string> {
  const { callbacks, log } = ctx.config
  if (!callbacks.redirect) return withinOrigin(url, ctx.origin)
  const result: unknown = await within(callbacks.redirect({ url, baseUrl: ctx.origin }), {
    what: 'The redirect callback',
    limit: LIMITS.callback,
    deadline: ctx.deadline,
  })
  const target = typeof result === 'string' ? parseUrl(result, ctx.origin) : null
  if (target && !DANGEROUS.has(target.protocol))
    return result === ctx.origin ? ctx.origin : target.href
  log.warn(
    'redirect-callback',
    'The redirect callback did not return a URL; the origin is used. Return an absolute URL or a path.',
  )
  return ctx.origin
}

/**
 * The wish of this request, as far as it can be one. Anybody can send anything, and `redirect` callbacks of
 * applications throw where a URL is none.
 */
function wish({ request, origin }: Context): string | undefined {
  const url = request.body['callbackUrl'] ?? request.url.searchParams.get('callbackUrl')
  const isWish = typeof url === 'string' && url && url.length <= MAX_LENGTH
  return isWish && parseUrl(url, origin) ? url : undefined
}

/** Whether this can be what an earlier request asked for: anybody can plant a cookie. */
function isTarget(remembered: string): boolean {
  if (remembered.length > MAX_TARGET_LENGTH || !URL.canParse(remembered)) return false
  return !DANGEROUS.has(new URL(remembered).protocol)
}

/** The URL that a `callbackUrl` leads to; the origin when it is too long for a response header. */
async function targetOf(ctx: Context, url: string): Promise<string> {
  const target = await redirectUrl(ctx, url)
  if (target.length <= MAX_TARGET_LENGTH) return target
  ctx.config.log.debug?.('return URL dropped', { length: target.length })
  return ctx.origin
}

/** Stores the return URL in the browser, for forms of the application that do not repeat it. */
function remember({ jar, cookies, config }: Context, target: string): void {
  const cookie = { ...cookies.callbackUrl, value: target }
  if (isCookieShort(cookie)) {
    jar.set(cookie)
    return
  }
  // An older one must not stand in for it.
  jar.delete(cookie)
  config.log.debug?.('return URL not stored', { length: target.length })
}

/**
 * Where this sign-in or sign-out ends: what the request asks for, else what an earlier one asked for,
 * else the origin.
 */
export async function returnTo(ctx: Context): Promise<string> {
  const { jar, cookies, origin } = ctx
  const remembered = jar.get(cookies.callbackUrl.name)
  const wanted = wish(ctx)
  if (wanted === undefined) {
    if (remembered === undefined) return origin
    if (isTarget(remembered)) return targetOf(ctx, withoutError(remembered))
    jar.delete(cookies.callbackUrl)
    return origin
  }
  const target = await targetOf(ctx, wanted)
  if (target !== remembered) remember(ctx, target)
  return target
}
