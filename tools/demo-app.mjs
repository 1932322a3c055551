// The demo: an OpenID provider, a mail server and a Next.js example, on free ports of this machine.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT } from '../examples/openid-provider/people.mjs'
import { startMailServer } from './demo-mail.mjs'
import { freePort } from './ports.mjs'
import { answers, run, start } from './run.mjs'

function folderOf(example) {
  return fileURLToPath(new URL(`../examples/${example}`, import.meta.url))
}

/** The examples, by the router they use. */
export const APPS = { app: folderOf('next-app-router'), pages: folderOf('next-pages-router') }
const PROVIDER = fileURLToPath(new URL('../examples/openid-provider/server.mjs', import.meta.url))
const NEXT = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the application for production. */
export function buildApp(app = APPS.app, next = NEXT) {
  const env = { ...QUIET, NODE_ENV: 'production' }
  return run(process.execPath, [next, 'build'], { cwd: app, env })
}

/**
 * Starts all three. `port` and `providerPort` are where to look for free ports first; `sessions` is where
 * sessions are kept: `jwt` or `database`; `sessionSeconds` is how long they last; `command` is `start`, or
 * `dev` for what needs no build.
 *
 * @returns where they are, `stop`, and `withoutProvider`, which runs something while the provider is down
 */
export async function startDemo({
  app = APPS.app,
  next = NEXT,
  port,
  providerPort,
  sessions = 'jwt',
  sessionSeconds = 0,
  command = 'start',
} = {}) {
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
  const server = start(
    process.execPath,
    [next, command, '--port', String(appPort), '--hostname', 'localhost'],
    {
      cwd: app,
      env: {
        ...QUIET,
        NODE_ENV: command === 'dev' ? 'development' : 'production',
        AUTH_SECRET: randomBytes(32).toString('base64url'),
        SESSIONS: sessions,
        SESSION_SECONDS: sessionSeconds ? String(sessionSeconds) : '',
        DEMO_ISSUER: issuer,
        DEMO_CLIENT_ID: CLIENT.id,
        DEMO_CLIENT_SECRET: CLIENT.secret,
        DEMO_MAIL_SERVER: mail.smtp,
        DEMO_INBOX: mail.inbox,
      },
    },
  )
  const stop = async () => {
    await Promise.all([server.stop(), provider.stop()])
    await mail.stop()
  }
  const withoutProvider = async (work) => {
    await provider.stop()
    try {
      await work()
    } finally {
      provider = startProvider()
      await answers(discovery, provider)
    }
  }
  try {
    await answers(discovery, provider)
    await answers(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = Promise.race([server.gone, provider.gone])
  const output = () => server.output() + provider.output()
  return { url, issuer, inbox: mail.inbox, stop, ended, output, withoutProvider }
}
