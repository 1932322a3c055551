/** The ceremonies with the functions of other major versions of `@simplewebauthn/server`. */
import * as version14 from '@simplewebauthn/server'
import * as version10 from 'simplewebauthn-server-10'
import * as version11 from 'simplewebauthn-server-11'
import * as version12 from 'simplewebauthn-server-12'
import * as version13 from 'simplewebauthn-server-13'
import * as version9 from 'simplewebauthn-server-9'
import { describe, expect, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import {
  authenticate,
  passkeySite,
  register,
  REJECTED,
  requestOptions,
  signInAs,
  target,
  withPasskey,
} from './site.ts'

const PACKAGES = { version14, version13, version12, version11, version10, version9 }

describe.each(Object.entries(PACKAGES))('%s', (_name, simpleWebAuthn) => {
  const provider = { simpleWebAuthn }

  test.each(['ES256', 'RS256', 'EdDSA'] as const)(
    'registers an %s key, adds another one, and signs in with both',
    async (algorithm) => {
      const first = createAuthenticator({ algorithm })
      const { site } = await withPasskey(first, { provider })
      expect(target(await authenticate(site.tab, first, { email: 'ada@example.com' }))).toBe(
        '302 /',
      )
      const second = createAuthenticator({ algorithm })
      expect(target(await register(site.tab, second))).toBe('302 /')
      for (const each of [first, second])
        expect(target(await authenticate(site.open(), each))).toBe('302 /')
    },
  )

  test('sends the same options as the default version', async () => {
    const own = passkeySite({ provider })
    const standard = passkeySite()
    const all = []
    for (const site of [own, standard]) {
      const user = await site.stored.createUser?.({
        id: 'ada',
        email: 'ada@example.com',
        emailVerified: null,
      })
      if (!user) throw new Error('No user.')
      await signInAs(site.tab, user)
      await register(site.tab, createAuthenticator())
      const { options } = await requestOptions(site.tab, { action: 'register' })
      const allowed = await requestOptions(site.open(), { email: 'ada@example.com' })
      // Version 13 added the hints, which are empty.
      const { challenge, hints, excludeCredentials, ...rest } = { hints: [], ...options }
      expect(challenge).toMatch(/^[\w-]{43}$/)
      expect(hints).toEqual([])
      expect(excludeCredentials).toEqual(allowed.options.allowCredentials)
      all.push(rest)
    }
    expect(all[0]).toEqual(all[1])
  })

  test('rejects a wrong signature and a counter that goes back', async () => {
    const passkey = createAuthenticator({ counter: 5 })
    const { site } = await withPasskey(passkey, { provider })
    const signature = () => Buffer.alloc(70)
    expect(target(await authenticate(site.tab, passkey, { signature }))).toBe(REJECTED)
    expect(target(await authenticate(site.tab, passkey, { counter: 3 }))).toBe(REJECTED)
    expect(site.log.lines.flat()).toContain('passkey.counter')
  })
})

describe('simpleWebAuthn', () => {
  test('can be a function that loads the package', async () => {
    const provider = { simpleWebAuthn: () => import('simplewebauthn-server-13') }
    const { site, passkey } = await withPasskey(createAuthenticator(), { provider })
    expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
  })

  test('that cannot be loaded is an error that names the package', async () => {
    const load = async () => {
      throw new Error('no such module')
    }
    const site = passkeySite({ provider: { simpleWebAuthn: load } })
    const response = await site.tab.request('webauthn-options/passkey')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Configuration' })
  })

  test('that cannot be loaded is logged once, until it has been loaded', async () => {
    let isInstalled = false
    const load = async () => {
      if (!isInstalled) throw new Error('no such module')
      return version14
    }
    const site = passkeySite({ provider: { simpleWebAuthn: load } })
    const view = async (tab = site.open()) =>
      (await tab.request('webauthn-options/passkey?action=authenticate')).json()
    const first = await view()
    expect(first).toMatchObject({ error: 'Configuration', retryable: false })
    expect(await view()).toEqual(first)
    expect(site.log.errors.map(({ message }) => message)).toEqual(['no such module'])
    isInstalled = true
    expect(await view()).toMatchObject({ action: 'authenticate' })
    isInstalled = false
    expect(await view()).toEqual(first)
    expect(site.log.errors).toHaveLength(2)
  })
})
