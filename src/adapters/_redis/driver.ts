import type { FullDriver, TableRow, TableRows } from '../_methods.ts'
import { changedRow } from '../_rows.ts'
import { SCHEMA } from '../_schema.ts'
import type { AdapterSession, AdapterUser } from '../index.ts'
import { USER } from './store.ts'
import type { Unit } from './unit.ts'

export interface Access {
  readonly run: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>
  /** Reads a row that has a `userId`, and its user. */
  readonly getWithUser: <T extends object>(
    key: string,
  ) => Promise<readonly [row: T, user: AdapterUser] | null>
  /** Deletes expired rows of all tables at once, even inside a transaction: Redis would delete them anyway. */
  readonly removeExpired: (before: Date) => Promise<void>
}

/** The prefixes of rows, and of the lists of rows that belong to a user or an identifier. */
const NAMES = {
  accounts: { row: 'account', list: 'accounts', owner: 'userId' },
  sessions: { row: 'session', list: 'sessions', owner: 'userId' },
  verificationTokens: { row: 'token', list: 'tokens', owner: 'identifier' },
  authenticators: { row: 'authenticator', list: 'authenticators', owner: 'userId' },
} as const

type OwnedId = keyof typeof NAMES

function keyOf(id: OwnedId, row: object): string {
  const parts = SCHEMA[id].key.map((field) => String(Reflect.get(row, field)))
  return `${NAMES[id].row}:${parts.length === 1 ? parts[0] : JSON.stringify(parts)}`
}

function redisRows<Id extends OwnedId>(id: Id, access: Access): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { list, owner } = NAMES[id]
  const listOf = (row: object) => `${list}:${String(Reflect.get(row, owner))}`

  function setRow(unit: Unit, row: Row): void {
    // The rows of accounts do not expire: an `expires` of an account is a field of the application.
    const expires: unknown = 'expires' in SCHEMA[id].columns && Reflect.get(row, 'expires')
    const until = expires instanceof Date ? expires : undefined
    unit.set(keyOf(id, row), row, until)
    unit.add(listOf(row), keyOf(id, row), until)
  }

  return {
    insert: (row) =>
      access.run(async (unit) => {
        const ownerId = String(Reflect.get(row, owner))
        if (owner === 'userId' && !(await unit.get(USER + ownerId)))
          throw new Error(`RedisAdapter: no user has the id "${ownerId}".`)
        if (await unit.get(keyOf(id, row)))
          throw new Error(`RedisAdapter: the key of this row already exists in "${id}".`)
        setRow(unit, row)
        return row
      }),
    find: (key) => access.run((unit) => unit.get<Row>(keyOf(id, key))),
    list: (key) =>
      access.run(async (unit) => {
        const keys = await unit.list(listOf(key))
        const rows = await Promise.all(keys.map((each) => unit.get<Row>(each)))
        return rows.flatMap((row) => row ?? [])
      }),
    update: (key, changes) =>
      access.run(async (unit) => {
        const before = await unit.get<Row>(keyOf(id, key))
        const row = before && changedRow(before, changes)
        if (row) setRow(unit, row)
        return row
      }),
    take: (key) =>
      access.run(async (unit) => {
        const row = await unit.get<Row>(keyOf(id, key))
        if (!row) return null
        unit.delete(keyOf(id, key))
        unit.remove(listOf(row), keyOf(id, key))
        return row
      }),
    remove: (key) => access.run((unit) => unit.clear(listOf(key))),
    removeExpired: access.removeExpired,
  }
}

/** Points from an address to its user. */
function emailKey(email: string): string {
  return `email:${email}`
}

async function setUser(unit: Unit, user: AdapterUser, before?: AdapterUser): Promise<AdapterUser> {
  if (user.email !== before?.email) {
    if (before?.email) unit.delete(emailKey(before.email))
    if (user.email && (await unit.get(emailKey(user.email))))
      throw new Error('RedisAdapter: another user has this email.')
    if (user.email) unit.set(emailKey(user.email), { userId: user.id })
  }
  unit.set(USER + user.id, user)
  return user
}

function userRows({ run, getWithUser }: Access): FullDriver['users'] {
  return {
    insert: (user) =>
      run(async (unit) => {
        if (await unit.get(USER + user.id))
          throw new Error('RedisAdapter: another user has this id.')
        return setUser(unit, user)
      }),
    find: async ({ id, email = '' }) =>
      id === undefined
        ? ((await getWithUser(emailKey(email)))?.[1] ?? null)
        : run((unit) => unit.get<AdapterUser>(USER + id)),
    update: ({ id = '' }, changes) =>
      run(async (unit) => {
        const before = await unit.get<AdapterUser>(USER + id)
        return before && setUser(unit, changedRow(before, changes), before)
      }),
    take: ({ id = '' }) =>
      run(async (unit) => {
        const user = await unit.get<AdapterUser>(USER + id)
        if (user?.email) unit.delete(emailKey(user.email))
        if (user) unit.delete(USER + id)
        return user
      }),
  }
}

/** The rows that one unit of work, or one unit for each call, reads and writes. */
export function redisDriver(access: Access): FullDriver {
  return {
    users: userRows(access),
    accounts: redisRows('accounts', access),
    sessions: redisRows('sessions', access),
    verificationTokens: redisRows('verificationTokens', access),
    authenticators: redisRows('authenticators', access),
    findAccountOwner: async (account) =>
      (await access.getWithUser(keyOf('accounts', account)))?.[1] ?? null,
    async findSessionAndUser(sessionToken) {
      const found = await access.getWithUser<AdapterSession>(keyOf('sessions', { sessionToken }))
      return found && { session: found[0], user: found[1] }
    },
  }
}
