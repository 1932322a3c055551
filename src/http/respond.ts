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

/** A client that cannot follow a redirect receives its URL as JSON. */
function shape(reply: Reply, { headers: requested }: Request): Reply {
  if (reply.redirect === undefined) return reply
  const headers = { location: reply.redirect, ...reply.headers }
  if (negotiate(requested) !== 'url') return { status: reply.status, headers }
  return { status: 200, body: { url: reply.redirect }, headers }
}

/** Names in lower case. Not `Headers`, which some `Response` classes keep instead of copying, and which cost time. */
function headersOf({ html, body, headers }: Reply): Readonly<Record<string, string>> {
  if (html) return { ...HTML, 'content-security-policy': html.policy, ...headers }
  const common = body === undefined ? COMMON : JSON_HEADERS
  return headers ? Object.assign({}, common, headers) : common
}

const PRIVATE_URL = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** Keeps the URL of a callback, which may contain a code, from the next page and from search engines. */
export function withPrivateUrl(reply: Reply): Reply {
  return Object.assign({}, reply, { headers: { ...PRIVATE_URL, ...reply.headers } })
}

/** The only place that adds security headers and cookies. */
export function respond(reply: Reply, jar: CookieJar, request: Request): Response {
  const shaped = shape(reply, request)
  const init = { status: shaped.status, headers: headersOf(shaped) }
  // A HEAD request has no side effects.
  if (request.method === 'HEAD') return new Response(null, init)
  const response = new Response(shaped.html?.text ?? JSON.stringify(shaped.body), init)
  for (const cookie of jar.headers()) response.headers.append('set-cookie', cookie)
  return response
}

/** The parts of a response, for wrappers whose framework sets cookies and redirects itself. */
export function respondRaw(reply: Reply, jar: CookieJar, request: Request): ResponseInternal {
  const isHead = request.method === 'HEAD'
  const body = isHead ? undefined : (reply.html?.text ?? reply.body)
  return {
    status: reply.status,
    headers: new Headers(headersOf(reply)),
    cookies: isHead ? [] : jar.changes(),
    ...(body === undefined ? {} : { body }),
    ...(reply.redirect === undefined ? {} : { redirect: reply.redirect }),
  }
}
