import type { Security } from '../cookies/policy.ts'
import { serializeCookie } from '../cookies/syntax.ts'
import type { CookieOption } from '../types.ts'
import { cookiePolicy, needsSecure, secureAttribute } from './cookies.ts'
import type { AuthConfig } from './types.ts'

/** Limit of the name and attributes of a cookie, in bytes; the rest is for its value. */
const MAX_OVERHEAD = 1024

/** Why browsers would reject the cookie (RFC 6265bis §4.1.3). */
function cookieProblem({ name, options }: CookieOption): string | null {
  const isHost = name.startsWith('__Host-')
  const attribute = secureAttribute(options)
  if (attribute !== null && !options.secure)
    return `needs options.secure: true, because browsers reject ${attribute} without it`
  if (needsSecure(name) && !options.secure) return 'needs options.secure: true, or another name'
  if (isHost && options.domain)
    return `cannot have options.domain; call it __Secure-${name.slice('__Host-'.length)}`
  if (isHost && options.path !== '/') return 'needs options.path: "/", or another name'
  try {
    const { length } = serializeCookie({ name, value: '', options })
    if (length <= MAX_OVERHEAD) return null
    return `cannot be set: its name and attributes take ${length} bytes and the limit is ${MAX_OVERHEAD}`
  } catch (error) {
    return `cannot be set: ${error instanceof Error ? error.message : ''}`
  }
}

/** What follows the name of a cookie in the names of its chunks or of its transactions. */
const SUFFIXES: Readonly<Record<string, RegExp>> = { sessionToken: /^\.\d+$/, state: /^\./ }

function* nameProblems(config: AuthConfig, security: Security): Iterable<string> {
  const policy = cookiePolicy(security, config)
  const { sessionTokens, sessionToken: _first, transaction, ...others } = policy
  const named = Object.entries({ state: transaction, ...others })
  const cookies = [...sessionTokens.map((each) => ['sessionToken', each] as const), ...named]
  for (const [index, [option, { name }]] of cookies.entries())
    for (const [otherIndex, [otherOption, { name: other }]] of cookies.entries()) {
      const isSame = name === other && index < otherIndex
      const isPart = other.startsWith(name) && SUFFIXES[option]?.test(other.slice(name.length))
      if (option !== otherOption && (isSame || isPart))
        yield `The cookies ${option} and ${otherOption} have the same name (${other}); rename one of them.`
    }
}

export function cookieProblems(config: AuthConfig): Iterable<string> {
  const { useSecureCookies } = config
  const kind: Security = useSecureCookies === false ? 'plain' : 'secure'
  const { sessionTokens: _all, ...policy } = cookiePolicy(kind, config)
  const problems = Object.values(policy).flatMap((cookie) => {
    const problem = cookieProblem(cookie)
    return problem === null ? [] : [`The cookie ${cookie.name.slice(0, 64)} ${problem}.`]
  })
  const kinds = useSecureCookies === undefined ? (['secure', 'plain'] as const) : [kind]
  const names = kinds.flatMap((each) => Array.from(nameProblems(config, each)))
  return new Set([...problems, ...names])
}
