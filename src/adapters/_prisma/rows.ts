import { characterSetAdvice } from '../_character-set.ts'
import { pause } from '../_pause.ts'
import { modelOf } from './model.ts'
import type { PrismaModel } from './model.ts'

type Key = Readonly<Record<string, string>>

/** Operations on one model. A key is a set of field values. */
export interface ModelRows<Row> {
  /** Converts ids to strings and counters to numbers. */
  read(row: Row): Row
  insert(row: object): Promise<Row>
  find(key: Key, include?: object): Promise<Row | null>
  list(key: Key): Promise<Row[]>
  /** Updates the given fields; `false` if the row does not exist. */
  change(key: Key, changes: object): Promise<boolean>
  /** Deletes a row and returns it; of concurrent calls exactly one gets it. */
  take(key: Key): Promise<Row | null>
  remove(key: Key): Promise<void>
  removeExpired(before: Date): Promise<void>
}

const IDS = ['id', 'userId'] as const
const NUMBERS = ['expires_at', 'counter'] as const
const LARGEST_INT = 2_147_483_647
const BATCH = 1000
/** Prisma error codes: the table or the column does not exist. */
const MISSING: ReadonlySet<unknown> = new Set(['P2021', 'P2022'])

function explained(error: unknown, name: string): unknown {
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

export function rowsOf<Row extends object>(client: object, name: string): ModelRows<Row> {
  /** Awaits inside `try`, because Prisma sends a query only when it is awaited. */
  async function run<T>(ask: (model: PrismaModel<Row>) => PromiseLike<T>): Promise<T> {
    const model = modelOf<Row>(client, name)
    if (!model) throw new Error(`PrismaAdapter: the client has no model "${name}".`)
    try {
      return await ask(model)
    } catch (error) {
      throw explained(error, name)
    }
  }

  /** The maximum of a numeric field; `null` for other fields. */
  function largest({ fields }: PrismaModel<Row>, field: string): number | null {
    const type = fields[field]?.typeName
    if (type === 'Int') return LARGEST_INT
    return type === 'BigInt' ? Number.MAX_SAFE_INTEGER : null
  }

  /** The condition that a field has a value; `{ in: [] }` matches nothing. */
  function condition(model: PrismaModel<Row>, field: string, value: string): object {
    // Prisma ignores a condition that is `undefined`: it would match every row.
    if (typeof value !== 'string') throw new TypeError(`PrismaAdapter: ${field} is not a string.`)
    const limit = largest(model, field)
    // PostgreSQL rejects NUL in a string, even in a comparison.
    if (limit === null) return value.includes('\0') ? { in: [] } : { equals: value }
    const number = Number(value)
    return String(number) === value && number <= limit ? { equals: number } : { in: [] }
  }

  function where(model: PrismaModel<Row>, key: Key): object {
    const conditions = Object.entries(key).map(([field, value]) => [
      field,
      condition(model, field, value),
    ])
    return Object.fromEntries(conditions)
  }

  /** Drops fields that the model lacks, and converts the user id. */
  function stored(model: PrismaModel<Row>, row: object): object {
    const known = Object.entries(row).filter(
      ([field, value]) => field in model.fields && value !== undefined,
    )
    const data = Object.fromEntries(known)
    if (typeof data['userId'] === 'string' && largest(model, 'userId') !== null)
      data['userId'] = Number(data['userId'])
    return data
  }

  function read(row: Row): Row {
    const copy = { ...row }
    for (const field of IDS) {
      const value: unknown = Reflect.get(row, field)
      if (typeof value === 'number' || typeof value === 'bigint')
        Reflect.set(copy, field, String(value))
    }
    for (const field of NUMBERS) {
      const value: unknown = Reflect.get(row, field)
      if (typeof value === 'bigint') Reflect.set(copy, field, Number(value))
    }
    return copy
  }

  async function list(key: Key, include?: object): Promise<Row[]> {
    const rows = await run((model) =>
      model.findMany({ where: where(model, key), ...(include && { include }) }),
    )
    return rows.map(read)
  }

  async function find(key: Key, include?: object): Promise<Row | null> {
    const rows = await list(key, include)
    // Collations that ignore case or accents may match other rows.
    const isMeant = (row: Row) =>
      Object.entries(key).every(([field, value]) => Reflect.get(row, field) === value)
    return rows.find(isMeant) ?? null
  }

  return {
    read,
    find,
    list: (key) => list(key),

    insert: async (row) => read(await run((model) => model.create({ data: stored(model, row) }))),

    async change(key, changes) {
      const { count } = await run((model) =>
        model.updateMany({ where: where(model, key), data: stored(model, changes) }),
      )
      // Some drivers do not count a row that already has the new values.
      return count > 0 || (await find(key)) !== null
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
      const some = { where: { expires: { lt: before } }, limit: BATCH }
      while ((await run((model) => model.deleteMany(some))).count === BATCH) await pause()
    },
  }
}
