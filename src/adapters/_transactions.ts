import type { AdapterMethods } from './_methods.ts'
import type { Adapter } from './index.ts'

/** Adds `transaction` to an adapter, and makes `deleteUser` atomic. A nested transaction is part of the outer one. */
export function withTransactions<Methods extends AdapterMethods>(
  methods: Methods,
  begin: <T>(work: (inner: Methods) => Promise<T>) => Promise<T>,
): Methods & Pick<Required<Adapter>, 'transaction'> {
  type Transactional = Methods & Pick<Required<Adapter>, 'transaction'>

  async function transaction<T>(work: (adapter: Transactional) => Promise<T>): Promise<T> {
    const errors: unknown[] = []
    try {
      return await begin(async (inner) => {
        const adapter: Transactional = { ...inner, transaction: (more) => more(adapter) }
        try {
          return await work(adapter)
        } catch (error) {
          errors.push(error)
          throw error
        }
      })
    } catch (error) {
      // Not the error of the rollback, which fails if SQLite has already rolled back.
      throw errors.length > 0 ? errors.at(-1) : error
    }
  }
  return {
    ...methods,
    deleteUser: (userId) => transaction(async (adapter) => adapter.deleteUser(userId)),
    transaction,
  }
}
