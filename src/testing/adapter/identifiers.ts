/** Identifiers that visitors and providers choose, and that some databases cannot store. */
import type { AdapterUser } from '../../core/database/adapter.ts'
import { adapterCase, callEach, createUsers, listMethods, runSteps, stepCases } from './case.ts'
import type { AdapterCase, Call } from './case.ts'
import { together } from './expect.ts'
import { newAccount, newSession, newToken, newUser, unique } from './rows.ts'

/** Unique identifiers with a special meaning in SQL, Redis or Unicode, and a long one that cannot be compressed. */
function hostileTexts(): readonly string[] {
  return [
    `' or '1'='1' -- ${unique()}`,
    `"; drop table users; ${unique()}`,
    `\\' ${unique()} \\`,
    `🦊\u{1F468}\u200D\u{1F469} ${unique()}`,
    `\r\n\t${unique()}`,
    `{"$gt":"${unique()}"}`,
    '__proto__',
    Array.from({ length: 313 }, unique).join(''),
  ]
}

function listPrefixes(text: string): readonly string[] {
  const prefixes = [text.slice(0, 191), text.slice(0, 255), text.slice(0, -1)]
  return prefixes.filter((prefix) => prefix !== text)
}

interface Lookup {
  readonly store: Call
  readonly find: (text: string, expected: object | null) => Call
  readonly row: object
}

/** An identifier matches no row before it is stored, and only its own row afterwards. Storing may fail. */
function identifierCase(
  name: string,
  users: 0 | 1,
  createLookup: (text: string, user: AdapterUser) => Lookup,
): AdapterCase {
  function listNeeds() {
    const { store, find } = createLookup('', newUser())
    const seeds: Call[] = users ? [['createUser', [newUser()]]] : []
    return listMethods([...seeds, store, find('', null)])
  }
  return adapterCase(name, listNeeds, async (adapter) => {
    const [user = newUser()] = await createUsers(adapter, users)
    for (const text of hostileTexts()) {
      const { store, find, row } = createLookup(text, user)
      await runSteps(adapter, [find(text, null)])
      const [stored] = await together([() => runSteps(adapter, [store])])
      const prefixes = listPrefixes(text).map((prefix) => find(prefix, null))
      const expected = stored?.status === 'fulfilled' ? row : null
      await runSteps(adapter, [...prefixes, find(text, expected)], { after: store[0] })
    }
  })
}

export const identifierCases: readonly AdapterCase[] = [
  ...stepCases(0, {
    'getUser returns null for any text that is not an id': () =>
      callEach('getUser', hostileTexts(), null),
    'useVerificationToken returns null for any text that is not a token': ({ token }) =>
      hostileTexts().flatMap((text): Call[] => [
        ['useVerificationToken', [{ identifier: text, token: text }], null],
        ['useVerificationToken', [{ identifier: token.identifier, token: text }], null],
      ]),
  }),
  identifierCase('getUserByEmail matches any text exactly', 0, (email) => ({
    store: ['createUser', [newUser({ email })]],
    find: (text, expected) => ['getUserByEmail', [text], expected],
    row: { email },
  })),
  identifierCase('getUserByAccount matches any text exactly', 1, (providerAccountId, { id }) => ({
    store: ['linkAccount', [newAccount(id, { providerAccountId })]],
    find: (text, expected) => [
      'getUserByAccount',
      [{ provider: 'example', providerAccountId: text }],
      expected,
    ],
    row: { id },
  })),
  identifierCase('getSessionAndUser matches any text exactly', 1, (sessionToken, { id }) => ({
    store: ['createSession', [{ ...newSession(id), sessionToken }]],
    find: (text, expected) => ['getSessionAndUser', [text], expected],
    row: { session: { sessionToken } },
  })),
  identifierCase('useVerificationToken matches any identifier exactly', 0, (identifier) => {
    const row = newToken(identifier)
    return {
      store: ['createVerificationToken', [row]],
      find: (text, expected) => [
        'useVerificationToken',
        [{ identifier: text, token: row.token }],
        expected,
      ],
      row,
    }
  }),
]
