/** An application that uses most of `next-auth` 5, before and after the migration. */
import { fileURLToPath } from 'node:url'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieStore } from '../../../src/testing/cookies.ts'
import { makeNextApp, nextProgram } from '../../../tools/next-app.mjs'
import { freePort } from '../../../tools/ports.mjs'
import { waitForServer, run, start } from '../../../tools/run.mjs'
import { SECRET } from '../../config.ts'
import { OLD_PLAIN, oldCookie } from './next-auth-site.ts'

const FIXTURE = fileURLToPath(new URL('../../fixtures/next-auth-5', import.meta.url))
const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

const folder = makeNextApp({ from: FIXTURE, name: 'migration', version: 15 })
const found = { types: '', command: '', build: '', url: '' }
let server: ReturnType<typeof start> | undefined

/** Runs a program in the application, and returns its output. */
function node(...args: string[]): Promise<string> {
  return run(process.execPath, args, { cwd: folder, env: { NEXT_TELEMETRY_DISABLED: '1' } })
}

/** Changes a file by hand. */
function change(file: string, from: string, to: string): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

/** The manual steps of the guide: a configuration in two files, and sessions. */
function changeByHand(): void {
  change('auth.ts', "import { adapter } from './lib/database'\n", '')
  change(
    'auth.ts',
    '  adapter,\n',
    `  adapter: async () => {
    if (process.env.NEXT_RUNTIME !== 'edge') return (await import('./lib/database')).adapter
    throw new Error('There is no database on the edge.')
  },
  migrateSessions: true,
`,
  )
  writeFileSync(
    join(folder, 'middleware.ts'),
    "export { auth as middleware } from './auth'\n\nexport const config = { matcher: ['/account/:path*'] }\n",
  )
}

beforeAll(async () => {
  found.types = await node(COMPILER, '-p', '.', '--noEmit', '--incremental', 'false')
  found.command = await node('node_modules/lib-auth/dist/cli/index.js', 'migrate-imports')
  changeByHand()
  found.build = await node(nextProgram(15), 'build')
  const port = await freePort()
  found.url = `http://localhost:${port}`
  server = start(process.execPath, [nextProgram(15), 'start', '-p', String(port)], {
    cwd: folder,
    env: { AUTH_SECRET: SECRET, AUTH_TRUST_HOST: 'true', NODE_ENV: 'production' },
  })
  await waitForServer(found.url, server)
}, 240_000)
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function browser() {
  const cookies = cookieStore()
  return {
    cookies,
    send: async (path: string, form?: Record<string, string>): Promise<Response> => {
      const url = new URL(path, found.url)
      const method = form ? 'POST' : 'GET'
      const cookie = cookies.header({ url, method, initiator: 'same-site' })
      const body = form && { body: new URLSearchParams(form) }
      const headers = { cookie, origin: url.origin, accept: 'text/html' }
      const response = await fetch(url, { method, headers, redirect: 'manual', ...body })
      for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
      return response
    },
  }
}

test('type checks before and after the migration', () => {
  expect(found.types).toBe('')
  expect(found.build).toContain('Linting and checking validity of types')
})

test('the command reports the changes, and a provider that lib-auth does not contain', () => {
  expect(found.command).toContain('  16: next-auth/jwt → lib-auth/jwt\n')
  // One of them is in a comment of app/page.tsx.
  expect(found.command).toContain('17 imports in 9 files rewritten. 18 files checked.')
  expect(found.command).toMatch(
    /auth\.config\.ts:2: next-auth\/providers\/medium .* does not contain/,
  )
})

test('the middleware builds for the edge without the database', () => {
  expect(found.build).not.toMatch(/not supported in the Edge Runtime|Compiled with warnings/)
  expect(readFileSync(join(folder, '.next/server/middleware.js'), 'utf8')).not.toContain(
    'There is no TCP here.',
  )
})

test('a protected page redirects to the sign-in page of the application', async () => {
  const { status, headers } = await browser().send('/account')
  expect(status).toBe(307)
  expect(headers.get('location')).toMatch(/\/login\?/)
})

test('a user of next-auth is still signed in, and gets a new session cookie', async () => {
  const { cookies, send } = browser()
  const claims = { sub: '7', name: 'Grace Hopper', role: 'admin' }
  const old = await oldCookie(claims, { name: OLD_PLAIN, secret: SECRET })
  cookies.set(OLD_PLAIN, old.slice(OLD_PLAIN.length + 1))
  const page = await send('/account')
  expect(await page.text()).toContain('Grace Hopper')
  expect(cookies.all().map(({ name }) => name)).toEqual(['lib.session-token'])
  expect(await (await send('/api/me')).json()).toEqual({ role: 'admin' })
})

test('a user who signs in is authenticated in pages, routes and both routers', async () => {
  const { send } = browser()
  const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
  const fields = { csrfToken, name: 'Ada Lovelace', password: 'right' }
  await send('/api/auth/callback/credentials', fields)
  expect(await (await send('/')).text()).toContain('Ada Lovelace')
  expect(await (await send('/account')).text()).toContain('Ada Lovelace')
  expect(await (await send('/old')).text()).toContain('Ada Lovelace')
  expect(await (await send('/api/me')).json()).toEqual({ role: 'admin' })
  expect(await (await send('/api/token')).json()).toEqual({ role: 'admin' })
  expect(await (await send('/api/who')).json()).toEqual({ name: 'Ada Lovelace' })
})

test('a custom error code reaches the sign-in page', async () => {
  const { send } = browser()
  const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
  const fields = { csrfToken, name: 'Ada', password: 'locked' }
  const { headers } = await send('/api/auth/callback/credentials', fields)
  expect(headers.get('location')).toMatch(/\/login\?.*error=CredentialsSignin&code=locked/)
})
