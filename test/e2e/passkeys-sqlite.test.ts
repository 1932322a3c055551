import { describePasskeys, sqliteUrl } from './passkey-suite.ts'

const url = sqliteUrl()
// Sessions in the database are those of the tests with PostgreSQL.
describePasskeys('SQLite', () => url, ['jwt'])
