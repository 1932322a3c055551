/** Names and attributes of our cookies: one set for https, one for http. */
import {
  COOKIE_PREFIXES,
  ESTABLISHED_SESSION_COOKIE,
  SESSION_COOKIE,
  STEM,
} from '../cookies/names.ts'
import type { Security, SessionCookie } from '../cookies/names.ts'
import type { CookiePolicies, CookiePolicy } from '../cookies/policy.ts'
import { serializeCookie } from '../cookies/serialize.ts'
import { TRANSACTION_MAX_AGE } from '../defaults.ts'
import type { CookieAttributes, CookieOption } from '../types.ts'
import type { AuthConfig } from './types.ts'

/** Without `undefined`, which stands for "the default". */
function given(options: CookieAttributes | undefined): CookieAttributes {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** The safest prefix the attributes allow (RFC 6265bis §4.1.3). */
function prefix({ secure, domain, path }: CookieAttributes): string {
  if (!secure) return ''
  return path === '/' && !domain ? '__Host-' : '__Secure-'
}

/** Whether browsers drop a cookie of that name without Secure (RFC 6265bis §4.1.3). */
function needsSecure(name: string | undefined): boolean {
  return COOKIE_PREFIXES.some((each) => each !== '' && name?.startsWith(each))
}

function define(
  security: Security,
  name: string,
  override: { readonly custom: Partial<CookieOption> | undefined; readonly maxAge?: number },
): CookieOption {
  const { custom, maxAge } = override
  const options: CookieAttributes = Object.freeze({
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: security === 'secure' || needsSecure(custom?.name),
    ...(maxAge !== undefined && { maxAge }),
    ...given(custom?.options),
  })
  return Object.freeze({ name: custom?.name ?? prefix(options) + name, options })
}

/** The session cookie of https under the other prefix, which it has after `path` or `domain` was changed. */
function otherPrefix(current: SessionCookie, custom: string | undefined): SessionCookie[] {
  if (custom !== undefined || current.security === 'plain') return []
  const { domain: _domain, ...hostOnly } = current.options
  return COOKIE_PREFIXES.filter(
    (each) => each !== '' && each + SESSION_COOKIE !== current.name,
  ).map((each) => ({
    family: 'own',
    security: 'secure',
    name: each + SESSION_COOKIE,
    options: each === '__Host-' ? { ...hostOnly, path: '/' } : current.options,
  }))
}

/**
 * Where the library whose sessions are taken over keeps them. What anybody could plant on an http page of the same
 * host is not looked at on https.
 */
function establishedCookie(
  security: Security,
  { options }: SessionCookie,
  custom: string | undefined,
): SessionCookie {
  const name = `${security === 'secure' ? '__Secure-' : ''}${ESTABLISHED_SESSION_COOKIE}`
  return { family: 'established', security, name: custom ?? name, options }
}

/** The cookies for one kind of connection. */
export function cookiePolicy(
  security: Security,
  { cookies: custom = {}, migrateSessions }: Pick<AuthConfig, 'cookies' | 'migrateSessions'>,
): CookiePolicy {
  const named = define(security, SESSION_COOKIE, { custom: custom.sessionToken })
  const sessionToken: SessionCookie = Object.freeze({ ...named, family: 'own', security })
  const ownName = custom.sessionToken?.name
  return Object.freeze({
    sessionToken,
    sessionTokens: [
      sessionToken,
      ...otherPrefix(sessionToken, ownName),
      ...(migrateSessions ? [establishedCookie(security, sessionToken, ownName)] : []),
    ],
    callbackUrl: define(security, `${STEM}callback-url`, { custom: custom.callbackUrl }),
    csrfToken: define(security, `${STEM}csrf-token`, { custom: custom.csrfToken }),
    transaction: define(security, `${STEM}state`, {
      custom: custom.state,
      maxAge: TRANSACTION_MAX_AGE,
    }),
    resume: define(security, `${STEM}resume`, { custom: undefined, maxAge: TRANSACTION_MAX_AGE }),
  })
}

/** Both lists, without what the first has already under the same name. */
function joined(first: CookiePolicy, second: CookiePolicy): CookiePolicy {
  const names = new Set(first.sessionTokens.map(({ name }) => name))
  const others = second.sessionTokens.filter(({ name }) => !names.has(name))
  return Object.freeze({ ...first, sessionTokens: [...first.sessionTokens, ...others] })
}

/** The cookies for https, for http, and for a request that does not state the protocol; made on first use. */
export function cookiePolicies(config: AuthConfig): CookiePolicies {
  const made: { -readonly [Name in keyof CookiePolicies]?: CookiePolicy } = {}
  const policies: CookiePolicies = {
    get secure() {
      return (made.secure ??= cookiePolicy('secure', config))
    },
    get plain() {
      return (made.plain ??= joined(cookiePolicy('plain', config), policies.secure))
    },
    get unknown() {
      return (made.unknown ??= joined(policies.secure, policies.plain))
    },
  }
  return policies
}

/** What name and attributes may take of a cookie, in bytes; what they leave is for the value. */
const MAX_OVERHEAD = 1024

/** Whether the cookie can be written at all. */
function writeProblem({ name, options }: CookieOption): string | null {
  try {
    const { length } = serializeCookie({ name, value: '', options })
    if (length <= MAX_OVERHEAD) return null
    return `cookie ${name.slice(0, 64)} cannot be set: its name and attributes take ${length} bytes and the limit is ${MAX_OVERHEAD}`
  } catch (error) {
    return `cookie ${name} cannot be set: ${error instanceof Error ? error.message : ''}`
  }
}

/** What is wrong with a cookie that browsers would refuse, and what to write instead. */
export function cookieProblem(cookie: CookieOption): string | null {
  const { name, options } = cookie
  const isHost = name.startsWith('__Host-')
  if (!needsSecure(name)) return writeProblem(cookie)
  if (!options.secure) return `cookie ${name} needs options.secure: true, or another name`
  if (isHost && options.domain)
    return `cookie ${name} cannot have options.domain; call it __Secure-${name.slice('__Host-'.length)}`
  if (isHost && options.path !== '/')
    return `cookie ${name} needs options.path: "/", or another name`
  return writeProblem(cookie)
}
