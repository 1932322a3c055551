/** What an adapter has to do with texts that visitors and providers make up, and that not all databases can store. */
import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow, fail, succeeded, together } from './expect.ts'
import { newAccount, newSession, newToken, newUser, unique } from './rows.ts'

/** Ten thousand characters that cannot be made shorter. */
function endless(): string {
  return Array.from({ length: 313 }, unique).join('')
}

/** Texts that nobody else has, and that mean something to somebody. */
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

/** What a lookup may take for a text, if the database cuts off what it cannot store. */
function cutOff(text: string): readonly string[] {
  return [text.slice(0, 191), text.slice(0, 255), text.slice(0, -1)]
}

function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** One kind of row, and the text that finds it. */
interface Kind {
  readonly what: string
  /** Stores a row that this text finds. */
  readonly store: (text: string) => Promise<object>
  readonly find: (text: string) => PromiseLike<object | null> | object | null
}

/** A text finds nothing before, and afterwards the row, if it could be stored; what it may be taken for finds nothing. */
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
