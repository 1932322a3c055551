/** Whether secrets can be guessed. No finding contains one. */
import { asList } from '../../config/token-settings.ts'
import { toBytes } from '../../crypto/digest.ts'
import { MIN_SECRET_LENGTH } from '../../defaults.ts'
import { secretNames, text } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './subject.ts'
import type { Subject } from './subject.ts'

const { ok, warning, error } = topic('secret')

const REPLACE = 'Replace it with 32 random bytes: npx lib-auth secret --print'
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|auth|next|very|super|secret|key)|placeholder|example|passw|super.?secret|top.?secret|secret.?(?:key|here)|not.?a.?secret|generate|x{6}|123456|abcdef|qwert|keyboard.?cat|openssl|^<.*>$/i
/** Random text of 32 bytes has more different characters than this. */
const MIN_VARIETY = 8

interface Secret {
  /** The variable or option. */
  readonly name: string
  readonly value: string
}

function named(value: string | readonly string[] | undefined, option: string): Secret[] {
  const all = asList(value)
  return all.map((each, index) => ({
    name: all.length > 1 ? `${option}[${index}]` : option,
    value: each,
  }))
}

function* checkSecret({ name, value }: Secret): Generator<Finding> {
  const { length } = toBytes(value)
  if (length === 0) return
  if (PLACEHOLDER.test(value)) yield error`${name} is a placeholder. → ${REPLACE}`
  else if (length < MIN_SECRET_LENGTH)
    yield error`${name} has ${length} bytes; secrets shorter than ${MIN_SECRET_LENGTH} bytes can be guessed. → ${REPLACE}`
  else if (new Set(value).size < MIN_VARIETY || /^(.{1,24})\1+$/s.test(value))
    yield error`${name} repeats a pattern and can be guessed. → ${REPLACE}`
  else if (/^["'`\s]|["'`\s]$/.test(value))
    yield warning`${name} starts or ends with a quotation mark or a space, which is part of the secret. → Remove it in every deployment at once. All users are signed out.`
  else if (/^[\p{L} ,.'_-]+$/u.test(value) && /[ ,.'_-]/.test(value))
    yield warning`${name} consists of words and can be guessed. → ${REPLACE}`
}

export function* checkSecrets({ given, config, env, sources }: Subject): Generator<Finding> {
  const configured = named(given.secret, 'secret of the configuration')
  const variables = secretNames(env)
  const fromEnvironment = variables.map((name) => ({
    name: placeOf(name, sources),
    value: text(env, name) ?? '',
  }))
  const own = configured.length > 0 ? configured : fromEnvironment
  const all = [
    ...own,
    ...named(config.jwt?.secret, 'jwt.secret'),
    ...named(config.redirectProxySecret, 'redirectProxySecret'),
  ]
  const findings = all.flatMap((each) => Array.from(checkSecret(each)))
  const [first, ...others] = own
  if (first && !findings.some(({ level }) => level === 'error')) {
    const rest = others.map(({ name }) => name).join(', ')
    yield others.length === 0
      ? ok`${first.name}.`
      : ok`${first.name} encrypts; decryption only: ${rest}.`
  }
  yield* findings
  for (const [index, { name, value }] of all.entries()) {
    const same = all.slice(0, index).find((each) => each.value === value)
    if (same)
      yield warning`${name} is the same as ${same.name}. → Remove one. To rotate a secret, set AUTH_SECRET_1 to a new one, and keep AUTH_SECRET until session.maxAge has passed.`
  }
  if (
    configured.length > 0 &&
    fromEnvironment.some(({ value }) => !asList(given.secret).includes(value))
  )
    yield warning`${variables.join(', ')} is ignored: the configuration sets secret. → Remove secret from the configuration.`
}
