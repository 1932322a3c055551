/** Runs `lib-auth doctor` as a program, in a folder with an application. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

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

/** Runs the command with only these environment variables. */
export async function runDoctor(
  folder: string,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<DoctorResult> {
  const child = spawn(process.execPath, [PROGRAM, 'doctor', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  const findings = printed.replaceAll('\n    ', ' → ').split('\n')
  const about = (topic: string) => findings.filter((line) => line.slice(2).startsWith(`${topic}:`))
  return { code, text: printed, stderr, about }
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

/** Runs the doctor on an application with this configuration and these variables. */
export function examine(
  config: string,
  env: Readonly<Record<string, string>>,
): Promise<DoctorResult> {
  return runDoctor(applicationWith({ 'auth.mjs': moduleWith(config) }), [], env)
}
