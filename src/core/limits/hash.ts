/** HMACs of 128 bits of what limits count by, and of what a browser is remembered for. */
import { chain } from '../async/awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { hmac } from '../crypto/digest.ts'
import { isListedHost } from '../http/origin.ts'
import type { Awaitable } from '../types.ts'
import { foldName, NAMES } from './names.ts'
import type { Subject, Subjects } from './rules.ts'

const HASH_LENGTH = 32

type Site = Pick<SessionContext, 'config' | 'origin'>

/**
 * The host of the public origin: the same name is another account for another tenant. Without the protocol and the port,
 * because clients can send any port to a host that is trusted.
 */
function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '')
}

/** `*` is no host. */
const scopeOf = ({ origin }: Site, subject: Subject): string =>
  subject === 'everywhere' ? '*' : hostOf(origin)

function hashText(
  { config }: Pick<Site, 'config'>,
  text: string,
  secret: string = config.secrets[0] ?? '',
): Awaitable<string> {
  const code = hmac(text, { secret, purpose: 'limit' })
  return chain(code, (whole) => whole.slice(0, HASH_LENGTH))
}

/** Returns one HMAC for several spellings of a name: a key that is twice in a charge would be refunded twice. */
export async function hashAll(
  site: Site,
  subject: Subject,
  values: string | readonly string[],
): Promise<string[]> {
  const kind = NAMES.has(subject) ? `${subject} ${scopeOf(site, subject)}` : subject
  const names = new Set([values].flat().flatMap((value) => foldName(subject, value)))
  return Promise.all(Array.from(names, (name) => hashText(site, `${kind} ${name}`)))
}

/** HMACs of names at this host and, if clients can choose the host, at all hosts together. */
export async function hashNames(
  site: Site,
  subject: 'account' | 'recipient' | 'user',
  names: string | readonly string[],
): Promise<Subjects> {
  const here = { [subject]: await hashAll(site, subject, names) }
  if (isListedHost(site.origin, site.config.trust)) return here
  return { ...here, everywhere: await hashAll(site, 'everywhere', names) }
}

/** Returns the HMAC of exactly this text, with the first secret or the given one. */
export function hashTyped(site: Site, text: string, secret?: string): Awaitable<string> {
  return hashText(site, `typed ${hostOf(site.origin)} ${text}`, secret)
}
