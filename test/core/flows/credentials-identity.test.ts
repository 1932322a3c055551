/** Which stored user a session from `authorize` is for, by the table in docs/guides/credentials.md. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { User } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'
import { errorTypes, recordCalls } from '../../database.ts'
import { claimsOf, cookieValue, SESSION } from '../../sessions.ts'

const EMAIL = 'ada@example.com'
const OTHER = 'staff@example.com'

interface Stored {
  /** The address of the user with the id 7. */
  readonly seven?: string
  /** The address of the user with the id 9. */
  readonly nine?: string
}

/** Signs in as the user whom `authorize` returned. */
async function signIn(
  { seven, nine }: Stored,
  user: User,
  options: { readonly strategy: 'database' | 'jwt'; readonly createUser: boolean },
) {
  const stored = MemoryAdapter()
  for (const [id, email] of Object.entries({ 7: seven, 9: nine }))
    if (email !== undefined) await stored.createUser({ id, email, emailVerified: null })
  const recorded = recordCalls(stored)
  const { strategy, createUser } = options
  const { config, log } = passwordConfig(
    { adapter: recorded.adapter, protection: 'off', session: { strategy } },
    { authorize: () => user, createUser },
  )
  const tab = browser(config)
  const response = await enter(tab)
  const hasSession = tab.cookies.get(SESSION) !== undefined
  const isCreated = recorded.called().includes('createUser')
  const row = hasSession && strategy === 'database' && cookieValue(tab)
  const id = row ? (await stored.getSessionAndUser(row))?.user.id : undefined
  const who = isCreated ? 'a new user' : (id ?? 'rejected')
  return { who, isCreated, tab, log, response, hasSession }
}

const BOTH: User = { id: '7', email: EMAIL }
const ID: User = { id: '7' }
const ADDRESS: User = { email: EMAIL }

type Case = [string, Stored, User, outcome: string, withCreateUser: string, isMarked: boolean]

const cases: Case[] = [
  ['a row with the id and the address', { seven: EMAIL }, BOTH, '7', '7', true],
  [
    'a row with the id, and the address in capitals',
    { seven: 'ADA@Example.com' },
    BOTH,
    '7',
    '7',
    true,
  ],
  ['a row with the id and another address', { seven: OTHER }, BOTH, 'rejected', 'rejected', false],
  [
    'a row with the id and another address, and one with the address',
    { seven: OTHER, nine: EMAIL },
    BOTH,
    'rejected',
    'rejected',
    false,
  ],
  [
    'an address that differs in a letter',
    { seven: 'aſa@example.com' },
    { id: '7', email: 'asa@example.com' },
    'rejected',
    'rejected',
    false,
  ],
  ['a row with the id and no address', { seven: '' }, BOTH, 'rejected', 'rejected', false],
  [
    'a row with the id and no address, and one with the address',
    { seven: '', nine: EMAIL },
    BOTH,
    'rejected',
    'rejected',
    false,
  ],
  ['a row with the id, and no returned address', { seven: OTHER }, ID, '7', '7', false],
  [
    'a row with the id, and an empty returned address',
    { seven: OTHER },
    { id: '7', email: '' },
    '7',
    '7',
    false,
  ],
  ['a row with the address', { nine: EMAIL }, BOTH, '9', '9', false],
  [
    'a row with the address, and no returned id',
    { seven: OTHER, nine: EMAIL },
    ADDRESS,
    '9',
    '9',
    false,
  ],
  [
    'a row with the address, and no returned address',
    { nine: EMAIL },
    ID,
    'rejected',
    'rejected',
    false,
  ],
  ['no row', {}, BOTH, 'rejected', 'a new user', false],
  ['no row, and no returned id', {}, ADDRESS, 'rejected', 'a new user', false],
  ['no row, and no returned address', {}, ID, 'rejected', 'rejected', false],
]

describe.each([false, true])('with createUser: %s', (createUser) => {
  test.each(cases)(
    'a database session is for the user of the table: %s',
    async (_case, stored, user, outcome, withCreateUser) => {
      const options = { strategy: 'database', createUser } as const
      const { who, log, response, tab } = await signIn(stored, user, options)
      const expected = createUser ? withCreateUser : outcome
      expect(who).toBe(expected)
      const isRejected = expected === 'rejected'
      expect(errorTypes(log)).toEqual(isRejected ? ['CallbackRouteError'] : [])
      if (!isRejected) return
      expect(response.headers.get('location')).toBe(`${tab.origin}/auth/error?error=Configuration`)
    },
  )

  test.each(cases)(
    'a jwt session acts for a stored user only if id and address are the same: %s',
    async (...row) => {
      const [, stored, user, , , isMarked] = row
      const options = { strategy: 'jwt', createUser } as const
      const { isCreated, hasSession, tab, log } = await signIn(stored, user, options)
      expect([hasSession, isCreated, log.errors]).toEqual([true, false, []])
      const claims = await claimsOf(tab)
      expect(claims?.sub).toBe(user.id ?? user.email)
      expect(claims?.['verified_at_sign_in'] !== null).toBe(isMarked)
    },
  )
})

test('the error of another address names both fixes, and no address', async () => {
  const options = { strategy: 'database', createUser: true } as const
  const { log } = await signIn({ seven: OTHER }, BOTH, options)
  const message = log.errors[0]?.message ?? ''
  expect(message).toContain('provider password has the id of a user in the database')
  expect(message).toContain('If the id is that of another table, return only the email.')
  expect(message).toContain('return the address from the database, or no email.')
  expect(message).not.toContain('@')
})
