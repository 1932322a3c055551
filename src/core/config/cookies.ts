import { NEXT_AUTH_SESSION_COOKIE, SESSION_COOKIE, COOKIE_PREFIX } from '../cookies/policy.ts'
import type { CookiePolicies, CookiePolicy, Security, SessionName } from '../cookies/policy.ts'
import { CHALLENGE_MAX_AGE, HINTS_MAX_AGE, KNOWN_MAX_AGE, TRANSACTION_MAX_AGE } from './defaults.ts'
import type { CookieAttributes, CookieOption } from '../types.ts'
import type { AuthConfig } from './types.ts'

/** The strictest prefix that the attributes allow (RFC 6265bis §4.1.3). */
function prefix({ secure, domain, path }: CookieAttributes): string {
  if (!secure) return ''
  return path === '/' && !domain ? '__Host-' : '__Secure-'
}

/** Whether browsers reject a cookie of this name without Secure (RFC 6265bis §4.1.3). */
export function needsSecure(name = ''): boolean {
  return /^__(?:Host|Secure)-/.test(name)
}

/** The attribute that browsers reject without Secure (RFC 6265bis §5.7), as written in a header. */
export function secureAttribute({ sameSite, partitioned }: CookieAttributes): string | null {
  if (typeof sameSite === 'string' && sameSite.toLowerCase() === 'none') return 'SameSite=None'
  return partitioned ? 'Partitioned' : null
}

const HOST_COOKIE = `__Host-${SESSION_COOKIE}`

type CookieConfig = Pick<AuthConfig, 'cookies' | 'migrateSessions' | 'useSecureCookies'>

type CustomCookie = Partial<CookieOption> | undefined

function cookieOptions(security: Security, custom: CustomCookie): CookieAttributes {
  const given = Object.entries(custom?.options ?? {}).filter(([, value]) => value !== undefined)
  const secure = security === 'secure' || needsSecure(custom?.name)
  return { path: '/', secure, ...Object.fromEntries(given) }
}

/** The cookies that may contain a session. The first one is the one that is set. */
export function sessionNames(
  security: Security,
  { cookies, migrateSessions }: CookieConfig,
): readonly [SessionName, ...SessionName[]] {
  const custom = cookies?.sessionToken
  const name = custom?.name ?? prefix(cookieOptions(security, custom)) + SESSION_COOKIE
  const names: [SessionName, ...SessionName[]] = [{ name, family: 'own', security }]
  // The cookie from before `path` or `domain` was configured; never `__Secure-`, because of cookie tossing.
  if (custom?.name === undefined && security === 'secure' && name !== HOST_COOKIE)
    names.push({ name: HOST_COOKIE, family: 'own', security })
  // On https only the `__Secure-` cookie of `next-auth`, because an attacker can set the other one over http.
  const old = `${security === 'secure' ? '__Secure-' : ''}${NEXT_AUTH_SESSION_COOKIE}`
  if (migrateSessions) names.push({ name: custom?.name ?? old, family: 'next-auth', security })
  return names
}

export function cookiePolicy(security: Security, config: CookieConfig): CookiePolicy {
  const { cookies = {}, useSecureCookies } = config
  const define = (
    stem: string,
    custom: CustomCookie,
    defaults?: CookieAttributes,
  ): CookieOption => {
    const given = cookieOptions(security, custom)
    const options: CookieAttributes = { httpOnly: true, sameSite: 'lax', ...defaults, ...given }
    const name = custom?.name ?? prefix(options) + COOKIE_PREFIX + stem
    // Browsers reject this cookie without Secure; with it, they accept it over http only from localhost.
    const isImplied =
      useSecureCookies !== false &&
      custom?.options?.secure === undefined &&
      secureAttribute(options)
    const secure = options.secure || Boolean(isImplied)
    return Object.freeze({ name, options: Object.freeze({ ...options, secure }) })
  }
  const { options } = define('session-token', cookies.sessionToken)
  const { domain: _domain, ...hostOptions } = { ...options, path: '/' }
  const [sessionToken, ...others] = sessionNames(security, config)
  const current = Object.freeze({ ...sessionToken, options })
  const short = { maxAge: TRANSACTION_MAX_AGE }
  // Sent wherever the session is, for example to subdomains.
  const { name: _name, ...likeSession } = cookies.sessionToken ?? {}
  return Object.freeze({
    sessionToken: current,
    sessionTokens: [
      current,
      ...others.map(({ name, family, security: connection }) => ({
        name,
        family,
        security: connection,
        options: family === 'own' ? hostOptions : options,
      })),
    ],
    callbackUrl: define('callback-url', cookies.callbackUrl),
    csrfToken: define('csrf-token', cookies.csrfToken),
    transaction: define('state', cookies.state, short),
    challenge: define('challenge', cookies.webauthnChallenge, {
      sameSite: 'strict',
      maxAge: CHALLENGE_MAX_AGE,
    }),
    resume: define('resume', undefined, short),
    pending: define('pending', undefined, short),
    form: define('form', undefined, short),
    known: define('known', undefined, { maxAge: KNOWN_MAX_AGE }),
    tokens: define('tokens', likeSession),
    logoutHints: define('logout-hints', likeSession, { maxAge: HINTS_MAX_AGE }),
    logout: define('logout', undefined, short),
  })
}

/** The cookies of the first list, then those of the second with other names. */
export function joinCookies<Cookie extends SessionName>(
  first: readonly Cookie[],
  second: readonly Cookie[],
): readonly Cookie[] {
  const names = new Set(first.map(({ name }) => name))
  return [...first, ...second.filter(({ name }) => !names.has(name))]
}

function joined(first: CookiePolicy, second: CookiePolicy): CookiePolicy {
  const sessionTokens = joinCookies(first.sessionTokens, second.sessionTokens)
  return Object.freeze({ ...first, sessionTokens })
}

export function cookiePolicies(config: CookieConfig): CookiePolicies {
  const secure = cookiePolicy('secure', config)
  const plain = joined(cookiePolicy('plain', config), secure)
  return { secure, plain, both: joined(secure, plain) }
}
