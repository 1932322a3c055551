/** `node:crypto` and `Buffer`, loaded at run time: bundlers and edge runtimes reject the import. */
import type * as nodeBuffer from 'node:buffer'
import type * as nodeCrypto from 'node:crypto'

/** No public type may depend on these types, which are those of `@types/node`. */
export interface NodeModules {
  readonly crypto: typeof nodeCrypto
  readonly Buffer: typeof nodeBuffer.Buffer
}

const FUNCTIONS = ['createCipheriv', 'createDecipheriv', 'createSecretKey', 'hkdfSync']

function load(): NodeModules | null {
  const host: { readonly process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule'>> } = globalThis
  try {
    const crypto = host.process?.getBuiltinModule?.('node:crypto')
    const buffer = host.process?.getBuiltinModule?.('node:buffer')
    // Some edge runtimes have only a part of the functions, or a `getBuiltinModule` that throws.
    const isComplete = crypto && buffer?.Buffer && FUNCTIONS.every((name) => name in crypto)
    return isComplete ? { crypto, Buffer: buffer.Buffer } : null
  } catch {
    return null
  }
}

/** `null` on a runtime that has only WebCrypto. */
export const node: NodeModules | null = load()
