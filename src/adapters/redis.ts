import { givenFields, formatKey, readField } from './_rows.ts'
import { evictionPolicy } from '../core/symbols.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type {
  FactorRows,
  Fields,
  FullDriver,
  RowWithUser,
  TableRow,
  TableRows,
} from './_methods.ts'
import { SCHEMA } from './_schema.ts'
import type { TableId } from './_schema.ts'
import { redisRecords } from './_redis/records.ts'
import { isExpectedHash } from './_passwords.ts'
import type { PasswordRows } from './_passwords.ts'
import { redisLimits } from './_redis/limits.ts'
import { redisStore, USER } from './_redis/store.ts'
import type { RedisClient, Store } from './_redis/store.ts'
import { GRACE, openUnitOfWork, reviveDate, runUnitOfWork } from './_redis/unit-of-work.ts'
import type { UnitOfWork } from './_redis/unit-of-work.ts'
import type { RateLimitStore } from '../core/config/protection-options.ts'
import type { Adapter, StoredFactor, StoredPassword } from '../core/database/adapter.ts'

export type { IoRedisClient, NodeRedisClient, RedisClient } from './_redis/store.ts'

/** Prefixes of rows; with an "s", those of the lists of rows that belong to a user or an identifier. */
const PREFIXES: Readonly<Record<TableId, string>> = {
  users: 'user',
  accounts: 'account',
  sessions: 'session',
  verificationTokens: 'token',
  authenticators: 'authenticator',
  records: 'record',
  factors: 'factor',
  passwords: 'password',
}

interface Access {
  readonly run: <T>(work: (unit: UnitOfWork) => Promise<T>) => Promise<T>
  readonly getWithUser: <Row extends object, User extends object>(
    key: string,
  ) => Promise<RowWithUser<Row, User> | null>
  /** Deletes rows of all tables, even inside a transaction: Redis would delete them anyway. */
  readonly deleteExpired: (before: Date, limit: number) => Promise<number>
}

function redisKey(id: TableId, row: object): string {
  return `${PREFIXES[id]}:${formatKey(id, row)}`
}

/** The key that points from the address of a user to the user; empty without an address. */
function emailKey(user: object): string {
  const email = readField(user, 'email')
  return typeof email === 'string' && email !== '' ? `email:${email}` : ''
}

/** Stores the address of a user, which is unique, in place of an earlier one. */
async function setEmail(unit: UnitOfWork, user: object, before: object): Promise<void> {
  const [key, earlier] = [emailKey(user), emailKey(before)]
  if (key === earlier) return
  if (earlier) unit.delete(earlier)
  if (key && (await unit.get(key))) throw new Error('RedisAdapter: another user has this email.')
  if (key) unit.set(key, { userId: readField(user, 'id') })
}

async function assertUser(unit: UnitOfWork, userId: string): Promise<void> {
  if (!(await unit.get(USER + userId)))
    throw new Error(`RedisAdapter: no user has the id "${userId}".`)
}

function redisRows<Id extends TableId>(
  id: Id,
  { run, getWithUser, deleteExpired }: Access,
): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { key: keyFields, columns } = SCHEMA[id]
  const owner = ['userId', 'identifier'].find((field) => field in columns) ?? ''
  const isKey = (fields: Fields) => keyFields.every((field) => field in fields)
  const readOwner = (row: object) => String(readField(row, owner))
  const listKey = (row: object) => `${PREFIXES[id]}s:${readOwner(row)}`

  async function setRow(unit: UnitOfWork, row: Row, before: object = {}): Promise<Row> {
    // The rows of accounts do not expire: an `expires` of an account is a field of the application.
    const expires = 'expires' in columns && readField(row, 'expires')
    const until = expires instanceof Date ? expires : undefined
    if (owner) unit.addToList(listKey(row), redisKey(id, row), until)
    else await setEmail(unit, row, before)
    unit.set(redisKey(id, row), row, until)
    return row
  }

  return {
    hasReturning: true,
    insert: (row) =>
      run(async (unit) => {
        if (owner === 'userId') await assertUser(unit, readOwner(row))
        if (await unit.get(redisKey(id, row)))
          throw new Error(`RedisAdapter: the key of this row already exists in "${id}".`)
        return setRow(unit, row)
      }),
    async list(key) {
      if (!owner && !isKey(key)) {
        const found = await getWithUser<object, Row>(emailKey(key))
        return found ? [found.user] : []
      }
      return run(async (unit) => {
        const keys = isKey(key) ? [redisKey(id, key)] : await unit.list(listKey(key))
        const rows = await Promise.all(keys.map((each) => unit.get<Row>(each)))
        return rows.flatMap((row) => row ?? [])
      })
    },
    update: (key, changes) =>
      run(async (unit) => {
        const before = await unit.get<Row>(redisKey(id, key))
        return before && setRow(unit, { ...before, ...givenFields(changes) }, before)
      }),
    delete: (key) =>
      run(async (unit) => {
        if (!isKey(key)) {
          await unit.clearList(listKey(key))
          return null
        }
        const row = await unit.get<Row>(redisKey(id, key))
        if (!row) return null
        unit.delete(redisKey(id, key))
        if (owner) unit.removeFromList(listKey(row), redisKey(id, key))
        else await setEmail(unit, {}, row)
        return row
      }),
    deleteExpired,
  }
}

function redisFactors(access: Access): FactorRows {
  return {
    ...redisRows('factors', access),
    use: (id, step) =>
      access.run(async (unit) => {
        const key = redisKey('factors', { id })
        const factor = await unit.get<StoredFactor>(key)
        if (!factor || (factor.lastStep ?? -1) >= step) return false
        unit.set(key, { ...factor, lastStep: step, confirmed: true })
        return true
      }),
  }
}

function redisPasswords(access: Access): PasswordRows {
  return {
    list: async (key) => redisRows('passwords', access).list(key),
    write: (userId, password, expected) =>
      access.run(async (unit) => {
        const key = redisKey('passwords', { userId })
        const stored = await unit.get<StoredPassword>(key)
        if (!isExpectedHash(stored, expected)) return false
        if (!password) {
          if (stored) unit.delete(key)
          return true
        }
        await assertUser(unit, userId)
        unit.set(key, { userId, ...password })
        return true
      }),
  }
}

/** Runs calls in the given unit of work, or each call in one of its own. */
function redisDriver(store: Store, unit?: UnitOfWork): FullDriver {
  async function getWithUser<Row extends object, User extends object>(
    key: string,
  ): Promise<RowWithUser<Row, User> | null> {
    if (unit) {
      const row = await unit.get<Row & { readonly userId: string }>(key)
      const user = row && (await unit.get<User>(USER + row.userId))
      return row && user && { row, user }
    }
    const [text, userText] = await store.getWithUser(key)
    if (text === null) return null
    const row: Row & { readonly userId: string } = JSON.parse(text, reviveDate)
    // The JSON decoder of Redis rejects deeply nested rows.
    const user = userText ?? (await store.get(USER + row.userId))
    return user === null ? null : { row, user: JSON.parse(user, reviveDate) }
  }

  const access: Access = {
    run: async (work) => (unit ? work(unit) : runUnitOfWork(store, work)),
    getWithUser,
    deleteExpired: (before, limit) => store.deleteExpired(before.getTime() + GRACE, limit),
  }
  return {
    openTable: (id) => redisRows(id, access),
    authenticators: redisRows('authenticators', access),
    records: redisRecords(access.run, access.deleteExpired),
    factors: redisFactors(access),
    passwords: redisPasswords(access),
    findWithUser: (id, key) => getWithUser(redisKey(id, key)),
  }
}

/** Options of {@link RedisAdapter}. */
export interface RedisAdapterOptions {
  /** Prefix of every key. A cluster requires a hash tag, such as `{lib-auth}:`. @default 'lib-auth:' */
  readonly prefix?: string | undefined
}

/**
 * Stores everything in Redis or Valkey, through a client of the application: `ioredis` or `redis`.
 *
 * The changes of a call or a transaction are written atomically by one script, unless another client has changed what
 * was read: of concurrent calls one succeeds. A session is read with one command. Sessions and tokens are deleted one
 * hour after they expire; calling `deleteExpired` is not required. Limits on guessing are one script. Configure Redis for durability (`appendonly yes`,
 * `maxmemory-policy noeviction`), because it may be the only copy of the users.
 *
 * @throws TypeError when `client` is not a client of `ioredis` or of `createClient`
 * @example
 * ```ts
 * import { Redis } from 'ioredis'
 * import RedisAdapter from 'lib-auth/adapters/redis'
 *
 * export const adapter = RedisAdapter(new Redis(process.env.REDIS_URL ?? ''))
 * ```
 */
export default function RedisAdapter(
  client: RedisClient,
  { prefix = 'lib-auth:' }: RedisAdapterOptions = {},
): Required<Adapter> & RateLimitStore {
  const store = redisStore(client, prefix)
  const methodsIn = (unit?: UnitOfWork) => adapterMethods(redisDriver(store, unit))
  const adapter = withTransactions(methodsIn(), async (work) => {
    const unit = openUnitOfWork(store)
    const result = await work(methodsIn(unit))
    if (await unit.commit()) return result
    throw new Error('RedisAdapter: rows that this transaction read were changed by another client.')
  })
  const forDoctor = { [evictionPolicy]: () => store.evictionPolicy() }
  return {
    ...adapter,
    ...forDoctor,
    ...redisLimits(store),
    // Runs in a unit of work, not in a transaction: only the unit is repeated after a conflict.
    deleteUser: (userId) =>
      runUnitOfWork(store, async (unit) => methodsIn(unit).deleteUser(userId)),
  }
}
