/** Validates a configuration. All problems are reported at once, each with its fix. */
import { toBytes } from '../crypto/digest.ts'
import { SHORTEST_SECRET } from '../defaults.ts'
import { withoutLink } from '../errors/base.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, MissingSecretError } from '../errors/configuration.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isOrigin } from '../http/origin.ts'
import { plainText } from '../log/redact.ts'
import { runsInProduction } from '../variables.ts'
import { adapterProblems } from './adapter.ts'
import { mismatch } from './describe-value.ts'
import type { ParsedProviders } from './parse-providers.ts'
import { asList } from './token-settings.ts'
import type { AuthConfig } from './types.ts'
import { cookieProblems } from './validate-cookies.ts'
import { providerProblems } from './validate-providers.ts'

export interface Draft extends ParsedProviders {
  readonly config: AuthConfig
  /** Plain http that is allowed for providers without `insecureHttp`. */
  readonly http: HttpPolicy
}

/** The bytes of each secret, by its option; 0 for one that is missing or empty. */
export function* secretLengths({
  secret = [],
  jwt = {},
  redirectProxySecret,
}: AuthConfig): Iterable<readonly [name: string, length: number]> {
  const secrets = { secret, 'jwt.secret': jwt.secret, redirectProxySecret }
  for (const [option, value] of Object.entries(secrets)) {
    const list = value?.length === 0 ? [''] : asList(value)
    for (const [index, each] of list.entries())
      yield [list.length > 1 ? `${option}[${index}]` : option, toBytes(each).length]
  }
}

/** In production, a secret that can be guessed within hours is an error. */
function* secretProblems(config: AuthConfig): Iterable<AuthError> {
  for (const [name, length] of secretLengths(config)) {
    if (length === 0)
      yield new MissingSecretError(
        name.startsWith('secret')
          ? `${name} is ${name === 'secret' && config.secret !== '' ? 'missing' : 'empty'}. Set AUTH_SECRET or secret to 32 random bytes or more: npx lib-auth secret.`
          : `${name} is empty. Set it to 32 random bytes or more, or leave it out.`,
      )
    else if (length < SHORTEST_SECRET && runsInProduction())
      yield new InvalidConfiguration(
        `${name} (${length} bytes) is shorter than ${SHORTEST_SECRET} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`,
      )
  }
}

/** Lifetimes that may be infinite. */
const ENDLESS: ReadonlySet<string> = new Set(['session.updateAge', 'session.absoluteMaxAge'])

function isLifetime(name: string, seconds: number): boolean {
  return Number.isFinite(seconds) ? seconds >= 0 : seconds === Infinity && ENDLESS.has(name)
}

/** Yields the messages about origin, pages and sessions. */
function* optionProblems({ origin, pages, session = {}, jwt = {} }: AuthConfig): Iterable<string> {
  if (origin !== undefined && !isOrigin(origin.replace(/\/$/, '')))
    yield `${mismatch('origin', 'an origin', origin)} Set AUTH_URL or origin to scheme and host: https://example.com.`
  for (const [page, url] of Object.entries<string | undefined>({ ...pages }))
    if (url !== undefined && !(url && URL.canParse(url, 'https://relative.invalid')))
      yield `${mismatch(`pages.${page}`, 'a path or URL', url)} Write a path such as /${page}.`
  const strategy: unknown = session.strategy ?? 'jwt'
  if (strategy !== 'jwt' && strategy !== 'database')
    yield mismatch('session.strategy', '"jwt" or "database"', strategy)
  const lifetimes = {
    'session.maxAge': session.maxAge,
    'session.updateAge': session.updateAge,
    'session.absoluteMaxAge': session.absoluteMaxAge,
    'jwt.maxAge': jwt.maxAge,
  }
  for (const [name, seconds] of Object.entries(lifetimes))
    if (seconds !== undefined && !isLifetime(name, seconds))
      yield `${mismatch(name, 'a number of seconds', seconds)} Set it to 0 or more, such as 86400 for a day.`
}

export function problemsOf(draft: Draft): readonly AuthError[] {
  const { config } = draft
  const messages = [...optionProblems(config), ...cookieProblems(config)]
  return [
    ...secretProblems(config),
    ...messages.map((message) => new InvalidConfiguration(message)),
    ...providerProblems(draft),
    ...adapterProblems(config, draft.providers),
  ]
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
