import { toBytes } from '../crypto/digest.ts'
import type { KeyFamily } from '../crypto/seal.ts'

/** What a token was opened as: it must never be accepted under another cookie name. */
export interface TokenPurpose {
  readonly salt: string
  readonly family: KeyFamily
}

interface OpenedToken extends TokenPurpose {
  readonly text: string
}

/** The JSON texts of tokens that were decrypted recently. */
export interface TokenCache {
  readonly get: (token: string, purpose: TokenPurpose) => string | undefined
  readonly set: (token: string, opened: OpenedToken) => void
}

/** Characters of tokens and texts in one generation: about 170 sessions of typical size. */
const CAPACITY = 131_072

const decoder = new TextDecoder()

/** A substring of the Cookie header would keep the whole header in memory. */
function copyOf(text: string): string {
  return decoder.decode(toBytes(text))
}

/**
 * Caches at most twice {@link CAPACITY}, in two generations: when the younger one is full, it replaces the older one, whose
 * tokens were not read since ([decision 12](../../docs/decisions/0012-token-cache.md)).
 */
export function tokenCache(): TokenCache {
  let [young, old] = [new Map<string, OpenedToken>(), new Map<string, OpenedToken>()]
  let size = 0

  function add(token: string, opened: OpenedToken): void {
    const length = token.length + opened.text.length
    if (size + length > CAPACITY) {
      old = young
      young = new Map()
      size = 0
    }
    young.set(token, opened)
    size += length
  }

  return {
    get(token, { salt, family }) {
      let opened = young.get(token)
      if (!opened) {
        opened = old.get(token)
        if (opened) add(token, opened)
      }
      return opened?.salt === salt && opened.family === family ? opened.text : undefined
    },
    set(token, opened) {
      if (token.length + opened.text.length <= CAPACITY) add(copyOf(token), opened)
    },
  }
}
