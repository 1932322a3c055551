import Database from 'libsql'
import { Kysely, SqliteDialect } from 'kysely'
import { describe } from 'vitest'
import { testKysely } from './kysely.ts'

const database = new Database(':memory:')
const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })

describe('SQLite', () => testKysely(db, 'sqlite'))
