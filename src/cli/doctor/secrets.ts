/** Whether secrets can be guessed. No finding contains one. */
import { asList } from '../../config/token-settings.ts'
import { toBytes } from '../../crypto/digest.ts'
import { MIN_SECRET_LENGTH } from '../../defaults.ts'
import { secretNames, text } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './subject.ts'
import type { Subject } from './subject.ts'

const { ok, error } = topic('secret')

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

export function* checkSecrets(subject: Subject): Generator<Finding> {
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
