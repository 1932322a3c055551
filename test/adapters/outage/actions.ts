/** The actions of users, which run once without and then with every outage. */
import { expect } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { TYPED } from '../../config.ts'
import { followLink } from '../../email.ts'
import { SESSION } from '../../sessions.ts'
import { op } from './visitor.ts'
import type { Stored, Visitor } from './visitor.ts'

export interface Action {
  readonly name: string
  /** Session options. */
  readonly session?: AuthConfig['session']
  /** Runs before the action. */
  readonly prepare?: (visitor: Visitor) => Promise<unknown>
  /** The action, which can be repeated. */
  readonly act: (visitor: Visitor) => Promise<Response>
  /** Whether the response reports success. */
  readonly isDone: (response: Response) => boolean
  /** Expectations after a success. */
  readonly outcome: (visitor: Visitor) => Promise<void>
  /** Rows after a success; lost responses may leave further sessions. */
  readonly stored: Stored
  /** The error in the response after a failure. */
  readonly refusal: string
  /** From this call on, a failed write is harmless if the rows can be read: they show that the action succeeded. */
  readonly settledBefore?: number
}

const redirectsTo = (path: string) => (response: Response) =>
  response.status === 302 && response.headers.get('location') === `https://app.test${path}`

const LATER = 'TemporarilyUnavailable'

async function signInAtProvider({ tab, person }: Visitor): Promise<Response> {
  const started = await tab.post('signin/op', { callbackUrl: '/in' })
  const location = started.headers.get('location') ?? ''
  if (!location.startsWith(op.url)) return started
  const { url } = await op.authorize(location, person)
  return tab.request(url, { initiator: 'cross-site' })
}

async function expectSignedIn({ tab, person }: Visitor): Promise<void> {
  expect(await tab.session()).toMatchObject({ user: { email: person.email } })
}

const signInWithPassword = async ({ tab }: Visitor) =>
  tab.post('callback/password', { ...TYPED, callbackUrl: '/in' })

const requestLink = async ({ tab, person }: Visitor) =>
  tab.post('signin/mail', { email: person.email, callbackUrl: '/in' })

const openLink = async ({ tab, links }: Visitor) => followLink(tab, links.at(-1) ?? '')

const signedIn = { users: 1, accounts: 0, sessions: 1 }

const reading: Action = {
  name: 'reading the session',
  prepare: signInWithPassword,
  act: async ({ tab }) => tab.request('session'),
  isDone: ({ status }) => status === 200,
  outcome: expectSignedIn,
  stored: signedIn,
  refusal: '503 SessionUnavailable',
}

export const ACTIONS: readonly Action[] = [
  {
    name: 'the first sign-in at an OpenID provider',
    act: signInAtProvider,
    isDone: redirectsTo('/in'),
    outcome: expectSignedIn,
    stored: { users: 1, accounts: 1, sessions: 1 },
    refusal: LATER,
  },
  {
    name: 'another sign-in at an OpenID provider',
    async prepare(visitor) {
      await signInAtProvider(visitor)
      visitor.tab.cookies.delete(SESSION)
    },
    act: signInAtProvider,
    isDone: redirectsTo('/in'),
    outcome: expectSignedIn,
    stored: { users: 1, accounts: 1, sessions: 1 },
    refusal: LATER,
  },
  {
    name: 'requesting a magic link',
    act: requestLink,
    isDone: redirectsTo('/auth/verify-request?provider=mail&type=email'),
    async outcome(visitor) {
      await openLink(visitor)
      await expectSignedIn(visitor)
    },
    stored: signedIn,
    refusal: LATER,
  },
  {
    name: 'following a magic link',
    prepare: requestLink,
    act: openLink,
    isDone: redirectsTo('/in'),
    outcome: expectSignedIn,
    stored: signedIn,
    refusal: LATER,
  },
  {
    name: 'the first sign-in with a password',
    act: signInWithPassword,
    isDone: redirectsTo('/in'),
    outcome: expectSignedIn,
    stored: signedIn,
    refusal: LATER,
  },
  reading,
  { ...reading, name: 'reading a session that is due for an extension', session: { updateAge: 0 } },
  {
    name: 'signing out',
    // The session is deleted by then; the second call deletes a session under the hash of its token.
    settledBefore: 2,
    prepare: signInWithPassword,
    act: async ({ tab }) => tab.post('signout', { callbackUrl: '/out' }),
    isDone: redirectsTo('/out'),
    async outcome({ tab }) {
      expect(await tab.session()).toBeNull()
      expect(tab.cookies.get(SESSION)).toBeUndefined()
    },
    stored: { users: 1, accounts: 0, sessions: 0 },
    refusal: LATER,
  },
]
