/** A running site, asked as a visitor without cookies. */
import { normalizeBasePath } from '../../base-path.ts'
import { LIMITS } from '../../deadline.ts'
import { guardedFetch } from '../../flows/oauth/fetch.ts'
import { isLoopback } from '../../http/origin.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { cookiesOn } from './origin.ts'
import type { Subject } from './subject.ts'

const { ok, warning, error } = topic('site')

/** A reserved host (RFC 6761 §6.4). */
const RESERVED_HOST = 'doctor.invalid'
const USUAL_PATHS = ['/api/auth', '/auth']

interface Answer {
  readonly url: URL
  readonly headers: Headers
  readonly json: unknown
}

/** Reports a response without JSON of the library. */
function explainStatus(url: URL, status: number, location: string | null): Finding {
  const { href, origin, pathname } = url
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : url
  const isRedirect = status >= 300 && status < 400
  if (isRedirect && target.origin !== origin)
    return error`${href} redirects to ${target.origin}, which was not followed. → If that is the site, check it: --url ${target.origin}`
  if (isRedirect)
    return error`${href} redirects to ${target.pathname}. → Exclude ${pathname} from the redirect, for example in the matcher of the proxy.`
  if (status === 400)
    return error`${href} rejects the host (status 400). → Set AUTH_URL=${origin} on the server. Its log names the header and the host.`
  if (status === 401 || status === 403)
    return error`${href} is protected: a proxy or middleware answers with status ${status}. → Exclude ${pathname} from the protected paths, for example in the matcher of the proxy.`
  if (status === 404)
    return error`${href} does not exist (status 404). → With Next.js, create app/api/auth/[...auth]/route.ts with export const { GET, POST } = handlers. For another base path: --url ${origin}/path`
  if (status >= 500)
    return error`${href} fails (status ${status}). → See the log of the server. Often a variable such as AUTH_SECRET is not set there.`
  return error`${href} is not answered by the library (status ${status}). → Check which server or proxy answers at this path.`
}

/** Requests a URL without following redirects. */
async function ask(
  url: URL,
  { clock, quote }: Subject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | Finding> {
  const fetcher = guardedFetch(clock.watch(globalThis.fetch), { http: 'any' })
  try {
    const response = await fetcher(url, { headers: { accept: 'application/json', ...headers } })
    const { status, headers: received } = response
    if (status !== 200) return explainStatus(url, status, received.get('location'))
    return { url, headers: received, json: JSON.parse(await response.text()) }
  } catch (cause) {
    if (cause instanceof SyntaxError)
      return error`${url.href} does not return JSON. → Check which server or proxy answers at this path.`
    return error`${url.href} is unreachable: ${quote(cause)} → Check that the site is running and reachable from this machine. Timeout: ${LIMITS.provider / 1000} seconds.`
  }
}

function otherProgram({ href }: URL): Finding {
  return error`${href} returns JSON of another program. → Check which server or proxy answers at this path.`
}

const isAnswer = (asked: Answer | Finding): asked is Answer => 'json' in asked

/** The callback URL of each provider in a response of the route `providers`; `undefined`: it is of another program. */
function callbackUrls({ json }: Answer): ReadonlyMap<string, URL> | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const urls = new Map<string, URL>()
  for (const [id, provider] of Object.entries<{ callbackUrl?: unknown } | null>({ ...json })) {
    const url = provider?.callbackUrl
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined
    urls.set(id, new URL(url))
  }
  return urls
}

function* checkListed(
  origin: string,
  urls: ReadonlyMap<string, URL>,
  { isLoaded, providers }: Subject,
): Generator<Finding> {
  const other = [...urls.values()].find((url) => url.origin !== origin)
  const header =
    other?.host === new URL(origin).host ? 'X-Forwarded-Proto: https' : 'X-Forwarded-Host'
  if (other)
    yield error`asked as ${origin}, it uses the origin ${other.origin} in callback URLs. → Set AUTH_URL=${origin} on the server, or have the proxy in front of it send ${header}.`
  const there = [...urls.keys()].sort().join(', ')
  const here = [...new Set(providers.map(({ id }) => id))].sort().join(', ')
  if (isLoaded && there !== here)
    yield warning`its providers are ${there || '(none)'}; this configuration has ${here || '(none)'}. → Deploy this configuration, or check the one that is deployed.`
}

/** Personal responses must not be stored by shared caches (RFC 9111 §5.2.2.5). */
function* checkCaching({ url, headers }: Answer): Generator<Finding> {
  const control = headers.get('cache-control') ?? ''
  const isCached = headers.has('age') || /\bhit\b/i.test(headers.get('x-cache') ?? '')
  const advice =
    'Have the CDN or proxy keep Cache-Control: private, no-store, and cache nothing below this path.'
  if (isCached)
    yield error`${url.href} comes from a cache, so users receive responses of other users. → ${advice}`
  else if (!/\bno-store\b/.test(control))
    yield error`${url.href} may be cached (Cache-Control: ${control || 'missing'}), so users may receive responses of other users. → ${advice}`
}

function* checkAttributes(name: string, attributes: string, url: URL): Generator<Finding> {
  const advice =
    'Have the proxy in front of the site leave cookies unchanged, or remove the option from cookies in the configuration.'
  if (url.protocol === 'https:' && !/; *secure\b/i.test(attributes))
    yield error`cookie ${name} is not Secure on https: the site assumes http. → Set AUTH_URL=${url.origin} on the server, or have the proxy in front of it send X-Forwarded-Proto: https.`
  if (!/; *httponly\b/i.test(attributes))
    yield error`cookie ${name} is not HttpOnly: scripts can read it. → ${advice}`
  if (!/; *samesite=(?:lax|strict)\b/i.test(attributes))
    yield warning`cookie ${name} is sent with cross-site requests. → ${advice}`
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    yield warning`${url.origin} is not https: sessions can be stolen in transit. → Serve it over https, and set AUTH_URL to the https URL.`
}

/** The cookie that is set with a CSRF token. */
function* checkCsrfCookie({ url, headers }: Answer, subject: Subject): Generator<Finding> {
  const expected = cookiesOn(url.origin, subject).csrfToken.name
  const cookies = headers.getSetCookie()
  const cookie =
    cookies.find((each) => each.startsWith(`${expected}=`)) ??
    cookies.find((each) => /^[^=]*csrf/i.test(each))
  if (cookie === undefined) {
    yield error`${url.href} sets no cookie, so every form is rejected. → Have the proxy in front of the site pass Set-Cookie.`
    return
  }
  const name = cookie.slice(0, cookie.indexOf('='))
  const findings = [...checkAttributes(name, cookie.slice(name.length), url)]
  yield* findings
  if (findings.length > 0) return
  if (name === expected) yield ok`cookie ${name} arrives with all attributes.`
  else
    yield warning`its CSRF cookie is ${name}; this configuration has ${expected}. → Deploy this configuration, or check the one that is deployed.`
}

/** The base path in the URL, else that of the configuration or `AUTH_URL`, else the usual ones. */
function basePaths({ pathname }: URL, { isLoaded, basePath, siteUrl }: Subject): readonly string[] {
  const path = normalizeBasePath(pathname)
  if (path !== '') return [path]
  const { value } = siteUrl
  const isSet = URL.canParse(value) && new URL(value).pathname !== '/'
  return isLoaded || isSet ? [basePath] : USUAL_PATHS
}

/** Requests that do not depend on each other are sent in parallel. */
export async function checkSite(subject: Subject): Promise<readonly Finding[]> {
  const { url: site } = subject
  if (!site) return []
  const { origin } = site
  const at = (path: string, headers = {}) => ask(new URL(path, origin), subject, headers)
  const paths = basePaths(site, subject)
  const asked = await Promise.all(paths.map((path) => at(`${path}/providers`)))
  const index = Math.max(0, asked.findIndex(isAnswer))
  const base = paths[index] ?? ''
  const providers = asked[index]
  if (!providers || !isAnswer(providers)) return providers ? [providers] : []
  const urls = callbackUrls(providers)
  if (!urls) return [otherProgram(providers.url)]
  // A random URL, so that a cache cannot serve the forged host to other visitors.
  const probe = `${base}/providers?doctor=${crypto.randomUUID()}`
  const answers = await Promise.all([
    at(`${base}/csrf`),
    at(`${base}/session`),
    isLoopback(site.hostname) ? providers : at(probe, { 'x-forwarded-host': RESERVED_HOST }),
  ])
  return [
    ok`${origin} answers below ${base || '/'}.`,
    ...checkListed(origin, urls, subject),
    ...checkAnswers(answers, subject),
  ]
}

type Asked = Answer | Finding

function* checkAnswers(
  [csrf, session, forged]: readonly [csrf: Asked, session: Asked, forged: Asked],
  subject: Subject,
): Generator<Finding> {
  const hosts = isAnswer(forged) ? [...(callbackUrls(forged)?.values() ?? [])] : []
  if (hosts.some(({ host }) => host === RESERVED_HOST))
    yield error`it trusts an X-Forwarded-Host header of the client (host header injection): an attacker can redirect magic links to another host. → Set AUTH_URL to its public URL on the server.`
  if (!isAnswer(csrf)) yield csrf
  else {
    yield* checkCaching(csrf)
    yield* checkCsrfCookie(csrf, subject)
  }
  if (!isAnswer(session)) yield session
  else {
    yield* checkCaching(session)
    if (session.json !== null)
      yield error`${session.url.href} returns a session to a visitor without cookies. → Remove any cache in front of this path.`
  }
}
