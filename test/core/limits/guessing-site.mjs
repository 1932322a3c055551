// A site in a process of its own that guesses passwords in parallel: node guessing-site.mjs <url>
import { once } from 'node:events'
import Redis from 'ioredis'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import RedisAdapter from 'lib-auth/adapters/redis'
import { openSqlite } from 'lib-auth/adapters/sqlite'
import Credentials from 'lib-auth/providers/credentials'
import { browser } from 'lib-auth/testing'
import { Pool } from 'pg'

const [url = ''] = process.argv.slice(2)

function openStore() {
  if (url.startsWith('redis:')) return RedisAdapter(new Redis(url))
  const dialect = url.startsWith('postgres:')
    ? new PostgresDialect({ pool: new Pool({ connectionString: url, max: 10 }) })
    : new SqliteDialect({ database: () => openSqlite(url.replace(/^file:/, '')) })
  return KyselyAdapter(new Kysely({ dialect }), { with: ['records'] })
}

let calls = 0
const warnings = []
const config = {
  secret: 'a secret for tests, with enough characters',
  basePath: '/auth',
  trustHost: true,
  store: openStore(),
  protection: { clientAddress: { header: 'x-client' } },
  logger: { error: () => undefined, warn: (_code, message) => void warnings.push(message) },
  providers: [
    Credentials({
      id: 'password',
      credentials: { username: {}, password: {} },
      authorize: ({ username, password }) => {
        if (password === 'correct') return { id: username }
        calls++
        return null
      },
    }),
  ],
}

const from = (address) => browser(config, { headers: { 'x-client': address } })
const enter = (tab, username, password) => tab.post('callback/password', { username, password })

/** Opens the connections and fetches the CSRF tokens, so that the guesses are made at the same time. */
async function openTabs(addresses) {
  const tabs = addresses.map(from)
  for (const tab of tabs) await tab.request('csrf')
  return tabs
}

/** Guesses the password of an account, one guess from each tab, while its owner signs in in a known browser. */
async function attack(account, addresses) {
  const [owner] = await openTabs(['198.51.100.1'])
  await enter(owner, account, 'correct')
  await owner.post('signout')
  const tabs = await openTabs(addresses)
  calls = 0
  process.send('ready')
  await once(process, 'message')
  const guesses = tabs.map((tab) => enter(tab, account, 'wrong'))
  await Promise.all([...guesses, enter(owner, account, 'correct')])
  process.send({ calls, warnings, isOwnerSignedIn: (await owner.session()) !== null })
  await once(process, 'message')
}

const numbered = (count, addressOf) => Array.from({ length: count }, (_, index) => addressOf(index))
const network = `2001:db8:${(process.pid % 65536).toString(16)}`
await attack(
  'ada',
  numbered(67, () => '192.0.2.1'),
)
await attack(
  'bob',
  numbered(334, (index) => `${network}:${index.toString(16)}::1`),
)
process.exit(0)
