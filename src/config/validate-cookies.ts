import type { Security } from '../cookies/policy.ts'
import { serializeCookie } from '../cookies/syntax.ts'
import type { CookieOption } from '../types.ts'
import { cookiePolicy, needsSecure, secureAttribute } from './cookies.ts'
import type { AuthConfig } from './types.ts'

/** Limit of the name and attributes of a cookie, in bytes; the rest is for its value. */
const MAX_OVERHEAD = 1024

function writeProblem({ name, options }: CookieOption): string | null {
  try {
    const { length } = serializeCookie({ name, value: '', options })
    if (length <= MAX_OVERHEAD) return null
    return `cookie ${name.slice(0, 64)} cannot be set: its name and attributes take ${length} bytes and the limit is ${MAX_OVERHEAD}; shorten its name, path or domain`
  } catch (error) {
    return `cookie ${name} cannot be set: ${error instanceof Error ? error.message : ''}`
  }
}

function cookieProblem(cookie: CookieOption): string | null {
  const { name, options } = cookie
  const isHost = name.startsWith('__Host-')
  const attribute = secureAttribute(options)
  if (attribute !== null && !options.secure)
    return `cookie ${name} needs options.secure: true, because browsers reject ${attribute} without it`
  if (!needsSecure(name)) return writeProblem(cookie)
  if (!options.secure) return `cookie ${name} needs options.secure: true, or another name`
  if (isHost && options.domain)
    return `cookie ${name} cannot have options.domain; call it __Secure-${name.slice('__Host-'.length)}`
  if (isHost && options.path !== '/')
    return `cookie ${name} needs options.path: "/", or another name`
  return writeProblem(cookie)
}

interface NamedCookie {
  readonly option: string
  readonly name: string
}

function namesOf(config: AuthConfig, security: Security): readonly NamedCookie[] {
  const {
    sessionTokens,
    sessionToken: _first,
    transaction,
    ...others
  } = cookiePolicy(security, config)
  return [
    ...sessionTokens.map(({ name }) => ({ option: 'sessionToken', name })),
    ...Object.entries({ state: transaction, ...others }).map(([option, { name }]) => ({
      option,
      name,
    })),
  ]
}

/** Whether the second cookie is parsed as the first, a chunk of it, or one of its transactions. */
function isReadAs(first: NamedCookie, second: NamedCookie): boolean {
  if (first.option === second.option) return false
  if (first.name === second.name) return true
  const rest = second.name.startsWith(`${first.name}.`) ? second.name.slice(first.name.length) : ''
  return first.option === 'state'
    ? rest !== ''
    : first.option === 'sessionToken' && /^\.\d+$/.test(rest)
}

function* nameProblems(config: AuthConfig, security: Security): Iterable<string> {
  const names = namesOf(config, security)
  for (const [index, first] of names.entries())
    for (const [other, second] of names.entries())
      if (isReadAs(first, second) && (first.name !== second.name || index < other))
        yield `cookies ${first.option} and ${second.option} have the same name (${second.name}); rename one of them`
}

export function cookieProblems({ config }: { readonly config: AuthConfig }): string[] {
  const { useSecureCookies } = config
  const kinds: readonly Security[] =
    useSecureCookies === undefined ? ['secure', 'plain'] : [useSecureCookies ? 'secure' : 'plain']
  const [kind = 'secure'] = kinds
  const { sessionTokens: _all, ...policy } = cookiePolicy(kind, config)
  const problems = [
    ...Object.values(policy).flatMap((cookie) => cookieProblem(cookie) ?? []),
    ...kinds.flatMap((each) => Array.from(nameProblems(config, each))),
  ]
  return [...new Set(problems)].map((problem) => `The ${problem}.`)
}
