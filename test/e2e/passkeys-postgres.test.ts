import { withDatabases } from '../adapters/databases.ts'
import { describePasskeys } from './passkey-suite.ts'

await withDatabases(['postgres'], ({ postgres }) => {
  describePasskeys('PostgreSQL', () => postgres.url)
})
