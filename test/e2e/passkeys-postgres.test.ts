import { withDatabases } from '../adapters/databases.ts'
import { describePasskeys } from './passkey-suite.ts'

await withDatabases(['postgres'], ({ postgres }) => {
  // Sessions in cookies, which no database reads, are those of the tests with SQLite.
  describePasskeys('PostgreSQL', () => postgres.url, ['database'])
})
