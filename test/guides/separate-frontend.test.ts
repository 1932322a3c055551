/** docs/guides/separate-frontend.md */
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { createServer as createVite } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { encode } from '../../src/jwt.ts'
import type { Session } from '../../src/types.ts'
import { SECRET } from '../config.ts'
import { SESSION } from '../frameworks/next/next-site.ts'
import { serve } from '../frameworks/servers/listen.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const API = 'https://api.example.com'
const FRONTEND = 'https://app.example.com'

const guide = openGuide('separate-frontend')
let app: Hono
let cookie: string

beforeAll(async () => {
  stubGuideEnvironment()
  vi.stubEnv('AUTH_URL', API)
  ;({ app } = await guide.load<{ app: Hono }>('api.ts'))
  const value = await encode({ token: { sub: '1', name: 'Ada' }, secret: SECRET, salt: SESSION })
  cookie = `${SESSION}=${value}`
})
afterAll(() => void vi.unstubAllEnvs())

const asScript = (origin: string) => ({ origin, cookie, 'sec-fetch-mode': 'cors' })

test('a script of the frontend reads the session and the API with the cookie', async () => {
  for (const path of ['/auth/session', '/api/orders']) {
    const response = await app.request(API + path, { headers: asScript(FRONTEND) })
    expect(await response.text()).toContain('Ada')
    expect(response.headers.get('access-control-allow-origin')).toBe(FRONTEND)
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  }
})

test('a script of another subdomain cannot read them, nor post a form', async () => {
  const other = 'https://blog.example.com'
  const response = await app.request(`${API}/api/orders`, { headers: asScript(other) })
  expect(response.headers.get('access-control-allow-origin')).not.toBe(other)
  const form = { method: 'POST', headers: asScript(other), body: new URLSearchParams({ a: 'b' }) }
  expect((await app.request(`${API}/api/orders`, form)).status).toBe(403)
})

test('a script of a visitor receives 401, not a redirect', async () => {
  const headers = { ...asScript(FRONTEND), cookie: '', accept: 'application/json' }
  expect((await app.request(`${API}/api/orders`, { headers })).status).toBe(401)
})

test('links to the sign-in and sign-out pages lead back to the frontend, and to no other site', async () => {
  const returnTo = async (page: string, callbackUrl: string) => {
    const query = new URLSearchParams({ callbackUrl })
    const response = await app.request(`${API}/auth/${page}?${query}`, { headers: { cookie } })
    return (await response.text()).includes(callbackUrl)
  }
  for (const page of ['signin', 'signout']) {
    expect(await returnTo(page, `${FRONTEND}/cart`)).toBe(true)
    expect(await returnTo(page, 'https://evil.example/cart')).toBe(false)
  }
})

test('behind the proxy of Vite, a sign-in begins and ends at the frontend', async () => {
  const api: { site?: Hono } = {}
  const { origin, stop } = await serve(
    async (request) => api.site?.fetch(request) ?? new Response(),
  )
  onTestFinished(stop)
  vi.stubEnv('API_URL', origin)
  const { default: config } = await guide.load<{ default: object }>('vite.config.js')
  const vite = await createVite({ ...config, configFile: false, root: import.meta.dirname })
  onTestFinished(() => vite.close())
  await vite.listen(0)
  const { httpServer } = vite
  if (!httpServer) throw new Error('Vite has no server.')
  const frontend = `http://localhost:${(httpServer.address() as AddressInfo).port}`
  vi.stubEnv('AUTH_URL', frontend)
  vi.stubEnv('FRONTEND_URL', frontend)
  vi.resetModules()
  const { app: site } = await guide.load<{ app: Hono }>('api.ts')
  api.site = site

  const token = await fetch(`${frontend}/auth/csrf`)
  const { csrfToken } = (await token.json()) as { csrfToken: string }
  const headers = { origin: frontend, cookie: token.headers.getSetCookie().join('; ') }
  const body = new URLSearchParams({ csrfToken })
  const options = { method: 'POST', headers, body, redirect: 'manual' } as const
  const begun = await fetch(`${frontend}/auth/signin/github`, options)
  const location = new URL(begun.headers.get('location') ?? '')
  expect(location.searchParams.get('redirect_uri')).toBe(`${frontend}/auth/callback/github`)

  const { getSession } = await guide.load<{
    getSession: (cookie: string | null) => Promise<Session | null>
  }>('session.ts')
  expect(await getSession(null)).toBeNull()
  const salt = 'lib.session-token'
  const value = await encode({ token: { sub: '1', name: 'Ada' }, secret: SECRET, salt })
  expect(await getSession(`${salt}=${value}`)).toMatchObject({ user: { name: 'Ada' } })
})
