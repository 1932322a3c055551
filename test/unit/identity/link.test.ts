import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/identity/link.ts'
import type { LinkDecision, LinkFacts } from '../../../src/identity/link.ts'

const USERS = ['ada', 'bob', null]

/** All combinations of facts; `cleo` is a third user, for the owner and the address. */
const SITUATIONS: readonly LinkFacts[] = USERS.flatMap((startedBy) =>
  USERS.flatMap((current) =>
    [...USERS, 'cleo'].flatMap((owner) =>
      [...USERS, 'cleo'].flatMap((sameEmail) =>
        [true, false].flatMap((trustsEmail) =>
          [true, false].map((mayLink) => ({
            startedBy,
            current,
            mayLink,
            owner,
            sameEmail,
            trustsEmail,
          })),
        ),
      ),
    ),
  ),
)

interface Row {
  readonly cells: readonly string[]
  readonly decision: string
}

/** The rows of the table in a file, without comment characters. */
function rowsIn(file: string): Row[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const lines = [...text.matchAll(/^(?: \* )?(\|.*\|)$/gm)].map(([, line = '']) => line)
  const start = lines.findIndex((line) => line.includes('started by'))
  return lines.slice(start + 2, start + 11).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return { cells: cells.slice(1, 7), decision: cells[7]?.replaceAll('`', '') ?? '' }
  })
}

/** Whether the row applies. Letters are users: the same letter is the same user. */
function matches({ cells }: Row, facts: LinkFacts): boolean {
  const [startedBy = '', now = '', mayLink = '', owner = '', sameEmail = '', trusted = ''] = cells
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
  const isStart = startedBy === 'otherwise' || isUser(startedBy, facts.startedBy)
  const is = (cell: string, fact: boolean) => cell === '–' || (cell === 'yes') === fact
  return (
    isStart &&
    isUser(now, facts.current) &&
    isUser(owner, facts.owner) &&
    isUser(sameEmail, facts.sameEmail) &&
    is(mayLink, facts.mayLink) &&
    is(trusted, facts.trustsEmail)
  )
}

const table = rowsIn('src/identity/link.ts')

test('the table in the documentation equals the table in the code', () => {
  expect(table).toHaveLength(9)
  expect(rowsIn('docs/reference/linking.md')).toEqual(table)
})

test('decide follows the table for all combinations of facts', () => {
  expect(SITUATIONS).toHaveLength(576)
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
    startedBy: null,
    current: null,
    mayLink: true,
    owner: null,
    sameEmail: null,
    trustsEmail: false,
  } as const
  const cases: [string, Partial<LinkFacts>, LinkDecision][] = [
    ['started by A, completed by B', { startedBy: 'a', current: 'b' }, 'refuse'],
    [
      'started by A, completed by B with the account of B',
      { startedBy: 'a', current: 'b', owner: 'b' },
      'refuse',
    ],
    [
      'started by A, completed by B with the account of A',
      { startedBy: 'a', current: 'b', owner: 'a' },
      'refuse',
    ],
    ['A links an account', { startedBy: 'a', current: 'a' }, 'link_current'],
    [
      'A links an account with the address of B',
      { startedBy: 'a', current: 'a', sameEmail: 'b' },
      'link_current',
    ],
    [
      'A links an account from a stale session',
      { startedBy: 'a', current: 'a', mayLink: false },
      'refuse',
    ],
    [
      'A signs in again from a stale session',
      { startedBy: 'a', current: 'a', mayLink: false, owner: 'a' },
      'enter',
    ],
    ['A signs in again', { startedBy: 'a', current: 'a', owner: 'a' }, 'enter'],
    ['A links the account of B', { startedBy: 'a', current: 'a', owner: 'b' }, 'refuse'],
    ['B signs in', { owner: 'b' }, 'enter'],
    ['B signs in with a planted session of A', { current: 'a', owner: 'b' }, 'enter'],
    ['B signs in after A has signed out', { startedBy: 'a', owner: 'b' }, 'enter'],
    ['a new user signs in with a planted session of A', { current: 'a' }, 'create'],
    ['a new user signs in after A has signed out', { startedBy: 'a' }, 'create'],
    ['a trusted address of B', { sameEmail: 'b', trustsEmail: true }, 'link_same_email'],
    ['an address of B that is not trusted', { sameEmail: 'b' }, 'refuse'],
    ['a new user', {}, 'create'],
    ['a new user with a trusted address', { trustsEmail: true }, 'create'],
  ]
  test.each(cases)('%s', (_name, facts, decision) => {
    expect(decide({ ...signedOut, ...facts })).toBe(decision)
  })
})
