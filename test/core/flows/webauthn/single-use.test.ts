/** A response can be used once, in the browser and session for which its options were made. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Auth as handle } from '../../../../src/index.ts'
import MemoryAdapter from '../../../../src/adapters/memory.ts'
import Passkey from '../../../../src/providers/passkey.ts'
import WebAuthn from '../../../../src/providers/webauthn.ts'
import { without } from '../../../database.ts'
import { pass, stopClock } from '../../../sessions.ts'
import { createAuthenticator } from './authenticator.ts'
import type { Authenticator } from './authenticator.ts'
import { finalRequest, sessionsFrom, startProcess, startProcesses } from './processes.ts'
import {
  createUser,
  EXPIRED,
  fieldsOf,
  passkeySite,
  register,
  requestOptions,
  signedInAs,
  signInAs,
  target,
  withPasskey,
} from './site.ts'

afterEach(() => void vi.useRealTimers())

const withoutRecords = () => without(MemoryAdapter(), 'writeRecord')

describe('the same response in parallel', () => {
  const ADAPTERS = {
    'with transactions': () => MemoryAdapter(),
    'without transactions': () => without(MemoryAdapter(), 'transaction'),
  }
  const cases = Object.entries(ADAPTERS).flatMap(([name, adapter]) =>
    (['database', 'jwt'] as const).map((strategy) => ({ name, adapter, strategy })),
  )

  test.each(cases)(
    'gives one session in one process ($strategy, $name)',
    async ({ adapter, strategy }) => {
      const passkey = createAuthenticator({ counter: 0 })
      const options = { adapter: adapter(), config: { session: { strategy } } }
      const { site } = await withPasskey(passkey, options)
      const request = await finalRequest(site.tab, passkey, { action: 'authenticate' })
      const one = await startProcess(site)
      expect(await sessionsFrom(request, [one, one, one])).toHaveLength(1)
      expect(await sessionsFrom(request, [one])).toEqual([])
    },
  )

  test.each(cases)(
    'registers one passkey and gives one session in several processes ($strategy, $name)',
    async ({ adapter, strategy }) => {
      const site = passkeySite({ adapter: adapter(), config: { session: { strategy } } })
      const passkey = createAuthenticator()
      const query = { action: 'register', email: 'ada@example.com' } as const
      const request = await finalRequest(site.tab, passkey, query)
      expect(await sessionsFrom(request, await startProcesses(site, 3))).toHaveLength(1)
      const user = await site.stored.getUserByEmail?.('ada@example.com')
      expect(await site.stored.listAuthenticatorsByUserId?.(user?.id ?? '')).toHaveLength(1)
      expect(await site.stored.listAccounts?.(user?.id ?? '')).toHaveLength(1)
    },
  )

  test.each(cases.filter(({ strategy }) => strategy === 'database'))(
    'gives one stored session in several processes ($name)',
    async ({ adapter }) => {
      const passkey = createAuthenticator({ counter: 0 })
      const { site } = await withPasskey(passkey, { adapter: adapter() })
      const request = await finalRequest(site.tab, passkey, { action: 'authenticate' })
      expect(await sessionsFrom(request, await startProcesses(site, 2))).toHaveLength(1)
    },
  )

  test('gives one JWT session in several processes, if the passkey counts', async () => {
    const passkey = createAuthenticator({ counter: 1 })
    const options = { config: { session: { strategy: 'jwt' } } } as const
    const { site } = await withPasskey(passkey, options)
    const request = await finalRequest(site.tab, passkey, { action: 'authenticate' })
    expect(await sessionsFrom(request, await startProcesses(site, 2))).toHaveLength(1)
  })

  test('gives one JWT session in each process without records, if the passkey has no counter', async () => {
    const passkey = createAuthenticator({ counter: 0 })
    const options = { adapter: withoutRecords(), config: { session: { strategy: 'jwt' } } } as const
    const { site } = await withPasskey(passkey, options)
    const request = await finalRequest(site.tab, passkey, { action: 'authenticate' })
    const [first, second] = [await startProcess(site), await startProcess(site)]
    expect(await sessionsFrom(request, [first, first, second, second])).toHaveLength(2)
  })
})

describe('a challenge', () => {
  test('is used up by a response that is rejected', async () => {
    const { site, passkey } = await withPasskey()
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const wrong = fieldsOf('authenticate', passkey.get(options, { flags: 0 }))
    await site.tab.post('callback/passkey', wrong)
    const right = fieldsOf('authenticate', passkey.get(options))
    expect(target(await site.tab.post('callback/passkey', right))).toBe(EXPIRED)
    expect(await site.tab.session()).toBeNull()
  })

  test('is valid for five minutes', async () => {
    stopClock()
    const { site, passkey } = await withPasskey()
    for (const [seconds, expected] of [
      [299, '302 /'],
      [331, EXPIRED],
    ] as const) {
      const tab = site.open()
      const request = await finalRequest(tab, passkey, { action: 'authenticate' })
      await pass(seconds)
      expect(target(await handle(request(), site.config))).toBe(expected)
    }
  })

  test('belongs to one browser', async () => {
    const { site, passkey } = await withPasskey()
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const fields = fieldsOf('authenticate', passkey.get(options))
    expect(target(await site.open().post('callback/passkey', fields))).toBe(EXPIRED)
  })

  test('belongs to one ceremony', async () => {
    const { site, passkey } = await withPasskey()
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const credential = createAuthenticator().create({
      ...options,
      rp: { id: 'app.test', name: '' },
    })
    const fields = fieldsOf('register', credential)
    expect(target(await site.tab.post('callback/passkey', fields))).toBe(EXPIRED)
    const query = { action: 'register', email: 'bob@example.com' }
    const registration = await requestOptions(site.tab, query)
    const response = passkey.get({ ...registration.options, rpId: 'app.test' })
    const swapped = await site.tab.post('callback/passkey', fieldsOf('authenticate', response))
    expect(target(swapped)).toBe(EXPIRED)
  })

  test('belongs to one provider', async () => {
    const site = passkeySite({
      config: { providers: [Passkey(), WebAuthn({ enableConditionalUI: false })] },
    })
    const passkey = createAuthenticator()
    await register(site.tab, passkey, { email: 'ada@example.com' })
    const tab = site.open()
    const { options } = await requestOptions(tab, { action: 'authenticate' })
    const fields = fieldsOf('authenticate', passkey.get(options))
    expect(target(await tab.post('callback/webauthn', fields))).toBe(EXPIRED)
  })

  test.each(['database', 'jwt'] as const)(
    'leads a second tab to its target after the first tab has signed the same user in (%s)',
    async (strategy) => {
      const { site, passkey } = await withPasskey(createAuthenticator(), {
        config: { session: { strategy } },
      })
      const tab = site.open()
      const ceremony = async (from: Authenticator) =>
        fieldsOf(
          'authenticate',
          from.get((await requestOptions(tab, { action: 'authenticate' })).options),
        )
      const [first, second, third] = [
        await ceremony(passkey),
        await ceremony(passkey),
        await ceremony(passkey),
      ]
      const unknown = await ceremony(createAuthenticator())
      await tab.post('callback/passkey', { ...first, callbackUrl: '/one' })
      const before = tab.cookies.all().filter(({ name }) => name.includes('session-token'))
      site.log.errors.length = 0
      const response = await tab.post('callback/passkey', { ...second, callbackUrl: '/two' })
      expect(target(response)).toBe('302 /two')
      expect(site.log.errors).toEqual([])
      expect(tab.cookies.all().filter(({ name }) => name.includes('session-token'))).toEqual(before)
      // Not twice, not elsewhere, not with another passkey, and not for another user.
      expect(target(await tab.post('callback/passkey', second))).toBe(EXPIRED)
      expect(target(await site.open().post('callback/passkey', third))).toBe(EXPIRED)
      expect(target(await tab.post('callback/passkey', unknown))).toBe(EXPIRED)
      await signInAs(tab, await createUser(site, 'bob@example.com'))
      expect(target(await tab.post('callback/passkey', third))).toBe(EXPIRED)
      expect(await signedInAs(tab)).toBe('bob@example.com')
    },
  )

  test('belongs to one session', async () => {
    const site = passkeySite()
    const ada = await createUser(site, 'ada@example.com')
    const bob = await createUser(site, 'bob@example.com')
    await signInAs(site.tab, ada)
    const { options } = await requestOptions(site.tab, { action: 'register' })
    await signInAs(site.tab, bob)
    const fields = fieldsOf('register', createAuthenticator().create(options))
    expect(target(await site.tab.post('callback/passkey', fields))).toBe(EXPIRED)
    expect(await site.stored.listAuthenticatorsByUserId?.(bob.id)).toEqual([])
    expect(await site.stored.listAuthenticatorsByUserId?.(ada.id)).toEqual([])
    expect(await signedInAs(site.tab)).toBe('bob@example.com')
  })

  test('of one tab does not replace that of another', async () => {
    const { site, passkey } = await withPasskey()
    const first = await requestOptions(site.tab, { action: 'authenticate' })
    const second = await requestOptions(site.tab, { action: 'authenticate' })
    for (const { options } of [first, second]) {
      const fields = fieldsOf('authenticate', passkey.get(options))
      const response = await site.tab.post('callback/passkey', fields)
      if (options === first.options) {
        expect(target(response)).toBe('302 /')
        await site.tab.post('signout')
      } else expect(target(response)).toBe('302 /')
    }
  })

  test('has 256 random bits', async () => {
    const site = passkeySite()
    const challenges = new Set<string>()
    for (let times = 0; times < 50; times++)
      challenges.add((await requestOptions(site.open())).options.challenge)
    expect(challenges.size).toBe(50)
    for (const challenge of challenges) expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
  })
})
