/** Identifiers that visitors and providers choose, and that some databases cannot store. */
import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow, fail, succeeded, together } from './expect.ts'
import { newAccount, newSession, newToken, newUser, unique } from './rows.ts'

/** Ten thousand random characters, which compression cannot shorten. */
function endless(): string {
  return Array.from({ length: 313 }, unique).join('')
}

/** Unique identifiers with a special meaning in SQL, Redis or Unicode. */
function hostileTexts(): readonly string[] {
  return [
    `' or '1'='1' -- ${unique()}`,
    `"; drop table users; ${unique()}`,
    `\\' ${unique()} \\`,
    `🦊\u{1F468}\u200D\u{1F469} ${unique()}`,
    `\r\n\t${unique()}`,
    `{"$gt":"${unique()}"}`,
    '__proto__',
    endless(),
  ]
}

/** Prefixes that match if the database truncates what it stores. */
function cutOff(text: string): readonly string[] {
  return [text.slice(0, 191), text.slice(0, 255), text.slice(0, -1)]
}

function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

interface Kind {
  readonly what: string
  readonly store: (text: string) => Promise<object>
  readonly find: (text: string) => PromiseLike<object | null> | object | null
}

/** An identifier matches no row before it is stored, and only its own row afterwards. Storing may fail. */
async function expectExact({ what, store, find }: Kind): Promise<void> {
  for (const text of hostileTexts()) {
    expectNull(`${what}, with ${show(text)}, which nobody has`, await find(text))
    const [stored] = succeeded(await together([() => store(text)]))
    const found = await find(text)
    if (stored) expectRow(`${what}, with ${show(text)}`, found, stored)
    else expectNull(`${what}, with ${show(text)}, which could not be stored`, found)
    for (const other of cutOff(text))
      if (other !== text) expectNull(`${what}, with a part of ${show(text)}`, await find(other))
  }
}

export const identifierCases: readonly AdapterCase[] = [
  adapterCase(
    'getUserByEmail takes any text, and finds what was stored or nothing',
    ['createUser', 'getUserByEmail', 'getUser'],
    async (adapter) => {
      for (const id of hostileTexts())
        expectNull(`getUser, with ${show(id)}`, await adapter.getUser(id))
      await expectExact({
        what: 'getUserByEmail',
        find: (email) => adapter.getUserByEmail(email),
        async store(email) {
          await adapter.createUser(newUser({ email }))
          return { email }
        },
      })
    },
  ),
  adapterCase(
    'getUserByAccount takes any text, and finds what was stored or nothing',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const { id } = await adapter.createUser(newUser())
      const { provider } = newAccount(id)
      await expectExact({
        what: 'getUserByAccount',
        find: (providerAccountId) => adapter.getUserByAccount({ provider, providerAccountId }),
        async store(providerAccountId) {
          await adapter.linkAccount(newAccount(id, { providerAccountId }))
          return { id }
        },
      })
    },
  ),
  adapterCase(
    'getSessionAndUser takes any text, and finds what was stored or nothing',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const { id } = await adapter.createUser(newUser())
      await expectExact({
        what: 'getSessionAndUser',
        find: async (token) => (await adapter.getSessionAndUser(token))?.session ?? null,
        async store(sessionToken) {
          await adapter.createSession({ ...newSession(id), sessionToken })
          return { sessionToken }
        },
      })
    },
  ),
  adapterCase(
    'useVerificationToken takes any text, and finds what was stored or nothing',
    ['createVerificationToken', 'useVerificationToken'],
    async (adapter) => {
      const { identifier } = newToken()
      for (const text of hostileTexts())
        for (const key of [
          { identifier: text, token: text },
          { identifier, token: text },
        ])
          expectNull(
            `useVerificationToken, with ${show(text)}`,
            await adapter.useVerificationToken(key),
          )
      for (const text of hostileTexts()) {
        const { token, expires } = newToken()
        const store = async () =>
          adapter.createVerificationToken({ identifier: text, token, expires })
        const [outcome] = await together([store])
        for (const other of cutOff(text))
          if (other !== text)
            expectNull(
              `useVerificationToken, with a part of ${show(text)}`,
              await adapter.useVerificationToken({ identifier: other, token }),
            )
        const used = await adapter.useVerificationToken({ identifier: text, token })
        const isStored = outcome?.status === 'fulfilled'
        if (isStored !== (used !== null))
          fail(`useVerificationToken, with ${show(text)}`, isStored ? 'the token' : 'null', used)
      }
    },
  ),
]
