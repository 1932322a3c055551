/** Names and attributes of our cookies: one set for https, one for http. */
import type { CookiePolicy } from '../contracts.ts'
import { COOKIE_PREFIXES, SESSION_COOKIE, STEM } from '../cookies/names.ts'
import { serializeCookie } from '../cookies/serialize.ts'
import type { CookieAttributes, CookieOption } from '../types.ts'
import { TRANSACTION_MAX_AGE } from '../defaults.ts'
import type { CookiesOptions } from './types.ts'

/** Which connections cookies are for. */
export type Security = 'secure' | 'plain'

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

/** Names a session cookie of ours may still have in a browser. */
function formerNames(current: CookieOption, custom: string | undefined): CookieOption[] {
  if (custom !== undefined) return []
  const options = { ...current.options, secure: true }
  return COOKIE_PREFIXES.filter(
    (each) => each !== '' && each + SESSION_COOKIE !== current.name,
  ).map((each) => {
    const { domain: _domain, ...hostOnly } = options
    return {
      name: each + SESSION_COOKIE,
      options: each === '__Host-' ? { ...hostOnly, path: '/' } : options,
    }
  })
}

/** The cookies for one kind of connection. */
export function cookiePolicy(security: Security, custom: CookiesOptions): CookiePolicy {
  const sessionToken = define(security, SESSION_COOKIE, { custom: custom.sessionToken })
  return Object.freeze({
    sessionToken,
    sessionTokens: [sessionToken, ...formerNames(sessionToken, custom.sessionToken?.name)],
    callbackUrl: define(security, `${STEM}callback-url`, { custom: custom.callbackUrl }),
    csrfToken: define(security, `${STEM}csrf-token`, { custom: custom.csrfToken }),
    transaction: define(security, `${STEM}state`, {
      custom: custom.state,
      maxAge: TRANSACTION_MAX_AGE,
    }),
    resume: define(security, `${STEM}resume`, { custom: undefined, maxAge: TRANSACTION_MAX_AGE }),
  })
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
