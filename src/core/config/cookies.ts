import { NEXT_AUTH_SESSION_COOKIE, SESSION_COOKIE, STEM } from '../cookies/policy.ts'
import type { CookiePolicies, CookiePolicy, Security, SessionCookie } from '../cookies/policy.ts'
import { CHALLENGE_MAX_AGE, KNOWN_MAX_AGE, TRANSACTION_MAX_AGE } from './defaults.ts'
import type { CookieAttributes, CookieOption } from '../types.ts'
import type { AuthConfig } from './types.ts'

/** The strictest prefix that the attributes allow (RFC 6265bis §4.1.3). */
function prefix({ secure, domain, path }: CookieAttributes): string {
  if (!secure) return ''
  return path === '/' && !domain ? '__Host-' : '__Secure-'
}

/** Whether browsers reject a cookie of that name without Secure (RFC 6265bis §4.1.3). */
export function needsSecure(name = ''): boolean {
  return /^__(?:Host|Secure)-/.test(name)
}

/** The attribute that browsers reject without Secure (RFC 6265bis §5.7), as written in a header. */
export function secureAttribute({ sameSite, partitioned }: CookieAttributes): string | null {
  if (typeof sameSite === 'string' && sameSite.toLowerCase() === 'none') return 'SameSite=None'
  return partitioned ? 'Partitioned' : null
}

/** The `__Host-` cookie from before `path` or `domain` was configured; never `__Secure-`, because of cookie tossing. */
function formerCookie(current: SessionCookie, custom: string | undefined): SessionCookie[] {
  const name = `__Host-${SESSION_COOKIE}`
  if (custom !== undefined || current.security === 'plain' || current.name === name) return []
  const { domain: _domain, ...hostOnly } = current.options
  return [{ family: 'own', security: 'secure', name, options: { ...hostOnly, path: '/' } }]
}

/** The `next-auth` cookie; on https only the `__Secure-` one, because an attacker can set the other over http. */
function nextAuthCookie({ security, options }: SessionCookie, custom?: string): SessionCookie {
  const name = `${security === 'secure' ? '__Secure-' : ''}${NEXT_AUTH_SESSION_COOKIE}`
  return { family: 'next-auth', security, name: custom ?? name, options }
}

type CookieConfig = Pick<AuthConfig, 'cookies' | 'migrateSessions' | 'useSecureCookies'>

interface CookieDefaults extends Pick<CookieConfig, 'useSecureCookies'> {
  readonly security: Security
  readonly defaults?: CookieAttributes
}

function defineCookie(
  { security, useSecureCookies, defaults }: CookieDefaults,
  stem: string,
  own: Partial<CookieOption> = {},
): CookieOption {
  const given = Object.entries(own.options ?? {}).filter(([, value]) => value !== undefined)
  const options: CookieAttributes = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: security === 'secure' || needsSecure(own.name),
    ...defaults,
    ...Object.fromEntries(given),
  }
  const name = own.name ?? prefix(options) + stem
  // Browsers reject this cookie without Secure; with it, they accept it over http only from localhost.
  const isImplied =
    useSecureCookies !== false && own.options?.secure === undefined && secureAttribute(options)
  const secure = options.secure || Boolean(isImplied)
  return Object.freeze({ name, options: Object.freeze({ ...options, secure }) })
}

/** The cookies that may contain a session, the one that is set first. */
export function sessionCookies(
  security: Security,
  { cookies = {}, migrateSessions, useSecureCookies }: CookieConfig,
): readonly [SessionCookie, ...SessionCookie[]] {
  const { sessionToken: own } = cookies
  const cookie = defineCookie({ security, useSecureCookies }, SESSION_COOKIE, own)
  const current: SessionCookie = Object.freeze({ ...cookie, family: 'own', security })
  return [
    current,
    ...formerCookie(current, own?.name),
    ...(migrateSessions ? [nextAuthCookie(current, own?.name)] : []),
  ]
}

export function cookiePolicy(security: Security, config: CookieConfig): CookiePolicy {
  const { cookies: custom = {}, useSecureCookies } = config
  const define = (name: string, own?: Partial<CookieOption>, defaults: CookieAttributes = {}) =>
    defineCookie({ security, useSecureCookies, defaults }, `${STEM}${name}`, own)
  const sessionTokens = sessionCookies(security, config)
  const short = { maxAge: TRANSACTION_MAX_AGE }
  return Object.freeze({
    sessionToken: sessionTokens[0],
    sessionTokens,
    callbackUrl: define('callback-url', custom.callbackUrl),
    csrfToken: define('csrf-token', custom.csrfToken),
    transaction: define('state', custom.state, short),
    challenge: define('challenge', custom.webauthnChallenge, {
      sameSite: 'strict',
      maxAge: CHALLENGE_MAX_AGE,
    }),
    resume: define('resume', undefined, short),
    form: define('form', undefined, short),
    known: define('known', undefined, { maxAge: KNOWN_MAX_AGE }),
  })
}

/** The cookies of the first list, then those of the second with other names. */
export function joinCookies(
  first: readonly SessionCookie[],
  second: readonly SessionCookie[],
): readonly SessionCookie[] {
  const names = new Set(first.map(({ name }) => name))
  return [...first, ...second.filter(({ name }) => !names.has(name))]
}

function joined(first: CookiePolicy, second: CookiePolicy): CookiePolicy {
  const sessionTokens = joinCookies(first.sessionTokens, second.sessionTokens)
  return Object.freeze({ ...first, sessionTokens })
}

export function cookiePolicies(config: CookieConfig): CookiePolicies {
  const cache: { -readonly [Name in keyof CookiePolicies]?: CookiePolicy } = {}
  const policies: CookiePolicies = {
    get secure() {
      return (cache.secure ??= cookiePolicy('secure', config))
    },
    get plain() {
      return (cache.plain ??= joined(cookiePolicy('plain', config), policies.secure))
    },
    get both() {
      return (cache.both ??= joined(policies.secure, policies.plain))
    },
  }
  return policies
}
