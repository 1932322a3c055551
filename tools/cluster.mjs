// The example of a site on more than one machine, with throwaway servers on free ports of this machine: PostgreSQL,
// Redis, an OpenID provider, a mail server, and nginx in front of three processes.
//
//   node tools/cluster.mjs    starts it, and stops it with Ctrl-C; --no-build: with dist/ as it is
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLIENT, USERS } from '../examples/openid-provider/users.mjs'
import { startPostgres, startRedis } from './databases.mjs'
import { startMailServer } from './demo-mail.mjs'
import { startSite } from './nginx.mjs'
import { freePort } from './ports.mjs'
import { waitForServer, run, start, untilCtrlC } from './run.mjs'
import { requireServices } from './services.mjs'

const resolvePath = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const EXAMPLE = resolvePath('examples/cluster')
const PROVIDER = resolvePath('examples/openid-provider/server.mjs')
const COMMANDS = resolvePath('dist/cli/index.js')

/** Ports as they are written in the example. */
const SITE_PORT = 8080
const SERVER_PORTS = [3001, 3002, 3003]

/** A server of the example, which can be started and stopped repeatedly. */
function clusterServer(port, shared) {
  let program
  return {
    port,
    /** Starts it; `env` is passed to the process. */
    async start(env = {}) {
      program = start(process.execPath, ['server.mjs'], {
        cwd: EXAMPLE,
        env: { ...shared, PORT: String(port), ...env },
      })
      await waitForServer(`http://127.0.0.1:${port}`, program)
    },
    /** Stops it; without a signal, it completes the pending requests. */
    stop: async (signal) => program?.stop(signal),
    gone: () => program.gone,
    pid: () => program.pid,
    output: () => program?.output() ?? '',
  }
}

async function startProvider(port, url) {
  const redirectUri = `${url}/auth/callback/openid`
  const args = [PROVIDER, '--port', String(port), '--redirect-uri', redirectUri]
  const program = start(process.execPath, args)
  const issuer = `http://localhost:${port}`
  await waitForServer(`${issuer}/.well-known/openid-configuration`, program)
  return { issuer, ...program }
}

/** Starts all services in parallel, and adds each one to `running`, so that the caller can stop it. */
async function startServices(running, { port, providerPort }) {
  const keep = async (starting, end) => {
    const service = await starting
    running.push(() => end(service))
    return service
  }
  const ports = new Map([[SITE_PORT, await freePort(port)]])
  for (const each of SERVER_PORTS) ports.set(each, await freePort())
  const url = `http://localhost:${ports.get(SITE_PORT)}`
  const issuerPort = await freePort(providerPort)
  const services = await Promise.allSettled([
    keep(startPostgres(), (each) => each.end()),
    keep(startRedis(), (each) => each.end()),
    keep(startMailServer(), (each) => each.stop()),
    keep(startProvider(issuerPort, url), (each) => each.stop()),
    keep(startSite(`${EXAMPLE}/nginx.conf`, ports), (each) => each.stop()),
  ])
  for (const { status, reason } of services) if (status === 'rejected') throw reason
  const [postgres, redis, mail, provider, nginx] = services.map(({ value }) => value)
  return {
    url,
    ports: SERVER_PORTS.map((each) => ports.get(each)),
    postgres,
    redis,
    mail,
    provider,
    nginx,
  }
}

/**
 * Starts everything. `port` and `providerPort` are the preferred ports.
 *
 * @returns its URLs, its `servers`, each of which can be stopped and started, and `stop`
 */
export async function startCluster({ port, providerPort } = {}) {
  await requireServices(['nginx', 'PostgreSQL', 'Redis'])
  const running = []
  const stop = async () => {
    // In reverse order, so that the servers stop before the services they use.
    for (const end of running.toReversed()) await end()
  }
  try {
    const { url, ports, postgres, redis, mail, provider, nginx } = await startServices(running, {
      port,
      providerPort,
    })
    await run(process.execPath, [COMMANDS, 'migrate', '--url', postgres.url, '--yes'])
    const secret = randomBytes(32).toString('base64url')
    const servers = ports.map((each) =>
      clusterServer(each, {
        NODE_ENV: 'production',
        AUTH_URL: url,
        AUTH_SECRET: secret,
        AUTH_OPENID_ISSUER: provider.issuer,
        AUTH_OPENID_ID: CLIENT.id,
        AUTH_OPENID_SECRET: CLIENT.secret,
        EMAIL_SERVER: mail.smtp,
        EMAIL_FROM: 'no-reply@example.com',
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
      }),
    )
    running.push(() => Promise.all(servers.map((each) => each.stop())))
    await Promise.all(servers.map((each) => each.start()))
    return {
      url,
      secret,
      issuer: provider.issuer,
      inbox: mail.inbox,
      database: postgres.url,
      servers,
      stop,
      // Not the servers: the site stays up without one of them.
      ended: Promise.race([provider.gone, nginx.gone]),
      /** Error log of nginx. */
      nginxErrors: nginx.output,
      output: () => [provider, nginx, ...servers].map((each) => each.output()).join(''),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Restarts a server each time it ends by itself, until all of them are stopped. */
async function keepRunning(server, isStopping) {
  for (;;) {
    await server.gone()
    if (isStopping()) return
    console.log(`  The server on port ${server.port} ended and is restarted.`)
    try {
      await server.start()
      console.log(`  The server on port ${server.port} runs again: process ${server.pid()}.`)
    } catch (error) {
      console.error(error.message)
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

async function main() {
  if (!process.argv.includes('--no-build'))
    await run(process.execPath, [resolvePath('tools/build.mjs')])
  const cluster = await startCluster({ port: SITE_PORT, providerPort: 4000 })
  let isStopping = false
  const stop = () => {
    isStopping = true
    return cluster.stop()
  }
  console.log(`
  The site is at    ${cluster.url}
  Its servers       ${cluster.servers.map((each) => `http://127.0.0.1:${each.port} (process ${each.pid()})`).join(', ')}
  Mail it sends     ${cluster.inbox}
  OpenID provider   ${cluster.issuer}: sign in as ${Object.keys(USERS).join(' or ')} (no password is needed)
  PostgreSQL        ${cluster.database}

  Kill one of the three processes, and the site stays up. Ctrl-C stops everything.
`)
  for (const server of cluster.servers) void keepRunning(server, () => isStopping)
  await untilCtrlC({ ...cluster, stop })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    await main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
