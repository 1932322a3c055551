// Signs somebody in, and is killed after the n-th call of the database: node crash-child.mjs <url> <flow> <n>
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { customFetch } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import { browser, issuer } from 'lib-auth/testing'
import Database from 'libsql'
import { Pool } from 'pg'

const [url, flow, last] = process.argv.slice(2)
const dialect = url.startsWith('postgres:')
  ? new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }) })
  : new SqliteDialect({ database: new Database(url) })
const db = new Kysely({ dialect })

let calls = 0

/** The adapter, with every call counted, those inside of a transaction too. */
function counted(adapter) {
  return Object.fromEntries(
    Object.entries(adapter).map(([method, run]) => [
      method,
      async (...told) => {
        const [work] = told
        const result =
          method === 'transaction' ? await run((inner) => work(counted(inner))) : await run(...told)
        if (++calls === Number(last)) process.kill(process.pid, 'SIGKILL')
        return result
      },
    ]),
  )
}

const op = await issuer({ algorithm: 'ES256' })
const links = []
const config = {
  secret: 'a secret for tests, long enough for everybody',
  basePath: '/auth',
  trustHost: true,
  adapter: counted(KyselyAdapter(db)),
  session: { strategy: 'database' },
  logger: { error: (error) => console.error(error.message), warn: () => undefined },
  providers: [
    {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: op.url,
      clientId: op.clientId,
      clientSecret: op.clientSecret,
    },
    {
      id: 'email',
      name: 'e-mail',
      type: 'email',
      from: 'a@example.com',
      sendVerificationRequest: (mail) => void links.push(mail.url),
    },
  ],
}
config.providers[0][customFetch] = op.fetch

const tab = browser(config, { issuer: op })
if (flow === 'oidc') await tab.signIn('op')
else {
  await tab.post('signin/email', { email: 'ada@example.com' })
  await tab.follow(await tab.request(links.at(-1)))
}
const session = await tab.session()
await tab.post('signout')
const left = await tab.session()
await db.destroy()
console.log(JSON.stringify({ calls, email: session?.user?.email, isSignedOut: left === null }))
process.exit(0)
