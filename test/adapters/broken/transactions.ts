import type { Adapter } from '../../../src/adapters/index.ts'
import { fault, query, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

/** Begins, does the work on the connection that everybody uses, and takes nothing back. */
const withoutRollback = (memory: Required<Adapter>) => ({
  transaction: async <T>(work: (adapter: Adapter) => Promise<T>) => work(memory),
})

export const transactionFaults: readonly Fault[] = [
  fault(
    'transaction that loses what the work returned',
    'transaction returns what the work returns',
    /^transaction returns what the work returns: the same object: expected \{ {2}\}, got undefined/,
    (memory) => ({
      transaction: async (work) => untyped(void (await memory.transaction(work))),
    }),
  ),
  fault(
    'transaction that never commits',
    'transaction stores everything when the work is done',
    /^transaction, then getUser: expected \{.*\}, got null/,
    (memory) => ({
      async transaction(work) {
        const results: Awaited<ReturnType<typeof work>>[] = []
        await memory
          .transaction(async (inner) => {
            results.push(await work(inner))
            throw new Error('rolled back')
          })
          .catch((error: Error) => {
            if (error.message !== 'rolled back') throw error
          })
        return untyped(results[0])
      },
    }),
  ),
  fault(
    'transaction in which reads use another connection',
    'transaction lets the work see what it did',
    /^transaction, createUser and then getUserByEmail: expected \{.*\}, got null/,
    (memory) => ({
      transaction: async (work) =>
        memory.transaction(async (inner) =>
          work({ ...inner, getUserByEmail: async (email) => memory.getUserByEmail(email) }),
        ),
    }),
  ),
  ...[
    [
      'what was added',
      'takes back what was added',
      /getUserByEmail of a user it created: expected null/,
    ],
    [
      'what was changed',
      'takes back what was changed',
      /after updateUser, field name: expected "Ada/,
    ],
    [
      'what was deleted',
      'takes back what was deleted',
      /after deleteSession: expected \{.*, got undef/,
    ],
    [
      'a token',
      'gives back a token that was used',
      /after useVerificationToken: expected \{.*, got null/,
    ],
  ].map(([what, name, message]) =>
    fault(
      `transaction that does not take back ${what}`,
      `transaction ${name} when the work throws`,
      message as RegExp,
      withoutRollback,
    ),
  ),
  fault(
    'transaction that gives an adapter without methods',
    'transaction takes back what was changed when the work throws',
    /^transaction: the adapter it gives lacks a method/,
    () => ({ transaction: async (work) => work({}) }),
  ),
  fault(
    'transaction that hides the error',
    'transaction takes back what was added when the work throws',
    /^transaction, when the work throws: expected the same error, got undefined/,
    (memory) => ({
      transaction: async (work) => untyped(await memory.transaction(work).catch(() => undefined)),
    }),
  ),
  fault(
    'transaction that loses what others did at the same time',
    'transaction keeps what others do at the same time',
    /^transaction at the same time as others: expected ".*", got undefined/,
    (memory) => {
      // The last of those that run at the same time wins, as if each wrote back the whole file.
      let running = 0
      return {
        async transaction(work) {
          running += 1
          await query()
          const isLast = (running -= 1) === 0
          if (isLast) return memory.transaction(work)
          const draft = await memory
            .transaction(async (inner) => Promise.reject([await work(inner)]))
            .catch((result: unknown[]) => result)
          return untyped(draft[0])
        },
      }
    },
  ),
]
