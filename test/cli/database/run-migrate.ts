/** `lib-auth migrate` for databases of tests. */
import { sql } from 'kysely'
import { withDatabase } from '../../../src/cli/database/connect.ts'
import { migrate } from '../../../src/cli/database/migrate.ts'
import type { MigrateOptions } from '../../../src/cli/database/migrate.ts'

export const UP_TO_DATE = 'The database is up to date.'

/** Empties a database; SQLite tests use new files. */
export async function clear(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  if (url.startsWith('postgres'))
    await query(url, 'drop schema public cascade', 'create schema public')
  if (url.startsWith('mysql')) await query(url, `drop database ${name}`, `create database ${name}`)
}

/** Runs statements one after the other, and returns the rows of the last one. */
export async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  return withDatabase(url, async ({ db }) => {
    let rows: unknown[] = []
    for (const statement of statements) ({ rows } = await sql.raw(statement).execute(db))
    return rows
  })
}

/** Collects lines, without those about the release, which test/upgrade/schema-state.test.ts expects. */
export function addTo(lines: string[]): (line: string) => void {
  return (line) => void (line.startsWith('schema: ') || lines.push(line))
}

/** Runs the command without a question; `progress` receives each statement before it runs. */
export async function run(
  options: MigrateOptions,
  progress: (line: string) => void = () => {},
): Promise<{ isDone: boolean; lines: string[] }> {
  const lines: string[] = []
  const add = addTo(lines)
  const isDone = await migrate(
    { isConfirmed: true, ...options },
    {
      print: add,
      warn: add,
      progress,
      confirm: async () => null,
    },
  )
  return { isDone, lines }
}
