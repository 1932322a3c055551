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

export function cookiePolicy(
  security: Security,
  { cookies: custom = {}, migrateSessions, useSecureCookies }: CookieConfig,
): CookiePolicy {
  const define = (stem: string, own: Partial<CookieOption> = {}, maxAge?: number): CookieOption => {
    const given = Object.entries(own.options ?? {}).filter(([, value]) => value !== undefined)
    const options: CookieAttributes = {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: security === 'secure' || needsSecure(own.name),
      ...(maxAge !== undefined && { maxAge }),
      ...Object.fromEntries(given),
    }
    const name = own.name ?? prefix(options) + stem
    // Browsers reject this cookie without Secure; with it, they accept it over http only from localhost.
    const isImplied =
      useSecureCookies !== false && own.options?.secure === undefined && secureAttribute(options)
    const secure = options.secure || Boolean(isImplied)
    return Object.freeze({ name, options: Object.freeze({ ...options, secure }) })
  }
  const cookie = define(SESSION_COOKIE, custom.sessionToken)
  const sessionToken: SessionCookie = Object.freeze({ ...cookie, family: 'own', security })
  const ownName = custom.sessionToken?.name
  const { webauthnChallenge: challenge = {} } = custom
  return Object.freeze({
    sessionToken,
    sessionTokens: [
      sessionToken,
      ...formerCookie(sessionToken, ownName),
      ...(migrateSessions ? [nextAuthCookie(sessionToken, ownName)] : []),
    ],
    callbackUrl: define(`${STEM}callback-url`, custom.callbackUrl),
    csrfToken: define(`${STEM}csrf-token`, custom.csrfToken),
    transaction: define(`${STEM}state`, custom.state, TRANSACTION_MAX_AGE),
    challenge: define(
      `${STEM}challenge`,
      { ...challenge, options: { sameSite: 'strict', ...challenge.options } },
      CHALLENGE_MAX_AGE,
    ),
    resume: define(`${STEM}resume`, undefined, TRANSACTION_MAX_AGE),
    form: define(`${STEM}form`, undefined, TRANSACTION_MAX_AGE),
    known: define(`${STEM}known`, undefined, KNOWN_MAX_AGE),
  })
}

function joined(first: CookiePolicy, second: CookiePolicy): CookiePolicy {
  const names = new Set(first.sessionTokens.map(({ name }) => name))
  const others = second.sessionTokens.filter(({ name }) => !names.has(name))
  return Object.freeze({ ...first, sessionTokens: [...first.sessionTokens, ...others] })
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
