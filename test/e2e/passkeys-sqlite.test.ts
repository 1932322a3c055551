import { describePasskeys, sqliteUrl } from './passkey-suite.ts'

const url = sqliteUrl()
describePasskeys('SQLite', () => url)
