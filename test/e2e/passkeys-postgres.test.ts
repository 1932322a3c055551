import { withDatabases } from '../database/databases.ts'
import { describePasskeys } from './passkey-suite.ts'

await withDatabases(['postgres'], ({ postgres }) => {
  describePasskeys('PostgreSQL', () => postgres.url)
})
