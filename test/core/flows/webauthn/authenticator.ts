/** A software authenticator: real keys, real signatures, and every field of a response can be replaced. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { CeremonyOptions } from './site.ts'

type CborValue =
  number | string | Buffer | readonly CborValue[] | ReadonlyMap<number | string, CborValue>

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255])
}

/** Encodes CBOR (RFC 8949). */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (!('size' in value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([head(5, value.size), ...entries])
}

export type Algorithm = 'ES256' | 'RS256' | 'EdDSA'

const GENERATE: Readonly<Record<Algorithm, () => KeyObject>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
}

const bytes = (text = '') => Buffer.from(text, 'base64url')

/** The public key as a COSE key (RFC 9053), with parameters replaced. */
export function coseKey(
  key: KeyObject,
  replaced: Readonly<Record<number, CborValue>> = {},
): Buffer {
  const { kty, x, y, n, e } = key.export({ format: 'jwk' })
  const parameters: [number, CborValue][] =
    kty === 'RSA'
      ? [
          [1, 3],
          [3, -257],
          [-1, bytes(n)],
          [-2, bytes(e)],
        ]
      : [
          [1, kty === 'OKP' ? 1 : 2],
          [3, kty === 'OKP' ? -8 : -7],
          [-1, kty === 'OKP' ? 6 : 1],
          [-2, bytes(x)],
          ...(y === undefined ? [] : ([[-3, bytes(y)]] satisfies [number, CborValue][])),
        ]
  const changed = Object.entries(replaced).map(([name, value]) => [Number(name), value] as const)
  return cbor(new Map([...parameters, ...changed]))
}

export const UP = 1
export const UV = 4
/** Backup eligible: a synced passkey. */
export const BE = 8
/** Backed up. */
export const BS = 16
const AT = 64

/** What to replace in a response. */
export interface Replaced {
  readonly client?: object
  readonly rpId?: string
  readonly flags?: number
  readonly counter?: number
  readonly credentialId?: Buffer
  readonly publicKey?: Buffer
  readonly format?: string
  /** The attestation statement. */
  readonly statement?: ReadonlyMap<string, CborValue>
  readonly signedBy?: KeyObject
  /** `again` signs the same data once more. */
  readonly signature?: (signature: Buffer, again: () => Buffer) => Buffer
  /** Fields of `response`. */
  readonly response?: object
  /** Fields of the credential. */
  readonly credential?: object
}

/** A credential response in JSON. */
export interface CredentialResponse {
  readonly id: string
  readonly response: Readonly<Record<string, unknown>>
}

/** One passkey. */
export interface Authenticator {
  readonly id: Buffer
  readonly key: KeyObject
  counter: number
  flags: number
  create(options: CeremonyOptions, replaced?: Replaced): CredentialResponse
  get(options: CeremonyOptions, replaced?: Replaced): CredentialResponse
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

function authenticatorData(
  rpId: string,
  { flags, counter }: { readonly flags: number; readonly counter: number },
  attested = Buffer.alloc(0),
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
}

function signWith(key: KeyObject, data: Buffer): Buffer {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key)
}

/** Whether both integers of an ES256 signature (DER) have 32 bytes; one in 128 has fewer, which has a test of its own. */
function hasFullIntegers(signature: Buffer): boolean {
  const length = signature[3] ?? 0
  const integers = [signature.subarray(4, 4 + length), signature.subarray(6 + length)]
  return integers.every((integer) => integer.length - (integer[0] === 0 ? 1 : 0) === 32)
}

/** Creates a passkey with a new key. Its counter increases with each use, unless it is 0. */
export function createAuthenticator({
  algorithm = 'ES256',
  counter = 1,
  flags = UP | UV,
  origin = 'https://app.test',
  idLength = 32,
}: {
  readonly algorithm?: Algorithm
  readonly counter?: number
  readonly flags?: number
  readonly origin?: string
  readonly idLength?: number
} = {}): Authenticator {
  const key = GENERATE[algorithm]()
  const id = randomBytes(idLength)
  const encoded = (type: string, challenge: string, replaced: Replaced) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...replaced.client }))
  const wrap = (credentialId: Buffer, response: object, replaced: Replaced) => {
    const text = credentialId.toString('base64url')
    return {
      id: text,
      rawId: text,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: { ...response, ...replaced.response },
      ...replaced.credential,
    }
  }
  const passkey: Authenticator = {
    id,
    key,
    counter,
    flags,
    create({ challenge, rp }, replaced = {}) {
      const clientData = encoded('webauthn.create', challenge, replaced)
      const credentialId = replaced.credentialId ?? id
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255])
      const publicKey = replaced.publicKey ?? coseKey(key)
      const data = authenticatorData(
        replaced.rpId ?? rp?.id ?? '',
        {
          flags: (replaced.flags ?? passkey.flags) | AT,
          counter: replaced.counter ?? passkey.counter,
        },
        Buffer.concat([Buffer.alloc(16), length, credentialId, publicKey]),
      )
      const attestation = cbor(
        new Map<string, CborValue>([
          ['fmt', replaced.format ?? 'none'],
          ['attStmt', replaced.statement ?? new Map()],
          ['authData', data],
        ]),
      )
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['hybrid', 'internal'],
      }
      return wrap(credentialId, response, replaced)
    },
    get({ challenge, rpId }, replaced = {}) {
      if (passkey.counter > 0) passkey.counter++
      const clientData = encoded('webauthn.get', challenge, replaced)
      const data = authenticatorData(replaced.rpId ?? rpId ?? '', {
        flags: replaced.flags ?? passkey.flags,
        counter: replaced.counter ?? passkey.counter,
      })
      const signed = Buffer.concat([data, sha256(clientData)])
      const { signedBy = key } = replaced
      const again = () => signWith(signedBy, signed)
      let signature = again()
      // Deno signs the same bytes always alike (RFC 6979).
      const attempts = signedBy.asymmetricKeyType === 'ec' ? 20 : 0
      for (let left = attempts; left > 0 && !hasFullIntegers(signature); left--) signature = again()
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: (replaced.signature?.(signature, again) ?? signature).toString('base64url'),
        userHandle: randomBytes(32).toString('base64url'),
      }
      return wrap(replaced.credentialId ?? id, response, replaced)
    },
  }
  return passkey
}
