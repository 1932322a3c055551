// A site; as a program it is killed after the n-th call of the database: node crash-site.mjs <url> <flow> <n>
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { customFetch } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import { browser, issuer } from 'lib-auth/testing'
import Database from 'libsql'
import { Pool } from 'pg'

const SECRET = 'a secret for tests, long enough for everybody'

/** The adapter, with every call told about, those inside of a transaction too. */
function observed(adapter, tell) {
  return Object.fromEntries(
    Object.entries(adapter).map(([method, run]) => [
      method,
      async (...told) => {
        const [work] = told
        const result =
          method === 'transaction'
            ? await run((inner) => work(observed(inner, tell)))
            : await run(...told)
        tell()
        return result
      },
    ]),
  )
}

function connect(url) {
  return url.startsWith('postgres:')
    ? new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }) })
    : new SqliteDialect({ database: new Database(url.replace(/^file:/, '')) })
}

function siteOver(adapter, op, links) {
  const { url: issuerURL, clientId, clientSecret } = op
  return {
    secret: SECRET,
    basePath: '/auth',
    trustHost: true,
    adapter,
    session: { strategy: 'database' },
    logger: { error: (error) => console.error(error.message), warn: () => undefined },
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: issuerURL,
        clientId,
        clientSecret,
        [customFetch]: op.fetch,
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
}

/** Somebody signs in, is read and signs out; this process is killed after the call of the database with that number. */
export async function visit(url, flow, last = 0) {
  const db = new Kysely({ dialect: connect(url) })
  let calls = 0
  const adapter = observed(KyselyAdapter(db), () => {
    if (++calls === last) process.kill(process.pid, 'SIGKILL')
  })
  const op = await issuer({ algorithm: 'ES256' })
  const links = []
  const tab = browser(siteOver(adapter, op, links), { issuer: op })
  if (flow === 'oidc') await tab.signIn('op')
  else {
    await tab.post('signin/email', { email: 'ada@example.com' })
    await tab.follow(await tab.request(links.at(-1)))
  }
  const session = await tab.session()
  await tab.post('signout')
  const left = await tab.session()
  await db.destroy()
  return { calls, email: session?.user?.email, isSignedOut: left === null }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, flow, last] = process.argv.slice(2)
  console.log(JSON.stringify(await visit(url, flow, Number(last))))
  process.exit(0)
}
