/** What people do, from the first click to the last: each is done once in peace, and then with every fault. */
import { expect, vi } from 'vitest'
import type { Browser } from '../../src/testing/index.ts'
import type { Values } from '../../src/testing/types.ts'
import { TYPED } from '../config.ts'
import { DAY, SESSION } from '../sessions.ts'
import { GRACE, op } from './site.ts'
import type { Site } from './site.ts'

/** How many rows there are when it is done. */
interface Expected {
  readonly users: number
  readonly accounts: number
  /** With database sessions. */
  readonly sessions: number
}

export interface Flow {
  readonly name: string
  /** What has to be there before. */
  readonly prepare?: (site: Site, tab: Browser) => Promise<void>
  /** What the person does; doing it again is doing the same. */
  readonly act: (tab: Browser, site: Site) => Promise<Response>
  /** Whether the answer says that it worked. */
  readonly isDone: (response: Response, site: Site) => boolean
  /** Whether that is all: a mail that takes too long may never come. @default yes */
  readonly isOver?: (site: Site) => boolean
  /** What is true when it has worked. */
  readonly outcome: (tab: Browser, site: Site) => Promise<void>
  readonly rows: (site: Site) => Expected
  /** Whether every user has signed in with an account. */
  readonly needsAccount?: true
  /** Only signed-in people do this: no fault takes their session away. */
  readonly keepsSession?: true
}

const goesTo = (path: string) => (response: Response) =>
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

const isUser = (email: string) => async (tab: Browser) =>
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

/** Follows the newest link, and confirms where that is asked. */
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
    ...firstLogin('sign-in of somebody known', 'op'),
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
    name: 'asking for a link',
    act: ask,
    isDone: goesTo('/auth/verify-request?provider=mail&type=email'),
    isOver: ({ mails }) => mails.length > 0,
    async outcome(tab, site) {
      await followLink(tab, site)
      await isUser('ada@example.com')(tab)
    },
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
  },
  {
    name: 'following a link in the browser that asked',
    prepare: async (_site, tab) => void (await ask(tab)),
    act: followLink,
    isDone: goesTo('/in'),
    outcome: isUser('ada@example.com'),
    rows: () => ({ users: 1, accounts: 0, sessions: 1 }),
  },
  {
    name: 'confirming a link in another browser, of somebody who never verified the address',
    async prepare(site) {
      await atProvider(site.open(), 'plain', { sub: 'x', email: 'ada@example.com' })
      const { users } = await site.rows.read()
      await site.rows.database.deleteUserSessions(users[0]?.id ?? '')
      await ask(site.open())
    },
    act: followLink,
    isDone: goesTo('/in'),
    outcome: isUser('ada@example.com'),
    // Taking it away needs methods that not every adapter has.
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
