/** The adapter test suite reports faults of an adapter with the name of the method. */
import { describe, expect, test } from 'vitest'
import type { Adapter, AdapterAccount } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { adapterCases, testAdapter } from '../../src/testing/index.ts'
import { accountFaults } from './broken-adapters/accounts.ts'
import { authenticatorFaults } from './broken-adapters/authenticators.ts'
import { factorFaults } from './broken-adapters/factors.ts'
import { identifierFaults } from './broken-adapters/identifiers.ts'
import { passwordFaults } from './broken-adapters/passwords.ts'
import { recordFaults } from './broken-adapters/records.ts'
import { sessionFaults } from './broken-adapters/sessions.ts'
import { tokenFaults } from './broken-adapters/tokens.ts'
import { transactionFaults } from './broken-adapters/transactions.ts'
import { userFaults } from './broken-adapters/users.ts'

const broken = [
  ...userFaults,
  ...accountFaults,
  ...sessionFaults,
  ...tokenFaults,
  ...authenticatorFaults,
  ...transactionFaults,
  ...identifierFaults,
  ...recordFaults,
  ...factorFaults,
  ...passwordFaults,
]

/** Runs the suite, and returns its errors by the name of the case. */
async function runSuite(adapter: Adapter, remarks: string[] = []): Promise<Map<string, string>> {
  const errors = new Map<string, string>()
  for (const each of adapterCases)
    await each
      .run(adapter, (remark) => remarks.push(remark))
      .catch((error: Error) => errors.set(each.name, error.message))
  return errors
}

const found = new Map<string, Map<string, string>>()
for (const { what, breaks } of broken) found.set(what, await runSuite(breaks(MemoryAdapter())))

describe('the adapter test suite', () => {
  test.each(broken.map((each) => [each.what, each] as const))(
    'reports %s',
    (what, { failing, message }) => {
      const error = found.get(what)?.get(failing)
      expect(error, [...(found.get(what) ?? [])].join('\n')).toMatch(message)
      // The message alone names a method to look at.
      const { needs } = adapterCases.find(({ name }) => name === failing) ?? {}
      expect(needs).toContain(error?.split(/\W/)[0])
    },
  )

  test('reports a fault in each of its cases', () => {
    const failed = new Set([...found.values()].flatMap((errors) => Array.from(errors.keys())))
    const never = adapterCases.map(({ name }) => name).filter((name) => !failed.has(name))
    expect(never).toEqual([])
  })
})

describe('discouraged behaviour', () => {
  test('is reported as a warning: users with the same e-mail address', async () => {
    const memory = MemoryAdapter()
    // Stores another address for each user, and returns the given one.
    const createUser: Adapter['createUser'] = async (user) => {
      const stored = await memory.createUser({ ...user, email: crypto.randomUUID() })
      return { ...stored, email: user.email }
    }
    const remarks: string[] = []
    const each = adapterCases.find(({ name }) => name.startsWith('createUser stores an address'))
    await each?.run({ ...memory, createUser }, (remark) => remarks.push(remark))
    expect(remarks).toEqual([expect.stringMatching(/^createUser stores two users/)])
  })

  test('is reported as a warning: an error on deleting or updating a deleted session', async () => {
    const memory = MemoryAdapter()
    const assertExists = async (token: string) => {
      if (!(await memory.getSessionAndUser(token))) throw new Error('No row was changed.')
    }
    const remarks: string[] = []
    const errors = await runSuite(
      {
        ...memory,
        async deleteSession(token) {
          await assertExists(token)
          return memory.deleteSession(token)
        },
        async updateSession(session) {
          await assertExists(session.sessionToken)
          return memory.updateSession(session)
        },
      },
      remarks,
    )
    expect([...errors]).toEqual([])
    expect(remarks).toEqual([
      expect.stringMatching(/^updateSession.*should not throw \(Error: No row was changed\.\)/),
      expect.stringMatching(/^deleteSession.*should not throw/),
    ])
  })
})

describe('the adapter test suite accepts', () => {
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
      'createUser stores a user and returns the stored row',
      'getUser returns null for an unknown id',
      'getUser returns null for any text that is not an id',
      'createUser stores an address in one of fifty concurrent calls',
    ])
    for (const [, body] of registered.run) await expect(body()).resolves.toBeUndefined()
  })

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

/** The tests that the suite registers for an adapter. */
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

describe('a missing method', () => {
  test('skips the cases that need it, with the method in their names', () => {
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

  test('fails a case that is run anyway', async () => {
    const [each] = adapterCases
    await expect(each?.run({})).rejects.toThrow('The adapter has no createUser, getUser.')
    const { run, skipped } = register({})
    expect(run).toEqual([])
    for (const [, body] of skipped) await expect(body()).rejects.toThrow('The adapter has no ')
  })
})

test('the name of each case is unique and begins with the tested method', () => {
  for (const { name, needs } of adapterCases) expect(needs).toContain(name.split(' ')[0])
  expect(new Set(adapterCases.map(({ name }) => name)).size).toBe(adapterCases.length)
})
