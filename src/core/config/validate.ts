/** Validates a configuration. All problems are reported at once, each with its fix. */
import type { Security } from '../cookies/policy.ts'
import { serializeCookie } from '../cookies/syntax.ts'
import { toBytes } from '../crypto/digest.ts'
import { SHORTEST_SECRET } from './defaults.ts'
import { withoutLink } from '../errors/base.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, MissingSecretError } from '../errors/classes.ts'
import { isOrigin } from '../http/origin.ts'
import { isRecord } from '../is-record.ts'
import { plainText } from '../log/redact.ts'
import { runsInProduction, secretOfProcess } from './variables.ts'
import { accountProblems } from './account.ts'
import { adapterProblems } from './adapter-problems.ts'
import { cookiePolicy, needsSecure, secureAttribute } from './cookies.ts'
import { describeKind, mismatch } from './describe-value.ts'
import { logoutProblems } from './logout.ts'
import { protectionProblems } from './protection.ts'
import { secondStepProblems } from './second-step.ts'
import { sessionListProblems } from './session-list.ts'
import { revocationProblems } from './session-revocation.ts'
import { tokenProblems } from './token-problems.ts'
import { asList, namedSecrets } from './token-settings.ts'
import type { CookieOption } from '../types.ts'
import type { AuthConfig } from './types.ts'
import { providerProblems } from './provider-list.ts'
import type { Draft } from './provider-list.ts'

/** The secrets by their options; '' for one that is missing or empty. */
export function listSecrets(config: AuthConfig): (readonly [name: string, secret: string])[] {
  const { secret, jwt, redirectProxySecret } = config
  const secrets = { secret: secret ?? [], 'jwt.secret': jwt?.secret, redirectProxySecret }
  return Object.entries(secrets).flatMap(([option, value]) =>
    namedSecrets(option, value && asList(value).length === 0 ? '' : value),
  )
}

/** Functions that take the configuration do not read the environment: a secret may be there all the same. */
function secretAdvice(): string {
  const name = secretOfProcess()
  return name === undefined
    ? 'Set AUTH_SECRET or secret to 32 random bytes or more: npx lib-auth secret.'
    : `${name} is set, but was not read for this configuration. Call setEnvDefaults(process.env, config) once, or set secret.`
}

/** In production, a secret that can be guessed within hours is an error. */
function* secretProblems(config: AuthConfig): Iterable<AuthError> {
  for (const [name, value] of listSecrets(config)) {
    const { length } = toBytes(value)
    const advice = name.startsWith('secret')
      ? 'Set AUTH_SECRET or secret to 32 random bytes or more: npx lib-auth secret.'
      : 'Set it to 32 random bytes or more, or leave it out.'
    if (length === 0) {
      const isMissing = name === 'secret' && config.secret !== ''
      yield new MissingSecretError(
        isMissing ? `secret is missing. ${secretAdvice()}` : `${name} is empty. ${advice}`,
      )
    } else if (typeof value !== 'string')
      yield new InvalidConfiguration(
        `${name} is not a string (got ${describeKind(value)}). ${advice}`,
      )
    else if (length < SHORTEST_SECRET && runsInProduction())
      yield new InvalidConfiguration(
        `${name} (${length} bytes) is shorter than ${SHORTEST_SECRET} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`,
      )
  }
}

const ENDLESS: ReadonlySet<string> = new Set(['session.updateAge', 'session.absoluteMaxAge'])

function isLifetime(name: string, seconds: number): boolean {
  return Number.isFinite(seconds) ? seconds >= 0 : seconds === Infinity && ENDLESS.has(name)
}

function* messageProblems(messages: unknown): Iterable<string> {
  if (messages !== undefined && !isRecord(messages))
    yield `${mismatch('theme.messages', 'an object', messages)} Set it to texts by name: { signIn: "Log in" }.`
  else
    for (const [name, text] of Object.entries(messages ?? {}))
      if (text !== undefined && typeof text !== 'string')
        yield `${mismatch(`theme.messages[${JSON.stringify(name)}]`, 'a string', text)} Set it to the text of the page.`
}

function* auditProblems(audit: unknown): Iterable<string> {
  if (audit === undefined) return
  const { write, identifiers = 'hashed' }: Record<string, unknown> = isRecord(audit) ? audit : {}
  if (typeof write !== 'function')
    yield `${mismatch('audit.write', 'a function', write)} Set audit to { write: (event) => … }.`
  if (identifiers !== 'hashed' && identifiers !== 'plain')
    yield mismatch('audit.identifiers', '"hashed" or "plain"', identifiers)
}

function* optionProblems({ config, providers, http }: Draft): Iterable<string> {
  const { origin, pages, session = {}, jwt = {}, theme, audit } = config
  if (origin !== undefined && !isOrigin(origin.replace(/\/$/, '')))
    yield `${mismatch('origin', 'an origin', origin)} Set AUTH_URL or origin to scheme and host: https://example.com.`
  for (const [page, url] of Object.entries<string | undefined>({ ...pages }))
    if (url !== undefined && !(url && URL.canParse(url, 'https://relative.invalid')))
      yield `${mismatch(`pages.${page}`, 'a path or URL', url)} Write a path such as /${page}.`
  const strategy: unknown = session.strategy ?? 'jwt'
  if (strategy !== 'jwt' && strategy !== 'database')
    yield mismatch('session.strategy', '"jwt" or "database"', strategy)
  const assurance: unknown = session.assurance ?? 'off'
  if (assurance !== 'off' && assurance !== 'kept')
    yield mismatch('session.assurance', '"off" or "kept"', assurance)
  if (session.lifetime !== undefined && typeof session.lifetime !== 'function')
    yield `${mismatch('session.lifetime', 'a function', session.lifetime)} Write lifetime: ({ remember }) => (remember ? {} : { cookie: "session" }).`
  yield* messageProblems(theme?.messages)
  yield* auditProblems(audit)
  yield* protectionProblems(config.protection)
  yield* tokenProblems(config, providers)
  yield* revocationProblems(config)
  yield* logoutProblems(config, { http, providers })
  yield* accountProblems(config)
  yield* secondStepProblems(config)
  yield* sessionListProblems(config)
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

/** What follows the name of a cookie in the names of its chunks, transactions or challenges. */
const SUFFIXES: Readonly<Record<string, RegExp>> = {
  sessionToken: /^\.\d+$/,
  state: /^\./,
  webauthnChallenge: /^\./,
}

function* nameProblems(config: AuthConfig, security: Security): Iterable<string> {
  const policy = cookiePolicy(security, config)
  const { sessionTokens, sessionToken: _first, transaction, challenge, ...others } = policy
  const named = Object.entries({ state: transaction, webauthnChallenge: challenge, ...others })
  const cookies = [...sessionTokens.map((each) => ['sessionToken', each] as const), ...named]
  for (const [index, [option, { name }]] of cookies.entries())
    for (const [otherIndex, [otherOption, { name: other }]] of cookies.entries()) {
      const isSame = name === other && index < otherIndex
      const isPart = other.startsWith(name) && SUFFIXES[option]?.test(other.slice(name.length))
      if (option !== otherOption && (isSame || isPart))
        yield `The cookies ${option} and ${otherOption} have the same name (${other}); rename one of them.`
    }
}

function cookieProblems(config: AuthConfig): Iterable<string> {
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

export function listProblems(draft: Draft): readonly AuthError[] {
  const { config } = draft
  const messages = [...optionProblems(draft), ...cookieProblems(config)]
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
  const problems = listProblems(draft)
  const [first, second] = problems
  if (first) throw second ? listAll(first, problems) : first
}
