import { inBatches } from '../_batches.ts'
import { characterSetAdvice } from '../_character-set.ts'
import type { Driver, Fields, TableRow, TableRows } from '../_methods.ts'
import { hasFields, plainRow } from '../_rows.ts'
import type { TableId } from '../_schema.ts'
import type { AdapterUser } from '../index.ts'
import { modelOf } from './model.ts'
import type { ModelNames, PrismaModel } from './model.ts'

const LARGEST_INT = 2_147_483_647
/** Prisma error codes: the table or the column does not exist. */
const MISSING: ReadonlySet<unknown> = new Set(['P2021', 'P2022'])

function explainPrismaError(error: unknown, name: string): unknown {
  const advice = characterSetAdvice(error)
  if (advice !== null)
    return new Error(`The table of the model "${name}": ${advice}`, { cause: error })
  if (!(error instanceof Error) || !('code' in error) || !MISSING.has(error.code)) return error
  // The lines before the last one quote the code of the call.
  const missing = error.message.trimEnd().split('\n').at(-1)?.replace(/\.$/, '')
  return new Error(
    `The table of the model "${name}", or of a table joined with it, or one of their columns, is missing in the database (${missing}). Run npx prisma migrate dev, or npx prisma migrate deploy in production.`,
    { cause: error },
  )
}

/** The maximum of a numeric field; `null` for other fields. */
function maximumOf(type: string | undefined): number | null {
  if (type === 'Int') return LARGEST_INT
  return type === 'BigInt' ? Number.MAX_SAFE_INTEGER : null
}

/** The condition that a field has a value; `{ in: [] }` matches nothing. */
function equals(type: string | undefined, field: string, value: string): object {
  // Prisma ignores a condition that is `undefined`: it would match every row.
  if (typeof value !== 'string') throw new TypeError(`PrismaAdapter: ${field} is not a string.`)
  const maximum = maximumOf(type)
  // PostgreSQL rejects NUL in a string, even in a comparison.
  if (maximum === null) return value.includes('\0') ? { in: [] } : { equals: value }
  const number = Number(value)
  return String(number) === value && number <= maximum ? { equals: number } : { in: [] }
}

function where({ fields }: PrismaModel, key: Fields): object {
  const conditions = Object.entries(key).map(([field, value]) => [
    field,
    equals(fields[field]?.typeName, field, value),
  ])
  return Object.fromEntries(conditions)
}

/** Drops fields that the model lacks, and converts the user id. */
function encode({ fields }: PrismaModel, row: object): object {
  const stored = Object.entries(row).filter(
    ([field, value]) => field in fields && value !== undefined,
  )
  const data = Object.fromEntries(stored)
  if (typeof data['userId'] === 'string' && maximumOf(fields['userId']?.typeName) !== null)
    data['userId'] = Number(data['userId'])
  return data
}

const WITH_USER = { include: { user: true } }

type WithUser<Row> = Row & { readonly user?: AdapterUser | null }

function prismaRows<Id extends TableId>(id: Id, client: object, names: ModelNames) {
  type Row = WithUser<TableRow[Id]>
  const name = names[id]

  /** Awaits inside `try`, because Prisma sends a query only when it is awaited. */
  async function run<T>(send: (model: PrismaModel<Row>) => PromiseLike<T>): Promise<T> {
    const model = modelOf<Row>(client, name)
    if (!model) throw new Error(`PrismaAdapter: the client has no model "${name}".`)
    try {
      return await send(model)
    } catch (error) {
      throw explainPrismaError(error, name)
    }
  }

  async function list(key: Fields, relations: object = {}): Promise<Row[]> {
    const rows = await run((model) => model.findMany({ where: where(model, key), ...relations }))
    return rows.map(plainRow)
  }

  async function find(key: Fields, relations?: object): Promise<Row | null> {
    return (await list(key, relations)).find((row) => hasFields(row, key)) ?? null
  }

  return {
    list,
    find,

    async insert(row) {
      // The Prisma schema determines the id of a user.
      const given = id === 'users' ? { ...row, id: undefined } : row
      return plainRow(await run((model) => model.create({ data: encode(model, given) })))
    },

    async update(key, changes) {
      const { count } = await run((model) =>
        model.updateMany({ where: where(model, key), data: encode(model, changes) }),
      )
      // Some drivers do not count a row that already has the new values.
      return count > 0 ? undefined : find(key)
    },

    async take(key) {
      const row = await find(key)
      if (!row) return null
      // Not `delete`: on MySQL it reads first, and concurrent calls would all return the row.
      const { count } = await run((model) => model.deleteMany({ where: where(model, key) }))
      return count > 0 ? row : null
    },

    async remove(key) {
      await run((model) => model.deleteMany({ where: where(model, key) }))
    },

    async removeExpired(before) {
      await inBatches(async (limit) => {
        const expired = { where: { expires: { lt: before } }, limit }
        return (await run((model) => model.deleteMany(expired))).count
      })
    },
  } satisfies TableRows<Row>
}

/** The models of a client or a transaction. */
export function prismaDriver(client: object, names: ModelNames): Driver {
  const accounts = prismaRows('accounts', client, names)
  const sessions = prismaRows('sessions', client, names)
  const hasPasskeys = modelOf(client, names.authenticators) !== null
  return {
    users: prismaRows('users', client, names),
    accounts,
    sessions,
    verificationTokens: prismaRows('verificationTokens', client, names),
    authenticators: hasPasskeys ? prismaRows('authenticators', client, names) : null,

    async findAccountOwner({ provider, providerAccountId }) {
      const found = await accounts.find({ provider, providerAccountId }, WITH_USER)
      return found?.user ? plainRow(found.user) : null
    },

    async findSessionAndUser(sessionToken) {
      const found = await sessions.find({ sessionToken }, WITH_USER)
      if (!found?.user) return null
      const { user, ...session } = found
      return { session, user: plainRow(user) }
    },
  }
}
