/** docs/guides/native-apps.md, with the functions of Expo that it uses. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isValidElement } from 'react'
import { NextRequest, openSite, thrownRedirect } from '../frameworks/next/next-site.ts'
import type { NextSite } from '../frameworks/next/next-site.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { governSessions } from '../../src/sessions.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const SITE = 'https://app.example.com'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Route = (request: Request) => Promise<Response>

interface App {
  readonly signIn: () => Promise<boolean>
  readonly callApi: (path: string) => Promise<Response>
}

const guide = openGuide('native-apps')
const device = { open: async (_page: string): Promise<object> => ({ type: 'cancel' }) }
let lib: LibResult
let config: AuthConfig
let site: NextSite
let app: App
let routes: Record<string, Route>

const routeOf = async (name: string, method: string): Promise<Route> => {
  const module = await guide.load<Record<string, Route>>(`app/${name}/route.ts`)
  return module[method] ?? (() => Promise.reject(new Error(name)))
}

beforeAll(async () => {
  stubGuideEnvironment()
  ;({ config } = await guide.load<{ config: AuthConfig }>('native.ts'))
  Object.assign(config, {
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        authorize: ({ password }) => (password === 'right' ? { id: 'ada', name: 'Ada' } : null),
      }),
    ],
    store: MemoryAdapter(),
    session: { strategy: 'jwt', revocation: {} },
  })
  lib = await guide.load<LibResult>('auth.ts')
  site = openSite(lib)
  routes = {
    '/native/code': await routeOf('native/code', 'POST'),
    '/native/token': await routeOf('native/token', 'POST'),
    '/api/me': await routeOf('api/me', 'GET'),
  }
  const folder = join(ROOT, '.cache/guides', `worker-${process.env['VITEST_POOL_ID']}`)
  const secure = new Map<string, string>()
  const modules = {
    'expo-crypto': {
      randomUUID,
      digestStringAsync: async (_algorithm: string, text: string) =>
        createHash('sha256').update(text).digest('base64'),
    },
    'expo-secure-store': {
      setItemAsync: async (name: string, value: string) => void secure.set(name, value),
      getItemAsync: async (name: string) => secure.get(name) ?? null,
    },
    'expo-web-browser': { openAuthSessionAsync: (page: string) => device.open(page) },
  }
  vi.stubGlobal('expoModules', modules)
  for (const [name, functions] of Object.entries(modules)) {
    const at = join(folder, 'native-apps/node_modules', name)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'package.json'), '{ "type": "module", "main": "index.js" }')
    const names = Object.keys(functions).join(', ')
    writeFileSync(join(at, 'index.js'), `export const { ${names} } = expoModules['${name}']\n`)
  }
  app = await guide.load<App>('sign-in.js')
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const route = routes[new URL(url).pathname]
    return route?.(new NextRequest(url, init as object)) ?? Response.error()
  })
})
afterAll(() => void vi.unstubAllEnvs().unstubAllGlobals())

/** What the user sees and presses in the browser of the system. */
async function pressButton(page: string): Promise<object> {
  const { pathname, search, searchParams } = new URL(page)
  const { default: Page } = await guide.load<{
    default: (props: object) => Promise<unknown>
  }>('app/native/page.tsx')
  const challenge = searchParams.get('challenge') ?? ''
  const render = () => site.render(() => Page({ searchParams: Promise.resolve({ challenge }) }))
  const target = new URL(await thrownRedirect(render()), SITE)
  expect(target.searchParams.get('callbackUrl')).toBe(pathname + search)
  await site
    .action(() =>
      lib.signIn('credentials', { username: 'ada', password: 'right', redirect: false }),
    )
    .catch(() => undefined)
  expect(isValidElement(await render())).toBe(true)
  const body = new URLSearchParams({ challenge })
  const response = await site.route(routes['/native/code'] as never, '/native/code', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body,
  })
  await site.action(() => lib.signOut({ redirect: false }))
  return { type: 'success', url: response.headers.get('location') }
}

test('the app signs in through the browser, and calls the API until its sessions end', async () => {
  expect(await app.signIn()).toBe(false)
  expect((await app.callApi('/api/me')).status).toBe(401)
  device.open = pressButton
  expect(await app.signIn()).toBe(true)
  expect(await (await app.callApi('/api/me')).json()).toEqual({ id: 'ada', name: 'Ada' })
  await governSessions(config).revokeAll('ada')
  expect((await app.callApi('/api/me')).status).toBe(401)
})

test('another app cannot redeem the code', async () => {
  let code = ''
  device.open = async (page) => {
    const result = (await pressButton(page)) as { url: string }
    code = new URL(result.url).searchParams.get('code') ?? ''
    return { type: 'dismiss' }
  }
  expect(await app.signIn()).toBe(false)
  expect(code).not.toBe('')
  const redeem = (body: object) =>
    fetch(`${SITE}/native/token`, { method: 'POST', body: JSON.stringify(body) })
  for (const body of [{ code, verifier: 'another' }, { code }, { code: 'x', verifier: 'x' }, {}])
    expect((await redeem(body)).status).toBe(400)
})

test('a form of another site gets no code', async () => {
  const response = await site.route(routes['/native/code'] as never, '/native/code', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-site' },
    body: new URLSearchParams({ challenge: 'x' }),
  })
  expect(response.status).toBe(403)
})

test('the app signs in with a password, and its cookies are read', async () => {
  const { signInWithPassword } = await guide.load<{
    signInWithPassword: (...values: string[]) => Promise<string | null>
  }>('password.js')
  const phone = openSite(lib)
  vi.stubGlobal('fetch', (url: string, { method = 'GET', ...init }: RequestInit = {}) => {
    const { pathname } = new URL(url)
    const handler = method === 'POST' ? lib.handlers.POST : lib.handlers.GET
    return phone.route(handler, pathname, { method, ...(init as object) })
  })
  expect(await signInWithPassword('https://app.test', 'ada', 'wrong')).toBe('CredentialsSignin')
  expect(await phone.render(() => lib.auth())).toBeNull()
  expect(await signInWithPassword('https://app.test', 'ada', 'right')).toBeNull()
  expect(await phone.render(() => lib.auth())).toMatchObject({ user: { name: 'Ada' } })
})
