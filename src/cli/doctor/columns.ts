/** Whether the columns of tokens can contain them. */
import { TIMEOUTS, withTimeout } from '../../core/async/timeout.ts'
import { resolveStrategy } from '../../core/config/adapter.ts'
import { resolve } from '../../core/config/resolve.ts'
import type { Adapter, RecordStore } from '../../core/database/adapter.ts'
import type { ColumnLimit } from '../../core/database/column-limit.ts'
import { columnLimits } from '../../core/symbols.ts'
import type { Awaitable } from '../../core/types.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'
import { storesFactors, storesPasswords } from './credentials.ts'
import { placeOf } from './tokens.ts'

/** An adapter or a store that can report the length of its columns. */
interface Measured extends Partial<RecordStore> {
  [columnLimits]?: (table: ColumnLimit['table']) => Awaitable<readonly ColumnLimit[]>
}

/** What is stored in columns of a table, and the length that it needs. */
interface Need {
  readonly table: ColumnLimit['table']
  readonly fields: readonly string[]
  /** In characters. */
  readonly length: number
  readonly type: Readonly<Record<ColumnLimit['changedBy'], string>>
  readonly why: string
}

const TEXT = { mysql: 'mediumtext', postgres: 'text', drizzle: 'text' }

/** Access tokens and ID tokens of some providers have 3000 characters; encrypted, they are a third longer. */
const TOKENS: Need = {
  table: 'accounts',
  fields: ['access_token', 'refresh_token', 'id_token'],
  length: 4096,
  type: TEXT,
  why: 'tokens of providers can be longer, above all encrypted ones',
}

const RECORDS: Need = {
  ...TOKENS,
  table: 'records',
  fields: ['value'],
  why: 'a record with the encrypted tokens of a session is longer',
}

const SESSIONS: Need = {
  table: 'sessions',
  fields: ['sessionToken'],
  length: 190,
  type: { mysql: 'varchar(255)', postgres: 'text', drizzle: 'varchar(255)' },
  why: 'with the options of this configuration, session tokens have up to 190',
}

const FACTORS: Need = {
  table: 'factors',
  fields: ['secret'],
  length: 1000,
  type: TEXT,
  why: 'encrypted secrets have up to 1000',
}

const PASSWORDS: Need = {
  ...FACTORS,
  table: 'passwords',
  fields: ['hash'],
  length: 500,
  why: 'hashes of passwords have up to 500',
}

function* needsOf(
  { config, problems }: DoctorContext,
  adapter?: Adapter,
): Generator<readonly [Need, Measured | undefined]> {
  if (config.tokens) {
    const place = placeOf(config, adapter)
    if (place === 'account') yield [TOKENS, adapter]
    if (place === 'store') yield [RECORDS, config.store ?? adapter]
  }
  if (adapter && storesFactors(adapter)) yield [FACTORS, adapter]
  if (adapter && storesPasswords(adapter)) yield [PASSWORDS, adapter]
  // A hash has 50 characters, whatever it is of.
  if (problems.length > 0 || config.session?.hashTokens) return
  if (resolveStrategy(config) === 'database' && resolve(config).keepsFacts)
    yield [SESSIONS, adapter]
}

async function listLimits(
  { [columnLimits]: list }: Measured,
  { table }: Need,
): Promise<readonly ColumnLimit[]> {
  const timeoutError = (message: string) => new Error(message)
  const limits = list?.(table) ?? []
  return withTimeout(limits, { what: 'The database', timeout: TIMEOUTS.adapter, timeoutError })
}

function quote(name: string, { changedBy }: ColumnLimit): string {
  const mark = changedBy === 'mysql' ? '`' : '"'
  return mark + name.replaceAll(mark, mark + mark) + mark
}

/** What changes the column. */
function change(limit: ColumnLimit, { type, table }: Need): string {
  const { changedBy, path, field, collation } = limit
  const wanted = type[changedBy]
  if (changedBy === 'drizzle') {
    const built =
      wanted === 'text' ? `text('${limit.column}')` : `varchar('${limit.column}', { length: 255 })`
    return `Write ${field}: ${built} in the table of the schema, and migrate it: npx drizzle-kit generate, npx drizzle-kit migrate`
  }
  const name = path.map((part) => quote(part, limit)).join('.')
  const column = quote(limit.column, limit)
  if (changedBy === 'postgres')
    return `Run: alter table ${name} alter column ${column} type ${wanted}`
  const collate = collation === null ? '' : ` collate ${collation}`
  const isRequired = table === 'accounts' ? '' : ' not null'
  return `Run: alter table ${name} modify ${column} ${wanted}${collate}${isRequired}`
}

async function* checkNeed(need: Need, source: Measured): AsyncGenerator<Finding> {
  for (const limit of await listLimits(source, need))
    if (need.fields.includes(limit.field) && limit.length < need.length)
      yield topic('columns')
        .warning`${limit.column} of the table ${limit.path.join('.')} has ${limit.length} characters; ${need.why}. → ${change(limit, need)}`
}

/** Nothing without an option or a table that stores longer values than earlier releases did. */
export async function* checkColumns(
  context: DoctorContext,
  adapter?: Adapter,
): AsyncGenerator<Finding> {
  for (const [need, source = {}] of needsOf(context, adapter))
    try {
      yield* checkNeed(need, source)
    } catch (cause) {
      yield topic('columns')
        .warning`the columns of ${need.table} cannot be read: ${context.quote(cause)} → Run the command where the database can be reached.`
    }
}
