import { memoryDriver } from './_memory/driver.ts'
import { createStore, enqueue } from './_memory/store.ts'
import type { MemoryStore } from './_memory/store.ts'
import { adapterMethods } from './_methods.ts'
import type { AllMethods } from './_methods.ts'
import { withTransactions } from './_transactions.ts'
import type { Adapter } from './index.ts'

function methodsOver(store: MemoryStore): AllMethods {
  const methods = adapterMethods(memoryDriver(store))
  return {
    ...methods,
    createUser: (user) => methods.createUser({ ...user, id: user.id || crypto.randomUUID() }),
  }
}

/**
 * Stores everything in the memory of this process, for demos and tests. Other processes, and modules reloaded in
 * development, do not share it. Next evaluates a module several times in one process: keep the adapter on `globalThis`.
 *
 * Keeps the given user ids, and expired rows until `deleteExpired`. Transactions run one at a time, and other writers
 * wait: inside a transaction, waiting for a write to this adapter is a deadlock.
 *
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 *
 * export const adapter = MemoryAdapter()
 * ```
 */
export default function MemoryAdapter(): Required<Adapter> {
  const store = createStore()
  return withTransactions(methodsOver(store), (work) =>
    enqueue(store, async () => {
      const draft = createStore(store.tables)
      const result = await work(methodsOver(draft))
      store.tables = draft.tables
      return result
    }),
  )
}
