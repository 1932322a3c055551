/** Where in a database the tables are: those of the same names in other schemas are somebody else's. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { Failure } from '../errors.ts'
import type { Connection } from './connect.ts'

interface Named {
  readonly name: string | null
}

async function nameOf({ db }: Connection, query: RawBuilder<Named>): Promise<string | undefined> {
  return (await query.execute(db)).rows[0]?.name ?? undefined
}

/**
 * The schema (PostgreSQL) or database (MySQL) that is asked for, or that of the connection.
 *
 * @throws Failure when there is none of that name
 */
export async function currentSchema(
  connection: Connection,
  asked: string | undefined,
): Promise<string> {
  const { db, dialect } = connection
  if (dialect === 'sqlite') return asked ?? 'main'
  if (dialect === 'postgres') {
    const query = asked
      ? sql<Named>`select nspname as name from pg_namespace where nspname = ${asked}`
      : sql<Named>`select current_schema() as name`
    const found = await nameOf(connection, query)
    if (found !== undefined) return found
    throw new Failure(
      asked
        ? `There is no schema "${asked}". Run: create schema "${asked}"`
        : 'The connection is in no schema. Say which one the tables are in: --schema public',
    )
  }
  if (asked) {
    const query = sql<Named>`select schema_name as name from information_schema.schemata where schema_name = ${asked}`
    if ((await nameOf(connection, query)) === undefined)
      throw new Failure(`There is no database "${asked}". Run: create database \`${asked}\``)
    // What is introspected is the current one.
    await sql`use ${sql.id(asked)}`.execute(db)
  }
  const found = await nameOf(connection, sql<Named>`select database() as name`)
  if (found !== undefined) return found
  throw new Failure('The --url names no database. Add its name, as in mysql://localhost:3306/app.')
}
