/** The rows of the database, independent of what the library receives. */
import type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
} from '../../../src/adapters/index.ts'

/** Everything that is stored. */
export interface Contents {
  readonly users: readonly AdapterUser[]
  readonly accounts: readonly AdapterAccount[]
  readonly sessions: readonly AdapterSession[]
}

export interface Rows {
  /** The database itself, without faults. */
  readonly database: Required<Adapter>
  /** Adds an existing user. */
  add(user: Partial<AdapterUser> & { email: string }): Promise<AdapterUser>
  read(): Promise<Contents>
}

/** An adapter that does the same, and whose rows can be counted. */
export function rowsOf(database: Required<Adapter>): { rows: Rows; counted: Adapter } {
  const ids = new Set<string>()

  const counting = (adapter: Adapter): Adapter => ({
    ...adapter,
    async createUser(row) {
      const user = await adapter.createUser?.(row)
      if (!user) throw new Error('There is no user.')
      ids.add(user.id)
      return user
    },
    ...(adapter.transaction && {
      transaction: (work) => database.transaction((inner) => work(counting(inner))),
    }),
  })

  return {
    counted: counting(database),
    rows: {
      database,
      async add(user) {
        const row = await database.createUser({ id: '', emailVerified: null, ...user })
        ids.add(row.id)
        return row
      },
      async read() {
        const found = await Promise.all([...ids].map(async (id) => database.getUser(id)))
        const users = found.filter((user) => user !== null)
        const all = async <T>(list: (id: string) => PromiseLike<T[]> | T[]) =>
          (await Promise.all(users.map(async ({ id }) => list(id)))).flat()
        return {
          users,
          accounts: await all((id) => database.listAccounts(id)),
          sessions: await all((id) => database.listSessions(id)),
        }
      },
    },
  }
}
