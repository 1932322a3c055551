/** Runs `lib-auth doctor` in a folder with an application: as a program, or without its processes. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { doctor } from '../../../src/cli/doctor/doctor.ts'
import type { loadConfig } from '../../../src/cli/doctor/load.ts'
import type { runChecks } from '../../../src/cli/doctor/run-checks.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The built command line. */
export const PROGRAM: string = join(ROOT, 'dist/cli/index.js')

/** A random secret, which must not appear in the output. */
export const GOOD_SECRET = 'q3Fz0vYB8mJ4tKc7wXsN1eRh6uPdA9gL2oVi5yZkTbE='

const cleanups: (() => void)[] = []

/** Deletes the folders and stops the servers; for `afterAll`. */
export function cleanUp(): void {
  for (const cleanup of cleanups.splice(0)) cleanup()
}

/** Packages that an application can have. */
const MODULES: Readonly<Record<string, string>> = {
  'lib-auth': ROOT,
  next: join(ROOT, 'node_modules/next'),
  'next@15': join(ROOT, 'test/apps/next-15/node_modules/next'),
  'typescript@7': join(ROOT, 'node_modules/typescript'),
}

/** Creates a folder with these files and installed packages. */
export function applicationWith(
  files: Readonly<Record<string, string>>,
  modules: readonly string[] = ['lib-auth', 'next'],
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lib-auth-doctor-')))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of modules)
    symlinkSync(MODULES[name] ?? '', join(folder, 'node_modules', name.replace(/@\d+$/, '')))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export interface DoctorResult {
  readonly code: number | null
  readonly text: string
  readonly stderr: string
  /** The lines of a topic, each with its advice after an arrow. */
  readonly about: (topic: string) => readonly string[]
}

type Place = NonNullable<Parameters<typeof doctor>[2]>
type Variables = Readonly<Record<string, string>>

function resultOf(code: number | null, printed: string, stderr: string): DoctorResult {
  const findings = printed.replaceAll('\n    ', ' → ').split('\n')
  const about = (topic: string) => findings.filter((line) => line.slice(2).startsWith(`${topic}:`))
  return { code, text: printed, stderr, about }
}

/** Runs the program with only these environment variables. */
export async function runDoctor(
  folder: string,
  words: readonly string[] = [],
  env: Variables = {},
  node: string = process.execPath,
): Promise<DoctorResult> {
  const child = spawn(node, [PROGRAM, 'doctor', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return resultOf(code, printed, stderr)
}

const importNatively: <T>(url: string) => Promise<T> = createRequire(import.meta.url)(
  './import-natively.cjs',
)
const importBuilt = <T>(name: string) =>
  importNatively<T>(pathToFileURL(join(ROOT, `dist/cli/doctor/${name}.js`)).href)

/** Calls the command in this process. The checks run in another one, as those of the program. */
export async function callDoctor(
  folder: string,
  words: readonly string[] = [],
  env: Variables = {},
  runChecksHere?: Place['runChecks'],
): Promise<DoctorResult> {
  const { doctor: run } = await importBuilt<{ doctor: typeof doctor }>('doctor')
  const options = {
    config: { type: 'string' },
    url: { type: 'string' },
    downgrade: { type: 'string' },
  } as const
  const printed: string[] = []
  const warned: string[] = []
  const terminal: Parameters<typeof doctor>[1] = {
    print: (line) => void printed.push(`${line}\n`),
    warn: (line) => void warned.push(`${line}\n`),
    progress: () => undefined,
    confirm: async () => null,
  }
  const { values } = parseArgs({ args: [...words], options })
  const place = { folder, env, ...(runChecksHere && { runChecks: runChecksHere }) }
  const code = await run(values, terminal, place)
  return resultOf(code, printed.join(''), warned.join(''))
}

/** Runs work while `process.env` contains only these variables. */
async function withVariables<T>(env: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> {
  const before = process.env
  process.env = { ...env }
  try {
    return await work()
  } finally {
    process.env = before
  }
}

const queue: { last: Promise<unknown> } = { last: Promise.resolve() }

/**
 * Calls the command and runs its checks in this process, one call after the other: for configurations that are plain
 * JavaScript, and no site in this process, which would read the same variables.
 */
export async function examineFolder(
  folder: string,
  words: readonly string[] = [],
  env: Variables = {},
): Promise<DoctorResult> {
  const { loadConfig: load } = await importBuilt<{ loadConfig: typeof loadConfig }>('load')
  const { runChecks: check } = await importBuilt<{ runChecks: typeof runChecks }>('run-checks')
  const examineNow = () =>
    callDoctor(folder, words, env, (order, variables) =>
      withVariables(variables, async () => check(order, await load(order))),
    )
  const result = queue.last.then(examineNow, examineNow)
  queue.last = result
  return result
}

/** Starts a server on a free port, and returns its origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${portOf(server.address())}`
}

export function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('The server does not listen.')
}

export async function toRequest(request: IncomingMessage, protocol = 'http'): Promise<Request> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const url = `${protocol}://${request.headers.host ?? ''}${request.url ?? ''}`
  const { method = 'GET' } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await text(request)
  return new Request(url, { method, headers, body })
}

export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers)
    if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** Variables without problems. */
export const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** A module with a configuration, in which `GitHub` and `password` are providers. */
export function moduleWith(config: string): string {
  return `
    import GitHub from 'lib-auth/providers/github'
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    export const config = ${config}
  `
}

/** Examines an application with this configuration and these variables. */
export function examine(config: string, env: Variables): Promise<DoctorResult> {
  return examineFolder(applicationWith({ 'auth.mjs': moduleWith(config) }), [], env)
}
