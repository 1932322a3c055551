/** Sessions that are listed, ended from others, and limited in number (acceptance B1, B7). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { SessionLifetime } from '../../../src/core/config/types.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { requireAuth } from '../../../src/index.ts'
import {
  governSessions,
  listSessions,
  revokeOtherSessions,
  revokeSession,
} from '../../../src/sessions.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter } from '../../config.ts'
import { DAY, takeCookies } from '../../sessions.ts'
import { forEachPlace } from '../tokens/places.ts'
import { copyCookies, down, startProcess, watch } from './revocation-site.ts'
import type { Site } from './revocation-site.ts'

const ADA = 'Ada Lovelace'
const HOUR = 3600

afterEach(() => void vi.useRealTimers())

interface Kind {
  readonly strategy: 'jwt' | 'database'
  readonly hashTokens?: boolean
}

function startSite(
  adapter: Adapter,
  kind: Kind,
  overrides: Partial<AuthConfig> = {},
  provider: Parameters<typeof startProcess>[2] = {},
): Site {
  const { strategy, hashTokens } = kind
  const session = { strategy, ...(hashTokens && { hashTokens }), ...overrides.session }
  const storage = strategy === 'jwt' ? { store: adapter as AuthConfig['store'] } : { adapter }
  return startProcess(
    undefined,
    { ...storage, ...overrides, session },
    { createUser: true, ...provider },
  )
}

function requestOf(tab: Browser, more: Record<string, string> = {}): Request {
  return new Request('https://app.test/', {
    headers: {
      cookie: copyCookies(tab),
      host: 'app.test',
      origin: 'https://app.test',
      'sec-fetch-site': 'same-origin',
      ...more,
    },
  })
}

async function signedIn(site: Site, count: number): Promise<Browser[]> {
  const tabs: Browser[] = []
  for (let each = 0; each < count; each++) {
    const tab = site.open()
    await enter(tab)
    tabs.push(tab)
    await new Promise((resolve) => void setTimeout(resolve, 3))
  }
  return tabs
}

async function sids(site: Site, tab: Browser): Promise<string[]> {
  const { value } = await listSessions(requestOf(tab), site.config)
  return value?.sessions.map(({ sid }) => sid) ?? []
}

async function valid(site: Site, tabs: readonly Browser[]): Promise<boolean[]> {
  const names = await Promise.all(tabs.map((tab) => site.read(copyCookies(tab))))
  return names.map((name) => name === ADA)
}

const LISTED = { session: { devices: 'listed' } } as const

function testSessions(open: () => Promise<Adapter>, kind: Kind): void {
  test('lists the sessions of the user, newest first', async () => {
    const site = startSite(await open(), kind, LISTED)
    const tabs = await signedIn(site, 3)
    const { value } = await listSessions(requestOf(tabs[1] as Browser), site.config)
    expect(value?.nextCursor).toBeNull()
    expect(value?.sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, true, false])
    const starts = value?.sessions.map(({ startedAt }) => startedAt?.getTime() ?? 0) ?? []
    expect(starts).toEqual([...starts].sort((one, other) => other - one))
    expect(value?.sessions[0]).toMatchObject({ via: 'password', device: null })
    expect(value?.sessions[0]?.expires.getTime()).toBeGreaterThan(Date.now())
    expect(await listSessions(new Request('https://app.test/'), site.config)).toMatchObject({
      value: null,
    })
  })

  test('ends one, and reports it', async () => {
    const events: unknown[] = []
    const audited: unknown[] = []
    const site = startSite(await open(), kind, {
      ...LISTED,
      events: { revokeSession: (message) => void events.push(message) },
      audit: { write: (event) => void audited.push(event) },
    })
    const tabs = await signedIn(site, 3)
    const [first, second] = tabs as [Browser, Browser]
    const [, sid = ''] = await sids(site, first)
    expect((await revokeSession(requestOf(first), site.config, sid)).value).toBe(true)
    expect((await revokeSession(requestOf(first), site.config, sid)).value).toBe(false)
    expect(await valid(site, tabs)).toEqual([true, false, true])
    expect(await second.session()).toBeNull()
    expect(await sids(site, first)).toHaveLength(2)
    expect(events).toEqual([expect.objectContaining({ sid, reason: 'user' })])
    const target = { kind: 'session', id: sid }
    expect(audited).toContainEqual(expect.objectContaining({ type: 'session.ended', target }))
  })

  test('does not end that of another user', async () => {
    const adapter = await open()
    const site = startSite(adapter, kind, LISTED)
    const authorize = () => ({ id: '2', name: 'Mallory', email: 'mallory@example.com' })
    const mallory = startSite(adapter, kind, LISTED, { authorize })
    const [ada] = (await signedIn(site, 1)) as [Browser]
    const [tab] = (await signedIn(mallory, 1)) as [Browser]
    const [sid = ''] = await sids(site, ada)
    const [own = ''] = await sids(mallory, tab)
    expect(sid).not.toBe(own)
    for (const given of [sid, 'unknown', '', '__proto__', 'x'.repeat(1000)])
      expect((await revokeSession(requestOf(tab), mallory.config, given)).value).toBe(false)
    expect((await revokeOtherSessions(requestOf(tab), mallory.config)).value).toBe(0)
    expect(await valid(site, [ada])).toEqual([true])
  })

  test('ends the others, and not for a page of another site', async () => {
    const site = startSite(await open(), kind, LISTED)
    const tabs = await signedIn(site, 3)
    const [, second] = tabs as [Browser, Browser]
    const foreign = requestOf(second, {
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
    })
    await expect(revokeOtherSessions(foreign, site.config)).rejects.toMatchObject({
      type: 'MissingCSRF',
    })
    expect(await valid(site, tabs)).toEqual([true, true, true])
    expect((await revokeOtherSessions(requestOf(second), site.config)).value).toBe(2)
    expect(await valid(site, tabs)).toEqual([false, true, false])
    expect(await sids(site, second)).toHaveLength(1)
    const [again] = (await signedIn(site, 1)) as [Browser]
    expect(await valid(site, [second, again])).toEqual([true, true])
  })

  test('lets the application list and end those of any user', async () => {
    const site = startSite(await open(), kind, LISTED)
    const tabs = await signedIn(site, 3)
    const subject = await site.session.subject(site.context(copyCookies(tabs[0] as Browser)))
    const userId = subject?.id ?? ''
    const govern = governSessions(site.config)
    const { sessions } = await govern.list(userId)
    const [newest, middle] = sessions.map(({ sid }) => sid) as [string, string]
    expect(await govern.revoke(userId, newest)).toBe(true)
    expect(await valid(site, tabs)).toEqual([true, true, false])
    expect(await govern.revoke('nobody', middle)).toBe(false)
    expect(await govern.revokeAll(userId, { except: middle })).toBe(1)
    expect(await valid(site, tabs)).toEqual([false, true, false])
    // A session that has ended is not revived by sparing it.
    await govern.revokeAll(userId, { except: [newest] })
    expect(await valid(site, tabs)).toEqual([false, false, false])
    expect((await govern.list(userId)).sessions).toEqual([])
  })

  test('keeps the newest ones with maxPerUser', async () => {
    const events: unknown[] = []
    const site = startSite(await open(), kind, {
      session: { maxPerUser: 2 },
      events: { revokeSession: ({ reason }) => void events.push(reason) },
    })
    const tabs = await signedIn(site, 4)
    expect(await valid(site, tabs)).toEqual([false, false, true, true])
    expect(events).toEqual(['limit', 'limit'])
  })

  describe('with lifetimes of their own', () => {
    /** Signs in a new browser, whose session has this lifetime. */
    async function startLimited(maxPerUser: number) {
      vi.useFakeTimers({ toFake: ['Date'] })
      // Redis has a clock of its own, which deletes what has expired.
      vi.setSystemTime(Date.now() + DAY * 1000)
      let chosen: SessionLifetime = {}
      const ended: string[] = []
      const site = startSite(await open(), kind, {
        session: { maxPerUser, lifetime: () => chosen },
        events: { revokeSession: ({ sid }) => void ended.push(sid) },
      })
      const signIn = async (lifetime: SessionLifetime) => {
        chosen = lifetime
        const tab = site.open()
        await enter(tab)
        return tab
      }
      return { site, ended, signIn }
    }

    const wait = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000)

    test.each<[string, SessionLifetime]>([
      ['an idle timeout', { idle: HOUR }],
      ['an absolute timeout', { absolute: HOUR }],
      ['both', { idle: 2 * HOUR, absolute: HOUR }],
    ])('one that %s has ended does not count', async (_what, short) => {
      const { site, ended, signIn } = await startLimited(2)
      const long = await signIn({ idle: 30 * DAY })
      const brief = await signIn(short)
      wait(HOUR - 1)
      expect(await valid(site, [long, brief])).toEqual([true, true])
      wait(2 * HOUR)
      expect(await sids(site, long)).toHaveLength(1)
      const other = await signIn({})
      expect(ended).toEqual([])
      expect(await valid(site, [long, brief, other])).toEqual([true, false, true])
    })

    test('the oldest one ends, however long it lasts', async () => {
      const { site, ended, signIn } = await startLimited(2)
      const long = await signIn({ idle: 400 * DAY })
      const brief = await signIn({ absolute: 60 })
      const other = await signIn({ idle: 60 })
      expect(ended).toHaveLength(1)
      expect(await valid(site, [long, brief, other])).toEqual([false, true, true])
    })

    test('one with a short idle timeout is listed and counts for as long as it is used', async () => {
      const { site, ended, signIn } = await startLimited(2)
      const used = await signIn({ idle: 600 })
      const other = await signIn({ idle: 30 * DAY })
      for (let each = 0; each < 10; each++) {
        wait(240)
        expect(await used.session()).not.toBeNull()
        expect(await sids(site, other)).toHaveLength(2)
      }
      const third = await signIn({})
      expect(ended).toHaveLength(1)
      expect(await valid(site, [used, other, third])).toEqual([false, true, true])
    })

    if (kind.strategy === 'database')
      test('one whose row is gone does not count', async () => {
        const { site, ended, signIn } = await startLimited(2)
        const long = await signIn({ idle: 90 * DAY })
        const brief = await signIn({ idle: 30 * DAY })
        // Seen later than it was extended.
        wait(DAY - 60)
        expect(await valid(site, [brief])).toEqual([true])
        wait(29 * DAY + 120)
        await signIn({})
        expect(ended).toEqual([])
        expect(await valid(site, [long, brief])).toEqual([true, false])
      })

    test('the list shows when each ends', async () => {
      const { site, signIn } = await startLimited(3)
      await signIn({ idle: 30 * DAY, absolute: HOUR })
      await signIn({ absolute: 2 * HOUR })
      const tab = await signIn({ idle: 60 })
      const { value } = await listSessions(requestOf(tab), site.config)
      const left = value?.sessions.map(({ expires }) => (expires.getTime() - Date.now()) / 1000)
      const rounded = left?.map((seconds) => Math.round(seconds / 60) * 60)
      expect(rounded?.sort((one, two) => one - two)).toEqual([60, HOUR, 2 * HOUR])
    })
  })

  test('a session that only requireAuth reads stays listed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + DAY * 1000)
    const site = startSite(await open(), kind, LISTED)
    const [tab] = (await signedIn(site, 1)) as [Browser]
    const subject = await site.session.subject(site.context(copyCookies(tab)))
    for (let week = 0; week < 6; week++) {
      vi.setSystemTime(Date.now() + 7 * DAY * 1000)
      const { headers } = await requireAuth(requestOf(tab), site.config, {})
      takeCookies(tab, headers)
    }
    const { sessions } = await governSessions(site.config).list(subject?.id ?? '')
    expect(sessions).toHaveLength(1)
    expect(Date.now() - (sessions[0]?.lastSeenAt?.getTime() ?? 0)).toBeLessThan(1000)
  })

  test('20 parallel sign-ins with maxPerUser 3 leave three sessions', async () => {
    const adapter = await open()
    const options = { session: { maxPerUser: 3 } }
    const sites = [1, 2].map(() => startSite(adapter, kind, options)) as [Site, Site]
    await signedIn(sites[0], 1)
    const tabs = Array.from({ length: 20 }, (_, index) => (sites[index % 2] as Site).open())
    await Promise.all(tabs.map((tab) => enter(tab)))
    const left = (await valid(sites[0], tabs)).filter(Boolean)
    expect(left).toHaveLength(3)
  })

  test('lists a session from before the option once it is used', async () => {
    const adapter = await open()
    const before = startSite(adapter, kind)
    const [old] = (await signedIn(before, 1)) as [Browser]
    const site = startSite(adapter, kind, LISTED)
    const [tab] = (await signedIn(site, 1)) as [Browser]
    expect(await valid(site, [old])).toEqual([true])
    expect(await sids(site, tab)).toHaveLength(2)
    expect((await revokeOtherSessions(requestOf(tab), site.config)).value).toBe(1)
    expect(await valid(site, [old, tab])).toEqual([false, true])
  })
}

await forEachPlace(
  ({ strategy, openAdapter }) => {
    testSessions(openAdapter, { strategy })
    if (strategy === 'database')
      describe('hashed', () => testSessions(openAdapter, { strategy, hashTokens: true }))
  },
  ['store'],
)

describe('the device', () => {
  const described = {
    session: { devices: 'described' },
    protection: { clientAddress: { header: 'x-real-ip' } },
  } as const

  /** The device of a new session, as its user sees it. */
  async function deviceOf(userAgent: string, address: string) {
    const { store } = watch()
    const site = startProcess(store, described)
    const tab = site.open()
    const csrfToken = await tab.csrfToken()
    const headers = { 'user-agent': userAgent, 'x-real-ip': address }
    const form = { username: 'ada', password: 'correct horse battery staple', csrfToken }
    await tab.request('callback/password', { method: 'POST', form, headers })
    const { value } = await listSessions(requestOf(tab), site.config)
    return value?.sessions.find(({ isCurrent }) => isCurrent)?.device
  }

  test('is the user agent, shortened, and the network of the address', async () => {
    for (const [address, network] of [
      ['203.0.113.77', '203.0.113.0/24'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
      ['nonsense', null],
    ] as const) {
      const device = await deviceOf('x'.repeat(500), address)
      expect(device).toEqual({ userAgent: 'x'.repeat(200), address: network })
    }
  })

  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
  ])('keeps the end of the user agent, which names the browser: %s', async (userAgent) => {
    expect((await deviceOf(userAgent, '203.0.113.77'))?.userAgent).toBe(userAgent)
  })

  test('is not stored with devices: listed, and nothing is stored in plain text', async () => {
    const adapter = MemoryAdapter()
    const site = startProcess(adapter, { ...described, session: { devices: 'listed' } })
    await signedIn(site, 1)
    const records = await adapter.listRecords('user:1')
    expect(records).toHaveLength(1)
    expect(JSON.stringify(records)).not.toContain('password')
  })
})

describe('if the store is down', () => {
  test('a sign-in continues without an entry, and the session is listed later', async () => {
    const watched = watch()
    const site = startProcess(watched.store, LISTED)
    watched.fault = (method) => method === 'writeRecord' && down()
    const [tab] = (await signedIn(site, 1)) as [Browser]
    expect(site.log.lines).toContainEqual(['warn', 'session-not-listed', expect.any(String)])
    expect(await valid(site, [tab])).toEqual([true])
    watched.fault = undefined
    const { value } = await listSessions(requestOf(tab), site.config)
    expect(value?.sessions).toMatchObject([{ isCurrent: true }])
  })

  test('with maxPerUser, no session begins', async () => {
    for (const failing of ['writeRecord', 'listRecords']) {
      const watched = watch()
      const site = startProcess(watched.store, { session: { maxPerUser: 1 } })
      watched.fault = (method) => method === failing && down()
      const [tab] = (await signedIn(site, 1)) as [Browser]
      expect(copyCookies(tab)).toBe('')
      expect(site.log.errors.at(-1)).toMatchObject({ type: 'SessionUnavailable' })
    }
  })

  test('nothing is reported as ended', async () => {
    const watched = watch()
    const site = startProcess(watched.store, LISTED)
    const [one, two] = (await signedIn(site, 2)) as [Browser, Browser]
    const [sid = ''] = await sids(site, one)
    watched.fault = (method) => method === 'writeRecord' && down()
    const error = { type: 'AdapterError' }
    await expect(revokeSession(requestOf(one), site.config, sid)).rejects.toMatchObject(error)
    await expect(revokeOtherSessions(requestOf(one), site.config)).rejects.toMatchObject(error)
    expect(await valid(site, [one, two])).toEqual([true, true])
  })

  test('after the sessions have ended, they are ended although the list is not up to date', async () => {
    const watched = watch()
    const site = startProcess(watched.store, LISTED)
    const [one, two] = (await signedIn(site, 2)) as [Browser, Browser]
    watched.fault = (method) => method === 'deleteRecords' && down()
    expect((await revokeOtherSessions(requestOf(one), site.config)).value).toBe(1)
    expect(await valid(site, [one, two])).toEqual([true, false])
  })
})

test('the last use is written every 15 minutes at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const watched = watch()
  const site = startProcess(watched.store, LISTED)
  const [tab] = (await signedIn(site, 1)) as [Browser]
  const copy = copyCookies(tab)
  const writes = () => watched.calls.filter((method) => method === 'writeRecord').length
  const before = writes()
  for (let minute = 0; minute < 14; minute++) {
    await site.read(copy)
    vi.setSystemTime(Date.now() + 60_000)
  }
  expect(writes()).toBe(before)
  vi.setSystemTime(Date.now() + 120_000)
  await site.read(copy)
  await site.read(copy)
  expect(writes()).toBe(before + 1)
  const { value } = await listSessions(requestOf(tab), site.config)
  expect(value?.sessions[0]?.lastSeenAt?.getTime()).toBeGreaterThan(Date.now() - 1000)
})

test('each session that ended has one event, also if another one could not be deleted at first', async () => {
  const adapter = MemoryAdapter()
  const events: { sid: string; reason: string }[] = []
  const settings = { events: { revokeSession: (message: never) => void events.push(message) } }
  const site = startSite(adapter, { strategy: 'database' }, settings)
  const tabs = await signedIn(site, 4)
  const [first] = tabs as [Browser]
  const [, ...others] = await sids(site, tabs[3] as Browser)
  const { deleteSession } = adapter
  let deletions = 0
  adapter.deleteSession = (token) => {
    deletions++
    return deletions === 2 ? Promise.reject(new Error('down')) : deleteSession(token)
  }
  const attempt = () => revokeOtherSessions(requestOf(tabs[3] as Browser), site.config)
  await expect(attempt()).rejects.toMatchObject({ type: 'AdapterError' })
  expect(events).toHaveLength(2)
  expect((await attempt()).value).toBe(1)
  expect(await first.session()).toBeNull()
  expect(events.map(({ sid }) => sid).sort()).toEqual(others.sort())
})

test('of clocks two minutes apart, the newest session is the one that began last', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { store } = watch()
  const site = startProcess(store, { session: { maxPerUser: 1 } })
  vi.setSystemTime(Date.now() + 120_000)
  const [ahead] = (await signedIn(site, 1)) as [Browser]
  vi.setSystemTime(Date.now() - 120_000)
  const [behind] = (await signedIn(site, 1)) as [Browser]
  expect(await valid(site, [ahead, behind])).toEqual([false, true])
})

test('10,000 sessions are listed in pages of 100', async () => {
  const adapter = MemoryAdapter()
  const site = startProcess(adapter, LISTED)
  const [tab] = (await signedIn(site, 1)) as [Browser]
  const { sessionIndex } = await import('../../../src/core/records/session-index.ts')
  const { recordAccess } = await import('../../../src/core/records/access.ts')
  const { createDatabase } = await import('../../../src/core/database/database.ts')
  const database = createDatabase(adapter)
  const index = sessionIndex(
    recordAccess(async () => database),
    [String(site.config.secret)],
  )
  const now = Date.now()
  const rest = { via: 'password', userAgent: null, address: null, lastSeenAt: now }
  for (let each = 0; each < 9_999; each++) {
    const expires = new Date(now + 3600_000)
    const startedAt = now - 1000 - each
    const session = { sid: `s${each}`, userId: '1', startedAt, order: startedAt, expires, ...rest }
    await index.write(site.context(), session)
  }
  const seen: string[] = []
  let cursor: string | null | undefined
  const begun = process.cpuUsage()
  do {
    const { value } = await listSessions(requestOf(tab), site.config, {
      cursor: cursor ?? undefined,
    })
    seen.push(...(value?.sessions.map(({ sid }) => sid) ?? []))
    expect(value?.sessions.length).toBeLessThanOrEqual(100)
    cursor = value?.nextCursor
  } while (cursor && seen.length < 300)
  // Microseconds of the processor.
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 3).toBeLessThan(2_000_000)
  expect(new Set(seen).size).toBe(300)
  expect(seen.slice(1, 4)).toEqual(['s0', 's1', 's2'])
})

describe('without the option', () => {
  test('sessions in cookies are not listed, and the error names it', async () => {
    const { store } = watch()
    const site = startProcess(store)
    const [one, two] = (await signedIn(site, 2)) as [Browser, Browser]
    await expect(listSessions(requestOf(one), site.config)).rejects.toThrow(/session\.devices/)
    expect((await revokeOtherSessions(requestOf(one), site.config)).value).toBeNull()
    expect(await valid(site, [one, two])).toEqual([true, false])
    const plain = startProcess(store, { session: {} })
    await expect(revokeOtherSessions(requestOf(one), plain.config)).rejects.toThrow(
      /session\.revocation/,
    )
  })

  test('database sessions are listed by their rows, and an adapter without listSessions is reported', async () => {
    const { readRecords: _read, ...adapter } = MemoryAdapter()
    const site = startSite(adapter, { strategy: 'database' })
    const [one, two] = (await signedIn(site, 2)) as [Browser, Browser]
    const list = await sids(site, one)
    expect(list).toHaveLength(2)
    expect((await revokeOtherSessions(requestOf(one), site.config)).value).toBe(1)
    expect(await valid(site, [one, two])).toEqual([true, false])
    const { listSessions: _list, deleteUserSessions: _delete, ...lacking } = MemoryAdapter()
    const bare = startSite(lacking, { strategy: 'database' })
    const [tab] = (await signedIn(bare, 1)) as [Browser]
    const error = { type: 'MissingAdapterMethods' }
    await expect(listSessions(requestOf(tab), bare.config)).rejects.toMatchObject(error)
    await expect(revokeOtherSessions(requestOf(tab), bare.config)).rejects.toMatchObject(error)
  })
})

test.each<[string, Partial<AuthConfig>]>([
  ['session.devices is not', { session: { devices: 'on' as never } }],
  ['session.maxPerUser is not', { session: { maxPerUser: 0 } }],
  ['from 1 to 1000', { session: { maxPerUser: 1.5 } }],
  ['session.maxPerUser needs records', { session: { maxPerUser: 3 }, store: undefined }],
  ['session.devices needs records', { session: { devices: 'listed' }, store: undefined }],
])('reports a wrong option: %s', (message, overrides) => {
  const { store } = watch()
  expect(() => startProcess('store' in overrides ? undefined : store, overrides)).toThrow(message)
})
