/** What the library itself reports about a configuration and its adapter, and whether secrets can be guessed. */
import type { WarningCode } from '../../codes.ts'
import { adapterSource } from '../../config/adapter.ts'
import { resolve } from '../../config/resolve.ts'
import { strategyOf } from '../../config/strategy.ts'
import { asList } from '../../config/token-settings.ts'
import { toBytes } from '../../crypto/digest.ts'
import { MIN_SECRET_LENGTH } from '../../defaults.ts'
import { secretNames, text } from '../../variables.ts'
import { quoted, topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** Problems of secrets, which checks of their own report with the variable. */
const REPORTED_ELSEWHERE = /: clientSecret is missing\.|bytes and can be guessed/

/** The warnings that no check of its own reports. Some have no text of the library. */
const WARNINGS: Readonly<Partial<Record<WarningCode, string>>> = {
  'debug-enabled':
    "debug is on in production. Write debug: process.env.NODE_ENV === 'development'.",
  'duplicate-provider': '',
  'env-renamed': '',
  'env-url-basepath-redundant':
    'basePath is set, so the path of AUTH_URL is ignored. Remove one of them.',
  'experimental-webauthn': 'experimental.enableWebAuthn has no effect yet. Remove it.',
}

export function* checkConfiguration(subject: Subject): Generator<Finding> {
  const { config, problems, warnings, quote } = subject
  for (const { message } of problems)
    if (!REPORTED_ELSEWHERE.test(message)) yield quoted('error', 'configuration', message)
  try {
    if (problems.length === 0) resolve(config)
  } catch (error) {
    yield quoted('error', 'configuration', quote(error))
  }
  for (const [code, message] of warnings) {
    const what = WARNINGS[code]
    if (what !== undefined) yield quoted('warning', 'configuration', what || message)
  }
}

/** Loads an adapter that is a function; another one is validated with the configuration. No method is called. */
export async function checkAdapter(subject: Subject): Promise<readonly Finding[]> {
  const { config, providers, problems, quote } = subject
  const source = adapterSource(config, providers)
  if (!source || problems.some(({ type }) => type === 'MissingAdapterMethods')) return []
  try {
    if (typeof source === 'function') await source()
    const place = strategyOf(config) === 'database' ? 'the database' : 'cookies'
    return [topic('adapter').ok`all required methods are there; sessions are in ${place}.`]
  } catch (cause) {
    return [quoted('error', 'adapter', quote(cause))]
  }
}

const REPLACE = 'Replace it with 32 random bytes: npx lib-auth secret --print'
/** Texts of templates, and repeated patterns. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|auth|next|very|super|secret|key)|placeholder|example|passw|super.?secret|top.?secret|secret.?(?:key|here)|not.?a.?secret|generate|x{6}|123456|abcdef|qwert|keyboard.?cat|openssl|^<.*>$|^(.{1,24})\1+$/is

/** The variable or option of a secret, and its value. */
type Secret = readonly [name: string, value: string]

function named(option: string, value: string | readonly string[] | undefined): Secret[] {
  return asList(value).map((each, index, { length }) => [
    length > 1 ? `${option}[${index}]` : option,
    each,
  ])
}

/** No finding contains a secret. */
export function* checkSecrets(subject: Subject): Generator<Finding> {
  const { ok, error } = topic('secret')
  const { given, config, env } = subject
  const own = given?.secret?.length
    ? named('secret of the configuration', given.secret)
    : secretNames(env).map((name): Secret => [placeOf(name, subject), text(env, name) ?? ''])
  const others = [
    ...named('jwt.secret', config.jwt?.secret),
    ...named('redirectProxySecret', config.redirectProxySecret),
  ]
  const findings = [...own, ...others].flatMap(([name, value]) => {
    const { length } = toBytes(value)
    const isPlaceholder = PLACEHOLDER.test(value)
    // An empty secret is reported by the validation.
    if (length === 0 || (length >= MIN_SECRET_LENGTH && !isPlaceholder)) return []
    const why = isPlaceholder ? 'is a placeholder' : `has ${length} of ${MIN_SECRET_LENGTH} bytes`
    return [error`${name} ${why} and can be guessed. → ${REPLACE}`]
  })
  const [first, ...older] = own.map(([name]) => name)
  const rest = older.length > 0 ? ` encrypts; decryption only: ${older.join(', ')}` : ''
  if (first !== undefined && findings.length === 0) yield ok`${first}${rest}.`
  yield* findings
}
