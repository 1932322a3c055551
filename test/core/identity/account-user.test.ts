import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/core/identity/account-user.ts'
import type { LinkDecision, LinkFacts } from '../../../src/core/identity/account-user.ts'

const USERS = ['ada', 'bob', null]

/** All combinations of facts; `cleo` is a third user, for the owner and the address. */
const SITUATIONS: readonly LinkFacts[] = USERS.flatMap((initiatingUser) =>
  USERS.flatMap((currentUser) =>
    [...USERS, 'cleo'].flatMap((accountOwner) =>
      [...USERS, 'cleo'].flatMap((sameEmail) =>
        [true, false].flatMap((trustsEmail) =>
          [true, false].flatMap((mayLink) =>
            [true, false].map((isUnstored) => ({
              initiatingUser,
              currentUser,
              mayLink,
              accountOwner,
              sameEmail,
              trustsEmail,
              isUnstored,
            })),
          ),
        ),
      ),
    ),
  ),
)

interface Row {
  readonly cells: readonly string[]
  readonly decision: string
}

/** The rows of the decision table in the documentation. */
function readTable(): Row[] {
  const file = new URL('../../../docs/reference/linking.md', import.meta.url)
  const lines = readFileSync(file, 'utf8').match(/^\|.*\|$/gm) ?? []
  const start = lines.findIndex((line) => line.startsWith('| initiating user'))
  return lines.slice(start + 2, start + 12).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return { cells: cells.slice(1, 7), decision: cells[7]?.replaceAll('`', '') ?? '' }
  })
}

/** Whether the row applies. Letters are users: the same letter is the same user. */
function matches({ cells }: Row, facts: LinkFacts): boolean {
  const [initiatingUser = '', now = '', mayLink = '', owner = '', sameEmail = '', trusted = ''] =
    cells
  const users = new Map<string, string>()
  const isUser = (cell: string, id: string | null): boolean => {
    if (cell === '–' || cell === '') return true
    if (cell === 'none') return id === null
    const bound = users.get(cell)
    if (id === null || (bound !== undefined && bound !== id)) return false
    if (bound === undefined && [...users.values()].includes(id)) return false
    users.set(cell, id)
    return true
  }
  const isStart =
    initiatingUser === 'not stored'
      ? facts.isUnstored
      : initiatingUser === 'otherwise' || isUser(initiatingUser, facts.initiatingUser)
  const is = (cell: string, fact: boolean) => cell === '–' || (cell === 'yes') === fact
  return (
    isStart &&
    isUser(now, facts.currentUser) &&
    isUser(owner, facts.accountOwner) &&
    isUser(sameEmail, facts.sameEmail) &&
    is(mayLink, facts.mayLink) &&
    is(trusted, facts.trustsEmail)
  )
}

const table = readTable()

test('decide follows the table in the documentation for all combinations of facts', () => {
  expect(table).toHaveLength(10)
  expect(SITUATIONS).toHaveLength(1152)
  for (const facts of SITUATIONS) {
    const row = table.find((each) => matches(each, facts))
    expect({ facts, decision: decide(facts) }).toEqual({ facts, decision: row?.decision })
  }
})

test('every row of the table applies to some combination of facts', () => {
  const used = new Set(SITUATIONS.map((facts) => table.find((each) => matches(each, facts))))
  expect(used).toEqual(new Set(table))
})

describe('row by row', () => {
  const signedOut = {
    initiatingUser: null,
    currentUser: null,
    mayLink: true,
    accountOwner: null,
    sameEmail: null,
    trustsEmail: false,
    isUnstored: false,
  } as const
  const cases: [string, Partial<LinkFacts>, LinkDecision][] = [
    ['initiated by A, completed by B', { initiatingUser: 'a', currentUser: 'b' }, 'reject'],
    [
      'initiated by A, completed by B with the account of B',
      { initiatingUser: 'a', currentUser: 'b', accountOwner: 'b' },
      'reject',
    ],
    [
      'initiated by A, completed by B with the account of A',
      { initiatingUser: 'a', currentUser: 'b', accountOwner: 'a' },
      'reject',
    ],
    ['A links an account', { initiatingUser: 'a', currentUser: 'a' }, 'link_current'],
    [
      'A links an account with the address of B',
      { initiatingUser: 'a', currentUser: 'a', sameEmail: 'b' },
      'link_current',
    ],
    [
      'A links an account from a stale session',
      { initiatingUser: 'a', currentUser: 'a', mayLink: false },
      'reject',
    ],
    [
      'A signs in again from a stale session',
      { initiatingUser: 'a', currentUser: 'a', mayLink: false, accountOwner: 'a' },
      'sign_in',
    ],
    ['A signs in again', { initiatingUser: 'a', currentUser: 'a', accountOwner: 'a' }, 'sign_in'],
    [
      'A links the account of B',
      { initiatingUser: 'a', currentUser: 'a', accountOwner: 'b' },
      'reject',
    ],
    ['B signs in', { accountOwner: 'b' }, 'sign_in'],
    ['B signs in with a planted session of A', { currentUser: 'a', accountOwner: 'b' }, 'sign_in'],
    ['B signs in after A has signed out', { initiatingUser: 'a', accountOwner: 'b' }, 'sign_in'],
    ['a new user signs in with a planted session of A', { currentUser: 'a' }, 'create'],
    ['a new user signs in after A has signed out', { initiatingUser: 'a' }, 'create'],
    ['a trusted address of B', { sameEmail: 'b', trustsEmail: true }, 'link_same_email'],
    ['an address of B that is not trusted', { sameEmail: 'b' }, 'reject'],
    ['a new user', {}, 'create'],
    ['a visitor who is not stored', { isUnstored: true }, 'reject'],
    [
      'a visitor who is not stored, with an account of B',
      { isUnstored: true, accountOwner: 'b' },
      'sign_in',
    ],
    [
      'a visitor who is not stored, with a trusted address of B',
      { isUnstored: true, sameEmail: 'b', trustsEmail: true },
      'link_same_email',
    ],
    ['a new user with a trusted address', { trustsEmail: true }, 'create'],
  ]
  test.each(cases)('%s', (_name, facts, decision) => {
    expect(decide({ ...signedOut, ...facts })).toBe(decision)
  })
})
