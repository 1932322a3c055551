import { toBytes } from './digest.ts'
import { node } from './node.ts'
import type { KeyFamily } from './seal.ts'

/** What a token was opened as: it must never be accepted under another cookie name. */
export interface TokenPurpose {
  readonly salt: string
  readonly family: KeyFamily
}

interface OpenedToken<T> extends TokenPurpose {
  readonly contents: T
  /** Characters of the contents, as JSON. */
  readonly length: number
}

interface Entry<T> extends OpenedToken<T> {
  readonly token: string
}

/** The contents of tokens that were decrypted recently: a text, or an object that is never changed. */
export interface TokenCache<T> {
  readonly get: (token: string, purpose: TokenPurpose) => T | undefined
  readonly set: (token: string, opened: OpenedToken<T>) => void
}

/** Characters of tokens and their contents in one generation: about 170 sessions of typical size. */
const CAPACITY = 131_072

/** Characters of the authentication tag of A256CBC-HS512 in base64url. */
const TAG_LENGTH = 43

const decoder = new TextDecoder()

/** Of a token, which is ASCII: a substring of the Cookie header would keep the whole header in memory. */
function copyToken(token: string): string {
  // Without UTF-8, a copy of 9 kB takes half the time: 3 % of the read.
  if (node) return node.Buffer.from(token, 'latin1').toString('latin1')
  return decoder.decode(toBytes(token))
}

/**
 * Caches at most twice {@link CAPACITY}, in two generations: when the younger one is full, it replaces the older one, whose
 * tokens were not read since ([decision 12](../../docs/decisions/0012-token-cache.md)).
 */
export function tokenCache<T>(): TokenCache<T> {
  let [young, old] = [new Map<string, Entry<T>>(), new Map<string, Entry<T>>()]
  let size = 0

  function add(entry: Entry<T>): void {
    const length = entry.token.length + entry.length
    if (size + length > CAPACITY) {
      old = young
      young = new Map()
      size = 0
    }
    young.set(entry.token.slice(-TAG_LENGTH), entry)
    size += length
  }

  return {
    get(token, { salt, family }) {
      // The tag is the key, because V8 would hash all characters of a key; the whole token is compared.
      const tag = token.slice(-TAG_LENGTH)
      let entry = young.get(tag)
      if (!entry) {
        entry = old.get(tag)
        if (entry) add(entry)
      }
      const isSame = entry?.token === token && entry.salt === salt && entry.family === family
      return isSame ? entry?.contents : undefined
    },
    set(token, opened) {
      if (token.length + opened.length > CAPACITY) return
      add({ token: copyToken(token), ...opened })
    },
  }
}
