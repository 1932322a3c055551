// A site; as a program it is killed after the n-th call of the database: node crash-site.mjs <url> <flow> <n>
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { customFetch } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import { openSqlite } from 'lib-auth/adapters/sqlite'
import { browser, issuer } from 'lib-auth/testing'
import { Pool } from 'pg'

const SECRET = 'a secret for tests, with enough characters'
const SESSION = '__Host-lib.session-token'

/** The adapter, with a report before each call, also in transactions. */
function observed(adapter, tell) {
  return Object.fromEntries(
    Object.entries(adapter).map(([method, run]) => [
      method,
      async (...args) => {
        const [work] = args
        const result =
          method === 'transaction'
            ? await run((inner) => work(observed(inner, tell)))
            : await run(...args)
        tell()
        return result
      },
    ]),
  )
}

function connect(url) {
  return url.startsWith('postgres:')
    ? new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }) })
    : new SqliteDialect({ database: () => openSqlite(url.replace(/^file:/, '')) })
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

/** A browser on a site over the database; `tell` hears of every call that is done. */
async function open(url, tell = () => undefined) {
  const db = new Kysely({ dialect: connect(url) })
  const op = await issuer({ algorithm: 'ES256' })
  const links = []
  const tab = browser(siteOver(observed(KyselyAdapter(db), tell), op, links), { issuer: op })
  return { tab, links, close: () => db.destroy() }
}

/**
 * Signs a user in, reads the session and signs out. This process is killed after the database call with this number.
 * `hold` hears of the session that the browser has got.
 */
export async function visit(url, flow, { last = 0, hold = () => undefined } = {}) {
  let calls = 0
  const { tab, links, close } = await open(url, () => {
    if (++calls === last) process.kill(process.pid, 'SIGKILL')
  })
  if (flow === 'oidc') await tab.signIn('op')
  else {
    await tab.post('signin/email', { email: 'ada@example.com' })
    await tab.follow(await tab.request(links.at(-1)))
  }
  hold(tab.cookies.get(SESSION).value)
  const session = await tab.session()
  await tab.post('signout')
  const left = await tab.session()
  await close()
  return { calls, email: session?.user?.email, isSignedOut: left === null }
}

/** Signs out with the session of a browser; `null` if the session has ended, as expected. */
export async function leave(url, held) {
  const { tab, close } = await open(url)
  tab.cookies.set(SESSION, held)
  await tab.post('signout')
  tab.cookies.set(SESSION, held)
  const left = await tab.session()
  await close()
  return left
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, flow, last] = process.argv.slice(2)
  // Not lost when this process is killed.
  const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`)
  tell(await visit(url, flow, { last: Number(last), hold: (held) => tell({ held }) }))
  process.exit(0)
}
