import type { Adapter } from '../../../src/adapters/index.ts'
import { fault, delay, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

/** Runs the work outside of any transaction. */
const withoutRollback = (memory: Required<Adapter>) => ({
  transaction: async <T>(work: (adapter: Adapter) => Promise<T>) => work(memory),
})

export const transactionFaults: readonly Fault[] = [
  fault(
    'transaction losing the result of its work',
    'transaction returns the result of its work',
    /^transaction: expected the result of its work, got undefined/,
    (memory) => ({
      transaction: async (work) => untyped(void (await memory.transaction(work))),
    }),
  ),
  fault(
    'transaction never committing',
    'transaction commits the changes of its work',
    /^getUserByEmail\(".*"\) after transaction: expected \{.*\}, got null/,
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
    'transaction reading over another connection',
    'transaction reads the changes of its own work',
    /^getUserByEmail\(".*"\) after createUser: expected \{.*\}, got null/,
    (memory) => ({
      transaction: async (work) =>
        memory.transaction(async (inner) =>
          work({ ...inner, getUserByEmail: async (email) => memory.getUserByEmail(email) }),
        ),
    }),
  ),
  ...[
    [
      'inserted rows',
      'rolls back inserted rows',
      /^getUserByEmail\(.*\) after transaction: expected null, got \{/,
    ],
    [
      'updated rows',
      'rolls back updated rows',
      /^getUser\(.*\) after transaction, field name: expected "Ada/,
    ],
    [
      'deleted rows',
      'rolls back deleted rows',
      /^getSessionAndUser\(.*\) after transaction: expected \{.*, got null/,
    ],
    [
      'a used token',
      'restores a used token',
      /^useVerificationToken\(.*\) after transaction: expected \{.*, got null/,
    ],
  ].map(([what, name, message]) =>
    fault(
      `transaction not rolling back ${what}`,
      `transaction ${name} if its work throws`,
      message as RegExp,
      withoutRollback,
    ),
  ),
  fault(
    'transaction passing an adapter without methods',
    'transaction rolls back updated rows if its work throws',
    /^transaction: the adapter passed to its work has no updateUser/,
    () => ({ transaction: async (work) => work({}) }),
  ),
  fault(
    'transaction hiding the error of its work',
    'transaction rolls back inserted rows if its work throws',
    /^transaction: expected the error of its work, got undefined/,
    (memory) => ({
      transaction: async (work) => untyped(await memory.transaction(work).catch(() => undefined)),
    }),
  ),
  fault(
    'transaction losing concurrent changes',
    'transaction keeps the changes of concurrent transactions',
    /^getUserByAccount\(\{ .* \}\) after ten concurrent transactions: expected \{ id: ".*" \}, got null/,
    (memory) => {
      // The last of the concurrent transactions wins, as if each wrote the whole file.
      let running = 0
      return {
        async transaction(work) {
          running += 1
          await delay()
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
