/** Registration in a session that does not show that its user is in the database: by the rules for linking. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../../src/adapters/memory.ts'
import type { AuthConfig, JWT, User } from '../../../../src/index.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../../../src/passkeys.ts'
import Passkey from '../../../../src/providers/passkey.ts'
import { browser } from '../../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../../config.ts'
import { errorTypes, recordCalls } from '../../../database.ts'
import { addPasskey, headersOf } from '../../../passkeys.ts'
import { claimsOf, cookieFor, SESSION } from '../../../sessions.ts'
import { createAuthenticator } from './authenticator.ts'
import { EXPIRED, fieldsOf, register, requestOptions, target } from './site.ts'

const CUSTOMER = 'customer@example.com'
const NEW = 'new@example.com'
const STAFF: User = { id: '7', email: 'staff@example.com' }
const GUEST: User = { id: 'guest:1', name: 'Guest' }
const WRITES = /^(?:create|link|update|delete|unlink|transaction)/

/** A site with customer 7 in the database, where `authorize` returns another user. */
async function siteOf(user: User, overrides: Partial<AuthConfig> = {}) {
  const stored = MemoryAdapter()
  await stored.createUser({ id: '7', email: CUSTOMER, emailVerified: null })
  const theirs = await addPasskey(stored, '7')
  const recorded = recordCalls(stored)
  const { config: password, log } = passwordConfig({}, { authorize: () => user })
  const config: AuthConfig = {
    ...password,
    providers: [Passkey(), ...(password.providers ?? [])],
    adapter: recorded.adapter,
    session: { strategy: 'jwt' },
    experimental: { enableWebAuthn: true },
    ...overrides,
  }
  const tab = browser(config)
  const writes = () => recorded.called().filter((method) => WRITES.test(method))
  return { config, log, stored, theirs, tab, writes, faults: recorded.faults }
}

type Site = Awaited<ReturnType<typeof siteOf>>

/** Expects that no options are issued, and that nothing is written. */
async function expectRefused({ tab, writes, log, stored }: Site, email: string = NEW) {
  writes()
  log.errors.length = 0
  for (const query of [{}, { email }]) {
    const search = new URLSearchParams({ action: 'register', ...query }).toString()
    const response = await tab.request(`webauthn-options/passkey?${search}`)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: 'AccountNotLinked',
      code: 'session_cannot_link',
    })
    expect(response.headers.getSetCookie().join()).not.toContain('challenge')
  }
  expect(errorTypes(log)).toEqual(['AccountNotLinked', 'AccountNotLinked'])
  expect(log.errors[0]?.message).toContain('no second user is created')
  expect(log.errors[0]?.message).not.toContain('@')
  expect(writes()).toEqual([])
  expect(await stored.getUserByEmail(NEW)).toBeNull()
}

describe('a registration in a session that is not that of a stored user creates no second one', () => {
  test.each<[string, User]>([
    ['another address', STAFF],
    ['no address, and the id of a user', { id: '7' }],
    ['another id', { id: '8', email: CUSTOMER }],
    ['an id that no user has', { id: '8', email: 'staff@example.com' }],
  ])('%s', async (_case, user) => {
    const site = await siteOf(user)
    await enter(site.tab)
    const session = await site.tab.session()
    await expectRefused(site)
    expect(await site.tab.session()).toEqual(session)
  })

  test('also by signIn on the server, and the functions for passkeys return null', async () => {
    const site = await siteOf(STAFF)
    await enter(site.tab)
    site.writes()
    await site.tab.post('signin/passkey', { action: 'register', email: NEW })
    const { tab, config, theirs } = site
    for (const { value } of [
      await listPasskeys(headersOf(tab), config),
      await renamePasskey(headersOf(tab), config, theirs, 'Mine'),
      await removePasskey(headersOf(tab), config, theirs, { last: 'allow' }),
    ])
      expect(value).toBeNull()
    expect(site.writes()).toEqual([])
  })

  test.each([
    ['of an earlier release', {}],
    ['that is older than the verification of the address', { verified_at_sign_in: false }],
  ])('a session %s', async (_case, claims) => {
    const site = await siteOf(STAFF)
    await site.stored.updateUser({ id: '7', emailVerified: new Date() })
    const cookie = await cookieFor({ sub: '7', email: CUSTOMER, ...claims })
    site.tab.cookies.set(SESSION, cookie.slice(SESSION.length + 1))
    await expectRefused(site)
  })

  test('a session that began while the database was down', async () => {
    const site = await siteOf({ id: '7', email: CUSTOMER })
    site.faults.getUser = () => Promise.reject(new Error('down'))
    await enter(site.tab)
    delete site.faults.getUser
    await expectRefused(site)
  })

  test('a session that began during the ceremony', async () => {
    const site = await siteOf(STAFF)
    const { options } = await requestOptions(site.tab, { action: 'register', email: NEW })
    await enter(site.tab)
    site.writes()
    const fields = fieldsOf('register', createAuthenticator().create(options))
    const response = await site.tab.post('callback/passkey', fields)
    expect(target(response)).toBe(EXPIRED)
    expect(site.writes()).toEqual([])
  })

  test('a session of a guest that the application assigned to a user during the ceremony', async () => {
    let sub = GUEST.id
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => ({ ...token, sub }) }
    const site = await siteOf(GUEST, { callbacks })
    await enter(site.tab)
    const { options } = await requestOptions(site.tab, { action: 'register', email: NEW })
    sub = '7'
    await site.tab.session()
    site.writes()
    const fields = fieldsOf('register', createAuthenticator().create(options))
    const response = await site.tab.post('callback/passkey', fields)
    expect(target(response)).toBe(EXPIRED)
    expect(site.writes()).toEqual([])
    expect(await site.stored.getUserByEmail(NEW)).toBeNull()
  })
})

/** Changes of the token by a `jwt` callback. */
const CHANGES: [string, (token: JWT) => JWT][] = [
  ['removes the email', ({ email: _email, ...rest }) => rest],
  ['empties the email', (token) => ({ ...token, email: '' })],
  ['removes the email and the sub', ({ email: _email, sub: _sub, ...rest }) => rest],
  ['deletes them from its argument', (token) => (delete token.email, delete token.sub, token)],
  ['returns a new object', () => ({ uid: 'own' })],
  ['returns a new object with the sub', ({ sub }) => ({ sub })],
  ['changes the sub', ({ email: _email, ...rest }) => ({ ...rest, sub: 'guest:own' })],
  [
    'removes the mark',
    ({ email: _email, sub: _sub, user_at_sign_in: _user, verified_at_sign_in: _is, ...rest }) =>
      rest,
  ],
  ['forges the mark', ({ sub }) => ({ sub, user_at_sign_in: false, verified_at_sign_in: null })],
]

/** When the callback changes the token. */
const TIMES: [string, trigger: string | undefined, (site: Site) => Promise<unknown>][] = [
  ['at the sign-in', 'signIn', async () => undefined],
  ['at a read', undefined, ({ tab }) => tab.session()],
  ['at an update', 'update', ({ tab }) => tab.post('session', { data: '{}' })],
  ['at each call', 'any', ({ tab }) => tab.session()],
]

describe.each(TIMES)('a user becomes no guest by a jwt callback %s', (_time, when, call) => {
  const changing = (change: (token: JWT) => JWT): AuthConfig['callbacks'] => ({
    jwt: ({ token, trigger }) => (when === 'any' || trigger === when ? change(token) : token),
  })

  const users: [string, User, isStored: boolean][] = [
    ['with an id and an address', { id: '8', email: 'staff@example.com' }, false],
    ['with the id of another user', STAFF, false],
    ['without an id', { email: 'staff@example.com' }, false],
    ['who is in the database', { id: '7', email: CUSTOMER }, true],
  ]
  const cases = CHANGES.flatMap(([name, change]) =>
    users.map(([which, user, isStored]) => [name, which, { user, isStored, change }] as const),
  )
  test.each(cases)('that %s, of one %s', async (_name, _which, { user, isStored, change }) => {
    const site = await siteOf(user, { callbacks: changing(change) })
    await enter(site.tab)
    await call(site)
    expect(await site.tab.session()).not.toBeNull()
    const { sub } = (await claimsOf(site.tab)) ?? {}
    // The session stays one of the user in the database.
    if (isStored && sub === '7')
      expect((await requestOptions(site.tab, { action: 'register' })).action).toBe('register')
    else await expectRefused(site)
  })
})

test('a jwt callback that ends the session ends that of the user', async () => {
  let isEnded = false
  const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => (isEnded ? null : token) }
  const site = await siteOf(STAFF, { callbacks })
  await enter(site.tab)
  isEnded = true
  expect(await site.tab.session()).toBeNull()
  isEnded = false
  expect(target(await register(site.tab, createAuthenticator(), { email: NEW }))).toBe('302 /')
})

test.each([
  ['an address', { email: 'staff@example.com' }, true],
  ['no address', {}, false],
])('a session of an earlier release is that of a user with %s', async (_case, claims, isUser) => {
  const callbacks: AuthConfig['callbacks'] = { jwt: ({ token: { sub } }) => ({ sub }) }
  const site = await siteOf(STAFF, { callbacks })
  const cookie = await cookieFor({ sub: '8', verified_at_sign_in: null, ...claims })
  site.tab.cookies.set(SESSION, cookie.slice(SESSION.length + 1))
  await site.tab.session()
  if (isUser) await expectRefused(site)
  else expect(target(await register(site.tab, createAuthenticator(), { email: NEW }))).toBe('302 /')
})

describe('a registration signs up', () => {
  const signedUp = async ({ tab, stored }: Site) => {
    expect(target(await register(tab, createAuthenticator(), { email: NEW }))).toBe('302 /')
    expect((await tab.session())?.user?.email).toBe(NEW)
    expect(await stored.getUserByEmail(NEW)).not.toBeNull()
  }

  test.each<[string, (token: JWT) => JWT]>([
    ['', (token) => token],
    ['whose token is a new object', ({ sub, email }) => ({ sub, email, plan: 'trial' })],
    ['who forges the mark', (token) => ({ ...token, user_at_sign_in: true })],
  ])('a guest %s', async (_case, change) => {
    const site = await siteOf(GUEST, { callbacks: { jwt: ({ token }) => change(token) } })
    await enter(site.tab)
    await site.tab.session()
    expect(await claimsOf(site.tab)).not.toHaveProperty('user_at_sign_in')
    await signedUp(site)
  })

  test('a user who has signed out', async () => {
    const site = await siteOf(STAFF)
    await enter(site.tab)
    await site.tab.post('signout')
    await signedUp(site)
  })

  test('in a session whose user was deleted', async () => {
    const site = await siteOf({ id: '7', email: CUSTOMER })
    await enter(site.tab)
    await site.stored.deleteUser('7')
    await signedUp(site)
  })
})

test('a passkey signs in from a session that is not that of a stored user', async () => {
  const site = await siteOf(STAFF)
  await enter(site.tab)
  const response = await site.tab.request('webauthn-options/passkey')
  expect(await response.json()).toMatchObject({ action: 'authenticate' })
})
