/** What people do: once in peace, and then with every outage. */
import { expect } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { TYPED } from '../../config.ts'
import { followLink } from '../../email.ts'
import { SESSION } from '../../sessions.ts'
import { op } from './visitor.ts'
import type { Stored, Visitor } from './visitor.ts'

export interface Action {
  readonly name: string
  /** What is different about sessions. */
  readonly session?: AuthConfig['session']
  /** What has to be there before. */
  readonly prepare?: (visitor: Visitor) => Promise<unknown>
  /** What the person does; doing it again is doing the same. */
  readonly act: (visitor: Visitor) => Promise<Response>
  /** Whether the answer says that it worked. */
  readonly isDone: (response: Response) => boolean
  /** What is true when it has worked. */
  readonly outcome: (visitor: Visitor) => Promise<void>
  /** What is there when it has worked; sessions may be more, of answers that got lost. */
  readonly stored: Stored
  /** What the answer is when it has not. */
  readonly refusal: string
  /** Number of the call from which on a failed write is harmless, if the rows can be read: they show that it has worked. */
  readonly settledBefore?: number
}

const goesTo = (path: string) => (response: Response) =>
  response.status === 302 && response.headers.get('location') === `https://app.test${path}`

const LATER = 'TemporarilyUnavailable'

async function atProvider({ tab, person }: Visitor): Promise<Response> {
  const started = await tab.post('signin/op', { callbackUrl: '/in' })
  const location = started.headers.get('location') ?? ''
  if (!location.startsWith(op.url)) return started
  const { url } = await op.authorize(location, person)
  return tab.request(url, { initiator: 'cross-site' })
}

async function isIn({ tab, person }: Visitor): Promise<void> {
  expect(await tab.session()).toMatchObject({ user: { email: person.email } })
}

const enter = async ({ tab }: Visitor) =>
  tab.post('callback/password', { ...TYPED, callbackUrl: '/in' })

const ask = async ({ tab, person }: Visitor) =>
  tab.post('signin/mail', { email: person.email, callbackUrl: '/in' })

const click = async ({ tab, links }: Visitor) => followLink(tab, links.at(-1) ?? '')

const signedIn = { users: 1, accounts: 0, sessions: 1 }

const reading: Action = {
  name: 'reading the session',
  prepare: enter,
  act: async ({ tab }) => tab.request('session'),
  isDone: ({ status }) => status === 200,
  outcome: isIn,
  stored: signedIn,
  refusal: '503 SessionUnavailable',
}

export const ACTIONS: readonly Action[] = [
  {
    name: 'the first sign-in at an OpenID provider',
    act: atProvider,
    isDone: goesTo('/in'),
    outcome: isIn,
    stored: { users: 1, accounts: 1, sessions: 1 },
    refusal: LATER,
  },
  {
    name: 'another sign-in at an OpenID provider',
    async prepare(visitor) {
      await atProvider(visitor)
      visitor.tab.cookies.delete(SESSION)
    },
    act: atProvider,
    isDone: goesTo('/in'),
    outcome: isIn,
    stored: { users: 1, accounts: 1, sessions: 1 },
    refusal: LATER,
  },
  {
    name: 'asking for a link',
    act: ask,
    isDone: goesTo('/auth/verify-request?provider=mail&type=email'),
    async outcome(visitor) {
      await click(visitor)
      await isIn(visitor)
    },
    stored: signedIn,
    refusal: LATER,
  },
  {
    name: 'following a link',
    prepare: ask,
    act: click,
    isDone: goesTo('/in'),
    outcome: isIn,
    stored: signedIn,
    refusal: LATER,
  },
  {
    name: 'the first sign-in with a password',
    act: enter,
    isDone: goesTo('/in'),
    outcome: isIn,
    stored: signedIn,
    refusal: LATER,
  },
  reading,
  { ...reading, name: 'reading a session that is due', session: { updateAge: 0 } },
  {
    name: 'signing out',
    // The session is gone; what is left is the hash of its token, under which it could be stored.
    settledBefore: 2,
    prepare: enter,
    act: async ({ tab }) => tab.post('signout', { callbackUrl: '/out' }),
    isDone: goesTo('/out'),
    async outcome({ tab }) {
      expect(await tab.session()).toBeNull()
      expect(tab.cookies.get(SESSION)).toBeUndefined()
    },
    stored: { users: 1, accounts: 0, sessions: 0 },
    refusal: LATER,
  },
]
