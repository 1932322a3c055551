/** Whether secrets are secret. No line says what one is. */
import { asList } from '../../config/token-settings.ts'
import { toBytes } from '../../crypto/encoding.ts'
import { MIN_SECRET_LENGTH } from '../../defaults.ts'
import { secretNames, text } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

const about = topic('secret')

const NEW_ONE = 'Put 32 random bytes in its place: npx lib-auth secret --print.'

/** Texts that stand where a secret should. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|auth|next|very|super|secret|key)|placeholder|example|passw|super.?secret|top.?secret|secret.?(?:key|here)|not.?a.?secret|generate|x{6}|123456|abcdef|qwert|keyboard.?cat|openssl|^<.*>$/i
/** Fewer different characters than this, no random text of that length has. */
const MIN_VARIETY = 8

interface Secret {
  /** The variable or option it is in. */
  readonly name: string
  readonly value: string
}

function secretsOf({ given, env, origins, config }: Subject): readonly Secret[] {
  const named = (list: readonly string[], option: string) =>
    list.map((value, index) => ({ name: list.length > 1 ? `${option}[${index}]` : option, value }))
  const ofSite =
    asList(given.secret).length > 0
      ? named(asList(given.secret), 'secret of the configuration')
      : secretNames(env).map((name) => ({
          name: origins[name] ? `${name} in ${origins[name]}` : name,
          value: text(env, name) ?? '',
        }))
  const ofProxy = named(asList(config.redirectProxySecret), 'redirectProxySecret')
  return [...ofSite, ...named(asList(config.jwt?.secret), 'jwt.secret'), ...ofProxy]
}

function isRepetition(value: string): boolean {
  return new Set(value).size < MIN_VARIETY || /^(.{1,24})\1+$/s.test(value)
}

function examineOne({ name, value }: Secret): Finding | undefined {
  const bytes = toBytes(value).length
  if (bytes === 0) return undefined
  if (PLACEHOLDER.test(value)) return about.error(`${name} is a placeholder.`, NEW_ONE)
  if (bytes < MIN_SECRET_LENGTH)
    return about.error(
      `${name} has ${bytes} bytes, and with fewer than ${MIN_SECRET_LENGTH} it can be guessed.`,
      NEW_ONE,
    )
  if (isRepetition(value))
    return about.error(`${name} repeats itself, so it can be guessed.`, NEW_ONE)
  if (/^["'`\s]|["'`\s]$/.test(value))
    return about.warning(
      `${name} begins or ends with a quotation mark or a space, which is part of it.`,
      'Take it away where the variable is set, unless every deployment has it: who is signed in is signed out by the change.',
    )
  if (/^[\p{L} ,.'_-]+$/u.test(value) && /[ ,.'_-]/.test(value))
    return about.warning(`${name} is made of words, which may be guessed.`, NEW_ONE)
  return undefined
}

/** Two that are the same: changing one of them changes nothing. */
function duplicates(secrets: readonly Secret[]): Finding[] {
  return secrets.flatMap(({ name, value }, index) => {
    const first = secrets.findIndex((each) => each.value === value)
    if (first === index) return []
    return [
      about.warning(
        `${name} is the same as ${secrets[first]?.name ?? ''}.`,
        'Leave one of them out: to change a secret, write a new one in AUTH_SECRET_1, and keep the old one in AUTH_SECRET until every session is older than session.maxAge.',
      ),
    ]
  })
}

function summary([first, ...others]: readonly Secret[]): Finding[] {
  if (!first) return []
  if (others.length === 0) return [about.ok(`${first.name}.`)]
  const rest = others.map(({ name }) => name).join(', ')
  return [about.ok(`${first.name} writes; ${rest} only read${others.length === 1 ? 's' : ''}.`)]
}

/** Secrets under names that make a bundler put them into pages. */
export function examinePublicNames({ env }: Subject): readonly Finding[] {
  return Object.keys(env)
    .filter((name) => /^NEXT_PUBLIC_.*SECRET/.test(name) && env[name])
    .map((name) =>
      topic('environment').error(
        `${name} is sent to every browser.`,
        'Call it by a name without NEXT_PUBLIC_, and make a new one: it is no secret any more.',
      ),
    )
}

/** Looks at every secret there is; that there is none is for the validation to say. */
export function examineSecrets(subject: Subject): readonly Finding[] {
  const secrets = secretsOf(subject)
  const ofSite = secrets.filter(({ name }) => !/^(?:jwt|redirectProxy)/.test(name))
  const findings = [...secrets.flatMap((each) => examineOne(each) ?? []), ...duplicates(secrets)]
  const isUnused = asList(subject.given.secret).length > 0 && secretNames(subject.env).length > 0
  const isOther = secretNames(subject.env).some(
    (name) => !asList(subject.given.secret).includes(text(subject.env, name) ?? ''),
  )
  if (isUnused && isOther)
    findings.push(
      about.warning(
        `${secretNames(subject.env).join(', ')} is set and not used: secret of the configuration goes before it.`,
        'Leave secret out of the configuration.',
      ),
    )
  return findings.some(({ level }) => level === 'error')
    ? findings
    : [...summary(ofSite), ...findings]
}
