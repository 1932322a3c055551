/** A browser is no longer known to a user whose sessions have all ended. */
import { afterEach, expect, test, describe, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import type { Adapter, AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import type { Awaitable } from '../../../src/core/types.ts'
import { governSessions, revokeOtherSessions } from '../../../src/sessions.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { forEachDatabase } from '../tokens/places.ts'
import { storeOf } from '../tokens/record-store.ts'
import { ADA, followLink, linkIn, mailProvider, submitAddress } from '../../email.ts'
import { enter, silentLog, TYPED } from '../../config.ts'
import { takeCookies } from '../../sessions.ts'
import { down, watch } from '../session/revocation-site.ts'
import { BY_HEADER, guess, outcome, site } from './site.ts'
import type { Site } from './site.ts'

afterEach(() => void vi.useRealTimers())

/** Guesses of a known browser in 15 minutes, and of an unknown one. */
const [KNOWN, UNKNOWN] = [10, 5]

function withoutRecords(adapter: Adapter): Adapter {
  const { readRecords, ...rest } = adapter
  expect(readRecords).toBeDefined()
  return rest
}

async function signedIn({ from }: Site, address: string, username = 'ada'): Promise<Browser> {
  const tab = from(address)
  await enter(tab, { ...TYPED, username })
  return tab
}

async function guessesOf({ calls }: Site, tab: Browser): Promise<number> {
  calls.length = 0
  for (let attempt = 0; attempt < 12; attempt++) await guess(tab)
  return calls.length
}

/** Ends the sessions of the other browsers, and keeps the cookies of the answer. */
async function revokeOthers({ config }: Site, tab: Browser): Promise<void> {
  const headers = {
    cookie: tab.cookies
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
    host: 'app.test',
    origin: 'https://app.test',
    'sec-fetch-site': 'same-origin',
  }
  const answer = await revokeOtherSessions(new Request('https://app.test/', { headers }), config)
  takeCookies(tab, answer.headers)
}

const SETTINGS: [string, () => Partial<AuthConfig>][] = [
  ['in cookies', () => ({ store: MemoryAdapter(), session: { revocation: {} } })],
  [
    'in cookies that are listed',
    () => ({ store: MemoryAdapter(), session: { revocation: {}, devices: 'listed' } }),
  ],
  ['in the database', () => ({ adapter: MemoryAdapter(), session: { strategy: 'database' } })],
  [
    'in the database, as hashes',
    () => ({ adapter: MemoryAdapter(), session: { strategy: 'database', hashTokens: true } }),
  ],
  [
    'in the database, with a store',
    () => ({
      adapter: withoutRecords(MemoryAdapter()),
      store: MemoryAdapter(),
      session: { strategy: 'database' },
    }),
  ],
]

/** Without a database, the id is the name. */
async function idOf({ config }: Site, username = 'ada'): Promise<string> {
  const { adapter } = config
  if (!adapter || typeof adapter === 'function') return username
  const user = await adapter.getUserByEmail?.(`${username}@example.com`)
  if (!user) throw new Error(`There is no user ${username}.`)
  return user.id
}

async function endAll(app: Site, username = 'ada'): Promise<void> {
  await governSessions(app.config).revokeAll(await idOf(app, username))
}

function suite(settings: () => Awaitable<Partial<AuthConfig>>): void {
  const start = async () => site(BY_HEADER, { createUser: true }, await settings())

  test('a browser is unknown after the application has ended all sessions of the user', async () => {
    const app = await start()
    const tab = await signedIn(app, '198.51.100.1')
    await endAll(app)
    expect(await guessesOf(app, tab)).toBe(UNKNOWN)
  })

  test('a browser stays known when the sessions of another user end, or one of its own', async () => {
    const app = await start()
    await signedIn(app, '198.51.100.2', 'grace')
    const tab = await signedIn(app, '198.51.100.1')
    await endAll(app, 'grace')
    await tab.post('signout')
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('a browser stays known to its other users', async () => {
    const app = await start()
    await signedIn(app, '198.51.100.1', 'grace')
    const tab = await signedIn(app, '198.51.100.2', 'grace')
    await enter(tab)
    await endAll(app, 'grace')
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('the next sign-in makes a browser known again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = await start()
    const tab = await signedIn(app, '198.51.100.1')
    vi.setSystemTime(Date.now() + 60_000)
    await endAll(app)
    expect(await tab.session()).toBeNull()
    vi.setSystemTime(Date.now() + 1)
    await enter(tab)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('the other browsers are unknown after their sessions were ended from one, which stays known', async () => {
    const app = await start()
    const other = await signedIn(app, '198.51.100.1')
    const tab = await signedIn(app, '198.51.100.2')
    await revokeOthers(app, tab)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
    expect(await guessesOf(app, other)).toBe(UNKNOWN)
  })

  test('a browser that sends the cookie from before is unknown, also if it was kept known', async () => {
    const app = await start()
    const tab = await signedIn(app, '198.51.100.2')
    const stolen = tab.cookies.all().find(({ name }) => name.endsWith('lib.known'))
    await revokeOthers(app, tab)
    const thief = app.from('192.0.2.1')
    thief.cookies.set(stolen?.name ?? '', stolen?.value ?? '')
    expect(await guessesOf(app, thief)).toBe(UNKNOWN)
  })

  test('of processes whose clocks differ by two minutes, none keeps a browser known that another one forgets', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const now = Date.now()
    const [behind, ahead] = [() => vi.setSystemTime(now), () => vi.setSystemTime(now + 120_000)]
    const app = await start()
    ahead()
    const tab = await signedIn(app, '198.51.100.1')
    behind()
    await endAll(app)
    ahead()
    expect(await guessesOf(app, tab)).toBe(UNKNOWN)
    // And the other way round: a browser that signs in to a process that is behind, in the same moment; a new one, twice.
    await endAll(app)
    behind()
    const other = await signedIn(app, '198.51.100.2')
    await enter(other)
    ahead()
    expect(await guessesOf(app, other)).toBe(KNOWN)
    // A second end by the process that is behind.
    behind()
    await endAll(app)
    ahead()
    const thief = app.from('192.0.2.1')
    for (const { name, value } of other.cookies.all()) thief.cookies.set(name, value)
    expect(await guessesOf(app, thief)).toBe(UNKNOWN)
  })

  test('the browser that ends the others stays known, also to a process whose clock is behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = await start()
    const tab = await signedIn(app, '198.51.100.1')
    vi.setSystemTime(Date.now() + 120_000)
    await revokeOthers(app, tab)
    vi.setSystemTime(Date.now() - 120_000)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })
}

describe.each(SETTINGS)('with sessions %s', (_name, settings) => suite(settings))

await forEachDatabase((storage, openAdapter) => {
  describe(`with sessions in the database, ${storage}`, () =>
    suite(async () => ({ adapter: await openAdapter(), session: { strategy: 'database' } })))
  describe(`with sessions in cookies, records in ${storage}`, () =>
    suite(async () => ({ store: storeOf(await openAdapter()), session: { revocation: {} } })))
})

describe('if the jwt callback sets another id', () => {
  const callbacks: CallbacksOptions = {
    jwt: ({ token, account }) => ({
      ...token,
      ...(account && { sub: `account ${account.providerAccountId}` }),
    }),
  }
  const start = () =>
    site(BY_HEADER, {}, { store: MemoryAdapter(), session: { revocation: {} }, callbacks })

  test.each(['ada', 'account ada'])(
    'a browser is unknown after all sessions of %s have ended',
    async (userId) => {
      const app = start()
      const tab = await signedIn(app, '198.51.100.1')
      await governSessions(app.config).revokeAll('account grace')
      expect(await tab.session()).not.toBeNull()
      await governSessions(app.config).revokeAll(userId)
      expect(await tab.session()).toBeNull()
      expect(await guessesOf(app, tab)).toBe(UNKNOWN)
    },
  )

  test('the others are unknown after their sessions were ended from one, which stays known', async () => {
    const app = start()
    const other = await signedIn(app, '198.51.100.1')
    const tab = await signedIn(app, '198.51.100.2')
    await revokeOthers(app, tab)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
    expect(await guessesOf(app, other)).toBe(UNKNOWN)
  })
})

test('of tenants with one store, the browsers of one stay known when users of another one are forgotten', async () => {
  const store = MemoryAdapter()
  function tenant(name: string): Site {
    const calls: unknown[] = []
    const authorize: CredentialsConfig['authorize'] = ({ username, password }) => {
      calls.push(username)
      const email = `${String(username)}@example.com`
      return password === TYPED.password ? { id: `${name}:${String(username)}`, email } : null
    }
    const { config } = site(BY_HEADER, { authorize }, { store, session: { revocation: {} } })
    const from = (address: string) =>
      browser(config, { headers: { 'x-client': address }, origin: `https://${name}.test` })
    return { config, calls, from }
  }
  const [one, two] = [tenant('one'), tenant('two')]
  const first = await signedIn(one, '198.51.100.1')
  const second = await signedIn(two, '198.51.100.2')
  await governSessions(one.config).revokeAll('one:ada')
  expect(await guessesOf(two, second)).toBe(KNOWN)
  expect(await guessesOf(one, first)).toBe(UNKNOWN)
})

test('without a store for records, browsers stay known', async () => {
  const settings = {
    adapter: withoutRecords(MemoryAdapter()),
    session: { strategy: 'database' },
  } as const
  const app = site(BY_HEADER, { createUser: true }, settings)
  const tab = await signedIn(app, '198.51.100.1')
  await endAll(app)
  expect(await tab.session()).toBeNull()
  expect(await guessesOf(app, tab)).toBe(KNOWN)
})

test('sessions in the database end while the store does not respond, with a warning', async () => {
  const watched = watch()
  const { log, logger } = silentLog()
  const settings = {
    adapter: withoutRecords(MemoryAdapter()),
    store: watched.store,
    session: { strategy: 'database' },
    logger,
  } as const
  const app = site(BY_HEADER, { createUser: true }, settings)
  const tab = await signedIn(app, '198.51.100.1')
  watched.fault = down
  await endAll(app)
  watched.fault = undefined
  expect(await tab.session()).toBeNull()
  expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'browsers-not-forgotten']))
})

test('a browser that has signed in with a password is unknown after the owner of its address was verified', async () => {
  const app = site(
    BY_HEADER,
    { createUser: true },
    { adapter: MemoryAdapter(), session: { strategy: 'database' } },
  )
  const mails: VerificationRequest[] = []
  Object.assign(app.config, {
    providers: [...(app.config.providers ?? []), mailProvider(mails)],
  })
  const stranger = await signedIn(app, '192.0.2.1')
  const owner = app.from('198.51.100.1')
  await submitAddress(owner, ADA)
  await followLink(owner, linkIn(mails))
  expect(await owner.session()).toMatchObject({ user: { email: ADA } })
  expect(await stranger.session()).toBeNull()
  expect(await guessesOf(app, stranger)).toBe(UNKNOWN)
})

test.each<[string, () => unknown]>([
  ['fails', down],
  ['does not respond', () => new Promise(() => undefined)],
])(
  'a browser stays known while the store %s, so that an attacker who slows it down cannot lock the owner out',
  async (_name, fault) => {
    const watched = watch()
    const app = site(BY_HEADER, {}, { store: watched.store })
    const tab = await signedIn(app, '198.51.100.1')
    watched.fault = fault
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  },
)

test('a browser that two users have made known stays known by the one whose sessions have not ended', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const mails: VerificationRequest[] = []
  const accounts = { credentials: { email: {}, password: { type: 'password' } } }
  const authorize = ({ password }: Partial<Record<string, unknown>>) =>
    password === TYPED.password ? { id: 'member' } : null
  const app = site(
    BY_HEADER,
    { ...accounts, authorize },
    { adapter: MemoryAdapter(), session: { strategy: 'jwt', revocation: {} } },
  )
  Object.assign(app.config, { providers: [...(app.config.providers ?? []), mailProvider(mails)] })
  const tab = app.from('198.51.100.1')
  const typed = { email: ADA, password: TYPED.password }
  await submitAddress(tab, ADA)
  await followLink(tab, linkIn(mails))
  vi.setSystemTime(Date.now() + 60_000)
  await enter(tab, typed)
  await governSessions(app.config).revokeAll('member')
  for (let attempt = 0; attempt < KNOWN - 1; attempt++)
    await enter(tab, { ...typed, password: 'wrong' })
  expect(await outcome(await enter(tab, typed))).toBeNull()
})

test('a request of an unknown browser reads no record of a user', async () => {
  const watched = watch()
  const keys: string[] = []
  const store = {
    ...watched.store,
    readRecords: async (read: readonly string[]) => {
      keys.push(...read)
      return watched.store.readRecords(read)
    },
  }
  const app = site(BY_HEADER, {}, { store })
  await signedIn(app, '198.51.100.1')
  expect(keys.filter((key) => key.startsWith('forgotten:'))).toEqual([])
  expect(keys).not.toEqual([])
})
