import type { Security } from '../cookies/names.ts'
import { serializeCookie } from '../cookies/serialize.ts'
import type { CookieOption } from '../types.ts'
import { cookiePolicy, needsSecure, secureAttribute } from './cookies.ts'
import type { AuthConfig } from './types.ts'

/** Limit of the name and attributes of a cookie, in bytes; the rest is for its value. */
const MAX_OVERHEAD = 1024

function writeProblem({ name, options }: CookieOption): string | null {
  try {
    const { length } = serializeCookie({ name, value: '', options })
    if (length <= MAX_OVERHEAD) return null
    return `cookie ${name.slice(0, 64)} cannot be set: its name and attributes take ${length} bytes and the limit is ${MAX_OVERHEAD}`
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
  readonly option: 'sessionToken' | 'callbackUrl' | 'csrfToken' | 'state' | 'resume'
  readonly name: string
}

function namesOf(config: AuthConfig, security: Security): readonly NamedCookie[] {
  const { sessionTokens, callbackUrl, csrfToken, transaction, resume } = cookiePolicy(
    security,
    config,
  )
  return [
    ...sessionTokens.map(({ name }) => ({ option: 'sessionToken', name }) as const),
    { option: 'state', name: transaction.name },
    { option: 'callbackUrl', name: callbackUrl.name },
    { option: 'csrfToken', name: csrfToken.name },
    { option: 'resume', name: resume.name },
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

function nameProblems(config: AuthConfig, security: Security): readonly string[] {
  const names = namesOf(config, security)
  return names.flatMap((first, index) =>
    names
      .filter(
        (second, other) => isReadAs(first, second) && (first.name !== second.name || index < other),
      )
      .map(
        ({ option, name }) => `cookies ${first.option} and ${option} have the same name (${name})`,
      ),
  )
}

export function cookieProblems(config: AuthConfig): readonly string[] {
  const { useSecureCookies } = config
  const kinds: readonly Security[] =
    useSecureCookies === undefined ? ['secure', 'plain'] : [useSecureCookies ? 'secure' : 'plain']
  const [kind = 'secure'] = kinds
  const { sessionTokens: _all, ...policy } = cookiePolicy(kind, config)
  const problems = Object.values(policy).flatMap((cookie) => cookieProblem(cookie) ?? [])
  return [...new Set([...problems, ...kinds.flatMap((each) => nameProblems(config, each))])]
}
