import { describe, expect, test } from 'vitest'
import { BE, BS, createAuthenticator, UP, UV } from './authenticator.ts'
import { authenticate, passkeySite, register, target, withPasskey } from './site.ts'

describe('a response is accepted', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('of an %s key', async (algorithm) => {
    const { site, passkey } = await withPasskey(createAuthenticator({ algorithm }))
    expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
  })

  test('with an ES256 signature that has an integer of less than 32 bytes', async () => {
    const { site, passkey } = await withPasskey()
    const shortest = (signature: Buffer, again: () => Buffer) => {
      let found = signature
      // Two integers of 32 bytes take 70 bytes in DER.
      while (found.length > 69) found = again()
      return found
    }
    const response = await authenticate(site.tab, passkey, { signature: shortest })
    expect(target(response)).toBe('302 /')
  })

  test('with 20 kB of certificates', async () => {
    const { site, passkey } = await withPasskey()
    const certificates = { response: { x5c: 'A'.repeat(20 * 1024) } }
    expect(target(await authenticate(site.tab, passkey, certificates))).toBe('302 /')
  })

  test('with an id of 1023 bytes, and with one of 16 bytes', async () => {
    for (const idLength of [16, 1023]) {
      const { site, passkey } = await withPasskey(createAuthenticator({ idLength }))
      expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
    }
  })

  test('of a synced passkey, whose counter stays 0, and its backup state is stored', async () => {
    const synced = createAuthenticator({ counter: 0, flags: UP | UV | BE })
    const { site } = await withPasskey(synced)
    for (let times = 0; times < 2; times++)
      expect(target(await authenticate(site.open(), synced))).toBe('302 /')
    const id = synced.id.toString('base64')
    expect(await site.stored.getAuthenticator?.(id)).toMatchObject({
      counter: 0,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: false,
    })
    await authenticate(site.open(), synced, { flags: UP | UV | BE | BS })
    expect(await site.stored.getAuthenticator?.(id)).toMatchObject({
      credentialBackedUp: true,
      lastUsed: expect.any(Date),
    })
  })

  test('without user verification, if the provider does not require it', async () => {
    const site = passkeySite({
      provider: {
        verifyAuthenticationOptions: { requireUserVerification: false },
        verifyRegistrationOptions: { requireUserVerification: false },
      },
    })
    const passkey = createAuthenticator({ flags: UP })
    await register(site.tab, passkey, { email: 'ada@example.com' })
    expect(target(await authenticate(site.open(), passkey))).toBe('302 /')
  })

  test('of each configured origin', async () => {
    const origin = 'android:apk-key-hash:abc'
    const site = passkeySite({
      provider: { relayingParty: { origin: ['https://app.test', origin] } },
    })
    const passkey = createAuthenticator({ origin })
    await register(site.tab, passkey, { email: 'ada@example.com' })
    expect(target(await authenticate(site.open(), passkey))).toBe('302 /')
  })
})
