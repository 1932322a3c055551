/** A browser is no longer known to a user whose sessions have all ended. */
import { afterEach, expect, test, describe, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { governSessions, revokeOtherSessions } from '../../../src/sessions.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { ADA, followLink, linkIn, mailProvider, submitAddress } from '../../email.ts'
import { enter, silentLog, TYPED } from '../../config.ts'
import { pass, stopClock, takeCookies } from '../../sessions.ts'
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

describe.each(SETTINGS)('with sessions %s', (_name, settings) => {
  const start = () => site(BY_HEADER, { createUser: true }, settings())

  test('a browser is unknown after the application has ended all sessions of the user', async () => {
    const app = start()
    const tab = await signedIn(app, '198.51.100.1')
    await endAll(app)
    expect(await guessesOf(app, tab)).toBe(UNKNOWN)
  })

  test('a browser stays known when the sessions of another user end, or one of its own', async () => {
    const app = start()
    await signedIn(app, '198.51.100.2', 'grace')
    const tab = await signedIn(app, '198.51.100.1')
    await endAll(app, 'grace')
    await tab.post('signout')
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('a browser stays known to its other users', async () => {
    const app = start()
    await signedIn(app, '198.51.100.1', 'grace')
    const tab = await signedIn(app, '198.51.100.2', 'grace')
    await enter(tab)
    await endAll(app, 'grace')
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('the next sign-in makes a browser known again', async () => {
    stopClock()
    const app = start()
    const tab = await signedIn(app, '198.51.100.1')
    await pass(60)
    await endAll(app)
    await pass(60)
    await enter(tab)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  })

  test('the other browsers are unknown after their sessions were ended from one, which stays known', async () => {
    const app = start()
    const other = await signedIn(app, '198.51.100.1')
    const tab = await signedIn(app, '198.51.100.2')
    await revokeOthers(app, tab)
    expect(await guessesOf(app, tab)).toBe(KNOWN)
    expect(await guessesOf(app, other)).toBe(UNKNOWN)
  })

  test('a browser that sends the cookie from before is unknown, also if it was kept known', async () => {
    const app = start()
    const tab = await signedIn(app, '198.51.100.2')
    const stolen = tab.cookies.all().find(({ name }) => name.endsWith('lib.known'))
    await revokeOthers(app, tab)
    const thief = app.from('192.0.2.1')
    thief.cookies.set(stolen?.name ?? '', stolen?.value ?? '')
    expect(await guessesOf(app, thief)).toBe(UNKNOWN)
  })
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
  'a browser stays known while the store %s, so that an attacker who slows it down locks nobody out',
  async (_name, fault) => {
    const watched = watch()
    const app = site(BY_HEADER, {}, { store: watched.store })
    const tab = await signedIn(app, '198.51.100.1')
    watched.fault = fault
    expect(await guessesOf(app, tab)).toBe(KNOWN)
  },
)

test('a browser that two users have made known stays known by the one whose sessions have not ended', async () => {
  stopClock()
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
  await pass(60)
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
