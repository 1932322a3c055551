// The demo: an OpenID provider, a mail server and the Next.js example, on free ports of this machine.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT } from '../examples/openid-provider/people.mjs'
import { startMailServer } from './demo-mail.mjs'
import { freePort } from './ports.mjs'
import { answers, run, start } from './run.mjs'

export const APP = fileURLToPath(new URL('../examples/next-app-router', import.meta.url))
const PROVIDER = fileURLToPath(new URL('../examples/openid-provider/server.mjs', import.meta.url))
const NEXT = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the application for production. */
export function buildApp(app = APP, next = NEXT) {
  const env = { ...QUIET, NODE_ENV: 'production' }
  return run(process.execPath, [next, 'build'], { cwd: app, env })
}

/**
 * Starts all three. `port` and `providerPort` are where to look for free ports first; `sessions` is where
 * sessions are kept: `jwt` or `database`; `command` is `start`, or `dev` for what needs no build.
 *
 * @returns where they are, and `stop`
 */
export async function startDemo({
  app = APP,
  next = NEXT,
  port,
  providerPort,
  sessions = 'jwt',
  command = 'start',
} = {}) {
  const appPort = await freePort(port)
  const issuerPort = await freePort(providerPort)
  const url = `http://localhost:${appPort}`
  const issuer = `http://localhost:${issuerPort}`
  const redirectUri = `${url}/api/auth/callback/demo`
  const mail = await startMailServer()
  const provider = start(process.execPath, [
    PROVIDER,
    '--port',
    String(issuerPort),
    '--redirect-uri',
    redirectUri,
  ])
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
  try {
    await answers(`${issuer}/.well-known/openid-configuration`, provider)
    await answers(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = Promise.race([server.gone, provider.gone])
  return { url, issuer, stop, ended, output: () => server.output() + provider.output() }
}
