import { toBase64Url, toBytes } from '../crypto/digest.ts'
import type { IssuerOptions, PublicKey, Values } from './types.ts'

type Algorithm = NonNullable<IssuerOptions['algorithm']>

const RSA = { hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }

/** Parameters of Web Crypto for key generation and signatures (RFC 7518 §3, RFC 8037 §3). */
const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', ...RSA },
  PS256: { name: 'RSA-PSS', saltLength: 32, ...RSA },
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519', namedCurve: 'Ed25519' },
} as const satisfies Record<Algorithm, object>

export interface SigningKey {
  readonly publicKey: PublicKey
  /** Signs a compact JWS (RFC 7515 §3.1); `header` overrides the header of the key. */
  sign(payload: string, header: Values): Promise<string>
}

export async function generateSigningKey(alg: Algorithm, kid: string): Promise<SigningKey> {
  const algorithm = ALGORITHMS[alg]
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const exported = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const { ext: _ext, key_ops: _keyOps, ...parameters } = exported
  return {
    publicKey: { ...parameters, kid, alg, use: 'sig' },
    async sign(payload, header) {
      const parts = [JSON.stringify({ alg, kid, ...header }), payload]
      const input = parts.map((part) => toBase64Url(toBytes(part))).join('.')
      const signature = await crypto.subtle.sign(algorithm, keys.privateKey, toBytes(input))
      return `${input}.${toBase64Url(new Uint8Array(signature))}`
    },
  }
}
