import { Kysely } from 'kysely'
import { afterAll, describe } from 'vitest'
import { testKysely } from './kysely.ts'
import { pgliteDialect } from './pglite.ts'

const db = new Kysely<object>({ dialect: pgliteDialect() })

afterAll(() => db.destroy())

// Names and ids are those of PostgreSQL: only the driver is another.
describe('PGlite', () => testKysely(db, 'postgres', { forms: 1 }))
