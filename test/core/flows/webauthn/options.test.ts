import { describe, expect, test } from 'vitest'
import { down, errorTypes } from '../../../database.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  challengeCookies,
  createUser,
  passkeySite,
  register,
  requestOptions,
  signInAs,
  storePasskey,
} from './site.ts'

describe('the options route', () => {
  test('returns authentication options and one sealed cookie, which are not cached', async () => {
    const { tab } = passkeySite()
    const response = await tab.request('webauthn-options/passkey?action=authenticate')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({
      action: 'authenticate',
      options: {
        rpId: 'app.test',
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 300_000,
        userVerification: 'required',
      },
    })
    const [cookie, ...more] = challengeCookies(response)
    expect(more).toEqual([])
    expect(cookie).toMatch(/^__Host-lib\.challenge\.[0-9a-f]{8}=/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Strict/)
    expect(cookie).toMatch(/; Max-Age=300/)
    expect(cookie).toMatch(/; Secure/)
  })

  test('returns registration options for a signed-in user, without the passkeys they have', async () => {
    const site = passkeySite()
    const ada = await createUser(site, 'ada@example.com', { name: 'Ada Lovelace' })
    await storePasskey(site, ada.id)
    await signInAs(site.tab, ada)
    const first = await requestOptions(site.tab, { action: 'register' })
    expect(first).toEqual({
      action: 'register',
      options: expect.objectContaining({
        rp: { id: 'app.test', name: 'app.test' },
        user: {
          id: expect.stringMatching(/^[\w-]{43}$/),
          name: 'ada@example.com',
          displayName: 'Ada Lovelace',
        },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [
          { id: 'AAECAwQFBgcICQoLDA0ODw', type: 'public-key', transports: ['hybrid', 'internal'] },
        ],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      }),
    })
    const second = await requestOptions(site.tab)
    expect(second.action).toBe('register')
    expect(second.options.user).toEqual(first.options.user)
    expect(second.options.challenge).not.toBe(first.options.challenge)
  })

  test('shows nothing of a user to a session that is older than the verification of the address', async () => {
    const site = passkeySite({ config: { session: { strategy: 'jwt' } } })
    await register(site.tab, createAuthenticator(), { email: 'ada@example.com' })
    const ada = await site.stored.getUserByEmail?.('ada@example.com')
    const id = ada?.id ?? ''
    await site.stored.updateUser?.({ id, emailVerified: new Date(), name: 'Ada Lovelace' })
    expect((await requestOptions(site.tab)).action).toBe('authenticate')
    const query = 'action=register&email=eve@example.com'
    const response = await site.tab.request(`webauthn-options/passkey?${query}`)
    expect(response.status).toBe(403)
    expect(await response.text()).not.toMatch(/ada|Lovelace/i)
  })

  test('names a user without an address and without a name by the id', async () => {
    const site = passkeySite()
    const user = await createUser(site, '', { name: null })
    await signInAs(site.tab, user)
    const { options } = await requestOptions(site.tab, { action: 'register' })
    expect(options.user).toMatchObject({ name: user.id, displayName: user.id })
  })

  test('without action is for an authentication, even if the address is unknown', async () => {
    const { tab } = passkeySite()
    expect((await requestOptions(tab)).action).toBe('authenticate')
    expect((await requestOptions(tab, { email: 'new@example.com' })).action).toBe('authenticate')
  })

  test('lists the passkeys of an address in the same order each time', async () => {
    const site = passkeySite()
    const ada = await createUser(site, 'ada@example.com')
    const ids = ['Zm9v+/Zm9vZm9vZm9v', 'AAECAwQFBgcICQoLDA0ODw==', 'MMECAwQFBgcICQoLDA0ODw==']
    for (const credentialID of ids)
      await storePasskey(site, ada.id, { credentialID, providerAccountId: credentialID })
    const { options } = await requestOptions(site.tab, {
      action: 'authenticate',
      email: ' ADA@example.com ',
    })
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([
      'AAECAwQFBgcICQoLDA0ODw',
      'MMECAwQFBgcICQoLDA0ODw',
      'Zm9v-_Zm9vZm9vZm9v',
    ])
  })

  test.each(['action', 'email', 'username'])('rejects a repeated %s', async (name) => {
    const formFields = { email: {}, username: { autocomplete: 'username webauthn' } }
    const { tab } = passkeySite({ provider: { formFields, getUserInfo: () => null } })
    const query = `${name}=register&${name}=authenticate`
    expect((await tab.request(`webauthn-options/passkey?${query}`)).status).toBe(400)
  })

  test('keeps at most five challenges, so that the Cookie header stays short', async () => {
    const { tab } = passkeySite()
    for (let tabs = 0; tabs < 8; tabs++) await requestOptions(tab, { action: 'authenticate' })
    const held = tab.cookies.all().filter(({ name }) => name.includes('lib.challenge'))
    expect(held).toHaveLength(5)
  })

  test('does not set a cookie for a HEAD request', async () => {
    const { tab } = passkeySite()
    const response = await tab.request('webauthn-options/passkey', { method: 'HEAD' })
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
  })

  test('takes the relying party from the provider', async () => {
    const site = passkeySite({
      provider: { relayingParty: { id: ['example.com', 'x.test'], name: 'Example' } },
    })
    expect((await requestOptions(site.tab)).options.rpId).toBe('example.com')
    const { options } = await requestOptions(site.tab, {
      action: 'register',
      email: 'new@example.com',
    })
    expect(options.rp).toEqual({ id: 'example.com', name: 'Example' })
  })

  test('takes the relying party from getRelayingParty', async () => {
    const site = passkeySite({
      provider: {
        getRelayingParty: ({ url }, request) => ({
          id: `${new URL(request.url).searchParams.get('tenant')}.test`,
          name: url.host,
          origin: url.origin,
        }),
      },
    })
    const { options } = await requestOptions(site.tab, { tenant: 'acme' })
    expect(options.rpId).toBe('acme.test')
  })
})

describe('the options route rejects', () => {
  test.each([
    ['an unknown action', 'passkey?action=delete', 400, 'InvalidRequest'],
    ['an action with another case', 'passkey?action=Register', 400, 'InvalidRequest'],
    ['a registration without a user', 'passkey?action=register', 400, 'InvalidRequest'],
    ['an invalid address', 'passkey?action=register&email=ada', 400, 'InvalidRequest'],
    ['a provider of another type', 'credentials?action=authenticate', 404, 'InvalidProvider'],
    ['an unknown provider', 'webauthn?action=authenticate', 404, 'InvalidProvider'],
    ['no provider', '', 404, 'InvalidProvider'],
  ])('%s', async (_case, path, status, error) => {
    const { tab } = passkeySite()
    const response = await tab.request(`webauthn-options/${path}`)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(challengeCookies(response)).toEqual([])
  })

  test('a POST request', async () => {
    const { tab } = passkeySite()
    expect((await tab.post('webauthn-options/passkey')).status).toBe(405)
  })

  test('a request of another site', async () => {
    const { tab } = passkeySite()
    const headers = { 'sec-fetch-site': 'same-site' }
    const response = await tab.request('webauthn-options/passkey', { headers })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: 'MissingCSRF' })
    expect(challengeCookies(response)).toEqual([])
  })

  test.each(['getUserByEmail', 'listAuthenticatorsByUserId'] as const)(
    'a request while %s fails, with 503 and without a cookie',
    async (method) => {
      const site = passkeySite()
      await createUser(site, 'ada@example.com')
      site.faults[method] = down
      const response = await site.tab.request('webauthn-options/passkey?email=ada%40example.com')
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ error: 'TemporarilyUnavailable' })
      expect(challengeCookies(response)).toEqual([])
      expect(errorTypes(site.log)).toEqual(['AdapterError'])
    },
  )
})
