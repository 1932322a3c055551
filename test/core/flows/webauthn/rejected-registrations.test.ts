import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { coseKey, createAuthenticator } from './authenticator.ts'
import type { Replaced } from './authenticator.ts'
import { HOSTILE } from './hostile.ts'
import {
  authenticate,
  createUser,
  fieldsOf,
  NOT_LINKED,
  passkeySite,
  register,
  REJECTED,
  requestOptions,
  signInAs,
  signedInAs,
  target,
  withPasskey,
} from './site.ts'

describe('a registration is rejected', () => {
  const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const { key } = createAuthenticator()
  const publicKey = (replaced: Parameters<typeof coseKey>[1]) => ({
    publicKey: coseKey(key, replaced),
  })

  const rsa = (replaced: Parameters<typeof coseKey>[1]) => ({
    publicKey: coseKey(createAuthenticator({ algorithm: 'RS256' }).key, replaced),
  })
  const ed25519 = (replaced: Parameters<typeof coseKey>[1]) => ({
    publicKey: coseKey(createAuthenticator({ algorithm: 'EdDSA' }).key, replaced),
  })

  test.each<[string, Replaced, string?]>([
    ...HOSTILE,
    ['of the type of an authentication', { client: { type: 'webauthn.get' } }],
    ['with another algorithm than offered', publicKey({ 3: -36 })],
    ['without an algorithm', publicKey({ 3: 'ES256' })],
    ['with an RSA key of 1024 bits', { publicKey: coseKey(rsa1024) }],
    ['with an even RSA modulus', rsa({ [-1]: Buffer.alloc(256, 0xfe) })],
    [
      'with an RSA modulus of zeros',
      rsa({ [-1]: Buffer.concat([Buffer.alloc(255), Buffer.from([7])]) }),
    ],
    ['with the RSA exponent 1', rsa({ [-2]: Buffer.from([1]) })],
    ['with an even RSA exponent', rsa({ [-2]: Buffer.from([2]) })],
    ['with an RSA modulus of 16384 bits', rsa({ [-1]: Buffer.alloc(2048, 255) })],
    ['with a point that is not on its curve', publicKey({ [-3]: randomBytes(32) })],
    ['with a point of zeros', publicKey({ [-2]: Buffer.alloc(32), [-3]: Buffer.alloc(32) })],
    ['with a point of another curve', publicKey({ [-1]: 2 })],
    ['with an Ed25519 point of small order', ed25519({ [-2]: Buffer.alloc(32) })],
    ['with an Ed25519 point that is not reduced', ed25519({ [-2]: Buffer.alloc(32, 255) })],
    ['with a curve of another key type', ed25519({ [-1]: 1 })],
    ['with a point of 31 bytes', publicKey({ [-2]: randomBytes(31) })],
    ['with a compressed point', publicKey({ [-3]: 1 })],
    ['with an unknown curve', publicKey({ [-1]: 99 })],
    ['with an unknown key type', publicKey({ 1: 99 })],
    ['with a public key that is no map', { publicKey: Buffer.from('83010203', 'hex') }],
    ['with a public key that ends early', { publicKey: coseKey(key).subarray(0, 20) }],
    ['with an id other than that of the key', { credential: { id: 'AAAA', rawId: 'AAAA' } }],
    ['with an unknown attestation format', { format: 'own' }],
    ['with a packed attestation that is empty', { format: 'packed' }],
    ['with an attestation that is not CBOR', { response: { attestationObject: 'AAAA' } }],
    ['without an attestation', { response: { attestationObject: undefined } }],
  ])('%s', async (_case, replaced, expected = REJECTED) => {
    const site = passkeySite()
    const passkey = createAuthenticator()
    const response = await register(site.tab, passkey, { email: 'ada@example.com', ...replaced })
    expect(target(response)).toBe(expected)
    expect(await site.tab.session()).toBeNull()
    expect(site.called().filter((method) => /create|link/.test(method))).toEqual([])
    expect(target(await register(site.tab, passkey, { email: 'ada@example.com' }))).toBe('302 /')
  })

  test('of a passkey that is already registered, by another user or the same one', async () => {
    const { site, passkey } = await withPasskey()
    const bob = await createUser(site, 'bob@example.com')
    await signInAs(site.tab, bob)
    site.called()
    expect(target(await register(site.tab, passkey))).toBe(NOT_LINKED)
    expect(site.called().filter((method) => /create|link|Account/.test(method))).toEqual([])
    expect(await signedInAs(site.tab)).toBe('bob@example.com')
    expect(target(await register(site.open(), passkey, { email: 'eve@example.com' }))).toBe(
      NOT_LINKED,
    )
    expect(await site.stored.getUserByEmail?.('eve@example.com')).toBeNull()
    const ada = site.open()
    await authenticate(ada, passkey)
    expect(target(await register(ada, passkey))).toBe(NOT_LINKED)
    expect(await signedInAs(ada)).toBe('ada@example.com')
  })

  test('of a session that the application has assigned to another user in the meantime', async () => {
    const site = passkeySite()
    const ada = await createUser(site, 'ada@example.com')
    const bob = await createUser(site, 'bob@example.com')
    await signInAs(site.tab, ada)
    const { options } = await requestOptions(site.tab, { action: 'register' })
    const cookie = site.tab.cookies.all().find(({ name }) => name.includes('session-token'))
    await site.stored.updateSession?.({ sessionToken: cookie?.value ?? '', userId: bob.id })
    expect(await signedInAs(site.tab)).toBe('bob@example.com')
    const fields = fieldsOf('register', createAuthenticator().create(options))
    expect(target(await site.tab.post('callback/passkey', fields))).toBe(NOT_LINKED)
    expect(site.called()).not.toContain('linkAccount')
  })
})
