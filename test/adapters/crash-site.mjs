// A site; run as a program, it is killed after the n-th database call: node crash-site.mjs <url> <flow> <n>
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

/** An adapter that calls `report` after each call, also in transactions. */
function observed(adapter, report) {
  return Object.fromEntries(
    Object.entries(adapter).map(([method, run]) => [
      method,
      async (...args) => {
        const [work] = args
        const result =
          method === 'transaction'
            ? await run((inner) => work(observed(inner, report)))
            : await run(...args)
        report()
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
    // The same address signs in many times.
    protection: 'off',
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

/** Opens a browser on a site over the database; `report` is called after each call. */
async function open(url, report = () => undefined) {
  const db = new Kysely({ dialect: connect(url) })
  const op = await issuer({ algorithm: 'ES256' })
  const links = []
  const tab = browser(siteOver(observed(KyselyAdapter(db), report), op, links), { issuer: op })
  return { tab, links, close: () => db.destroy() }
}

/**
 * Signs a user in, reads the session and signs out. This process is killed after the database call with this number.
 * `onSession` receives the session token of the browser.
 */
export async function visit(url, flow, { last = 0, onSession = () => undefined } = {}) {
  let calls = 0
  const { tab, links, close } = await open(url, () => {
    if (++calls === last) process.kill(process.pid, 'SIGKILL')
  })
  if (flow === 'oidc') await tab.signIn('op')
  else {
    await tab.post('signin/email', { email: 'ada@example.com' })
    await tab.follow(await tab.request(links.at(-1)))
  }
  onSession(tab.cookies.get(SESSION).value)
  const session = await tab.session()
  await tab.post('signout')
  const after = await tab.session()
  await close()
  return { calls, email: session?.user?.email, isSignedOut: after === null }
}

/** Signs out with the session of a browser; `null` if the session has ended, as expected. */
export async function endSession(url, sessionToken) {
  const { tab, close } = await open(url)
  tab.cookies.set(SESSION, sessionToken)
  await tab.post('signout')
  tab.cookies.set(SESSION, sessionToken)
  const after = await tab.session()
  await close()
  return after
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, flow, last] = process.argv.slice(2)
  // Written synchronously, so that it is not lost when this process is killed.
  const report = (line) => writeSync(1, `${JSON.stringify(line)}\n`)
  report(
    await visit(url, flow, {
      last: Number(last),
      onSession: (sessionToken) => report({ sessionToken }),
    }),
  )
  process.exit(0)
}
