/** The tables and columns that databases have for the library: adapters read it, and the CLI writes it. */

/** What the library keeps. */
export type TableId = 'users' | 'accounts' | 'sessions' | 'verificationTokens' | 'authenticators'

/** What a column holds; `id` is the id of a user. */
export type ColumnType = 'id' | 'key' | 'text' | 'date' | 'integer' | 'boolean'

/** A column. */
export interface Column {
  readonly type: ColumnType
  readonly isNullable?: true
}

/** A table. */
export interface Table {
  /** Its usual name. */
  readonly name: string
  /** By field. */
  readonly columns: Readonly<Record<string, Column>>
  /** The fields that name a row. */
  readonly key: readonly string[]
  /** Fields that no two rows have in common. */
  readonly unique?: readonly string[]
  /** Fields by which rows are looked for. */
  readonly indexes?: readonly string[]
}

const ID = { type: 'id' } as const
const KEY = { type: 'key' } as const
const TEXT = { type: 'text', isNullable: true } as const
const DATE = { type: 'date' } as const

/** Every table. */
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
    },
    key: ['credentialID'],
    indexes: ['userId'],
  },
}

/** What the tables are called in a database of your own. */
export interface SchemaNames {
  /** Names of tables. */
  readonly tables?: Partial<Record<TableId, string>> | undefined
  /**
   * Names of columns: `snake_case` for all of them (`email_verified`), or those that differ, by table.
   *
   * @default the names of the fields (`emailVerified`)
   */
  readonly columns?:
    'snake_case' | Partial<Record<TableId, Readonly<Record<string, string>>>> | undefined
  /**
   * Columns of your own that are written, by table. They are filled from the fields of the same name, of what
   * `profile` returns for users and of what the token endpoint answers for accounts. Fields that have no column
   * are left out. What is read has every column, named here or not; of sessions, those that are named.
   */
  readonly extraColumns?: Partial<Record<TableId, readonly string[]>> | undefined
  /** Of which schema the tables are (PostgreSQL), or which database (MySQL). @default that of the connection */
  readonly schema?: string | undefined
}

/** A table under the names it has in one database. */
export interface NamedTable {
  readonly id: TableId
  readonly name: string
  readonly schema: string | undefined
  /** Name of a column by field: those of {@link SCHEMA} and those of the application. */
  readonly columns: ReadonlyMap<string, string>
  typeOf(field: string): ColumnType | undefined
}

function snakeCase(field: string): string {
  return field.replace(/([a-z])([A-Z]+)/g, '$1_$2').toLowerCase()
}

function columnOf(field: string, table: TableId, columns: SchemaNames['columns']): string {
  if (columns === 'snake_case') return snakeCase(field)
  return columns?.[table]?.[field] ?? field
}

/** The names of one table. */
export function namedTable(id: TableId, names: SchemaNames = {}): NamedTable {
  const { name, columns } = SCHEMA[id]
  const own = Object.keys(columns).map(
    (field) => [field, columnOf(field, id, names.columns)] as const,
  )
  const extra = (names.extraColumns?.[id] ?? []).map((field) => [field, field] as const)
  return {
    id,
    name: names.tables?.[id] ?? name,
    schema: names.schema,
    columns: new Map([...extra, ...own]),
    typeOf: (field) => columns[field]?.type,
  }
}
