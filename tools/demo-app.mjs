// The demo: an OpenID provider and the Next.js example, on free ports of this machine.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT } from '../examples/openid-provider/people.mjs'
import { freePort } from './ports.mjs'
import { answers, run, start } from './run.mjs'

export const APP = fileURLToPath(new URL('../examples/next-app-router', import.meta.url))
const PROVIDER = fileURLToPath(new URL('../examples/openid-provider/server.mjs', import.meta.url))
const NEXT = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the application for production. */
export function buildApp(app = APP, next = NEXT) {
  return run(process.execPath, [next, 'build'], { cwd: app, env: QUIET })
}

/**
 * Starts both. `port` and `providerPort` are where to look for free ports first.
 *
 * @returns where they are, and `stop`
 */
export async function startDemo({ app = APP, next = NEXT, port, providerPort, env } = {}) {
  const appPort = await freePort(port)
  const issuerPort = await freePort(providerPort)
  const url = `http://localhost:${appPort}`
  const issuer = `http://localhost:${issuerPort}`
  const redirectUri = `${url}/api/auth/callback/demo`
  const provider = start(process.execPath, [
    PROVIDER,
    '--port',
    String(issuerPort),
    '--redirect-uri',
    redirectUri,
  ])
  const server = start(
    process.execPath,
    [next, 'start', '--port', String(appPort), '--hostname', 'localhost'],
    {
      cwd: app,
      env: {
        ...QUIET,
        AUTH_SECRET: randomBytes(32).toString('base64url'),
        DEMO_ISSUER: issuer,
        DEMO_CLIENT_ID: CLIENT.id,
        DEMO_CLIENT_SECRET: CLIENT.secret,
        ...env,
      },
    },
  )
  const stop = async () => void (await Promise.all([server.stop(), provider.stop()]))
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
