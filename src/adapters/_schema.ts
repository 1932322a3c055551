/** The database schema, shared by the adapters and the CLI. */
import type { FactorStore, PasswordStore, RecordStore } from '../core/database/adapter.ts'

/** A table that exists only if the application asks for it. */
export type OptionalTable = 'records' | 'factors' | 'passwords'

/** The methods that an adapter has with these optional tables. */
export type StoreOf<Name extends OptionalTable> = ('records' extends Name ? RecordStore : unknown) &
  ('factors' extends Name ? FactorStore : unknown) &
  ('passwords' extends Name ? PasswordStore : unknown)

/** A table of the library, whatever its name in the database; `authenticators` stores passkeys. */
export type TableId =
  'users' | 'accounts' | 'sessions' | 'verificationTokens' | 'authenticators' | OptionalTable

/** Type of a column; `id` is a user id, `key` a string that is compared or indexed. */
export type ColumnType = 'id' | 'key' | 'text' | 'date' | 'integer' | 'boolean'

export interface Column {
  readonly type: ColumnType
  readonly isNullable?: true
  /** The release that added the column. Existing tables may lack it; it is used only if it exists. @default next-auth 5 */
  readonly since?: string
}

export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, Column>>
  readonly key: readonly string[]
  readonly unique?: readonly string[]
  readonly indexes?: readonly string[]
  /** The release that added the table; databases of earlier ones may lack it. @default next-auth 5 */
  readonly since?: string
}

const ID = { type: 'id' } as const
const KEY = { type: 'key' } as const
const TEXT = { type: 'text', isNullable: true } as const
const DATE = { type: 'date' } as const

export const OPTIONAL_TABLES: readonly OptionalTable[] = ['records', 'factors', 'passwords']

/** Whether the option `with` of an adapter contains the table. @throws TypeError for any other name */
export function usesTable(
  adapter: string,
  names: readonly OptionalTable[] | undefined,
  table: OptionalTable,
): boolean {
  const given: unknown = names ?? []
  const isKnown = (name: unknown) => OPTIONAL_TABLES.some((known) => known === name)
  if (!Array.isArray(given) || !given.every(isKnown))
    throw new TypeError(
      `${adapter}: the option with is not a list of optional tables (got ${JSON.stringify(given)}). Set it to: { with: ['${OPTIONAL_TABLES.join("', '")}'] }`,
    )
  return given.includes(table)
}

/** The tables that are not optional, in the order of their foreign keys. */
export const TABLES: readonly Exclude<TableId, OptionalTable>[] = [
  'users',
  'accounts',
  'sessions',
  'verificationTokens',
  'authenticators',
]

export const SCHEMA: Readonly<Record<TableId, Table>> = {
  users: {
    name: 'users',
    columns: {
      id: ID,
      name: TEXT,
      email: { type: 'key', isNullable: true },
      emailVerified: { type: 'date', isNullable: true },
      image: TEXT,
    },
    key: ['id'],
    unique: ['email'],
  },
  accounts: {
    name: 'accounts',
    columns: {
      provider: KEY,
      providerAccountId: KEY,
      userId: ID,
      type: KEY,
      refresh_token: TEXT,
      access_token: TEXT,
      expires_at: { type: 'integer', isNullable: true },
      token_type: TEXT,
      scope: TEXT,
      id_token: TEXT,
      session_state: TEXT,
    },
    key: ['provider', 'providerAccountId'],
    indexes: ['userId'],
  },
  sessions: {
    name: 'sessions',
    columns: { sessionToken: KEY, userId: ID, expires: DATE },
    key: ['sessionToken'],
    indexes: ['userId', 'expires'],
  },
  verificationTokens: {
    name: 'verification_tokens',
    columns: { identifier: KEY, token: KEY, expires: DATE },
    key: ['identifier', 'token'],
    indexes: ['expires'],
  },
  authenticators: {
    name: 'authenticators',
    columns: {
      credentialID: KEY,
      userId: ID,
      providerAccountId: KEY,
      credentialPublicKey: { type: 'text' },
      counter: { type: 'integer' },
      credentialDeviceType: KEY,
      credentialBackedUp: { type: 'boolean' },
      transports: TEXT,
      name: { ...TEXT, since: '0.1' },
      lastUsed: { ...DATE, isNullable: true, since: '0.1' },
      created: { ...DATE, isNullable: true, since: '0.1' },
    },
    key: ['credentialID'],
    indexes: ['userId'],
    // With next-auth 5, only applications with passkeys have it.
    since: '0.1',
  },
  records: {
    name: 'records',
    columns: {
      key: KEY,
      value: { type: 'text' },
      owner: { type: 'key', isNullable: true },
      expires: DATE,
    },
    key: ['key'],
    indexes: ['owner', 'expires'],
    since: '0.1',
  },
  factors: {
    name: 'factors',
    columns: {
      id: KEY,
      userId: ID,
      type: KEY,
      secret: { type: 'text' },
      name: TEXT,
      lastStep: { type: 'integer', isNullable: true },
      confirmed: { type: 'boolean' },
      created: DATE,
    },
    key: ['id'],
    indexes: ['userId'],
    since: '0.1',
  },
  passwords: {
    name: 'passwords',
    columns: { userId: ID, hash: { type: 'text' }, changed: DATE },
    key: ['userId'],
    since: '0.1',
  },
}

/** Names of the tables and columns in an existing database. */
export interface SchemaNames {
  /** Table names that differ from the default. */
  readonly tables?: Partial<Record<TableId, string>> | undefined
  /** Column names: `snake_case` for all, or those that differ, by table. @default the names of the fields */
  readonly columns?:
    'snake_case' | Partial<Record<TableId, Readonly<Record<string, string>>>> | undefined
  /**
   * Additional columns to write, by table. They are filled from the fields of the same name that `profile` (users) or
   * the token endpoint (accounts) returns; fields without a column are dropped. A read returns every column of a row,
   * listed here or not; of a session, only those listed.
   */
  readonly extraColumns?: Partial<Record<TableId, readonly string[]>> | undefined
  /** Schema (PostgreSQL) or database (MySQL) of the tables. @default that of the connection */
  readonly schema?: string | undefined
}

export interface NamedTable {
  readonly id: TableId
  readonly name: string
  readonly schema: string | undefined
  /** Column names by field: those of {@link SCHEMA} and `extraColumns`. */
  readonly columns: ReadonlyMap<string, string>
  readonly columnType: (field: string) => ColumnType | undefined
}

function nameColumn(field: string, table: TableId, columns: SchemaNames['columns']): string {
  if (columns === 'snake_case') return field.replace(/([a-z])([A-Z]+)/g, '$1_$2').toLowerCase()
  return columns?.[table]?.[field] ?? field
}

export function namedTable(id: TableId, names: SchemaNames = {}): NamedTable {
  const { name, columns } = SCHEMA[id]
  const own = Object.keys(columns).map(
    (field) => [field, nameColumn(field, id, names.columns)] as const,
  )
  const extra = (names.extraColumns?.[id] ?? []).map((field) => [field, field] as const)
  return {
    id,
    name: names.tables?.[id] ?? name,
    schema: names.schema,
    columns: new Map([...extra, ...own]),
    columnType: (field) => columns[field]?.type,
  }
}
