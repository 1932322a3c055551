/** HMACs of 128 bits of what limits count by, and of what a browser is remembered for. */
import { chain } from '../async/awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { hmac } from '../crypto/digest.ts'
import { isListedHost } from '../http/origin.ts'
import type { Awaitable } from '../types.ts'
import { foldName, NAMES } from './names.ts'
import type { KeyHashes, LimitKey } from './rules.ts'

const HASH_LENGTH = 32

type Site = Pick<SessionContext, 'config' | 'origin'>

/**
 * The host of the public origin: the same name is another account for another tenant. Without the protocol and the port,
 * because clients can send any port to a host that is trusted.
 */
function readHost(origin: string): string {
  return origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '')
}

function hashText(
  { config }: Site,
  text: string,
  secret: string = config.secrets[0] ?? '',
): Awaitable<string> {
  const code = hmac(text, { secret, purpose: 'limit' })
  return chain(code, (whole) => whole.slice(0, HASH_LENGTH))
}

type Counted = Exclude<LimitKey, 'everywhere' | 'provider'>

/** What an attempt is counted by, as the request names it. */
export type CountedValues = Readonly<Partial<Record<Counted, string | readonly string[]>>>

const COUNTED: readonly Counted[] = [
  'account',
  'address',
  'device',
  'owner',
  'recipient',
  'transaction',
  'user',
]

/** Names at this host and, if clients can choose the host, at all hosts together; `*` is no host. */
function* scopes(site: Site, key: LimitKey): Generator<readonly [key: LimitKey, purpose: string]> {
  if (!NAMES.has(key)) return yield [key, key]
  yield [key, `${key} ${readHost(site.origin)}`]
  if (key !== 'owner' && !isListedHost(site.origin, site.config.trust))
    yield ['everywhere', 'everywhere *']
}

/** One HMAC for several spellings of a name: a key that is twice in a charge would be refunded twice. */
export async function hashAll(site: Site, values: CountedValues): Promise<KeyHashes> {
  const hashes: { -readonly [Key in LimitKey]?: readonly string[] } = {}
  for (const each of COUNTED) {
    const value = values[each]
    if (value === undefined) continue
    const names = new Set([value].flat().flatMap((text) => foldName(each, text)))
    for (const [key, purpose] of scopes(site, each))
      hashes[key] = await Promise.all(
        Array.from(names, (name) => hashText(site, `${purpose} ${name}`)),
      )
  }
  return hashes
}

/** Returns the HMAC of exactly this text, with the first secret or the given one. */
export function hashTyped(site: Site, text: string, secret?: string): Awaitable<string> {
  return hashText(site, `typed ${readHost(site.origin)} ${text}`, secret)
}
