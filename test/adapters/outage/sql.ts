/** Reads the rows of an SQL database. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Stored, Visitor } from './visitor.ts'

const userId = sql.id('userId')
const ofUser = (email: string) => sql`${userId} in (select id from users where email = ${email})`

/** Number of rows of one user. */
export async function storedIn(db: Kysely<object>, { person }: Visitor): Promise<Stored> {
  const { email } = person
  const { rows } = await sql<Record<keyof Stored, number | string>>`
    select (select count(*) from users where email = ${email}) as users,
      (select count(*) from accounts where ${ofUser(email)}) as accounts,
      (select count(*) from sessions where ${ofUser(email)}) as sessions`.execute(db)
  const { users, accounts, sessions } = rows[0] ?? { users: NaN, accounts: NaN, sessions: NaN }
  return { users: Number(users), accounts: Number(accounts), sessions: Number(sessions) }
}

/** Number of accounts and sessions without a user. */
export async function orphansIn(db: Kysely<object>): Promise<number> {
  const isOrphan = sql`${userId} not in (select id from users)`
  const { rows } = await sql<{ count: number | string }>`
    select (select count(*) from accounts where ${isOrphan}) +
      (select count(*) from sessions where ${isOrphan}) as count`.execute(db)
  return Number(rows[0]?.count)
}
