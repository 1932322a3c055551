/** Which user a passkey signs in, and what the application decides. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../../src/index.ts'
import Passkey from '../../../../src/providers/passkey.ts'
import { browser, issuer } from '../../../../src/testing/index.ts'
import { oidc } from '../../../config.ts'
import { errorTypes, without } from '../../../database.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  authenticate,
  createUser,
  fieldsOf,
  NOT_LINKED,
  passkeySite,
  register,
  REJECTED,
  requestOptions,
  signedInAs,
  signInAs,
  target,
  withPasskey,
} from './site.ts'

const op = await issuer({ algorithm: 'ES256' })
const STRATEGIES = [{ strategy: 'database' }, { strategy: 'jwt' }] as const

describe.each(STRATEGIES)('with session strategy $strategy', (session) => {
  const config = { session }

  test('a passkey signs in its user, also if another one is signed in', async () => {
    const { site, passkey } = await withPasskey(createAuthenticator(), { config })
    const bob = await createUser(site, 'bob@example.com')
    await signInAs(site.tab, bob)
    const before = site.tab.cookies.all().find(({ name }) => name.includes('session-token'))
    expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
    expect(await signedInAs(site.tab)).toBe('ada@example.com')
    const after = site.tab.cookies.all().find(({ name }) => name.includes('session-token'))
    expect(after?.value).not.toBe(before?.value)
    expect(await site.stored.listAccounts?.(bob.id)).toEqual([])
  })

  test('a known address is rejected at the end, and nothing is written', async () => {
    const site = passkeySite({ config })
    const ada = await createUser(site, 'ada@example.com')
    site.called()
    const response = await register(site.tab, createAuthenticator(), { email: 'ada@example.com' })
    expect(target(response)).toBe(NOT_LINKED)
    expect(site.called().filter((method) => /^(?:create|link|update)/.test(method))).toEqual([])
    expect(await site.tab.session()).toBeNull()
    expect(await site.stored.listAuthenticatorsByUserId?.(ada.id)).toEqual([])
  })

  test('a second passkey of another authenticator can be added', async () => {
    const { site, passkey } = await withPasskey(createAuthenticator(), { config })
    await authenticate(site.tab, passkey)
    const second = createAuthenticator({ algorithm: 'EdDSA' })
    expect(target(await register(site.tab, second))).toBe('302 /')
    for (const each of [passkey, second]) {
      const tab = site.open()
      await authenticate(tab, each, { email: 'ada@example.com' })
      expect(await signedInAs(tab)).toBe('ada@example.com')
    }
  })

  test('a user without an address can add a passkey', async () => {
    const providers = [Passkey(), oidc(op)]
    const site = passkeySite({ config: { ...config, providers, fetch: op.fetch } })
    const tab = browser(site.config, { issuer: op })
    await tab.signIn('op', { sub: 'unnamed', name: undefined, email: undefined })
    expect(await signedInAs(tab)).toBeFalsy()
    const passkey = createAuthenticator()
    expect(target(await register(tab, passkey))).toBe('302 /')
    expect(target(await authenticate(site.open(), passkey))).toBe('302 /')
  })

  test('a session that has ended adds nothing', async () => {
    const site = passkeySite({ config })
    const ada = await createUser(site, 'ada@example.com')
    await signInAs(site.tab, ada)
    const { options } = await requestOptions(site.tab, { action: 'register' })
    await site.stored.deleteUser?.(ada.id)
    const fields = fieldsOf('register', createAuthenticator().create(options))
    const response = await site.tab.post('callback/passkey', fields)
    expect(target(response)).toBe(NOT_LINKED)
    expect(site.called()).not.toContain('linkAccount')
  })

  test('the first verification of the address removes a passkey that was registered for it', async () => {
    const mails: string[] = []
    const mail = {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
    } as const
    const providers: AuthConfig['providers'] = [Passkey(), mail]
    const { site, passkey } = await withPasskey(createAuthenticator(), {
      config: { session, providers },
    })
    const owner = site.open()
    await owner.post('signin/mail', { email: 'ada@example.com' })
    await owner.request(mails[0] ?? '')
    expect(await signedInAs(owner)).toBe('ada@example.com')
    const attacker = site.open()
    expect(target(await authenticate(attacker, passkey))).toBe(REJECTED)
    expect(await attacker.session()).toBeNull()
    expect(await site.stored.getAuthenticator?.(passkey.id.toString('base64'))).toBeNull()
    expect(target(await register(owner, createAuthenticator()))).toBe('302 /')
  })
})

describe('the signIn callback', () => {
  const answering = (answer: boolean | string) => {
    const calls: unknown[] = []
    const signIn = (params: object) => {
      calls.push(params)
      return answer
    }
    return { calls, config: { callbacks: { signIn } } }
  }

  test.each<[string, boolean | string, string]>([
    ['a path', '/blocked', '302 /blocked'],
    ['false', false, '302 /auth/error?error=AccessDenied'],
  ])('that returns %s prevents a sign-in and a registration', async (_case, answer, expected) => {
    const { site, passkey } = await withPasskey()
    const { calls, config } = answering(answer)
    const strict = passkeySite({ adapter: site.stored, config })
    strict.called()
    expect(target(await authenticate(strict.tab, passkey))).toBe(expected)
    const query = { email: 'bob@example.com' }
    expect(target(await register(strict.tab, createAuthenticator(), query))).toBe(expected)
    expect(await strict.tab.session()).toBeNull()
    expect(strict.called().filter((method) => /^(?:create|link|update)/.test(method))).toEqual([])
    const account = { provider: 'passkey', type: 'webauthn' }
    const providerAccountId = passkey.id.toString('base64')
    expect(calls).toEqual([
      {
        user: expect.objectContaining({ email: 'ada@example.com', emailVerified: null }),
        account: { ...account, providerAccountId, userId: expect.any(String) },
      },
      {
        user: { id: expect.any(String), email: 'bob@example.com' },
        account: { ...account, providerAccountId: expect.any(String) },
      },
    ])
  })

  test('runs before the counter is stored', async () => {
    const order: string[] = []
    const { site, passkey } = await withPasskey()
    const signIn = () => {
      order.push('signIn')
      return true
    }
    const own = passkeySite({ adapter: site.stored, config: { callbacks: { signIn } } })
    own.faults.updateAuthenticatorCounter = (run) => {
      order.push('counter')
      return run()
    }
    own.faults.createSession = (run) => {
      order.push('session')
      return run()
    }
    await authenticate(own.tab, passkey)
    expect(order).toEqual(['signIn', 'counter', 'session'])
  })
})

test('events report a registration, an added passkey and a sign-in', async () => {
  const events: unknown[] = []
  const on = (name: string) => (message: object) => void events.push([name, Object.keys(message)])
  const names = ['createUser', 'linkAccount', 'signIn', 'updateUser'] as const
  const handlers = Object.fromEntries(names.map((name) => [name, on(name)]))
  const site = passkeySite({ config: { events: handlers } })
  const passkey = createAuthenticator()
  await register(site.tab, passkey, { email: 'ada@example.com' })
  await register(site.tab, createAuthenticator())
  await authenticate(site.open(), passkey)
  const linked = ['linkAccount', ['user', 'account', 'profile']]
  const signedIn = ['signIn', ['user', 'account', 'isNewUser']]
  expect(events).toEqual([['createUser', ['user']], linked, signedIn, linked, signedIn, signedIn])
})

test('a new user is redirected to pages.newUser', async () => {
  const site = passkeySite({ config: { pages: { newUser: '/welcome' } } })
  const passkey = createAuthenticator()
  expect(target(await register(site.tab, passkey, { email: 'ada@example.com' }))).toMatch(
    /^302 \/welcome\?callbackUrl=/,
  )
  expect(target(await authenticate(site.open(), passkey))).toBe('302 /')
})

describe('getUserInfo', () => {
  const formFields = { user: { label: 'User name', autocomplete: 'username webauthn' } }

  test('provides the name of a new user without an address, and is called again at the end', async () => {
    const asked: string[] = []
    const site = passkeySite({
      provider: {
        formFields,
        getUserInfo: (_context, request) => {
          const name = new URL(request.url).searchParams.get('user')
          if (name === null) return null
          asked.push(name)
          return name === 'known'
            ? { user: { id: 'known', name }, exists: true }
            : { user: { name }, exists: false }
        },
      },
    })
    const begin = (user: string) => requestOptions(site.tab, { action: 'register', user })
    const passkey = createAuthenticator()
    for (const [user, expected] of [
      ['ada', '302 /'],
      ['known', NOT_LINKED],
    ] as const) {
      const { options } = await begin(user)
      expect(options.user).toMatchObject({ name: user, displayName: user })
      expect(asked.splice(0)).toEqual([])
      const fields = fieldsOf('register', passkey.create(options))
      expect(target(await site.tab.post('callback/passkey', fields))).toBe(expected)
      expect(asked.splice(0)).toEqual([user])
      await site.tab.post('signout')
    }
    await authenticate(site.tab, passkey)
    expect((await site.tab.session())?.user?.name).toBe('ada')
  })

  test('that returns something else is an error of the application', async () => {
    const user: object = { name: 'Ada' }
    const site = passkeySite({ provider: { getUserInfo: () => ({ user, exists: true }) } })
    const response = await site.tab.request('webauthn-options/passkey?email=ada%40example.com')
    expect(response.status).toBe(500)
    expect(errorTypes(site.log)).toEqual(['CallbackRouteError'])
  })
})

test('an adapter without optional methods is sufficient', async () => {
  const optional = ['transaction', 'listAccounts', 'updateAuthenticator', 'unlinkAccount'] as const
  const adapter = without(MemoryAdapter(), ...optional, 'deleteAuthenticator', 'deleteUser')
  const { site, passkey } = await withPasskey(createAuthenticator(), { adapter })
  expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
  expect(target(await register(site.tab, createAuthenticator()))).toBe('302 /')
})
