// The demo of a server: an OpenID provider and an example, on free ports of this machine.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT } from '../examples/openid-provider/users.mjs'
import { freePort } from './ports.mjs'
import { start, waitForServer } from './run.mjs'

/** The examples: their folders, and the names of the servers. */
export const SERVERS = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  node: 'node:http',
}

function pathOf(file) {
  return fileURLToPath(new URL(`../examples/${file}`, import.meta.url))
}

/**
 * Starts both. `port` and `providerPort` are the preferred ports.
 *
 * @param {string} name - of the folder of the example
 * @param {{ port?: number, providerPort?: number }} [preferred]
 * @returns their URLs, and `stop`
 */
export async function startServerDemo(name, { port, providerPort } = {}) {
  const appPort = await freePort(port)
  const issuerPort = await freePort(providerPort)
  const url = `http://localhost:${appPort}`
  const issuer = `http://localhost:${issuerPort}`
  const redirectUri = `${url}/auth/callback/demo`
  const args = ['--port', String(issuerPort), '--redirect-uri', redirectUri]
  const provider = start(process.execPath, [pathOf('openid-provider/server.mjs'), ...args])
  const server = start(process.execPath, [pathOf(`${name}/server.mjs`)], {
    env: {
      NODE_ENV: 'production',
      PORT: String(appPort),
      AUTH_SECRET: randomBytes(32).toString('base64url'),
      AUTH_DEMO_ISSUER: issuer,
      AUTH_DEMO_ID: CLIENT.id,
      AUTH_DEMO_SECRET: CLIENT.secret,
    },
  })
  const stop = async () => {
    await Promise.all([server.stop(), provider.stop()])
  }
  try {
    await waitForServer(`${issuer}/.well-known/openid-configuration`, provider)
    await waitForServer(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = Promise.race([server.gone, provider.gone])
  const output = () => server.output() + provider.output()
  return { url, issuer, stop, ended, output }
}
