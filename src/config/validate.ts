/** Validates a configuration. All problems are reported at once, each with its fix. */
import { toBytes } from '../crypto/digest.ts'
import { SHORTEST_SECRET } from '../defaults.ts'
import { withoutLink } from '../errors/base.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, MissingSecretError } from '../errors/configuration.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isOrigin } from '../http/origin.ts'
import { plainText } from '../log/redact.ts'
import { describeValue } from './describe-value.ts'
import { runsInProduction } from './env.ts'
import type { ParsedProviders } from './parse-providers.ts'
import { asList } from './token-settings.ts'
import type { AuthConfig } from './types.ts'
import { adapterRules } from './validate-adapter.ts'
import { cookieProblems } from './validate-cookies.ts'
import { providerRules } from './validate-providers.ts'

export interface Draft extends ParsedProviders {
  readonly config: AuthConfig
  /** Plain http that is allowed for providers without `insecureHttp`. */
  readonly http: HttpPolicy
}

/** Yields the message of each problem. */
export type Rule = (draft: Draft) => Iterable<string>

/** A rule, and the error of its problems. */
export type RuleRow = readonly [problem: new (message: string) => AuthError, rule: Rule]

function emptySecret(name: string, secret: string | readonly string[]): string | undefined {
  if (secret.length === 0) return `${name} is empty.`
  const index = asList(secret).findIndex((each) => !each)
  return index === -1 ? undefined : `${name}[${index}] is empty.`
}

const missingSecrets: Rule = function* ({ config: { secret, jwt = {}, redirectProxySecret } }) {
  // An empty list is what the environment gives without a variable.
  const isSet = secret !== undefined && !(Array.isArray(secret) && secret.length === 0)
  const problem = isSet ? emptySecret('secret', secret) : 'secret is missing.'
  if (problem)
    yield `${problem} Set AUTH_SECRET, or secret in the configuration, to 32 random bytes or more: npx lib-auth secret.`
  for (const [name, value] of Object.entries({ 'jwt.secret': jwt.secret, redirectProxySecret })) {
    const empty = value === undefined ? undefined : emptySecret(name, value)
    if (empty) yield `${empty} Set it to 32 random bytes or more, or leave it out.`
  }
}

/** In production, a secret that can be guessed within hours is an error. */
const shortSecrets: Rule = function* ({ config: { secret, jwt = {}, redirectProxySecret } }) {
  if (!runsInProduction()) return
  const secrets = { secret, 'jwt.secret': jwt.secret, redirectProxySecret }
  const short = Object.entries(secrets).flatMap(([name, value]) =>
    asList(value).flatMap((each, index, all) => {
      const { length } = toBytes(each)
      if (length === 0 || length >= SHORTEST_SECRET) return []
      return [`${all.length > 1 ? `${name}[${index}]` : name} (${length} bytes)`]
    }),
  )
  if (short.length > 0)
    yield `${short.join(' and ')} is shorter than ${SHORTEST_SECRET} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`
}

const originProblem: Rule = function* ({ config: { origin } }) {
  if (origin !== undefined && !isOrigin(origin.replace(/\/$/, '')))
    yield `origin is not an origin (got ${describeValue(origin)}). Set AUTH_URL, or origin in the configuration, to scheme and host: https://example.com.`
}

const pageProblems: Rule = function* ({ config: { pages = {} } }) {
  for (const [page, url] of Object.entries<string | undefined>({ ...pages }))
    if (url !== undefined && !(url && URL.canParse(url, 'https://relative.invalid')))
      yield `pages.${page} is not a path or URL (got ${describeValue(url)}). Write a path such as /${page}.`
}

const strategyProblem: Rule = function* ({ config: { session } }) {
  const strategy: unknown = session?.strategy ?? 'jwt'
  if (strategy !== 'jwt' && strategy !== 'database')
    yield `session.strategy is not "jwt" or "database" (got ${describeValue(strategy)}). Set it to one of them, or leave it out.`
}

/** Lifetimes that may be infinite. */
const ENDLESS: ReadonlySet<string> = new Set(['session.updateAge', 'session.absoluteMaxAge'])

function isLifetime(name: string, seconds: number): boolean {
  return Number.isFinite(seconds) ? seconds >= 0 : seconds === Infinity && ENDLESS.has(name)
}

const lifetimeProblems: Rule = function* ({ config: { session = {}, jwt = {} } }) {
  const lifetimes = {
    'session.maxAge': session.maxAge,
    'session.updateAge': session.updateAge,
    'session.absoluteMaxAge': session.absoluteMaxAge,
    'jwt.maxAge': jwt.maxAge,
  }
  for (const [name, seconds] of Object.entries(lifetimes))
    if (seconds !== undefined && !isLifetime(name, seconds))
      yield `${name} is not a number of seconds (got ${describeValue(seconds)}). Set it to 0 or more, such as 86400 for a day.`
}

const optionRules: readonly RuleRow[] = [
  [MissingSecretError, missingSecrets],
  [InvalidConfiguration, shortSecrets],
  [InvalidConfiguration, originProblem],
  [InvalidConfiguration, pageProblems],
  [InvalidConfiguration, cookieProblems],
  [InvalidConfiguration, strategyProblem],
  [InvalidConfiguration, lifetimeProblems],
]

export function problemsOf(draft: Draft): readonly AuthError[] {
  const apply = ([Problem, rule]: RuleRow) =>
    Array.from(rule(draft), (message) => new Problem(message))
  const ofProviders = [...providerRules, ...adapterRules].flatMap(apply)
  return [...optionRules.flatMap(apply), ...draft.problems, ...ofProviders]
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
