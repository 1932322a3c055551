import type { Adapter, StoredPassword } from '../../../src/adapters/index.ts'
import { delay, fault, folded } from './fault.ts'
import type { Fault } from './fault.ts'

/** Reads, waits, and writes whatever is stored by then. */
function racing(memory: Required<Adapter>): Partial<Adapter> {
  return {
    async setPassword(userId, password, expected) {
      const stored = await memory.getPassword(userId)
      await delay()
      if (expected !== undefined && (stored?.hash ?? null) !== expected) return false
      return memory.setPassword(userId, password)
    },
  }
}

const FIFTY = /^setPassword, 50 concurrent calls: expected exactly one to return true, got 50/

export const passwordFaults: readonly Fault[] = [
  fault(
    'getPassword returning the password of any user',
    'getPassword returns the password of exactly this user',
    /^getPassword\(".*"\) after setPassword: expected null, got \{/,
    (memory) => {
      let last: StoredPassword | null = null
      return {
        async setPassword(userId, password, expected) {
          last = password && { userId, ...password }
          return memory.setPassword(userId, password, expected)
        },
        getPassword: () => last,
      }
    },
  ),
  fault(
    'a hash column of 255 characters',
    'setPassword stores a password in place of an existing one',
    /^getPassword\(".*"\) after setPassword, field hash: expected/,
    (memory) => ({
      setPassword: async (userId, password, expected) =>
        memory.setPassword(
          userId,
          password && { ...password, hash: password.hash.slice(0, 255) },
          expected,
        ),
    }),
  ),
  fault(
    'setPassword replacing an existing password where none is expected',
    'setPassword that expects no password keeps an existing one',
    /^setPassword\(.*, null\) after setPassword: expected false, got true/,
    (memory) => ({
      setPassword: async (userId, password, expected) =>
        memory.setPassword(userId, password, expected ?? undefined),
    }),
  ),
  fault(
    'setPassword comparing hashes like a case-insensitive collation',
    'setPassword that expects a hash compares it exactly',
    /^setPassword\(.*, "H.*"\) after setPassword: expected false, got true/,
    (memory) => ({
      async setPassword(userId, password, expected) {
        const stored = await memory.getPassword(userId)
        const isSame =
          stored && typeof expected === 'string' && folded(stored.hash) === folded(expected)
        return memory.setPassword(userId, password, isSame ? stored.hash : expected)
      },
    }),
  ),
  fault(
    'setPassword storing a password whose expected hash does not exist',
    'setPassword that expects a hash stores nothing without a password',
    /^setPassword\(.*, ".*"\) after createUser: expected false, got true/,
    (memory) => ({
      async setPassword(userId, password, expected) {
        const stored = await memory.getPassword(userId)
        return memory.setPassword(userId, password, stored ? expected : undefined)
      },
    }),
  ),
  fault(
    'setPassword keeping a password that is to be deleted',
    'setPassword with null deletes the password',
    /^getPassword\(".*"\) after setPassword: expected null, got \{/,
    (memory) => ({
      setPassword: async (userId, password, expected) =>
        password ? memory.setPassword(userId, password, expected) : true,
    }),
  ),
  fault(
    'deleteUser keeping the password',
    'deleteUser deletes the password of the user',
    /^getPassword\(".*"\) after deleteUser: expected null, got \{/,
    (memory) => {
      const kept = new Map<string, StoredPassword>()
      return {
        async setPassword(userId, password, expected) {
          if (password) kept.set(userId, { userId, ...password })
          return memory.setPassword(userId, password, expected)
        },
        getPassword: (userId) => kept.get(userId) ?? null,
      }
    },
  ),
  fault(
    'setPassword with a race condition between read and write, without a password',
    'setPassword stores a password in one of fifty concurrent calls that expect none',
    FIFTY,
    racing,
  ),
  fault(
    'setPassword with a race condition between read and write, for a hash',
    'setPassword replaces a password in one of fifty concurrent calls',
    FIFTY,
    racing,
  ),
  fault(
    'setPassword with a race condition between read and delete',
    'setPassword deletes a password in one of fifty concurrent calls',
    FIFTY,
    racing,
  ),
  fault(
    'setPassword throwing if another call inserts the row',
    'setPassword stores one of fifty passwords in concurrent calls that expect nothing',
    /^setPassword, 50 concurrent calls: expected all to return true, got/,
    (memory) => ({
      async setPassword(userId, password, expected) {
        const stored = await memory.getPassword(userId)
        await delay()
        const isWritten = await memory.setPassword(userId, password, stored ? expected : null)
        if (!isWritten && expected === undefined) throw new Error('duplicate key')
        return isWritten
      },
    }),
  ),
  fault(
    'passwords written outside of the transaction',
    'transaction that is rolled back keeps the passwords',
    /^getPassword\(".*"\) after transaction, field hash: expected/,
    (memory) => {
      const stored = new Map<string, StoredPassword>()
      const outside: Partial<Adapter> = {
        setPassword(userId, password, expected) {
          const isExpected = (stored.get(userId)?.hash ?? null) === expected
          if (expected !== undefined && !isExpected) return false
          if (password) stored.set(userId, { userId, ...password })
          return true
        },
        getPassword: (userId) => stored.get(userId) ?? null,
      }
      return {
        ...outside,
        transaction: (work) => memory.transaction((inner) => work({ ...inner, ...outside })),
      }
    },
  ),
]
