/** The checks that send no request: configuration, secrets, origin, cookies, adapter and packages. */
import { relative } from 'node:path'
import type { WarningCode } from '../../core/errors/codes.ts'
import { adapterSource, resolveStrategy } from '../../core/config/adapter.ts'
import { methodProblem } from '../../core/config/adapter-problems.ts'
import { cookiePolicy } from '../../core/config/cookies.ts'
import { resolve } from '../../core/config/resolve.ts'
import { namedSecrets } from '../../core/config/token-settings.ts'
import {
  endsInUse,
  missingPasswordLinks,
  unknownOptions,
} from '../../core/config/development-warnings.ts'
import type { CookiePolicy } from '../../core/cookies/policy.ts'
import { toBytes } from '../../core/crypto/digest.ts'
import { MIN_SECRET_LENGTH } from '../../core/config/defaults.ts'
import { isLoopback } from '../../core/http/origin.ts'
import {
  runsInProduction,
  secretNames,
  text,
  trustFromEnv,
  trustName,
} from '../../core/config/variables.ts'
import { developmentOrigin } from '../application.ts'
import { viewCode } from '../code-view.ts'
import { filesBelow, readIfPossible } from '../files.ts'
import { checkColumns } from './columns.ts'
import { checkCredentials } from './credentials.ts'
import { checkDeprecated } from './deprecated.ts'
import { checkDowngrade } from './downgrade.ts'
import { checkCodePage, checkLimits } from './limits.ts'
import { checkVariables } from './misspelt.ts'
import { checkPasskeys } from './passkeys.ts'
import { checkRecords } from './records.ts'
import { checkBasePath } from './routes.ts'
import { checkRunningPort } from './running.ts'
import { checkSchema } from './schema.ts'
import { checkSvelteKit, checkSvelteKitCopies } from './sveltekit.ts'
import { checkTokens } from './tokens.ts'
import { checkNext, checkVersions } from './versions.ts'
import { locateUrl, locateVariable, quoted, topic } from './context.ts'
import type { Check, Finding, DoctorContext } from './context.ts'

/** Problems of secrets that {@link checkSecrets} or the check of the provider reports, with the variable to set. */
const REPORTED_ELSEWHERE = /: clientSecret is missing\.|bytes and can be guessed/

/** The warnings to report. */
const REPORTED: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'debug-enabled',
  'duplicate-provider',
  'env-renamed',
  'env-url-basepath-redundant',
  'experimental-webauthn',
  'provider-deprecated',
])

function* checkConfiguration(context: DoctorContext): Generator<Finding> {
  const { config, given, providers, problems, warnings, quote } = context
  for (const { type, message } of problems)
    if (!given && type === 'MissingSecretError')
      yield topic('secret')
        .warning`AUTH_SECRET is not set. → Unless the configuration sets secret, run: npx lib-auth secret`
    else if (!REPORTED_ELSEWHERE.test(message)) yield quoted('error', 'configuration', message)
  try {
    if (problems.length === 0) resolve(config)
  } catch (error) {
    yield quoted('error', 'configuration', quote(error))
  }
  for (const [code, message] of warnings)
    if (REPORTED.has(code)) yield quoted('warning', 'configuration', message)
  for (const message of unknownOptions(given ?? {}))
    yield quoted('warning', 'configuration', message)
  for (const message of [endsInUse(config), missingPasswordLinks(config, providers)])
    if (message !== null) yield quoted('warning', 'configuration', message)
}

/** Loads the adapter if it is configured as a function; an object was validated with the configuration. */
export async function* checkAdapter(context: DoctorContext): AsyncGenerator<Finding> {
  const { config, providers, problems, quote } = context
  const source = adapterSource(config.adapter, (loaded) => methodProblem(loaded, config, providers))
  if (problems.some(({ type }) => type === 'MissingAdapterMethods')) return
  try {
    const adapter = typeof source === 'function' ? await source() : source
    const place = resolveStrategy(config) === 'database' ? 'the database' : 'cookies'
    if (adapter) {
      yield topic('adapter').ok`all required methods are there; sessions are in ${place}.`
      yield* checkPasskeys(context, adapter)
      yield* checkCredentials(context, adapter)
    }
    yield* checkSchema(context, adapter)
    yield* checkColumns(context, adapter)
    yield* checkLimits(context, adapter)
    yield* checkRecords(context, adapter)
    yield* checkTokens(context, adapter)
    yield* checkDowngrade(context, adapter)
  } catch (cause) {
    yield quoted('error', 'adapter', quote(cause))
  }
}

const REPLACE = 'Replace it with 32 random bytes: npx lib-auth secret --print'
/** Texts of templates, and repeated patterns. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|auth|next|very|super|secret|key)|placeholder|example|passw|super.?secret|top.?secret|secret.?(?:key|here)|not.?a.?secret|generate|x{6}|123456|abcdef|qwert|keyboard.?cat|openssl|^<.*>$|^(.{1,24})\1+$/is

/** No finding contains a secret. */
function* checkSecrets(context: DoctorContext): Generator<Finding> {
  const { ok, error } = topic('secret')
  const { given, config, env } = context
  const own = given?.secret?.length
    ? namedSecrets('secret of the configuration', given.secret)
    : secretNames(env).map(
        (name) => [locateVariable(name, context), text(env, name) ?? ''] as const,
      )
  const others = [
    ...namedSecrets('jwt.secret', config.jwt?.secret),
    ...namedSecrets('redirectProxySecret', config.redirectProxySecret),
  ]
  const findings = [...own, ...others].flatMap(([name, value]) => {
    const { length } = toBytes(value)
    const isPlaceholder = PLACEHOLDER.test(value)
    // An empty secret, and one that is not a string, is reported by the validation.
    if (
      length === 0 ||
      typeof value !== 'string' ||
      (length >= MIN_SECRET_LENGTH && !isPlaceholder)
    )
      return []
    const why = isPlaceholder ? 'is a placeholder' : `has ${length} of ${MIN_SECRET_LENGTH} bytes`
    return [error`${name} ${why} and can be guessed. → ${REPLACE}`]
  })
  const [first, ...older] = own.map(([name]) => name)
  const rest = older.length > 0 ? ` encrypts; decryption only: ${older.join(', ')}` : ''
  if (first !== undefined && findings.length === 0) yield ok`${first}${rest}.`
  yield* findings
}

const SET_URL = 'Set AUTH_URL to the public URL, such as https://example.com.'
const PLATFORMS = 'Vercel and Cloudflare Pages need no variable.'
const OF_REQUEST = 'taken from each request (Host, or X-Forwarded-Host behind a proxy)'

/** Nothing is wrong on a machine of a developer; for a site on another one, `--url` shows that it is not. */
function fromDevelopment({ env, url }: DoctorContext): Finding {
  const { ok, warning } = topic('origin')
  const mode = env['NODE_ENV']
  if (url && !isLoopback(url.hostname))
    return warning`${OF_REQUEST}, because NODE_ENV is ${mode}. In production, requests would fail with UntrustedHost. → ${SET_URL} ${PLATFORMS}`
  return ok`${OF_REQUEST}, because NODE_ENV is ${mode}. Before you deploy, set AUTH_URL to the public URL; ${PLATFORMS}`
}

/** An invalid origin is reported by the validation. */
function* checkOrigin(context: DoctorContext): Generator<Finding> {
  const { config, given, env, origin } = context
  const { ok, warning, error } = topic('origin')
  if (origin !== undefined) {
    const { protocol, hostname } = new URL(origin)
    const place = given?.origin ? 'origin in the configuration' : locateUrl(context)
    if (isLoopback(hostname) && runsInProduction())
      yield warning`${place} is ${origin}, which only this machine can reach. → ${SET_URL}`
    else if (protocol === 'http:' && !isLoopback(hostname))
      yield warning`${place} is ${origin}: without https, sessions can be stolen in transit. → Use ${origin.replace('http:', 'https:')}.`
    else yield ok`${origin} (${place}).`
  } else if (config.origin !== undefined) return
  else if (config.trustHost)
    yield ok`${OF_REQUEST}: ${given?.trustHost ? 'trustHost' : trustName(env)} is set.`
  else if (given?.trustedHosts?.length)
    yield ok`${OF_REQUEST}, if the host is one of ${given.trustedHosts.join(', ')}.`
  else if (given?.trustHost ?? trustFromEnv(env)) yield fromDevelopment(context)
  else
    yield error`no host is trusted: requests fail with UntrustedHost, except on localhost. → ${SET_URL}`
}

/** The configured origin, else that of `--url`; in development without either, that of the local server. */
export function siteOrigin(context: DoctorContext): string {
  const { origin, url, env, order } = context
  const known = origin ?? url?.origin
  if (known !== undefined) return known
  return env['NODE_ENV'] === 'development'
    ? developmentOrigin({ folder: order.folder, env })
    : 'https://<host>'
}

export function cookiesOn(origin: string, { config }: DoctorContext): CookiePolicy {
  const isSecure = config.useSecureCookies ?? origin.startsWith('https:')
  return cookiePolicy(isSecure ? 'secure' : 'plain', config)
}

/** Cookies that browsers would reject are reported by the validation. */
function* checkCookies(context: DoctorContext): Generator<Finding> {
  const { useSecureCookies } = context.config
  const { ok, error } = topic('cookies')
  if (!context.given) return
  const origin = siteOrigin(context)
  const isPlain = origin.startsWith('http:')
  if (useSecureCookies === isPlain)
    yield error`useSecureCookies is ${useSecureCookies}: ${isPlain ? `browsers reject Secure cookies of ${origin}, so every sign-in fails` : 'browsers also send the session over http, where it can be stolen in transit'}. → Remove useSecureCookies: cookies are Secure on https.`
  const { sessionToken, csrfToken } = cookiesOn(origin, context)
  yield ok`session ${sessionToken.name}, CSRF ${csrfToken.name}.`
}

/** Opens a file with `libsql` or `@libsql/client`, which commit nothing after `SQLITE_BUSY`. */
const LOSES_WRITES =
  /\b(?:from|import\(|require\()\s*['"]libsql['"]|\bcreateClient\(\s*\{[^}]*\burl:\s*['"`]file:/
const SOURCE = /\.[cm]?[jt]sx?$/

function losesWrites(path: string): boolean {
  const source = readIfPossible(path)
  return LOSES_WRITES.test(source) && LOSES_WRITES.test(viewCode(source, path).withStrings)
}

function* checkSqlite({ order: { folder } }: DoctorContext): Generator<Finding> {
  for (const { path } of filesBelow(folder))
    if (SOURCE.test(path) && losesWrites(path))
      yield topic('sqlite')
        .warning`${relative(folder, path)} opens a file with libsql: after one SQLITE_BUSY, later writes are not committed. → Open it with openSqlite('app.db') of lib-auth/adapters/sqlite: it prefers node:sqlite, then better-sqlite3, sets a busy timeout, and replaces a connection of libsql after SQLITE_BUSY.`
}

/** In the order of the report, which continues with the providers and the adapter. */
export const configurationChecks: readonly Check[] = [
  checkNext,
  checkSqlite,
  checkConfiguration,
  checkDeprecated,
  checkVariables,
  checkSecrets,
  checkOrigin,
  checkRunningPort,
  checkSvelteKit,
  checkSvelteKitCopies,
  checkBasePath,
  checkCookies,
  checkCodePage,
  checkVersions,
]
