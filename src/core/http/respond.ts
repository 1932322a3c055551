import type { Reply } from '../contracts.ts'
import type { CookieJar } from '../cookies/jar.ts'
import type { ResponseInternal } from '../types.ts'

/** How a client receives redirects and errors. */
export type ResponseFormat = 'redirect' | 'url' | 'json'

/** Media types are case-insensitive (RFC 9110 §8.3.1). */
export function negotiate(headers: Headers): ResponseFormat {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (/application\/json/i.test(headers.get('content-type') ?? '')) return 'json'
  const accept = headers.get('accept') ?? ''
  return /application\/json/i.test(accept) && !/text\/html/i.test(accept) ? 'json' : 'redirect'
}

/** No response is cached for another user, content-sniffed, or embedded by another origin. */
const COMMON = {
  'cache-control': 'private, no-store',
  vary: 'Cookie',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

const JSON_HEADERS = { ...COMMON, 'content-type': 'application/json' }

const HTML = {
  ...COMMON,
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  // `no-referrer` would make browsers send `Origin: null` with the forms of the page.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
}

/** A page that the policy allows another site to load in a frame, also one with `Cross-Origin-Embedder-Policy`. */
const FRAMED = {
  ...COMMON,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
}

/** A client that cannot follow a redirect receives its URL as JSON. */
function shape(reply: Reply, { headers: requested }: Request): Reply {
  if (reply.redirect === undefined) return reply
  const headers = { location: reply.redirect, ...reply.headers }
  if (negotiate(requested) !== 'url') return { status: reply.status, headers }
  return { status: 200, body: { url: reply.redirect }, headers }
}

/** A new object, because `@hono/node-server` 1 adds `Content-Length` to it. Not `Headers`, which cost time. */
function createHeaders({ html, body, headers }: Reply): Record<string, string> {
  if (html?.isFramed) return { ...FRAMED, 'content-security-policy': html.policy, ...headers }
  if (html) return { ...HTML, 'content-security-policy': html.policy, ...headers }
  return Object.assign({}, body === undefined ? COMMON : JSON_HEADERS, headers)
}

/** All headers of a response: `Response` of `@hono/node-server` 1 loses those that are added after it was created. */
function withCookies(
  headers: Record<string, string>,
  cookies: readonly string[],
): Record<string, string> | Headers {
  if (cookies.length === 0) return headers
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return all
}

const PRIVATE_URL = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/**
 * For a page with a token in its URL and a form: `no-referrer` would make browsers send `Origin: null` with the form, and
 * `strict-origin` also hides the token.
 */
export const PAGE_WITH_TOKEN = { 'referrer-policy': 'strict-origin' }

/** Keeps the URL of a callback, which may contain a code, from the next page and from search engines. */
export function withPrivateUrl(reply: Reply): Reply {
  return Object.assign({}, reply, { headers: { ...PRIVATE_URL, ...reply.headers } })
}

/** The only place that adds security headers and cookies. */
export function respond(reply: Reply, jar: CookieJar, request: Request): Response {
  const shaped = shape(reply, request)
  const { status } = shaped
  const headers = createHeaders(shaped)
  // A HEAD request has no side effects.
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = shaped.html?.text ?? JSON.stringify(shaped.body)
  return new Response(body, { status, headers: withCookies(headers, jar.headers()) })
}

/** The parts of a response, for wrappers whose framework sets cookies and redirects itself. */
export function respondRaw(reply: Reply, jar: CookieJar, request: Request): ResponseInternal {
  const isHead = request.method === 'HEAD'
  const body = isHead ? undefined : (reply.html?.text ?? reply.body)
  return {
    status: reply.status,
    headers: new Headers(createHeaders(reply)),
    cookies: isHead ? [] : jar.changes(),
    ...(body === undefined ? {} : { body }),
    ...(reply.redirect === undefined ? {} : { redirect: reply.redirect }),
  }
}
