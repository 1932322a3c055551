// The demo of a server or a framework: an OpenID provider and an example, on free ports of this machine.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT } from '../examples/openid-provider/users.mjs'
import { freePort } from './ports.mjs'
import { run, start, waitForServer } from './run.mjs'
import { exampleFolder, installPackage } from './separate-installs.mjs'

/** The examples: their folders, and the names of the servers. */
export const SERVERS = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  node: 'node:http',
}

/** Examples of frameworks, with packages of their own: their titles, and how they are built and started. */
export const FRAMEWORKS = {
  astro: {
    title: 'Astro',
    build: 'node_modules/astro/astro.js build',
    start: 'dist/server/entry.mjs',
    source: 'src/auth.ts',
  },
  nuxt: {
    title: 'Nuxt',
    build: 'node_modules/nuxt/bin/nuxt.mjs build',
    start: '.output/server/index.mjs',
    source: 'server/utils/auth.ts',
  },
  'react-router': {
    title: 'React Router',
    build: 'node_modules/@react-router/dev/bin.js build',
    start: 'node_modules/@react-router/serve/bin.js build/server/index.js',
    source: 'app/auth.server.ts',
  },
  sveltekit: {
    title: 'SvelteKit',
    build: 'node_modules/vite/bin/vite.js build',
    start: 'node_modules/vite/bin/vite.js preview --strictPort --port $PORT',
    source: 'src/auth.server.ts',
  },
  'tanstack-start': {
    title: 'TanStack Start',
    build: 'node_modules/vite/bin/vite.js build',
    start: 'node_modules/srvx/bin/srvx.mjs --prod --static ../client dist/server/server.js',
    source: 'src/auth.ts',
    /** The oldest Node.js. */
    node: '22.12',
  },
}

const PROVIDER = fileURLToPath(new URL('../examples/openid-provider/server.mjs', import.meta.url))
const QUIET = { ASTRO_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' }

/** What to tell users whose Node.js cannot run the example; `undefined` if it can. */
export function nodeProblem(name, version = process.versions.node) {
  const { title, node = '0' } = FRAMEWORKS[name]
  const isOld = version.localeCompare(node, 'en', { numeric: true }) < 0
  return isOld ? `${title} needs Node.js ${node} or newer. This is Node.js ${version}.` : undefined
}

/** Builds the example of a framework, with the build of lib-auth. Its packages are installed; `node` is the program. */
export async function buildFrameworkDemo(name, node = process.execPath) {
  const cwd = exampleFolder(name)
  installPackage(cwd)
  const env = { ...QUIET, NODE_ENV: 'production' }
  await run(node, FRAMEWORKS[name].build.split(' '), { cwd, env })
}

/**
 * Starts both. `port` and `providerPort` are the preferred ports; `node` is the program that runs the example.
 *
 * @param {string} name - of the folder of the example
 * @param {{ port?: number, providerPort?: number, node?: string | undefined }} [options]
 * @returns their URLs, and `stop`
 */
export async function startServerDemo(name, { port, providerPort, node = process.execPath } = {}) {
  const appPort = await freePort(port)
  const issuerPort = await freePort(providerPort)
  const url = `http://localhost:${appPort}`
  const issuer = `http://localhost:${issuerPort}`
  const redirectUri = `${url}/auth/callback/demo`
  const args = ['--port', String(issuerPort), '--redirect-uri', redirectUri]
  const provider = start(process.execPath, [PROVIDER, ...args])
  const command = Object.hasOwn(FRAMEWORKS, name) ? FRAMEWORKS[name].start : 'server.mjs'
  const words = command.replace('$PORT', String(appPort)).split(' ')
  const server = start(node, words, {
    cwd: exampleFolder(name),
    env: {
      ...QUIET,
      NODE_ENV: 'production',
      HOST: 'localhost',
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
