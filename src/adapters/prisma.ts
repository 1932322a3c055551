import { givenFields, hasFields, plainRow, readField } from './_rows.ts'
import { characterSetAdvice } from './_database-errors.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import { prismaFactors } from './_prisma-factors.ts'
import { prismaPasswords } from './_prisma-passwords.ts'
import { prismaRecords } from './_prisma-records.ts'
import type { AdapterMethods, Fields, TableRow, TableRows } from './_methods.ts'
import { SCHEMA, TABLES } from './_schema.ts'
import type { OptionalTable, TableId } from './_schema.ts'
import type { Adapter, AdapterUser } from '../core/database/adapter.ts'

export type { TableId } from './_schema.ts'

/** A Prisma 7 client, extended or not. */
export interface PrismaDatabase {
  $transaction<T>(work: (transaction: object) => Promise<T>): PromiseLike<T>
}

/** Options of {@link PrismaAdapter}. */
export interface PrismaAdapterOptions {
  /** Names of the models in the client: `member` for `model Member`. @default singular: `user`, `account`, … */
  readonly models?: Partial<Record<TableId, string>> | undefined
}

type ModelNames = Readonly<Record<TableId, string>>

/** The part of a model that is used; generated types differ by schema. */
interface PrismaModel<Row = unknown> {
  readonly fields: Readonly<Record<string, { readonly typeName: string } | undefined>>
  create(args: object): PromiseLike<Row>
  findMany(args: object): PromiseLike<Row[]>
  updateMany(args: object): PromiseLike<{ readonly count: number }>
  deleteMany(args: object): PromiseLike<{ readonly count: number }>
}

const MODELS = {
  users: 'user',
  accounts: 'account',
  sessions: 'session',
  verificationTokens: 'verificationToken',
  authenticators: 'authenticator',
  records: 'record',
  factors: 'factor',
  passwords: 'password',
} as const

const MAXIMUM: Readonly<Record<string, number | undefined>> = {
  Int: 2_147_483_647,
  BigInt: Number.MAX_SAFE_INTEGER,
}

const MISSING_TABLE_CODES: ReadonlySet<unknown> = new Set(['P2021', 'P2022'])

function isModel<Row>(value: unknown): value is PrismaModel<Row> {
  return typeof value === 'object' && value !== null && 'fields' in value && 'findMany' in value
}

function findModel<Row>(client: object, name: string): PrismaModel<Row> | null {
  const model = readField(client, name)
  return isModel<Row>(model) ? model : null
}

/** Fields whose values would be lost silently if the model lacked them. */
function neededFields(id: TableId): string[] {
  const fields = Object.entries(SCHEMA[id].columns)
    .filter(([, { isNullable }]) => !isNullable)
    .map(([field]) => field)
  return id === 'users' ? [...fields, 'email', 'emailVerified'] : fields
}

function checkModels(client: object, names: ModelNames): void {
  const reject = (problem: string) => {
    throw new Error(
      `PrismaAdapter: the ${problem}. Add it to schema.prisma ("npx lib-auth schema --adapter prisma" prints all of them), and run: npx prisma generate`,
    )
  }
  for (const id of TABLES) {
    const name = names[id]
    const model = findModel(client, name)
    if (!model && id === 'authenticators') continue
    if (!model) reject(`client has no model "${name}"`)
    for (const field of neededFields(id))
      if (model && !(field in model.fields)) reject(`model "${name}" has no field "${field}"`)
  }
}

/** An application may have another model of this name. */
function hasTable(client: object, names: ModelNames, id: OptionalTable): boolean {
  const { fields = {} } = findModel(client, names[id]) ?? {}
  return Object.keys(SCHEMA[id].columns).every((field) => field in fields)
}

/** The condition that a field has a value; `{ in: [] }` matches nothing. */
function equals(type: string | undefined, field: string, value: string): object {
  // Prisma ignores a condition that is `undefined`: it would match every row.
  if (typeof value !== 'string') throw new TypeError(`PrismaAdapter: ${field} is not a string.`)
  const maximum = MAXIMUM[type ?? '']
  // PostgreSQL rejects NUL in a string, even in a comparison.
  if (maximum === undefined) return value.includes('\0') ? { in: [] } : { equals: value }
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

function encode({ fields }: PrismaModel, row: object): object {
  const data = givenFields(row, fields)
  if (typeof data['userId'] === 'string' && (fields['userId']?.typeName ?? '') in MAXIMUM)
    data['userId'] = Number(data['userId'])
  return data
}

function prismaRows<Id extends TableId>(id: Id, client: object, name: string) {
  type Row = TableRow[Id] & { user?: AdapterUser | null }

  /** Awaits inside `try`, because Prisma sends a query only when it is awaited. */
  async function run<T>(send: (model: PrismaModel<Row>) => PromiseLike<T>): Promise<T> {
    const model = findModel<Row>(client, name)
    if (!model) throw new Error(`PrismaAdapter: the client has no model "${name}".`)
    try {
      return await send(model)
    } catch (error) {
      const advice = characterSetAdvice(error)
      if (advice !== null)
        throw new Error(`The table of the model "${name}": ${advice}`, { cause: error })
      if (!(error instanceof Error && 'code' in error && MISSING_TABLE_CODES.has(error.code)))
        throw error
      // The lines before the last one quote the code of the call.
      const missing = error.message.trimEnd().split('\n').at(-1)?.replace(/\.$/, '')
      throw new Error(
        `The table of the model "${name}", or of a table joined with it, or one of their columns, is missing in the database (${missing}). Run npx prisma migrate dev, or npx prisma migrate deploy in production.`,
        { cause: error },
      )
    }
  }

  const count = async (send: (model: PrismaModel) => PromiseLike<{ readonly count: number }>) =>
    (await run(send)).count

  async function list(key: Fields, relations: object = {}): Promise<Row[]> {
    const found = await run((model) => model.findMany({ where: where(model, key), ...relations }))
    return found.map(plainRow).filter((row) => hasFields(row, key))
  }

  return {
    hasReturning: false,
    run,
    list,
    async insert(row) {
      // The Prisma schema determines the id of a user.
      const given = id === 'users' ? { ...row, id: undefined } : row
      return plainRow(await run((model) => model.create({ data: encode(model, given) })))
    },
    update: (key, changes) =>
      count((model) =>
        model.updateMany({ where: where(model, key), data: encode(model, changes) }),
      ),
    // Not `delete`: on MySQL it reads first, and concurrent calls would all return the row.
    delete: (key) => count((model) => model.deleteMany({ where: where(model, key) })),
    deleteExpired: (before, limit) =>
      count((model) => model.deleteMany({ where: { expires: { lt: before } }, limit })),
  } satisfies TableRows<Row> & { readonly run: unknown }
}

function createMethods(client: object, names: ModelNames): AdapterMethods {
  return adapterMethods({
    openTable: (id) => prismaRows(id, client, names[id]),
    authenticators:
      findModel(client, names.authenticators) &&
      prismaRows('authenticators', client, names.authenticators),
    records: hasTable(client, names, 'records')
      ? prismaRecords(prismaRows('records', client, names.records))
      : null,
    factors: hasTable(client, names, 'factors')
      ? prismaFactors(prismaRows('factors', client, names.factors))
      : null,
    passwords: hasTable(client, names, 'passwords')
      ? prismaPasswords(prismaRows('passwords', client, names.passwords))
      : null,
    async findWithUser(id, key) {
      const [row] = await prismaRows(id, client, names[id]).list(key, { include: { user: true } })
      const user = row?.user
      if (!row || !user) return null
      delete row.user
      return { row, user: plainRow(user) }
    },
  })
}

/**
 * Stores users, accounts and sessions with Prisma 7, in models of the application, which owns the client.
 * `npx lib-auth schema --adapter prisma` prints the default models. Additional fields are filled from the fields of the
 * same name that `profile` returns; fields that a model lacks are dropped.
 *
 * The Prisma schema generates user ids: `id` requires a `@default`, and may be a number. Accounts and sessions require
 * a relation `user`. On PostgreSQL and MySQL, `previewFeatures = ["relationJoins"]` reads a session with one statement
 * instead of two. Passkeys require the model `Authenticator`. Records, second factors and passwords are stored
 * if the client has a model `Record`, `Factor` or `Password` with all fields that
 * `npx lib-auth schema --adapter prisma --with records --with factors --with passwords` prints.
 *
 * @throws Error when the client lacks a model, or a model lacks a field
 * @example
 * ```ts
 * import PrismaAdapter from 'lib-auth/adapters/prisma'
 * import type { PrismaDatabase } from 'lib-auth/adapters/prisma'
 *
 * // From the client that is generated: new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
 * declare const prisma: PrismaDatabase
 *
 * export const adapter = PrismaAdapter(prisma)
 * ```
 */
export default function PrismaAdapter(
  prisma: PrismaDatabase,
  options: PrismaAdapterOptions = {},
): Adapter {
  const models: ModelNames = { ...MODELS, ...options.models }
  checkModels(prisma, models)
  return withTransactions(createMethods(prisma, models), async (work) =>
    prisma.$transaction((client) => work(createMethods(client, models))),
  )
}
