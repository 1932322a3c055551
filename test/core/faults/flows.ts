/** User flows from the first request to the last: each runs once without a fault, and then with every fault. */
import { expect, vi } from 'vitest'
import type { Browser } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/types.ts'
import { TYPED } from '../../config.ts'
import { DAY, SESSION } from '../../sessions.ts'
import { GRACE, op } from './site.ts'
import type { Site } from './site.ts'

/** Number of rows after the flow. */
interface Expected {
  readonly users: number
  readonly accounts: number
  /** With database sessions. */
  readonly sessions: number
}

export interface Flow {
  readonly name: string
  /** Sets up the state that the flow requires. */
  readonly prepare?: (site: Site, tab: Browser) => Promise<void>
  /** The action of the user, which can be repeated. */
  readonly act: (tab: Browser, site: Site) => Promise<Response>
  /** Whether the response reports success. */
  readonly isDone: (response: Response, site: Site) => boolean
  /** Whether the flow has ended: a mail that timed out may not have been sent. @default yes */
  readonly hasEnded?: (site: Site) => boolean
  /** Checks the state after success. */
  readonly outcome: (tab: Browser, site: Site) => Promise<void>
  readonly rows: (site: Site) => Expected
  /** Whether every user has signed in with an account. */
  readonly needsAccount?: true
  /** The user is signed in, and no fault ends the session. */
  readonly keepsSession?: true
}

export const goesTo = (path: string) => (response: Response) =>
  response.status === 302 && response.headers.get('location') === `https://app.test${path}`

const isJson = ({ status, headers }: Response) =>
  status === 200 && headers.get('content-type') === 'application/json'

async function atProvider(tab: Browser, id: string, person?: Values): Promise<Response> {
  const started = await tab.post(`signin/${id}`, { callbackUrl: '/in' })
  const location = started.headers.get('location') ?? ''
  if (!location.startsWith(op.url)) return started
  const { url } = await op.authorize(location, person)
  return tab.request(url, { initiator: 'cross-site' })
}

export const isUser = (email: string) => async (tab: Browser) =>
  expect(await tab.session()).toMatchObject({ user: { email } })

const enter = async (tab: Browser) =>
  tab.post('callback/password', { ...TYPED, callbackUrl: '/in' })

async function addGrace({ rows }: Site): Promise<void> {
  await rows.add({ ...GRACE, emailVerified: new Date('2026-01-01') })
}

/** Grace is signed in. */
async function signedIn(site: Site, tab: Browser): Promise<void> {
  await addGrace(site)
  expect(goesTo('/in')(await enter(tab))).toBe(true)
}

async function ask(tab: Browser): Promise<Response> {
  return tab.post('signin/mail', { email: 'ada@example.com', callbackUrl: '/in' })
}

/** Opens the newest link, and confirms it if required. */
async function followLink(tab: Browser, { mails }: Site): Promise<Response> {
  const url = new URL(mails.at(-1) ?? '')
  const response = await tab.request(url.href, { initiator: 'cross-site' })
  if (response.status !== 200) return response
  const fields = Object.fromEntries(url.searchParams)
  return tab.post('callback/mail', fields)
}

function later(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

const firstLogin = (name: string, id: string): Flow => ({
  name,
  act: async (tab) => atProvider(tab, id),
  isDone: goesTo('/in'),
  outcome: isUser('ada@example.com'),
  rows: () => ({ users: 1, accounts: 1, sessions: 1 }),
  needsAccount: true,
})

const theme = async (tab: Browser): Promise<unknown> =>
  Reflect.get((await tab.session()) ?? {}, 'theme')

export const firstSignIns: readonly Flow[] = [
  firstLogin('first sign-in at an OAuth provider', 'plain'),
  firstLogin('first sign-in at an OpenID provider', 'op'),
]

export const signIns: readonly Flow[] = [
  {
    ...firstLogin('sign-in of an existing user', 'op'),
    async prepare(site) {
      expect(goesTo('/in')(await atProvider(site.open(), 'op'))).toBe(true)
      await site.rows.database.deleteUserSessions((await site.rows.read()).users[0]?.id ?? '')
    },
  },
  {
    ...firstLogin('linking an account while signed in', 'op'),
    prepare: signedIn,
    outcome: isUser(GRACE.email),
    keepsSession: true,
  },
  {
    name: 'sign-in with a password',
    prepare: addGrace,
    act: enter,
    isDone: goesTo('/in'),
    outcome: isUser(GRACE.email),
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
  },
]

export const emailFlows: readonly Flow[] = [
  {
    name: 'requesting a magic link',
    act: ask,
    isDone: goesTo('/auth/verify-request?provider=mail&type=email'),
    hasEnded: ({ mails }) => mails.length > 0,
    async outcome(tab, site) {
      await followLink(tab, site)
      await isUser('ada@example.com')(tab)
    },
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
  },
  {
    name: 'redeeming a magic link in the requesting browser',
    prepare: async (_site, tab) => void (await ask(tab)),
    act: followLink,
    isDone: goesTo('/in'),
    outcome: isUser('ada@example.com'),
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
  },
  {
    name: 'confirming a link in another browser, of a user with an unverified address',
    async prepare(site) {
      await atProvider(site.open(), 'plain', { sub: 'x', email: 'ada@example.com' })
      const { users } = await site.rows.read()
      await site.rows.database.deleteUserSessions(users[0]?.id ?? '')
      await ask(site.open())
    },
    act: followLink,
    isDone: goesTo('/in'),
    outcome: isUser('ada@example.com'),
    // Unlinking requires optional methods of the adapter.
    rows: ({ adapterKind }) => ({
      users: 1,
      accounts: adapterKind === 'whole' ? 0 : 1,
      sessions: 1,
    }),
  },
]

export const sessionFlows: readonly Flow[] = [
  {
    name: 'reading the session',
    prepare: signedIn,
    act: async (tab) => tab.request('session'),
    isDone: isJson,
    outcome: isUser(GRACE.email),
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
    keepsSession: true,
  },
  {
    name: 'reading a session that is due to be extended',
    async prepare(site, tab) {
      await signedIn(site, tab)
      later(2 * DAY)
    },
    act: async (tab) => tab.request('session'),
    isDone: isJson,
    async outcome(tab) {
      await isUser(GRACE.email)(tab)
      const expires = tab.cookies.get(SESSION)?.expires ?? 0
      expect(expires - Date.now()).toBeGreaterThan(29.9 * DAY * 1000)
    },
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
    keepsSession: true,
  },
  {
    name: 'updating the session',
    prepare: signedIn,
    act: async (tab) =>
      tab.request('session', {
        method: 'POST',
        json: { csrfToken: await tab.csrfToken(), data: { theme: 'dark' } },
      }),
    isDone: isJson,
    async outcome(tab, { strategy }) {
      await isUser(GRACE.email)(tab)
      expect(await theme(tab)).toBe(strategy === 'jwt' ? 'dark' : undefined)
    },
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
    keepsSession: true,
  },
  {
    name: 'signing out',
    prepare: signedIn,
    act: async (tab) => tab.post('signout', { callbackUrl: '/out' }),
    isDone: goesTo('/out'),
    async outcome(tab) {
      expect(await tab.session()).toBeNull()
      expect(tab.cookies.get(SESSION)).toBeUndefined()
    },
    rows: () => ({ users: 1, accounts: 0, sessions: 0 }),
  },
]
