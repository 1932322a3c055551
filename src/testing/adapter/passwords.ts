import { adapterCase, createUsers, RACE_CALLS, stepCases } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { expectMatch, fail, together } from './expect.ts'
import { raceForOne } from './race.ts'
import { LATER, lookalikes, newPassword, unique } from './rows.ts'
import type { NewPassword } from './rows.ts'

const MAX_HASH = 500

const storageCases = stepCases(2, {
  'getPassword returns the password of exactly this user': ({ user, other }) => {
    const password = newPassword()
    return [
      ['getPassword', [user.id], null],
      ['getPassword', [unique()], null],
      ['setPassword', [user.id, password], true],
      ['getPassword', [user.id], { ...password, userId: user.id }],
      ['getPassword', [other.id], null],
    ]
  },
  'setPassword stores a password in place of an existing one': ({ user, other }) => {
    const [first, otherPassword] = [newPassword(), newPassword()]
    const second = newPassword({ hash: unique().padEnd(MAX_HASH, '$'), changed: LATER })
    return [
      ['setPassword', [user.id, first], true],
      ['setPassword', [other.id, otherPassword], true],
      ['setPassword', [user.id, second], true],
      ['getPassword', [user.id], second],
      ['getPassword', [other.id], otherPassword],
    ]
  },
  'setPassword that expects no password keeps an existing one': ({ user }) => {
    const password = newPassword()
    return [
      ['setPassword', [user.id, password, null], true],
      ['setPassword', [user.id, newPassword(), null], false],
      ['setPassword', [user.id, null, null], false],
      ['getPassword', [user.id], password],
    ]
  },
  'setPassword that expects a hash compares it exactly': ({ user, other }) => {
    const [first, second, otherPassword] = [newPassword(), newPassword(), newPassword()]
    const wrong = [...lookalikes(first.hash), otherPassword.hash]
    return [
      ['setPassword', [user.id, first]],
      ['setPassword', [other.id, otherPassword]],
      ...wrong.flatMap((hash): Step[] => [
        ['setPassword', [user.id, second, hash], false],
        ['setPassword', [user.id, null, hash], false],
      ]),
      ['getPassword', [user.id], first],
      ['setPassword', [user.id, second, first.hash], true],
      ['setPassword', [user.id, first, first.hash], false],
      ['getPassword', [user.id], second],
      ['setPassword', [user.id, { ...second, changed: LATER }, second.hash], true],
      ['getPassword', [user.id], { ...second, changed: LATER }],
      ['getPassword', [other.id], otherPassword],
    ]
  },
  'setPassword that expects a hash stores nothing without a password': ({ user }) => [
    ['setPassword', [user.id, newPassword(), unique()], false],
    ['getPassword', [user.id], null],
  ],
  'setPassword with null deletes the password': ({ user, other }) => {
    const [password, otherPassword] = [newPassword(), newPassword()]
    return [
      ['setPassword', [user.id, password]],
      ['setPassword', [other.id, otherPassword]],
      ['setPassword', [user.id, null, password.hash], true],
      ['getPassword', [user.id], null],
      ['setPassword', [user.id, null, password.hash], false],
      ['setPassword', [user.id, password, null], true],
      ['setPassword', [user.id, null], true],
      ['getPassword', [user.id], null],
      ['getPassword', [other.id], otherPassword],
    ]
  },
  'deleteUser deletes the password of the user': ({ user, other }) => {
    const [password, otherPassword] = [newPassword(), newPassword()]
    return [
      ['setPassword', [user.id, password]],
      ['setPassword', [other.id, otherPassword]],
      ['deleteUser', [user.id]],
      ['getPassword', [user.id], null],
      ['getPassword', [other.id], otherPassword],
    ]
  },
  'transaction that is rolled back keeps the passwords': ({ user, other }) => {
    const [password, changed] = [newPassword(), newPassword()]
    return [
      ['setPassword', [user.id, password]],
      [
        'transaction',
        [
          ['setPassword', [user.id, changed, password.hash], true],
          ['setPassword', [other.id, newPassword(), null], true],
          ['setPassword', [other.id, newPassword(), null], false],
          ['getPassword', [user.id], changed],
        ],
        'rollback',
      ],
      ['getPassword', [user.id], password],
      ['getPassword', [other.id], null],
    ]
  },
})

type Change = (before: NewPassword) => readonly [NewPassword | null, expected: string | null]

/** Fifty concurrent changes of one password: exactly one must return `true`, and its result must be stored. */
function raceCase(name: string, first: NewPassword | null, change: Change): AdapterCase {
  return adapterCase(
    name,
    () => ['createUser', 'getPassword', 'setPassword'],
    async (adapter) => {
      const [user] = await createUsers(adapter, 1)
      const userId = user?.id ?? ''
      const before = first ?? newPassword()
      if (first) await adapter.setPassword(userId, before)
      const changes = Array.from({ length: RACE_CALLS }, () => change(before))
      const winner = await raceForOne('setPassword', 'true', async (index) => {
        const [password, expected] = changes[index] ?? change(before)
        return adapter.setPassword(userId, password, expected)
      })
      const what = `getPassword after setPassword, ${RACE_CALLS} concurrent calls`
      expectMatch(what, await adapter.getPassword(userId), changes[winner]?.[0])
    },
  )
}

const raceCases = [
  raceCase(
    'setPassword stores a password in one of fifty concurrent calls that expect none',
    null,
    () => [newPassword(), null],
  ),
  raceCase(
    'setPassword replaces a password in one of fifty concurrent calls',
    { hash: 'the hash that all calls have read', changed: LATER },
    ({ hash }) => [newPassword(), hash],
  ),
  raceCase(
    'setPassword deletes a password in one of fifty concurrent calls',
    { hash: 'the hash that all calls have read', changed: LATER },
    ({ hash }) => [null, hash],
  ),
  adapterCase(
    'setPassword stores one of fifty passwords in concurrent calls that expect nothing',
    () => ['createUser', 'getPassword', 'setPassword'],
    async (adapter) => {
      const [user] = await createUsers(adapter, 1)
      const userId = user?.id ?? ''
      const passwords = Array.from({ length: RACE_CALLS }, () => newPassword())
      const outcomes = await together(
        passwords.map((password) => () => adapter.setPassword(userId, password)),
      )
      const what = `setPassword, ${RACE_CALLS} concurrent calls`
      const lost = outcomes.find((each) => each.status === 'rejected' || !each.value)
      if (lost) fail(what, 'all to return true', lost)
      const stored = await adapter.getPassword(userId)
      if (!passwords.some(({ hash }) => hash === stored?.hash))
        fail(`getPassword after ${what}`, 'one of the passwords', stored)
    },
  ),
]

export const passwordCases: readonly AdapterCase[] = [...storageCases, ...raceCases]
