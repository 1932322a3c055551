/** The origin, the base path and the cookies. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cookiePolicy } from '../../config/cookies.ts'
import type { CookiePolicy } from '../../cookies/policy.ts'
import { isLoopback } from '../../http/origin.ts'
import { nameOf, runsInProduction, trustFromEnv, trustName, URL_NAMES } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './subject.ts'
import type { Subject } from './subject.ts'

const SET_URL = 'Set AUTH_URL to the public URL, such as https://example.com.'
const OF_REQUEST = 'taken from each request (Host, or X-Forwarded-Host behind a proxy)'
const ROUTE = /^\/\[\[?\.{3}\w+\]\]?\/route\.[mc]?[jt]sx?$/

/** An invalid origin is reported by the validation. */
export function* checkOrigin(subject: Subject): Generator<Finding> {
  const { config, given, env, origin } = subject
  const { ok, warning, error } = topic('origin')
  if (origin !== undefined) {
    const { protocol, hostname } = new URL(origin)
    const place = given?.origin
      ? 'origin in the configuration'
      : placeOf(nameOf(env, URL_NAMES) ?? '', subject)
    if (isLoopback(hostname) && runsInProduction())
      yield warning`${place} is ${origin}, which only this machine can reach. → ${SET_URL}`
    else if (protocol === 'http:' && !isLoopback(hostname))
      yield warning`${place} is ${origin}: without https, sessions can be stolen in transit. → Use ${origin.replace('http:', 'https:')}.`
    else yield ok`${origin} (${place}).`
  } else if (config.origin !== undefined) return
  else if (config.trustHost)
    yield ok`${OF_REQUEST}: ${given?.trustHost ? 'trustHost' : trustName(env)} is set.`
  else if (given?.trustedHosts?.length)
    yield ok`${OF_REQUEST}, if the host is one of ${given.trustedHosts.join(', ')}.`
  else if (given?.trustHost ?? trustFromEnv(env))
    yield warning`${OF_REQUEST}, because NODE_ENV is ${env['NODE_ENV']}. In production, requests would fail with UntrustedHost. → ${SET_URL} Vercel and Cloudflare Pages need no variable.`
  else
    yield error`no host is trusted: requests fail with UntrustedHost, except on localhost. → ${SET_URL}`
}

/** Whether an App Router in the folder has the route, in any route group. */
function hasRoute(folder: string, basePath: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`.replaceAll(/\/\([^/]*\)(?=\/)/g, ''))
    .some((file) => file.startsWith(basePath) && ROUTE.test(file.slice(basePath.length)))
}

export function* checkBasePath(subject: Subject): Generator<Finding> {
  const { given, config, origin, basePath, usesLib, order } = subject
  const { ok, warning } = topic('base path')
  if (!given || (config.origin !== undefined && origin === undefined)) return
  const inherited = ['/auth', '/api/auth'].includes(basePath) ? 'default' : 'AUTH_URL'
  yield ok`${basePath} (${given.basePath ? 'basePath in the configuration' : inherited}).`
  const roots = ['app', 'src/app'].filter((root) => existsSync(join(order.folder, root)))
  if (usesLib && roots[0] && !roots.some((root) => hasRoute(join(order.folder, root), basePath)))
    yield warning`no route serves ${basePath}: ${roots[0]}${basePath}/[...auth]/route.ts is missing. → Create it: export const { GET, POST } = handlers`
}

export function cookiesOn(origin: string | undefined, { config }: Subject): CookiePolicy {
  const isSecure = config.useSecureCookies ?? origin?.startsWith('https:') ?? true
  return cookiePolicy(isSecure ? 'secure' : 'plain', config)
}

/** Cookies that browsers would reject are reported by the validation. */
export function* checkCookies(subject: Subject): Generator<Finding> {
  const {
    given,
    origin,
    config: { useSecureCookies },
  } = subject
  const { ok, error } = topic('cookies')
  if (!given) return
  const isPlain = origin?.startsWith('http:') ?? false
  if (useSecureCookies === isPlain)
    yield error`useSecureCookies is ${useSecureCookies}: ${isPlain ? `browsers reject Secure cookies of ${origin}, so every sign-in fails` : 'browsers also send the session over http, where it can be stolen in transit'}. → Remove useSecureCookies: cookies are Secure on https.`
  const { sessionToken, csrfToken } = cookiesOn(origin, subject)
  yield ok`session ${sessionToken.name}, CSRF ${csrfToken.name}.`
}
