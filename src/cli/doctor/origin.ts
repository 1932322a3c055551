/** The origin, the base path and the cookies. */
import { readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { normalizeBasePath } from '../../base-path.ts'
import { cookiePolicy } from '../../config/cookies.ts'
import type { CookiePolicy } from '../../cookies/policy.ts'
import { AuthError } from '../../errors.ts'
import { isLoopback, publicOrigin } from '../../http/origin.ts'
import type { CookieOption } from '../../types.ts'
import { flag, text, TRUST_NAMES, trustName } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { adviceOf } from './problems.ts'
import type { Subject } from './subject.ts'

const { ok, warning, error } = topic('origin')

const SET_URL = 'Set AUTH_URL to the public URL, such as https://example.com.'
const OF_REQUEST = 'taken from each request (Host, or X-Forwarded-Host behind a proxy)'

const ROUTE = /^\/\[\[?\.{3}\w+\]\]?\/route\.[mc]?[jt]sx?$/

function* checkFixedOrigin(subject: Subject, origin: string): Generator<Finding> {
  const { env, given, siteUrl } = subject
  const { protocol, hostname } = new URL(origin)
  const isConfigured = given.origin !== undefined
  const place = isConfigured ? 'origin in the configuration' : siteUrl.place
  const hasMore = !isConfigured && /[?#]|\/\/[^/]*@/.test(siteUrl.value)
  const isPlain = protocol === 'http:' && !isLoopback(hostname)
  const isLocal = isLoopback(hostname) && env['NODE_ENV'] === 'production'
  if (isLocal) yield warning`${place} is ${origin}, which only this machine can reach. → ${SET_URL}`
  if (isPlain)
    yield warning`${place} is ${origin}: without https, sessions can be stolen in transit. → Use ${origin.replace('http:', 'https:')}.`
  if (hasMore)
    yield warning`${place} contains more than an origin and a path; the rest is ignored. → Set it to ${origin}${new URL(siteUrl.value).pathname.replace(/\/$/, '')}.`
  if (!isLocal && !isPlain && !hasMore) yield ok`${origin} (${place}).`
}

function* checkTrust({ env, given, config }: Subject): Generator<Finding> {
  const name = trustName(env)
  const mode = env['NODE_ENV']
  if (config.trustHost && given.trustHost)
    yield ok`${OF_REQUEST}: trustHost is set in the configuration.`
  else if (config.trustHost && name !== undefined) yield ok`${OF_REQUEST}: ${name} is set.`
  else if (config.trustHost)
    yield warning`${OF_REQUEST}, because NODE_ENV is ${mode}. In production, requests would fail with UntrustedHost. → ${SET_URL} Vercel and Cloudflare Pages need no variable.`
  else if (given.trustedHosts && given.trustedHosts.length > 0)
    yield ok`${OF_REQUEST}, if the host is one of ${given.trustedHosts.join(', ')}.`
  else {
    const why = name && given.trustHost !== false ? `${name} is false` : 'no host is trusted'
    yield error`${why}: requests fail with UntrustedHost, except on localhost. → ${SET_URL}`
  }
  for (const each of TRUST_NAMES)
    if (text(env, each) && flag(env, each) === undefined)
      yield warning`${each} is neither true nor false, and is ignored. → Set ${each}=true.`
}

/** An invalid origin is reported by the validation. */
export function* checkOrigin(subject: Subject): Generator<Finding> {
  const { config, origin, url, isLoaded } = subject
  if (config.origin === undefined) yield* checkTrust(subject)
  else if (origin !== undefined) yield* checkFixedOrigin(subject, origin)
  if (!url || !isLoaded) return
  const { trustHost = false, trustedHosts = [] } = config
  try {
    publicOrigin(url, new Headers(), { origin: config.origin, trustHost, trustedHosts })
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause
    const { what, write } = adviceOf(cause)
    yield error`${what} → ${write}`
  }
}

/** Whether an application with an App Router has the route, in any route group. */
function* checkRoute(folder: string, basePath: string): Generator<Finding> {
  const roots = ['app', 'src/app'].filter((root) => existsSync(join(folder, root)))
  const hasRoute = roots
    .flatMap((root) => readdirSync(join(folder, root), { recursive: true, encoding: 'utf8' }))
    .map((file) => `/${file.replaceAll('\\', '/')}`.replaceAll(/\/\([^/]*\)(?=\/)/g, ''))
    .filter((file) => file.startsWith(basePath))
    .some((file) => ROUTE.test(file.slice(basePath.length)))
  if (roots[0] !== undefined && !hasRoute)
    yield topic('base path')
      .warning`no route serves ${basePath}: ${roots[0]}${basePath}/[...auth]/route.ts is missing. → Create it: export const { GET, POST } = handlers`
}

export function* checkBasePath(subject: Subject): Generator<Finding> {
  const { given, siteUrl, basePath, isLoaded, usesNext, folder } = subject
  const { ok: found, warning: ignored } = topic('base path')
  const { name, value } = siteUrl
  const isInvalid = value !== '' && !URL.canParse(value)
  const urlPath = isInvalid || value === '' ? '' : normalizeBasePath(new URL(value).pathname)
  const isConfigured = Boolean(given.basePath)
  if (isConfigured && urlPath !== '' && urlPath !== basePath)
    yield ignored`basePath in the configuration is ${basePath}; the path ${urlPath} of ${name} is ignored. → Set ${name}=${new URL(value).origin}.`
  else if (isConfigured) yield found`${basePath} (basePath in the configuration).`
  else if (urlPath !== '') yield found`${basePath} (${name}).`
  else if (!isInvalid && (isLoaded || usesNext)) yield found`${basePath} (default).`
  if (isLoaded && usesNext) yield* checkRoute(folder, basePath)
}

export function cookiesOn(origin: string | undefined, { config }: Subject): CookiePolicy {
  const isSecure = config.useSecureCookies ?? origin?.startsWith('https:') ?? true
  return cookiePolicy(isSecure ? 'secure' : 'plain', config)
}

function attributesOf({ options }: CookieOption): string {
  const { secure, httpOnly, sameSite, path, domain } = options
  const site = sameSite === true ? 'strict' : sameSite || ''
  return [
    secure && 'Secure',
    httpOnly && 'HttpOnly',
    site && `SameSite=${site.slice(0, 1).toUpperCase()}${site.slice(1)}`,
    path && `Path=${path}`,
    domain && `Domain=${domain}`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** Cookies that browsers would reject are reported by the validation. */
export function* checkCookies(subject: Subject): Generator<Finding> {
  const cookies = topic('cookies')
  const { origin, isLoaded, config } = subject
  const { useSecureCookies } = config
  const isHttps = origin?.startsWith('https:')
  if (!isLoaded) return
  if (useSecureCookies === false && isHttps !== false)
    yield cookies.error`useSecureCookies is false: browsers also send the session over http, where it can be stolen in transit. → Remove useSecureCookies: cookies are Secure on https.`
  else if (useSecureCookies && isHttps === false)
    yield cookies.error`useSecureCookies is true, but ${origin} is not https: browsers reject the cookies, so every sign-in fails. → Remove useSecureCookies.`
  else {
    const { sessionToken, csrfToken } = cookiesOn(origin, subject)
    const plain = cookiePolicy('plain', config).sessionToken.name
    const onHttp =
      origin === undefined && useSecureCookies === undefined
        ? `; on http ${plain}, without Secure`
        : ''
    yield cookies.ok`session ${sessionToken.name} (${attributesOf(sessionToken)}), CSRF ${csrfToken.name}${onHttp}.`
    const { httpOnly, sameSite } = sessionToken.options
    if (httpOnly === false)
      yield cookies.error`${sessionToken.name} is not HttpOnly: a script on a page can steal the session. → Remove httpOnly from cookies.sessionToken.options.`
    if (sameSite === 'none' || sameSite === false)
      yield cookies.warning`${sessionToken.name} is sent with cross-site requests. → Remove sameSite from cookies.sessionToken.options, unless other sites show yours in a frame.`
  }
}
