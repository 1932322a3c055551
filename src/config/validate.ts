/** Validates a configuration. All problems are reported at once, each with its fix. */
import { toBytes } from '../crypto/encoding.ts'
import { SHORTEST_SECRET } from '../defaults.ts'
import { withoutLink } from '../errors/base.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, MissingSecretError } from '../errors/configuration.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isOrigin } from '../http/origin.ts'
import { plainText } from '../log/redact.ts'
import { describeValue } from './describe-value.ts'
import type { Entries } from './entry.ts'
import { runsInProduction } from './env.ts'
import { asList } from './token-settings.ts'
import type { AuthConfig } from './types.ts'
import { adapterProblems } from './validate-adapter.ts'
import { cookieProblems } from './validate-cookies.ts'
import { providerRules } from './validate-providers.ts'

export interface Draft extends Entries {
  readonly config: AuthConfig
  /** Plain http that is allowed for providers without `insecureHttp`. */
  readonly http: HttpPolicy
}

export type Rule = (draft: Draft) => readonly AuthError[]

function secretProblem(
  name: string,
  secret: string | readonly string[] | undefined,
): string | null {
  if (secret === undefined) return `${name} is missing.`
  if (secret.length === 0) return `${name} is empty.`
  const index = typeof secret === 'string' ? -1 : secret.findIndex((each) => !each)
  return index === -1 ? null : `${name}[${index}] is empty.`
}

const hasSecret: Rule = ({ config: { secret, jwt = {}, redirectProxySecret } }) => {
  const problems: string[] = []
  // An empty list is what the environment gives without a variable.
  const isUnset = Array.isArray(secret) && secret.length === 0
  const problem = secretProblem('secret', isUnset ? undefined : secret)
  if (problem)
    problems.push(
      `${problem} Set AUTH_SECRET, or secret in the configuration, to 32 random bytes or more: npx lib-auth secret.`,
    )
  const optional = { 'jwt.secret': jwt.secret, redirectProxySecret }
  for (const [name, value] of Object.entries(optional)) {
    const other = value === undefined ? null : secretProblem(name, value)
    if (other) problems.push(`${other} Set it to 32 random bytes or more, or leave it out.`)
  }
  return problems.map((each) => new MissingSecretError(each))
}

function shortSecrets({ secret, jwt = {}, redirectProxySecret }: AuthConfig): string[] {
  const named = { secret, 'jwt.secret': jwt.secret, redirectProxySecret }
  return Object.entries(named).flatMap(([name, value]) =>
    asList(value).flatMap((each, index, all) => {
      const { length } = toBytes(each)
      if (length === 0 || length >= SHORTEST_SECRET) return []
      return [`${all.length > 1 ? `${name}[${index}]` : name} (${length} bytes)`]
    }),
  )
}

/** In production, a secret that can be guessed within hours is an error. */
const hasLongSecret: Rule = ({ config }) => {
  const short = runsInProduction() ? shortSecrets(config) : []
  if (short.length === 0) return []
  return [
    new InvalidConfiguration(
      `${short.join(' and ')} is shorter than ${SHORTEST_SECRET} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`,
    ),
  ]
}

const hasPlainOrigin: Rule = ({ config: { origin } }) => {
  if (origin === undefined || isOrigin(origin.replace(/\/$/, ''))) return []
  return [
    new InvalidConfiguration(
      `origin is not an origin (got ${describeValue(origin)}). Set AUTH_URL, or origin in the configuration, to scheme and host: https://example.com.`,
    ),
  ]
}

const hasUsablePages: Rule = ({ config: { pages = {} } }) =>
  Object.entries(pages).flatMap(([page, url]) => {
    if (url === undefined || (url && URL.canParse(url, 'https://relative.invalid'))) return []
    return [
      new InvalidConfiguration(
        `pages.${page} is not a path or URL (got ${describeValue(url)}). Write a path such as /${page}.`,
      ),
    ]
  })

const hasUsableCookies: Rule = ({ config }) =>
  cookieProblems(config).map((problem) => new InvalidConfiguration(`The ${problem}.`))

const hasKnownStrategy: Rule = ({ config: { session } }) => {
  const strategy: unknown = session?.strategy ?? 'jwt'
  if (strategy === 'jwt' || strategy === 'database') return []
  return [
    new InvalidConfiguration(
      `session.strategy is not "jwt" or "database" (got ${describeValue(strategy)}).`,
    ),
  ]
}

/** Lifetimes that may be infinite. */
const ENDLESS: ReadonlySet<string> = new Set(['session.updateAge', 'session.absoluteMaxAge'])

function isLifetime(name: string, seconds: number): boolean {
  return Number.isFinite(seconds) ? seconds >= 0 : seconds === Infinity && ENDLESS.has(name)
}

const hasUsableLifetimes: Rule = ({ config: { session = {}, jwt = {} } }) => {
  const lifetimes = {
    'session.maxAge': session.maxAge,
    'session.updateAge': session.updateAge,
    'session.absoluteMaxAge': session.absoluteMaxAge,
    'jwt.maxAge': jwt.maxAge,
  }
  return Object.entries(lifetimes).flatMap(([name, seconds]) => {
    if (seconds === undefined || isLifetime(name, seconds)) return []
    return [
      new InvalidConfiguration(
        `${name} is not a number of seconds (got ${describeValue(seconds)}).`,
      ),
    ]
  })
}

const hasUsableAdapter: Rule = ({ config, providers }) => adapterProblems(config, providers)

const rules: readonly Rule[] = [
  hasSecret,
  hasLongSecret,
  hasPlainOrigin,
  hasUsablePages,
  hasUsableCookies,
  hasKnownStrategy,
  hasUsableLifetimes,
  ...providerRules,
  hasUsableAdapter,
]

export function problemsOf(draft: Draft): readonly AuthError[] {
  return rules.flatMap((rule) => rule(draft))
}

/** Lists all problems in the first error, one per line; line breaks in values are escaped. */
function listAll(first: AuthError, errors: readonly AuthError[]): AuthError {
  const problems = errors.map(({ message }) => plainText(withoutLink(message)))
  const [link = ''] = /Read more: \S+$/.exec(first.message) ?? []
  const lines = problems.map((problem) => `- ${problem}`)
  const message = [`The configuration has ${errors.length} problems:`, ...lines, link].join('\n')
  return Object.assign(first, { message, cause: { ...first.cause, problems } })
}

/** @throws the error of the first problem; its message lists all of them */
export function validate(draft: Draft): void {
  const problems = problemsOf(draft)
  const [first, second] = problems
  if (first) throw second ? listAll(first, problems) : first
}
