/** The suite for adapters finds what is wrong with an adapter, and says so by the name of the method. */
import { describe, expect, test } from 'vitest'
import type { Adapter, AdapterAccount } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { adapterCases, testAdapter } from '../../src/testing/index.ts'
import { accountFaults } from './broken/accounts.ts'
import { authenticatorFaults } from './broken/authenticators.ts'
import { identifierFaults } from './broken/identifiers.ts'
import { sessionFaults } from './broken/sessions.ts'
import { tokenFaults } from './broken/tokens.ts'
import { transactionFaults } from './broken/transactions.ts'
import { userFaults } from './broken/users.ts'

const broken = [
  ...userFaults,
  ...accountFaults,
  ...sessionFaults,
  ...tokenFaults,
  ...authenticatorFaults,
  ...transactionFaults,
  ...identifierFaults,
]

/** What the suite says about an adapter: its errors by the name of the case. */
async function examine(adapter: Adapter, remarks: string[] = []): Promise<Map<string, string>> {
  const problems = new Map<string, string>()
  for (const each of adapterCases)
    await each
      .run(adapter, (remark) => remarks.push(remark))
      .catch((error: Error) => problems.set(each.name, error.message))
  return problems
}

const found = new Map<string, Map<string, string>>()
for (const { what, breaks } of broken) found.set(what, await examine(breaks(MemoryAdapter())))

describe('the suite finds out about', () => {
  // Covers: adapter.suite
  test.each(broken.map((each) => [each.what, each] as const))(
    '%s',
    (what, { failing, message }) => {
      const problem = found.get(what)?.get(failing)
      expect(problem, [...(found.get(what) ?? [])].join('\n')).toMatch(message)
      // Somebody who reads nothing but the message knows where to look.
      const { needs } = adapterCases.find(({ name }) => name === failing) ?? {}
      expect(needs).toContain(problem?.split(/\W/)[0])
    },
  )

  test('each thing that it asks for', () => {
    const failed = new Set([...found.values()].flatMap((problems) => Array.from(problems.keys())))
    const never = adapterCases.map(({ name }) => name).filter((name) => !failed.has(name))
    expect(never).toEqual([])
  })
})

describe('the suite accepts, with a remark,', () => {
  test('users with the same address', async () => {
    const memory = MemoryAdapter()
    // An address of its own for each user in the store, which nobody sees.
    const createUser: Adapter['createUser'] = async (user) => {
      const stored = await memory.createUser({ ...user, email: crypto.randomUUID() })
      return { ...stored, email: user.email }
    }
    const remarks: string[] = []
    const each = adapterCases.find(({ name }) => name.startsWith('createUser makes one user'))
    await each?.run({ ...memory, createUser }, (remark) => remarks.push(remark))
    expect(remarks).toEqual([expect.stringMatching(/^createUser stores two users/)])
  })

  test('an error when a session that is gone is ended, or extended', async () => {
    const memory = MemoryAdapter()
    const assertThere = async (token: string) => {
      if (!(await memory.getSessionAndUser(token))) throw new Error('No row was changed.')
    }
    const remarks: string[] = []
    const problems = await examine(
      {
        ...memory,
        async deleteSession(token) {
          await assertThere(token)
          return memory.deleteSession(token)
        },
        async updateSession(session) {
          await assertThere(session.sessionToken)
          return memory.updateSession(session)
        },
      },
      remarks,
    )
    expect([...problems]).toEqual([])
    expect(remarks).toEqual([
      expect.stringMatching(/^updateSession.*should be no error \(Error: No row was changed\.\)/),
      expect.stringMatching(/^deleteSession.*should be no error/),
    ])
  })
})

describe('the suite accepts', () => {
  // Covers: adapter.methods
  test('an adapter that is an instance of a class', async () => {
    class ClassAdapter {
      readonly #memory = MemoryAdapter()
      async createUser(user: Parameters<NonNullable<Adapter['createUser']>>[0]) {
        return this.#memory.createUser(user)
      }
      async getUser(id: string) {
        return this.#memory.getUser(id)
      }
    }
    const registered = register(new ClassAdapter())
    expect(registered.run.map(([name]) => name)).toEqual([
      'createUser returns what it stored',
      'getUser knows nobody by another id',
      'createUser makes one user of an address, however many ask at once',
    ])
    for (const [, body] of registered.run) await expect(body()).resolves.toBeUndefined()
  })

  // Covers: adapter.optional
  test('an adapter whose methods are synchronous', async () => {
    const accounts = new Map<string, AdapterAccount>()
    const adapter: Adapter = {
      createUser: (user) => user,
      linkAccount(account) {
        accounts.set(account.providerAccountId, account)
        return account
      },
      getAccount(id, provider) {
        const account = accounts.get(id)
        return account?.provider === provider ? account : null
      },
    }
    for (const [, body] of register(adapter).run.filter(([name]) => name.startsWith('getAccount')))
      await expect(body()).resolves.toBeUndefined()
  })
})

/** What a runner is told of an adapter. */
function register(adapter: Adapter) {
  const run: [string, () => Promise<void>][] = []
  const skipped: [string, () => Promise<void>][] = []
  const runner = Object.assign(
    (name: string, body: () => Promise<void>) => void run.push([name, body]),
    {
      skip: (name: string, body: () => Promise<void>) => void skipped.push([name, body]),
    },
  )
  testAdapter(adapter, { test: runner, report: () => undefined })
  return { run, skipped }
}

describe('a method that is missing', () => {
  test('skips what needs it, and its name says so', () => {
    const { transaction: _, listSessions: __, ...adapter } = MemoryAdapter()
    const { run, skipped } = register(adapter)
    expect(run.length + skipped.length).toBe(adapterCases.length)
    const names = skipped.map(([name]) => name)
    expect(names).toContain(
      'listSessions returns all sessions of a user (the adapter has no listSessions)',
    )
    expect(names.filter((name) => /no transaction\)/.test(name))).toHaveLength(
      adapterCases.filter(({ needs }) => needs.includes('transaction')).length,
    )
  })

  test('is never taken for one that works', async () => {
    const [each] = adapterCases
    await expect(each?.run({})).rejects.toThrow('The adapter has no createUser, getUser.')
    const { run, skipped } = register({})
    expect(run).toEqual([])
    for (const [, body] of skipped) await expect(body()).rejects.toThrow('The adapter has no ')
  })
})

test('each thing the suite asks for begins with the method it is about, and has its own name', () => {
  for (const { name, needs } of adapterCases) expect(needs).toContain(name.split(' ')[0])
  expect(new Set(adapterCases.map(({ name }) => name)).size).toBe(adapterCases.length)
})
