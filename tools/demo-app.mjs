// The demo: an OpenID provider, a mail server and a Next.js example, on free ports of this machine.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, SqliteDialect } from 'kysely'
import { CLIENT } from '../examples/openid-provider/users.mjs'
import { startMailServer } from './demo-mail.mjs'
import { freePort } from './ports.mjs'
import { waitForServer, run, start } from './run.mjs'

function exampleFolder(example) {
  return fileURLToPath(new URL(`../examples/${example}`, import.meta.url))
}

/** The examples, by the router they use. */
export const APPS = {
  app: exampleFolder('next-app-router'),
  pages: exampleFolder('next-pages-router'),
}
const PROVIDER = fileURLToPath(new URL('../examples/openid-provider/server.mjs', import.meta.url))
const COMMANDS = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
const NEXT = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the application for production. */
export function buildApp(app = APPS.app, next = NEXT) {
  const env = { ...QUIET, NODE_ENV: 'production' }
  return run(process.execPath, [next, 'build'], { cwd: app, env })
}

/** Creates the tables with `lib-auth migrate`, and the user who has a password. */
async function createTables(app, file) {
  const migrate = [
    'migrate',
    '--yes',
    '--with',
    'records,passwords,factors',
    '--url',
    `file:${file}`,
  ]
  await run(process.execPath, [COMMANDS, ...migrate], { cwd: app })
  // From dist/, which may not be built before this runs.
  const { openSqlite } = await import('../dist/adapters/sqlite.js')
  const { default: KyselyAdapter } = await import('../dist/adapters/kysely.js')
  const { hashPassword } = await import('../dist/password.js')
  const dialect = new SqliteDialect({ database: () => openSqlite(resolve(app, file)) })
  const database = new Kysely({ dialect })
  const adapter = KyselyAdapter(database, { with: ['passwords'] })
  const email = 'grace@example.com'
  if (!(await adapter.getUserByEmail(email))) {
    const user = { id: 'grace', name: 'Grace Hopper', email, emailVerified: new Date() }
    await adapter.createUser(user)
    const hash = await hashPassword('correct horse')
    await adapter.setPassword(user.id, { hash, changed: new Date() })
  }
  await database.destroy()
}

/**
 * Starts all three. `port` and `providerPort` are the preferred ports; `sessions` is where
 * sessions are kept: `database` or `jwt`; `sessionSeconds` is how long they last; `command` is `start`, or
 * `dev` to start without a build. `databaseFile` is where users are kept, seen from the folder of the application;
 * `secret` its secret, which otherwise stays in its `.env.local`.
 *
 * @returns their URLs, `stop`, `restart` for the application alone, and `withoutProvider`, which runs
 * a function while the provider is down
 */
export async function startDemo({
  app = APPS.app,
  next = NEXT,
  port,
  providerPort,
  sessions = 'database',
  sessionSeconds = 0,
  command = 'start',
  databaseFile = 'demo.db',
  secret = '',
} = {}) {
  await createTables(app, databaseFile)
  if (!secret) await run(process.execPath, [COMMANDS, 'secret'], { cwd: app })
  const appPort = await freePort(port)
  const issuerPort = await freePort(providerPort)
  const url = `http://localhost:${appPort}`
  const issuer = `http://localhost:${issuerPort}`
  const discovery = `${issuer}/.well-known/openid-configuration`
  const redirectUri = `${url}/api/auth/callback/demo`
  const args = [PROVIDER, '--port', String(issuerPort), '--redirect-uri', redirectUri]
  const startProvider = () => start(process.execPath, args)
  const mail = await startMailServer()
  let provider = startProvider()
  const startServer = () =>
    start(process.execPath, [next, command, '--port', String(appPort), '--hostname', 'localhost'], {
      cwd: app,
      env: {
        ...QUIET,
        NODE_ENV: command === 'dev' ? 'development' : 'production',
        ...(secret && { AUTH_SECRET: secret }),
        DATABASE_FILE: databaseFile,
        SESSIONS: sessions,
        SESSION_SECONDS: sessionSeconds ? String(sessionSeconds) : '',
        DEMO_ISSUER: issuer,
        DEMO_CLIENT_ID: CLIENT.id,
        DEMO_CLIENT_SECRET: CLIENT.secret,
        DEMO_MAIL_SERVER: mail.smtp,
        DEMO_INBOX: mail.inbox,
      },
    })
  let server = startServer()
  const stop = async () => {
    await Promise.all([server.stop(), provider.stop()])
    await mail.stop()
  }
  const restart = async () => {
    await server.stop()
    server = startServer()
    await waitForServer(url, server)
  }
  const withoutProvider = async (work) => {
    await provider.stop()
    try {
      await work()
    } finally {
      provider = startProvider()
      await waitForServer(discovery, provider)
    }
  }
  try {
    await waitForServer(discovery, provider)
    await waitForServer(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = Promise.race([server.gone, provider.gone])
  const output = () => server.output() + provider.output()
  return { url, issuer, inbox: mail.inbox, stop, restart, ended, output, withoutProvider }
}
