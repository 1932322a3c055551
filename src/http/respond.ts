import type { Reply } from '../contracts.ts'
import type { CookieJar } from '../cookies/jar.ts'
import type { ResponseInternal } from '../types.ts'
import { wanted } from './wanted.ts'

/** On every answer: nothing of ours is shared between people, sniffed, or read by other sites. */
const COMMON = {
  'cache-control': 'private, no-store',
  vary: 'Cookie',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** Headers by kind of response. */
const headersFor = {
  json: { ...COMMON, 'content-type': 'application/json' },
  html: {
    ...COMMON,
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    // Not `no-referrer`: with that, browsers send `Origin: null` with the forms of the page.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  },
  empty: COMMON,
} as const

/** The reply as this caller wants it: some cannot follow a redirect and ask for its URL instead. */
function shape(reply: Reply, { headers: asked }: Request): Reply {
  if (reply.redirect === undefined) return reply
  const headers = { ...reply.headers, location: reply.redirect }
  if (wanted(asked) !== 'url') return { ...reply, headers }
  return { status: 200, body: { url: reply.redirect }, headers }
}

function bodyOf(reply: Reply): string | null {
  if (reply.html) return reply.html.text
  return reply.body === undefined ? null : JSON.stringify(reply.body)
}

function kindOf(reply: Reply): keyof typeof headersFor {
  if (reply.html) return 'html'
  return reply.body === undefined ? 'empty' : 'json'
}

/** The headers of one response, but for its cookies. */
function headersOf(reply: Reply): Headers {
  const headers = new Headers({ ...headersFor[kindOf(reply)] })
  if (reply.html) headers.set('content-security-policy', reply.html.policy)
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value)
  return headers
}

/** Makes the Response. Security headers and cookies are added here, and nowhere else. */
export function respond(reply: Reply, jar: CookieJar, request: Request): Response {
  const shaped = shape(reply, request)
  const isHead = request.method === 'HEAD'
  // Made for this response: some `Response` classes keep the object they are given instead of copying it.
  const headers = headersOf(shaped)
  // A HEAD request changes nothing.
  if (!isHead) for (const cookie of jar.headers()) headers.append('set-cookie', cookie)
  return new Response(isHead ? null : bodyOf(shaped), { status: shaped.status, headers })
}

/** The answer in parts, for wrappers that have their own way of setting cookies and redirecting. */
export function respondRaw(reply: Reply, jar: CookieJar, request: Request): ResponseInternal {
  const isHead = request.method === 'HEAD'
  const body = isHead ? undefined : (reply.html?.text ?? reply.body)
  return {
    status: reply.status,
    headers: headersOf(reply),
    cookies: isHead ? [] : jar.changes(),
    ...(body === undefined ? {} : { body }),
    ...(reply.redirect === undefined ? {} : { redirect: reply.redirect }),
  }
}
