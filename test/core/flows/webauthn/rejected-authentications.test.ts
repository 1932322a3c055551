import { generateKeyPairSync, randomBytes } from 'node:crypto'
import * as version14 from '@simplewebauthn/server'
import type { VerifyAuthenticationResponseOpts } from '@simplewebauthn/server'
import { describe, expect, test } from 'vitest'
import { BE, BS, createAuthenticator, UP, UV } from './authenticator.ts'
import type { Replaced } from './authenticator.ts'
import { HOSTILE } from './hostile.ts'
import {
  authenticate,
  createUser,
  fieldsOf,
  register,
  REJECTED,
  requestOptions,
  signInAs,
  target,
  withPasskey,
} from './site.ts'

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const flipLastBit = (signature: Buffer) =>
  Buffer.from(signature.map((byte, at) => (at === signature.length - 1 ? byte ^ 1 : byte)))

describe('an authentication is rejected', () => {
  test.each<[string, Replaced, string?]>([
    ...HOSTILE,
    ['of the type of a registration', { client: { type: 'webauthn.create' } }],
    ['signed by another key', { signedBy: otherKey }],
    ['with one bit of the signature changed', { signature: flipLastBit }],
    ['with an empty signature', { signature: () => Buffer.alloc(0) }],
    ['with a signature that is not DER', { signature: () => randomBytes(64) }],
    ['with an unknown id', { credentialId: randomBytes(32) }],
    ['with an id in which one bit is changed', { credentialId: Buffer.from('00', 'hex') }],
    ['with short authenticator data', { response: { authenticatorData: 'AAAA' } }],
    ['with authenticator data that is not text', { response: { authenticatorData: 7 } }],
    ['without authenticator data', { response: { authenticatorData: undefined } }],
    ['with a signature that is not text', { response: { signature: {} } }],
    ['with another counter than the signed one', { counter: 900, signature: flipLastBit }],
  ])('%s', async (_case, replaced, expected = REJECTED) => {
    const { site, passkey } = await withPasskey()
    const response = await authenticate(site.tab, passkey, replaced)
    expect(target(response)).toBe(expected)
    expect(await site.tab.session()).toBeNull()
    expect(site.called()).not.toContain('updateAuthenticatorCounter')
    expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
  })

  test('with the same error for an unknown passkey and for a wrong signature', async () => {
    const { site, passkey } = await withPasskey()
    const replies = []
    for (const replaced of [{ credentialId: randomBytes(32) }, { signedBy: otherKey }]) {
      const { options } = await requestOptions(site.tab, { action: 'authenticate' })
      const fields = fieldsOf('authenticate', passkey.get(options, replaced))
      const csrfToken = await site.tab.csrfToken()
      const response = await site.tab.request('callback/passkey', {
        method: 'POST',
        json: { ...fields, csrfToken },
        headers: { accept: 'application/json' },
      })
      replies.push([response.status, await response.json()])
    }
    expect(replies[0]).toEqual(replies[1])
    expect(replies[0]?.[0]).toBe(403)
    expect(replies[0]?.[1]).toMatchObject({ error: 'WebAuthnVerificationError' })
  })

  test('after one verification, so that the time does not show whether the passkey exists', async () => {
    const verified: unknown[] = []
    const simpleWebAuthn = {
      ...version14,
      verifyAuthenticationResponse(options: VerifyAuthenticationResponseOpts) {
        verified.push(options.credential.publicKey.length)
        return version14.verifyAuthenticationResponse(options)
      },
    }
    const { site, passkey } = await withPasskey(createAuthenticator(), {
      provider: { simpleWebAuthn },
    })
    const known = { email: 'ada@example.com', signedBy: otherKey }
    const unknown = { email: 'new@example.com', credentialId: randomBytes(32) }
    for (const replaced of [known, unknown, { ...known, email: 'new@example.com' }])
      expect(target(await authenticate(site.open(), passkey, replaced))).toBe(REJECTED)
    expect(verified).toEqual([77, 77, 77])
  })

  test('with the passkey of a user other than the typed one', async () => {
    const { site, passkey } = await withPasskey()
    const bob = await createUser(site, 'bob@example.com')
    await signInAs(site.tab, bob)
    await register(site.tab, createAuthenticator())
    const tab = site.open()
    expect(target(await authenticate(tab, passkey, { email: 'bob@example.com' }))).toBe(REJECTED)
    expect(target(await authenticate(tab, passkey, { email: 'new@example.com' }))).toBe(REJECTED)
    expect(target(await authenticate(tab, passkey, { email: 'ada@example.com' }))).toBe('302 /')
  })

  test('if the passkey was synced and no longer can be, or the reverse', async () => {
    for (const [before, after] of [
      [UP | UV | BE | BS, UP | UV],
      [UP | UV, UP | UV | BE],
    ] as const) {
      const { site, passkey } = await withPasskey(createAuthenticator({ flags: before }))
      expect(target(await authenticate(site.tab, passkey, { flags: after }))).toBe(REJECTED)
      expect(await site.tab.session()).toBeNull()
    }
  })

  test('if its account was unlinked', async () => {
    const { site, passkey } = await withPasskey()
    const providerAccountId = passkey.id.toString('base64')
    await site.stored.unlinkAccount?.({ provider: 'passkey', providerAccountId })
    expect(target(await authenticate(site.tab, passkey))).toBe(REJECTED)
  })
})

describe('the counter', () => {
  test.each([
    ['goes back', 3],
    ['stays the same', 5],
    ['becomes 0', 0],
  ])('is rejected and logged if it %s', async (_case, counter) => {
    const { site, passkey } = await withPasskey(createAuthenticator({ counter: 5 }))
    const response = await authenticate(site.tab, passkey, { counter })
    expect(target(response)).toBe(REJECTED)
    expect(await site.tab.session()).toBeNull()
    expect(site.log.lines).toContainEqual([
      'warn',
      'passkey.counter',
      `The signature counter of a passkey did not increase (stored 5, received ${counter}): the passkey may have been cloned. The sign-in is rejected.`,
    ])
    expect(target(await authenticate(site.tab, passkey, { counter: 6 }))).toBe('302 /')
    expect(await site.stored.getAuthenticator?.(passkey.id.toString('base64'))).toMatchObject({
      counter: 6,
    })
  })

  test('may start for a passkey that had none', async () => {
    const passkey = createAuthenticator({ counter: 0 })
    const { site } = await withPasskey(passkey)
    expect(target(await authenticate(site.tab, passkey, { counter: 1 }))).toBe('302 /')
  })
})
