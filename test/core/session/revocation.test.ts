/** Sessions in cookies that end before they expire: `session.revocation`. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import { getToken } from '../../../src/jwt.ts'
import { encryptText, keyFor } from '../../../src/core/crypto/seal.ts'
import { governSessions, revokeOtherSessions } from '../../../src/sessions.ts'
import { enter, SECRET } from '../../config.ts'
import { OLD_SECURE, oldCookie } from '../../cli/migrate-imports/next-auth-site.ts'
import { claimsOf, cookieFor, pass, readWith, stopClock, takeCookies } from '../../sessions.ts'
import { copyCookies, down, startProcess, watch } from './revocation-site.ts'
import type { Site } from './revocation-site.ts'

const ADA = 'Ada Lovelace'
const NONE = { spare: 'none' } as const

afterEach(() => void vi.useRealTimers())

const signOut = (tab: Parameters<typeof enter>[0]) => tab.post('signout')

function openGate() {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => void (open = resolve))
  return { passed, open }
}

function options(revocation: object, more: object = {}): Partial<AuthConfig> {
  return { session: { revocation, ...more } }
}

describe('a sign-out', () => {
  test('makes a copy of the cookie worthless, in every process', async () => {
    const { store } = watch()
    const [one, two] = [startProcess(store), startProcess(store)]
    const tab = one.open()
    await enter(tab)
    const copy = copyCookies(tab)
    expect([await one.read(copy), await two.read(copy)]).toEqual([ADA, ADA])
    await signOut(tab)
    expect([await one.read(copy), await two.read(copy)]).toEqual([null, null])
  })

  test('without the option ends nothing but the cookie', async () => {
    const { store, calls } = watch()
    const site = startProcess(store, { session: {} })
    const tab = site.open()
    await enter(tab)
    expect(await claimsOf(tab)).not.toHaveProperty('lib')
    const copy = copyCookies(tab)
    await signOut(tab)
    expect(await site.read(copy)).toBe(ADA)
    expect(calls).toEqual([])
  })

  test('keeps the cookie if the store is down, and can be repeated', async () => {
    const watched = watch()
    const site = startProcess(watched.store)
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    for (const method of ['readRecords', 'writeRecord']) {
      watched.fault = (called) => called === method && down()
      expect((await signOut(tab)).headers.get('location')).toContain('error=')
      expect(site.log.errors.at(-1)).toMatchObject({ type: 'SignOutError' })
      expect(copyCookies(tab)).toBe(copy)
    }
    watched.fault = undefined
    await signOut(tab)
    expect(copyCookies(tab)).toBe('')
    expect(await site.read(copy)).toBeNull()
  })

  test('is an event only of a session that had not ended', async () => {
    const { store } = watch()
    const events: unknown[] = []
    const site = startProcess(store, {
      events: { signOut: (message) => void events.push(message) },
    })
    const tab = site.open()
    await enter(tab)
    await site.session.endAll(site.context(), '1', NONE)
    await signOut(tab)
    expect(events).toEqual([])
    expect(copyCookies(tab)).toBe('')
  })

  test('ends each session whose cookie the browser has', async () => {
    const { store } = watch()
    const site = startProcess(store)
    const [first, second] = [site.open(), site.open()]
    await enter(first)
    await enter(second)
    const copies = [copyCookies(first), copyCookies(second)]
    await site.session.destroy(site.context(copies.join('; ')))
    expect([await site.read(copies[0] ?? ''), await site.read(copies[1] ?? '')]).toEqual([
      null,
      null,
    ])
  })

  test('ends the session that a late response renews', async () => {
    const { store } = watch()
    const site = startProcess(store, options({}, { updateAge: 0 }))
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    const late = await tab.session()
    expect(late).not.toBeNull()
    const renewed = copyCookies(tab)
    expect(renewed).not.toBe(copy)
    await signOut(tab)
    expect(await site.read(renewed)).toBeNull()
  })
})

test('a sign-in ends the session that it replaces', async () => {
  const { store } = watch()
  const site = startProcess(store)
  const tab = site.open()
  await enter(tab)
  const copy = copyCookies(tab)
  await enter(tab)
  expect(await site.read(copy)).toBeNull()
  expect(await site.read(copyCookies(tab))).toBe(ADA)
})

test('a sign-in that fails ends no session', async () => {
  const { store } = watch()
  const site = startProcess(store)
  const tab = site.open()
  await enter(tab)
  const copy = copyCookies(tab)
  await enter(tab, { username: 'ada', password: 'wrong' })
  expect(await site.read(copy)).toBe(ADA)
})

describe('one session', () => {
  test('ends, and no other one', async () => {
    const { store } = watch()
    const site = startProcess(store)
    const [phone, laptop] = [site.open(), site.open()]
    await enter(phone)
    await enter(laptop)
    const subject = await site.session.subject(site.context(copyCookies(phone)))
    const sid = (await subject?.sid()) ?? ''
    expect(await site.session.endOne(site.context(), '1', sid)).toBe(true)
    expect(await site.session.endOne(site.context(), '1', sid)).toBe(false)
    expect(await phone.session()).toBeNull()
    expect(copyCookies(phone)).toBe('')
    expect(await laptop.session()).not.toBeNull()
  })

  test('is not ended by its id as that of another user', async () => {
    const { store } = watch()
    const site = startProcess(store)
    const tab = site.open()
    await enter(tab)
    const subject = await site.session.subject(site.context(copyCookies(tab)))
    await site.session.endOne(site.context(), '2', (await subject?.sid()) ?? '')
    expect(await tab.session()).not.toBeNull()
  })
})

describe('all sessions of a user', () => {
  test('end, and a sign-in that follows at once is valid', async () => {
    const { store } = watch()
    const [one, two] = [startProcess(store), startProcess(store)]
    const tab = one.open()
    await enter(tab)
    expect(await two.session.endAll(two.context(), '1', NONE)).toBe(true)
    expect(await tab.session()).toBeNull()
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    expect(await two.read(copyCookies(tab))).toBe(ADA)
    await two.session.endAll(two.context(), '1', NONE)
    expect(await tab.session()).toBeNull()
  })

  test('end but for that of the browser, also when it has spared others before', async () => {
    const { store } = watch()
    const site = startProcess(store)
    const tabs = [site.open(), site.open(), site.open()]
    for (const tab of tabs) await enter(tab)
    const [phone, laptop, tablet] = tabs.map(copyCookies) as [string, string, string]
    const all = async () => [
      await site.read(phone),
      await site.read(laptop),
      await site.read(tablet),
    ]
    await site.session.endAll(site.context(phone), '1', { spare: 'current' })
    expect(await all()).toEqual([ADA, null, null])
    const ended = await site.session.subject(site.context(laptop))
    expect(ended).toBeNull()
    // Sparing a session that has ended does not revive it.
    const sid = (token: string) => site.session.subject(site.context(token))
    await site.session.endAll(site.context(laptop), '1', { spare: 'current' })
    expect(await all()).toEqual([null, null, null])
    expect(await sid(phone)).toBeNull()
  })

  test('end in all processes, whose clocks differ by two minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { store } = watch()
    const behind = startProcess(store)
    const ahead = startProcess(store)
    const now = Date.now()
    vi.setSystemTime(now + 119_000)
    const tab = ahead.open()
    await enter(tab)
    vi.setSystemTime(now)
    await behind.session.endAll(behind.context(), '1', NONE)
    vi.setSystemTime(now + 119_000)
    expect(await tab.session()).toBeNull()
    // And the other way round: a process that is behind signs in after one that is ahead has ended all sessions.
    await ahead.session.endAll(ahead.context(), '1', NONE)
    vi.setSystemTime(now)
    const later = behind.open()
    await enter(later)
    expect(await later.session()).not.toBeNull()
  })

  test('end again by a process whose clock is behind, also those that began after the first end', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { store } = watch()
    const site = startProcess(store)
    const behind = startProcess(store)
    const now = Date.now()
    await site.session.endAll(site.context(), '1', NONE)
    vi.setSystemTime(now + 10_000)
    const [spared, other] = [site.open(), site.open()]
    await enter(spared)
    await enter(other)
    const [kept, ended] = [copyCookies(spared), copyCookies(other)]
    vi.setSystemTime(now - 40_000)
    await behind.session.endAll(behind.context(kept), '1', { spare: 'current' })
    vi.setSystemTime(now + 21_000)
    expect([await site.read(kept), await site.read(ended)]).toEqual([ADA, null])
    vi.setSystemTime(now - 39_000)
    await behind.session.endAll(behind.context(), '1', NONE)
    vi.setSystemTime(now + 22_000)
    expect(await site.read(kept)).toBeNull()
  })

  test('end only if they started before a time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { store } = watch()
    const site = startProcess(store)
    const [old, young] = [site.open(), site.open()]
    await enter(old)
    vi.setSystemTime(Date.now() + 10_000)
    const startedBefore = new Date()
    await enter(young)
    await site.session.endAll(site.context(), '1', { spare: 'none', startedBefore })
    expect([await old.session(), (await young.session())?.user?.name]).toEqual([null, ADA])
    // An older time does not revive them.
    const older = new Date(Date.now() - 60_000)
    await site.session.endAll(site.context(), '1', { spare: 'none', startedBefore: older })
    expect(await old.session()).toBeNull()
  })

  test('end when calls of all processes do it at the same time', async () => {
    const { store } = watch()
    const sites = Array.from({ length: 3 }, () => startProcess(store))
    const [site] = sites as [(typeof sites)[0]]
    const tabs = [site.open(), site.open()]
    for (const tab of tabs) await enter(tab)
    const calls = Array.from({ length: 20 }, (_, index) => {
      const each = sites[index % 3] ?? site
      return each.session.endAll(each.context(), '1', NONE)
    })
    expect(await Promise.all(calls)).toEqual(calls.map(() => true))
    for (const tab of tabs) expect(await tab.session()).toBeNull()
  })

  test('end with the one of a sign-in whose password was checked before', async () => {
    const { store } = watch()
    const gate = openGate()
    const site = startProcess(
      store,
      {},
      {
        async authorize() {
          await gate.passed
          return { id: '1', name: ADA, email: 'ada@example.com' }
        },
      },
    )
    const tab = site.open()
    const entering = enter(tab)
    await new Promise((resolve) => void setTimeout(resolve, 50))
    await site.session.endAll(site.context(), '1', NONE)
    await new Promise((resolve) => void setTimeout(resolve, 5))
    gate.open()
    await entering
    expect(await tab.session()).toBeNull()
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
  })

  test('of the user who has signed in end, also one that acts as another user', async () => {
    const callbacks: CallbacksOptions = {
      jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, sub: '2' } : token),
    }
    const { store } = watch()
    const site = startProcess(store, { callbacks })
    for (const userId of ['1', '2']) {
      const tab = site.open()
      await enter(tab)
      const json = { csrfToken: await tab.csrfToken(), data: {} }
      await tab.request('session', { method: 'POST', json })
      expect((await claimsOf(tab))?.sub).toBe('2')
      expect(await tab.session()).not.toBeNull()
      await site.session.endAll(site.context(), userId, NONE)
      expect(await tab.session()).toBeNull()
      // A sign-in of the same millisecond counts as one that was overtaken.
      await new Promise((resolve) => void setTimeout(resolve, 5))
    }
  })
})

test('without a database, all sessions of the id that the jwt callback sets end, and a sign-in that follows is valid', async () => {
  stopClock()
  const callbacks: CallbacksOptions = {
    jwt: ({ token, account, trigger }) => ({
      ...token,
      ...(account && { sub: `account ${account.providerAccountId}` }),
      ...(trigger === 'update' && { sub: 'another' }),
    }),
  }
  const { store } = watch()
  const site = startProcess(store, { callbacks })
  const first = site.open()
  await enter(first)
  await site.session.endAll(site.context(), 'another', NONE)
  await site.session.endAll(site.context(), 'account 1', NONE)
  expect(await first.session()).toBeNull()
  await pass(1)
  const second = site.open()
  await enter(second)
  expect(await second.session()).not.toBeNull()
  const copy = copyCookies(second)
  await pass(1)
  await site.session.endAll(site.context(), 'account 1', NONE)
  expect(await site.read(copy)).toBeNull()
  await pass(1)
  // What it shows of one id says nothing about another one.
  const third = site.open()
  await enter(third)
  expect(await third.session()).not.toBeNull()
  await third.post('session')
  expect(await third.session()).toBeNull()
})

describe('a session from before the option', () => {
  test('ends at the sign-out, and with all sessions of the user', async () => {
    const { store } = watch()
    const before = startProcess(store, { session: {} })
    const site = startProcess(store)
    const [one, two] = [before.open(), before.open()]
    await enter(one)
    await new Promise((resolve) => void setTimeout(resolve, 1001))
    await enter(two)
    const [phone, laptop] = [copyCookies(one), copyCookies(two)]
    expect([await site.read(phone), await site.read(laptop)]).toEqual([ADA, ADA])
    await site.session.destroy(site.context(phone))
    expect([await site.read(phone), await site.read(laptop)]).toEqual([null, ADA])
    await site.session.endAll(site.context(), '1', NONE)
    expect(await site.read(laptop)).toBeNull()
  })

  test('that nothing distinguishes from others of the user ends none of them at its sign-out', async () => {
    const { store } = watch()
    const decode = async () => ({ sub: '1', name: ADA })
    const site = startProcess(store, { jwt: { decode } })
    const cookie = await cookieFor({ sub: '1' })
    await site.session.destroy(site.context(cookie))
    expect(await site.read(cookie)).toBe(ADA)
  })

  test('and from when sessions were longer is rejected: its record could expire before it', async () => {
    const { store } = watch()
    const site = startProcess(store, options({}, { maxAge: 3600 }))
    const token = { sub: '1', name: ADA }
    const hours = (count: number) => cookieFor(token, { maxAge: count * 3600 })
    vi.useFakeTimers({ toFake: ['Date'] })
    const cookie = await hours(24)
    expect(await site.read(cookie)).toBe(ADA)
    vi.setSystemTime(Date.now() + 3600_000 + 121_000)
    expect(await site.read(cookie)).toBeNull()
  })
})

describe('a session of next-auth', () => {
  interface Migrated {
    readonly site: Site
    /** The cookies of two sessions of Ada, one of which was renewed. */
    readonly old: string
    readonly renewed: string
    readonly before: string
  }

  async function migrated(overrides: Partial<AuthConfig> = {}): Promise<Migrated> {
    stopClock()
    const claims = { sub: '1', name: ADA }
    const old = await oldCookie(claims)
    await pass(10)
    const before = await oldCookie(claims)
    await pass(10)
    const { store } = watch()
    const site = startProcess(store, { migrateSessions: true, ...overrides })
    const tab = site.open()
    takeCookies(tab, (await readWith(before, site.config)).headers)
    const renewed = copyCookies(tab)
    expect(renewed).not.toBe('')
    return { site, old, before, renewed }
  }

  const read = ({ site, old, before, renewed }: Migrated) =>
    Promise.all([old, before, renewed].map((cookie) => site.read(cookie)))

  test('ends at its sign-out with all copies of its cookies, and no other one', async () => {
    const sessions = await migrated()
    const { site, renewed } = sessions
    expect(await read(sessions)).toEqual([ADA, ADA, ADA])
    await site.session.destroy(site.context(renewed))
    expect(await read(sessions)).toEqual([ADA, null, null])
  })

  test.each<[string, Partial<AuthConfig>]>([
    ['without a list', {}],
    ['with a list', { session: { devices: 'listed' } }],
    ['with maxStaleness', { session: { revocation: { maxStaleness: 30 } } }],
  ])('ends with all sessions of the user, %s', async (_what, overrides) => {
    const sessions = await migrated(overrides)
    const { site } = sessions
    expect(await read(sessions)).toEqual([ADA, ADA, ADA])
    await governSessions(site.config).revokeAll('1')
    expect(await read(sessions)).toEqual([null, null, null])
    await pass(1)
    const tab = site.open()
    await enter(tab)
    expect(await site.read(copyCookies(tab))).toBe(ADA)
  })

  test('ends from another one, and stays if it is the one that ends the others', async () => {
    const sessions = await migrated({ session: { devices: 'listed' } })
    const { site, renewed } = sessions
    const headers = {
      cookie: renewed,
      host: 'app.test',
      origin: 'https://app.test',
      'sec-fetch-site': 'same-origin',
    }
    await revokeOtherSessions(new Request('https://app.test/', { headers }), site.config)
    expect(await read(sessions)).toEqual([null, ADA, ADA])
  })

  test('does not end with those of another user', async () => {
    const sessions = await migrated()
    await governSessions(sessions.site.config).revokeAll('2')
    expect(await read(sessions)).toEqual([ADA, ADA, ADA])
  })

  test('ends with all others if it has no exp', async () => {
    const { site } = await migrated()
    const key = await keyFor(SECRET, OLD_SECURE, 'next-auth')
    const iat = Math.floor(Date.now() / 1000)
    const claims = JSON.stringify({ sub: '1', name: ADA, iat })
    const cookie = `${OLD_SECURE}=${await encryptText(key, claims)}`
    expect(await site.read(cookie)).toBe(ADA)
    await site.session.endAll(site.context(), '1', NONE)
    expect(await site.read(cookie)).toBeNull()
  })
})

test('a session with a lifetime of its own stays valid for it, and stays ended for it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { store } = watch()
  const day = 24 * 3600
  const lifetime = () => ({ idle: 90 * day })
  const site = startProcess(store, options({}, { maxAge: day, lifetime }))
  const [left, ended] = [site.open(), site.open()]
  await enter(left)
  await enter(ended)
  const [copy, other] = [copyCookies(left), copyCookies(ended)]
  await signOut(ended)
  vi.setSystemTime(Date.now() + 80 * day * 1000)
  expect([await site.read(copy), await site.read(other)]).toEqual([ADA, null])
})

describe('if the store is down', () => {
  test('a session cannot be read, and its cookie stays', async () => {
    const watched = watch()
    const site = startProcess(watched.store)
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    watched.fault = down
    expect((await tab.request('session')).status).toBe(503)
    await expect(site.read(copy)).rejects.toMatchObject({ type: 'SessionUnavailable' })
    expect(copyCookies(tab)).toBe(copy)
    watched.fault = undefined
    expect(await site.read(copy)).toBe(ADA)
  })

  test('no session begins', async () => {
    const watched = watch()
    const site = startProcess(watched.store)
    watched.fault = down
    const tab = site.open()
    expect((await enter(tab)).headers.get('location')).toContain('error=')
    expect(copyCookies(tab)).toBe('')
    expect(site.log.errors.at(-1)).toMatchObject({ type: 'SessionUnavailable' })
  })

  test('nothing is reported as ended', async () => {
    const watched = watch()
    const site = startProcess(watched.store)
    watched.fault = down
    const error = { type: 'AdapterError' }
    await expect(site.session.endOne(site.context(), '1', 'x')).rejects.toMatchObject(error)
    await expect(site.session.endAll(site.context(), '1', NONE)).rejects.toMatchObject(error)
  })

  test('a session that was valid a moment ago is accepted with acceptFor, and one that has ended is not', async () => {
    stopClock()
    const watched = watch()
    const site = startProcess(watched.store, options({ whenDown: { acceptFor: 60 } }))
    const [valid, ended, unread] = [site.open(), site.open(), site.open()]
    for (const tab of [valid, ended, unread]) await enter(tab)
    const copies = [valid, ended, unread].map(copyCookies) as [string, string, string]
    for (const copy of copies.slice(0, 2)) expect(await site.read(copy)).toBe(ADA)
    await signOut(ended)
    await pass(1)
    expect(await site.read(copies[0])).toBe(ADA)
    watched.fault = down
    await pass(59)
    expect(await site.read(copies[0])).toBe(ADA)
    expect(await site.read(copies[1])).toBeNull()
    await expect(site.read(copies[2])).rejects.toMatchObject({ type: 'SessionUnavailable' })
    await pass(2)
    await expect(site.read(copies[0])).rejects.toMatchObject({ type: 'SessionUnavailable' })
  })

  test('with acceptFor, a store that hangs delays a request by a second at most', async () => {
    const watched = watch()
    const site = startProcess(watched.store, options({ whenDown: { acceptFor: 60 } }))
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    await site.read(copy)
    watched.fault = () => new Promise(() => undefined)
    const begun = performance.now()
    expect(await site.read(copy)).toBe(ADA)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

describe('maxStaleness', () => {
  test('bounds for how long another process accepts a session that has ended', async () => {
    stopClock()
    const { store } = watch()
    const [one, two] = [30, 30].map((maxStaleness) =>
      startProcess(anotherObject(store), options({ maxStaleness })),
    ) as [ReturnType<typeof startProcess>, ReturnType<typeof startProcess>]
    const tab = one.open()
    await enter(tab)
    const copy = copyCookies(tab)
    expect([await one.read(copy), await two.read(copy)]).toEqual([ADA, ADA])
    forgetOtherCopies()
    await signOut(tab)
    forgetOtherCopies()
    expect(await one.read(copy)).toBeNull()
    await pass(29)
    for (const _each of [1, 2, 3]) expect(await two.read(copy)).toBe(ADA)
    await pass(2)
    expect(await two.read(copy)).toBeNull()
  })

  test.each([
    ['maxStaleness', { maxStaleness: 3600 }],
    ['acceptFor', { whenDown: { acceptFor: 3600 } }],
  ])(
    'a session that %s has extended after its end does not come back when its record expires',
    async (_name, revocation) => {
      stopClock()
      const { store } = watch()
      const settings = options(revocation, { maxAge: 7200, updateAge: 0 })
      const isolated = watch({ ...store })
      const [one, two] = [
        startProcess({ ...store }, settings),
        startProcess(isolated.store, settings),
      ]
      const tab = one.open()
      await enter(tab)
      const copy = copyCookies(tab)
      expect(await two.read(copy)).toBe(ADA)
      isolated.fault = down
      forgetOtherCopies()
      await signOut(tab)
      forgetOtherCopies()
      await pass(3590)
      const { session, headers } = await readWith(copy, two.config)
      expect(session?.user?.name).toBe(ADA)
      const [renewed = ''] = headers.getSetCookie()[0]?.split(';') ?? []
      isolated.fault = undefined
      await pass(30)
      expect(await two.read(renewed)).toBeNull()
      await pass(3700)
      // Valid for another three minutes, if it had not ended.
      expect(await startProcess({ ...store }, settings).read(renewed)).toBeNull()
    },
  )

  test.each<[string, object, number, number]>([
    ['0: each read reads the store', {}, 5, 5],
    ['30: one of 30 seconds does', { maxStaleness: 30 }, 5, 1],
  ])('%s', async (_title, revocation, reads, expected) => {
    stopClock()
    const watched = watch()
    const site = startProcess(watched.store, options(revocation))
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    watched.calls.length = 0
    for (let count = 0; count < reads; count++) await site.read(copy)
    expect(watched.calls).toEqual(Array.from({ length: expected }, () => 'readRecords'))
    watched.calls.length = 0
    await pass(31)
    await Promise.all(Array.from({ length: reads }, () => site.read(copy)))
    expect(watched.calls).toHaveLength(expected)
  })

  test('does not delay the end in the process that ends it, in any copy of the library there', async () => {
    const { store } = watch()
    const sites = [30, 30].map((maxStaleness) =>
      startProcess(anotherObject(store), options({ maxStaleness })),
    )
    const [one, two] = sites as [(typeof sites)[0], (typeof sites)[0]]
    const tab = one.open()
    await enter(tab)
    const copy = copyCookies(tab)
    // The second time without a look at the session.
    for (const _each of [1, 2, 3]) expect(await two.read(copy)).toBe(ADA)
    await new Promise((resolve) => void setTimeout(resolve, 2))
    await one.session.endAll(one.context(), '1', NONE)
    expect([await one.read(copy), await two.read(copy)]).toEqual([null, null])
  })

  test('does not delay the end of one session, nor of all that another session has learned of', async () => {
    stopClock()
    const { store } = watch()
    const [one, two] = [30, 30].map((maxStaleness) =>
      startProcess(anotherObject(store), options({ maxStaleness })),
    ) as [ReturnType<typeof startProcess>, ReturnType<typeof startProcess>]
    const [tab, other, third] = [one.open(), one.open(), one.open()]
    for (const each of [tab, other, third]) await enter(each)
    const copies = [tab, other, third].map(copyCookies)
    const readAll = () => Promise.all(copies.map((copy) => two.read(copy)))
    for (const _each of [1, 2, 3]) expect(await readAll()).toEqual([ADA, ADA, ADA])
    const sid = await (await two.session.subject(two.context(copies[0])))?.sid()
    await two.session.endOne(two.context(), '1', sid ?? '')
    await pass(1)
    expect(await readAll()).toEqual([null, ADA, ADA])
    await pass(1)
    await one.session.endAll(one.context(), '1', NONE)
    forgetOtherCopies()
    await pass(20)
    expect((await readAll()).slice(1)).toEqual([ADA, ADA])
    // A session that this process has not seen yet is looked up.
    await enter(tab)
    expect(await two.read(copyCookies(tab))).toBe(ADA)
    expect(await readAll()).toEqual([null, null, null])
  })

  test('does not keep the answer of a read that began before the session ended', async () => {
    const watched = watch()
    const site = startProcess(watched.store, options({ maxStaleness: 30 }))
    const tab = site.open()
    await enter(tab)
    const copy = copyCookies(tab)
    const gate = openGate()
    const slow = startProcess(
      {
        ...watched.store,
        async readRecords(keys) {
          const records = await watched.store.readRecords(keys)
          await gate.passed
          return records
        },
      },
      options({ maxStaleness: 30 }),
    )
    const reading = slow.read(copy)
    await new Promise((resolve) => void setTimeout(resolve, 20))
    const subject = await site.session.subject(site.context(copy))
    await slow.session.endOne(slow.context(), '1', (await subject?.sid()) ?? '')
    gate.open()
    await reading
    expect(await slow.read(copy)).toBeNull()
  })

  const facts = { via: 'op', amr: ['pwd'], idle: 60, absolute: null, keep: true }

  test.each([
    ['another user', { sub: '2' }, {}],
    ['another user who signed in', {}, { by: '2' }],
    ['another start', {}, { startedAt: 1 }],
  ])(
    'what the process knows of a session does not hold for a token of its id and %s',
    async (_name, claims, lib) => {
      const { store } = watch()
      const site = startProcess(store, options({ maxStaleness: 30 }))
      const own = { sid: 'one', startedAt: Date.now() - 1000, ...facts }
      const ended = await cookieFor({ sub: '1', name: ADA, ...claims, lib: { ...own, ...lib } })
      const stands = await cookieFor({ sub: '1', name: ADA, lib: own })
      await site.session.endAll(site.context(), '2', NONE)
      await site.session.endAll(site.context(), '1', { ...NONE, startedBefore: new Date(1000) })
      for (const _each of [1, 2, 3]) expect(await site.read(stands)).toBe(ADA)
      expect(await site.read(ended)).toBeNull()
      expect(await site.read(stands)).toBe(ADA)
    },
  )

  test('an older token of the session, from when sessions were longer, is rejected', async () => {
    stopClock()
    const { store } = watch()
    const site = startProcess(store, options({ maxStaleness: 3600 }, { maxAge: 3600 }))
    const token = {
      sub: '1',
      name: ADA,
      lib: { sid: 'one', startedAt: Date.now(), ...facts, idle: 86_400 },
    }
    const old = await cookieFor(token, { maxAge: 86_400 })
    await pass(3600 + 121)
    const renewed = await cookieFor(token, { maxAge: 86_400 })
    for (const _each of [1, 2]) expect(await site.read(renewed)).toBe(ADA)
    expect(await site.read(old)).toBeNull()
  })
})

/** Another object with the same records, as in another process. */
function anotherObject(store: NonNullable<AuthConfig['store']>): NonNullable<AuthConfig['store']> {
  return { ...store }
}

/** What other copies of the library in this process have ended is unknown to another process. */
function forgetOtherCopies(): void {
  const scope = globalThis as { [MEMORY]?: { revocations?: Map<string, number> } }
  scope[MEMORY]?.revocations?.clear()
}

const MEMORY = Symbol.for('lib-auth.process.1')

test('a session without the option is read without a call, although the adapter has records', async () => {
  const calls: string[] = []
  const adapter = new Proxy(MemoryAdapter(), {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        calls.push(String(name))
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
  const site = startProcess(
    undefined,
    { adapter, session: { strategy: 'jwt' } },
    { createUser: true },
  )
  const tab = site.open()
  await enter(tab)
  calls.length = 0
  expect(await tab.session()).not.toBeNull()
  expect(calls).toEqual([])
})

test('getToken returns no claims of a session that has ended', async () => {
  const watched = watch()
  const site = startProcess(watched.store)
  const tab = site.open()
  await enter(tab)
  const headers = { cookie: copyCookies(tab), host: 'app.test', 'x-forwarded-proto': 'https' }
  const read = () => getToken({ req: { headers }, config: site.config })
  expect(await read()).toMatchObject({ sub: '1' })
  watched.fault = down
  await expect(read()).rejects.toMatchObject({ type: 'SessionUnavailable' })
  watched.fault = undefined
  await site.session.endAll(site.context(), '1', NONE)
  expect(await read()).toBeNull()
  const alone = { secret: site.config.secret ?? '', session: { revocation: {} } }
  await expect(getToken({ req: { headers }, ...alone })).rejects.toThrow(/Set store/)
})

test('a record that cannot be read rejects the sessions of the user until all of them are ended again', async () => {
  const watched = watch()
  const site = startProcess(watched.store)
  const tab = site.open()
  await enter(tab)
  const copy = copyCookies(tab)
  let key = ''
  const spying = startProcess({
    ...watched.store,
    writeRecord(record, ...expected) {
      key = record.key
      return watched.store.writeRecord({ ...record, value: 'x' }, ...expected)
    },
  })
  await spying.session.endAll(spying.context(), '1', NONE)
  expect(key).toMatch(/^before:/)
  await expect(site.read(copy)).rejects.toMatchObject({ type: 'SessionUnavailable' })
  await site.session.endAll(site.context(), '1', NONE)
  expect(await site.read(copy)).toBeNull()
})

test('an adapter that is loaded on first use and has no records makes no session valid', async () => {
  const { readRecords: _read, ...lacking } = MemoryAdapter()
  const site = startProcess(undefined, {
    adapter: async () => lacking,
    session: { strategy: 'jwt', revocation: {} },
  })
  const cookie = await cookieFor({ sub: '1', name: ADA })
  await expect(site.read(cookie)).rejects.toMatchObject({ type: 'MissingAdapterMethods' })
})

test.each<[string, Partial<AuthConfig>]>([
  ['session.revocation is not an object', { session: { revocation: true as never } }],
  ['session.revocation.maxStaleness', { session: { revocation: { maxStaleness: -1 } } }],
  ['session.revocation.maxStaleness', { session: { revocation: { maxStaleness: Number.NaN } } }],
  ['from 0 to 3600', { session: { revocation: { maxStaleness: 3601 } } }],
  ['"refuse" or', { session: { revocation: { whenDown: 'accept' as never } } }],
  ['acceptFor', { session: { revocation: { whenDown: { acceptFor: Infinity } } } }],
  ['acceptFor', { session: { revocation: { whenDown: {} as never } } }],
  ['Set store', { store: undefined }],
  [
    'is for session.strategy "jwt"',
    { adapter: MemoryAdapter(), session: { revocation: {}, strategy: 'database' } },
  ],
])('reports a wrong option: %s', async (message, overrides) => {
  const { store } = watch()
  expect(() => startProcess('store' in overrides ? undefined : store, overrides)).toThrow(message)
})
