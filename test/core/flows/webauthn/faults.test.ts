/** Failures of the adapter during a ceremony (`security/cases.md`, part 2.2). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../../../src/adapters/index.ts'
import { ADAPTERS, down, errorTypes, hang, lost, once } from '../../../database.ts'
import { pass, stopClock } from '../../../sessions.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  authenticate,
  createUser,
  fieldsOf,
  passkeySite,
  register,
  requestOptions,
  signedInAs,
  signInAs,
  target,
  withPasskey,
} from './site.ts'
import type { PasskeySite } from './site.ts'

const UNAVAILABLE = '302 /auth/error?error=TemporarilyUnavailable'
const EMAIL = 'ada@example.com'

afterEach(() => void vi.useRealTimers())

const adapters = Object.entries(ADAPTERS)
const faults = { down, lost } as const
const names = ['down', 'lost'] as const

const WRITES = ['createUser', 'linkAccount', 'createAuthenticator', 'createSession'] as const

describe.each(adapters)('with an adapter %s', (adapterName, adapter) => {
  const deletes = adapterName !== 'without methods that delete'
  const cases = WRITES.flatMap((method) => names.map((fault) => ({ method, fault })))

  test.each(cases)(
    'a registration in which $method fails ($fault) creates no session, and can be repeated',
    async ({ method, fault }) => {
      const site = passkeySite({ adapter: adapter() })
      const passkey = createAuthenticator()
      site.faults[method] = once(faults[fault])
      const response = await register(site.tab, passkey, { email: EMAIL })
      expect(site.called()).toContain(method)
      const isSignedUp = target(response) === '302 /'
      expect(await signedInAs(site.tab)).toBe(isSignedUp ? EMAIL : undefined)
      if (isSignedUp) return
      expect(target(response)).toMatch(/TemporarilyUnavailable|AccountNotLinked|SessionUnavailable/)
      // Either everything was stored, and the passkey signs in, or nothing was, and a new one can be registered.
      const signedIn = target(await authenticate(site.open(), passkey)) === '302 /'
      const again = deletes && fault === 'down' ? site.open() : site.tab
      const repeated = await register(again, createAuthenticator(), { email: EMAIL })
      expect([signedIn, target(repeated) === '302 /']).toContainEqual(true)
    },
  )

  test('nothing remains of a registration whose passkey is not stored', async () => {
    const site = passkeySite({ adapter: adapter() })
    site.faults.createAuthenticator = down
    const passkey = createAuthenticator()
    expect(target(await register(site.tab, passkey, { email: EMAIL }))).toBe(UNAVAILABLE)
    expect(await site.tab.session()).toBeNull()
    if (deletes) expect(await site.stored.getUserByEmail?.(EMAIL)).toBeNull()
    delete site.faults.createAuthenticator
    const second = createAuthenticator()
    expect(target(await register(site.tab, second, { email: EMAIL }))).toBe('302 /')
    expect(target(await authenticate(site.open(), second))).toBe('302 /')
  })

  test.each(['linkAccount', 'createAuthenticator'] as const)(
    'a user whose new passkey is not stored because %s fails stays signed in, and can add it again',
    async (method) => {
      const site = passkeySite({ adapter: adapter() })
      await signInAs(site.tab, await createUser(site, EMAIL))
      site.faults[method] = once(down)
      const passkey = createAuthenticator()
      expect(target(await register(site.tab, passkey))).toBe(UNAVAILABLE)
      expect(await signedInAs(site.tab)).toBe(EMAIL)
      expect(await site.stored.getAuthenticator?.(passkey.id.toString('base64'))).toBeNull()
      expect(target(await register(site.tab, createAuthenticator()))).toBe('302 /')
    },
  )

  test.each([
    'getAuthenticator',
    'getUserByAccount',
    'updateAuthenticatorCounter',
    'createSession',
  ] as const)(
    'a sign-in during which %s fails is rejected, and can be repeated',
    async (method) => {
      const { site, passkey } = await withPasskey(createAuthenticator(), { adapter: adapter() })
      site.faults[method] = once(down)
      const response = await authenticate(site.tab, passkey)
      expect(target(response)).toBe(UNAVAILABLE)
      expect(errorTypes(site.log)).toContain('AdapterError')
      expect(await site.tab.session()).toBeNull()
      expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
    },
  )
})

test('a sign-in succeeds if only the last use cannot be stored', async () => {
  const { site, passkey } = await withPasskey()
  site.faults.updateAuthenticator = down
  expect(target(await authenticate(site.tab, passkey))).toBe('302 /')
  expect(errorTypes(site.log)).toEqual(['AdapterError'])
})

test('a challenge is not valid again after a failure of the database', async () => {
  const { site, passkey } = await withPasskey()
  const { options } = await requestOptions(site.tab, { action: 'authenticate' })
  const fields = fieldsOf('authenticate', passkey.get(options))
  site.faults.getAuthenticator = once(down)
  expect(target(await site.tab.post('callback/passkey', fields))).toBe(UNAVAILABLE)
  expect(target(await site.tab.post('callback/passkey', fields))).toBe(
    '302 /auth/signin?error=InvalidCheck',
  )
})

describe('an adapter that does not respond', () => {
  /** Resolves when the method is called, which then never returns. */
  const hanging = ({ faults: faulty }: PasskeySite, method: keyof Adapter) =>
    new Promise<void>((resolve) => {
      faulty[method] = () => {
        resolve()
        return hang()
      }
    })

  test.each(['listAuthenticatorsByUserId', 'getUserByEmail'] as const)(
    '(%s) ends a request for options after 5 seconds, without a cookie',
    async (method) => {
      stopClock()
      const site = passkeySite()
      await createUser(site, EMAIL)
      const called = hanging(site, method)
      const pending = site.tab.request(`webauthn-options/passkey?email=${EMAIL}`)
      await called
      await pass(5)
      const response = await pending
      expect(response.status).toBe(503)
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )

  test('(updateAuthenticatorCounter) ends a sign-in after 5 seconds', async () => {
    stopClock()
    const { site, passkey } = await withPasskey()
    const called = hanging(site, 'updateAuthenticatorCounter')
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const fields = fieldsOf('authenticate', passkey.get(options))
    const pending = site.tab.post('callback/passkey', fields)
    await called
    await pass(5)
    expect(target(await pending)).toBe(UNAVAILABLE)
    expect(await site.tab.session()).toBeNull()
  })
})

describe('an adapter that returns', () => {
  const returning = (method: keyof Adapter, value: unknown) => ({ [method]: () => value })

  test.each<[string, object, string]>([
    ['nothing for the stored passkey', returning('createAuthenticator', undefined), '302 /'],
    ['nothing for the counter', returning('updateAuthenticatorCounter', undefined), '302 /'],
    ['a passkey without a public key', returning('getAuthenticator', {}), UNAVAILABLE],
  ])('%s', async (_case, faulty, expected) => {
    const { site, passkey } = await withPasskey()
    Object.assign(site.faults, faulty)
    const isWrite = 'createAuthenticator' in faulty
    const response = isWrite
      ? await register(site.tab, createAuthenticator(), { email: 'bob@example.com' })
      : await authenticate(site.tab, passkey)
    expect(target(response)).toBe(expected)
  })
})
