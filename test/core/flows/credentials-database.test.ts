/** Credentials with database sessions: the user that `authorize` returns is looked up by id or address. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdapterUser } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import type { AuthConfig, CallbacksOptions, EventsOptions, User } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'
import { down, errorTypes, instanceOf, lost, once, recordCalls } from '../../database.ts'
import { SESSION, stopClock, claimsOf, cookieValue } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const EMAIL = 'ada@example.com'

interface SiteOptions {
  readonly authorize?: (id: string) => User
  readonly provider?: Partial<CredentialsConfig>
  readonly config?: Partial<AuthConfig>
  readonly isStored?: boolean
}

/** A site with a credentials provider, with or without Ada in the database. */
async function siteWith({ authorize, provider, config, isStored = true }: SiteOptions = {}) {
  const stored = MemoryAdapter()
  const row = { id: '', name: 'Ada', email: EMAIL, emailVerified: null, image: null }
  const ada: AdapterUser | null = isStored ? await stored.createUser(row) : null
  const recorded = recordCalls(stored)
  const made = passwordConfig(
    // The records of limits are calls of the adapter.
    { adapter: recorded.adapter, protection: 'off', ...config },
    { ...(authorize && { authorize: () => authorize(ada?.id ?? 'none') }), ...provider },
  )
  return { ...recorded, ...made, stored, ada, tab: browser(made.config) }
}

const users: [string, (id: string) => User, string[]][] = [
  [
    'an id',
    (id) => ({ id, name: 'Other' }),
    ['getUser', 'listFactors', 'createSession', 'getUser'],
  ],
  [
    'another id and an address',
    () => ({ id: 'theirs', email: EMAIL }),
    ['getUser', 'getUserByEmail', 'listFactors', 'createSession', 'getUser'],
  ],
  [
    'an address alone',
    () => ({ email: EMAIL }),
    ['getUserByEmail', 'listFactors', 'createSession', 'getUser'],
  ],
]

describe('a user who is in the database', () => {
  test.each(users)(
    'has a database session when authorize returns %s',
    async (_name, authorize, calls) => {
      const { tab, stored, ada, log, called } = await siteWith({ authorize })
      const response = await enter(tab)
      expect(response.headers.get('location')).toBe(tab.origin)
      expect(called()).toEqual(calls)
      const row = await stored.getSessionAndUser(cookieValue(tab))
      expect(row?.user).toEqual(ada)
      expect(await tab.session()).toMatchObject({ user: { name: 'Ada', email: EMAIL } })
      expect(log.errors).toEqual([])
    },
  )

  test('gets a new session with each sign-in', async () => {
    const { tab, stored } = await siteWith()
    await enter(tab)
    const before = cookieValue(tab)
    await enter(tab)
    expect(cookieValue(tab)).not.toBe(before)
    expect(await stored.getSessionAndUser(before)).toBeNull()
  })

  test('is found through an adapter that is a class instance', async () => {
    const adapter = MemoryAdapter()
    await adapter.createUser({ id: '', email: EMAIL, emailVerified: null })
    const { tab } = await siteWith({ config: { adapter: instanceOf(adapter) } })
    await enter(tab)
    expect((await tab.session())?.user?.email).toBe(EMAIL)
  })
})

describe('callbacks and events', () => {
  test('receive what authorize returned', async () => {
    const signedIn = vi.fn<NonNullable<CallbacksOptions['signIn']>>(() => true)
    const signIn = vi.fn<NonNullable<EventsOptions['signIn']>>()
    const createUser = vi.fn<NonNullable<EventsOptions['createUser']>>()
    const { tab, ada } = await siteWith({
      authorize: (id) => ({ id, name: 'Countess', email: EMAIL }),
      config: { callbacks: { signIn: signedIn }, events: { signIn, createUser } },
    })
    await enter(tab)
    const user = { id: ada?.id, name: 'Countess', email: EMAIL }
    const account = { provider: 'password', type: 'credentials', providerAccountId: ada?.id }
    expect(signedIn).toHaveBeenCalledExactlyOnceWith({
      user,
      account,
      credentials: { username: 'ada', password: 'correct horse battery staple' },
    })
    expect(signIn).toHaveBeenCalledExactlyOnceWith({
      user,
      account: { ...account, userId: ada?.id },
      isNewUser: false,
    })
    expect(createUser).not.toHaveBeenCalled()
  })

  test.each<[string, User, boolean]>([
    ['an address alone', { email: EMAIL, name: 'Countess' }, true],
    ['an id of another table', { id: 'staff-7', email: EMAIL, name: 'Countess' }, true],
    ['an id, for a new user', { id: 'staff-7', email: EMAIL, name: 'Countess' }, false],
  ])('receive the id of the row when authorize returns %s', async (_name, returned, isStored) => {
    const signIn = vi.fn<NonNullable<EventsOptions['signIn']>>()
    const { tab, stored } = await siteWith({
      isStored,
      authorize: () => returned,
      provider: { createUser: true },
      config: { events: { signIn } },
    })
    await enter(tab)
    const row = await stored.getUserByEmail(EMAIL)
    expect(signIn).toHaveBeenCalledOnce()
    expect(signIn.mock.lastCall?.[0]).toMatchObject({
      user: { id: row?.id, name: 'Countess', email: EMAIL },
      account: { userId: row?.id },
    })
  })

  test('prevent a session if signIn returns false', async () => {
    const { tab, called } = await siteWith({ config: { callbacks: { signIn: () => false } } })
    await enter(tab)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(called()).toEqual([])
  })
})

describe('a user who is not in the database', () => {
  test('is rejected, with an error that states what to do', async () => {
    const { tab, log, called } = await siteWith({ isStored: false })
    const response = await enter(tab)
    expect(response.headers.get('location')).toContain('/auth/error?error=Configuration')
    expect(errorTypes(log)).toEqual(['CallbackRouteError'])
    expect(log.errors[0]?.message).toContain(
      'The user returned by provider password is not in the database',
    )
    expect(log.errors[0]?.message).toContain('set createUser: true on the provider')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(called()).toEqual(['getUser', 'getUserByEmail'])
  })

  test('is created once, as a new user, with createUser', async () => {
    const signIn = vi.fn<NonNullable<EventsOptions['signIn']>>()
    const createUser = vi.fn<NonNullable<EventsOptions['createUser']>>()
    const { tab, stored, calls, config } = await siteWith({
      isStored: false,
      provider: { createUser: true },
      config: { events: { signIn, createUser }, pages: { newUser: '/welcome' } },
    })
    const response = await enter(tab)
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.test\/welcome\?callbackUrl=/)
    const user = await stored.getUserByEmail(EMAIL)
    expect(user).toMatchObject({ name: 'Ada Lovelace', email: EMAIL, emailVerified: null })
    expect(createUser).toHaveBeenCalledExactlyOnceWith({ user })
    expect(signIn.mock.lastCall?.[0]).toMatchObject({ isNewUser: true })
    const elsewhere = browser(config)
    expect((await enter(elsewhere)).headers.get('location')).toBe(tab.origin)
    expect((await elsewhere.session())?.user?.email).toBe(EMAIL)
    expect(calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
  })

  test('is created once by two concurrent sign-ins', async () => {
    const site = await siteWith({ isStored: false, provider: { createUser: true } })
    const tabs = [site.tab, browser(site.config)]
    await Promise.all(tabs.map((tab) => enter(tab)))
    for (const tab of tabs) expect((await tab.session())?.user?.email).toBe(EMAIL)
    expect(site.log.errors).toEqual([])
  })

  test('is found if the response of createUser was lost', async () => {
    const { tab, faults } = await siteWith({ isStored: false, provider: { createUser: true } })
    faults.createUser = once(lost)
    await enter(tab)
    expect((await tab.session())?.user?.email).toBe(EMAIL)
  })

  test('is not created without an address', async () => {
    const { tab, log, called } = await siteWith({
      isStored: false,
      authorize: () => ({ id: '7', name: 'Ada' }),
      provider: { createUser: true },
    })
    await enter(tab)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(called()).toEqual(['getUser'])
    expect(log.errors[0]?.message).toContain('has no email')
  })
})

test.each(['getUser', 'createSession'] as const)(
  'rejects the sign-in while %s fails, and accepts the same form afterwards',
  async (method) => {
    const { tab, faults, log } = await siteWith()
    faults[method] = once(down)
    const response = await enter(tab)
    expect(response.headers.get('location')).toContain('error=TemporarilyUnavailable')
    expect(errorTypes(log)).toEqual(['AdapterError'])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
  },
)

test('session strategy jwt creates no user, and looks the user up by id once', async () => {
  const { tab, called } = await siteWith({
    isStored: false,
    config: { session: { strategy: 'jwt' } },
  })
  await enter(tab)
  expect(await claimsOf(tab)).toMatchObject({ sub: '1', name: 'Ada Lovelace' })
  expect(called()).toEqual(['getUser', 'listFactors'])
})
