/** docs/guides/own-backend.md */
import { SESSION, openSite } from '../frameworks/next/next-site.ts'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const BACKEND = 'https://backend.test'
const KEY = 'a secret of site and backend, of 32 bytes'

const guide = openGuide('own-backend')
/** The backend, whose refresh tokens are valid once. */
const backend = { issued: 0, lifetime: 3600, isDown: false, refreshes: [] as string[] }
let lib: LibResult

function answer(url: string, text: string): Response {
  if (backend.isDown) return new Response(null, { status: 500 })
  const body = JSON.parse(text)
  const current = `refresh-${backend.issued}`
  if (url === `${BACKEND}/refresh`) {
    backend.refreshes.push(body.refresh_token)
    if (body.refresh_token !== current) return new Response(null, { status: 401 })
  } else if (body.password !== 'right') return new Response(null, { status: 401 })
  backend.issued += 1
  return Response.json({
    access_token: `access-${backend.issued}`,
    refresh_token: `refresh-${backend.issued}`,
    expires_in: backend.lifetime,
    ...(body.username && { user_id: '7' }),
  })
}

beforeAll(async () => {
  stubGuideEnvironment()
  vi.stubEnv('BACKEND_URL', BACKEND)
  vi.stubEnv('BACKEND_SECRET', KEY)
  vi.stubGlobal('fetch', async (url: string, init: { body: string }) => answer(url, init.body))
  lib = await guide.load<LibResult>('auth.ts')
})
beforeEach(() => void Object.assign(backend, { lifetime: 3600, isDown: false, refreshes: [] }))
afterAll(() => void vi.unstubAllEnvs().unstubAllGlobals())

async function signedIn(lifetime: number) {
  backend.lifetime = lifetime
  const site = openSite(lib)
  const fields = { username: 'ada', password: 'right', redirect: false }
  await site.action(() => lib.signIn('credentials', fields))
  backend.lifetime = 3600
  const { accessToken } = await guide.load<{ accessToken: () => Promise<string | undefined> }>(
    'app/backend.ts',
  )
  const visit = async () => {
    const { page } = await site.proxy(lib.auth, '/account')
    return site.render(accessToken, { headers: { cookie: page?.get('cookie') ?? '' } })
  }
  return { site, visit }
}

test('a page uses the access token, which is refreshed before the page when it is due', async () => {
  const { site, visit } = await signedIn(3600)
  const first = `access-${backend.issued}`
  expect(await visit()).toBe(first)
  expect(backend.refreshes).toEqual([])
  expect(await site.render(() => lib.auth())).toEqual({
    user: { name: 'ada' },
    expires: expect.any(String),
  })
})

test('parallel requests share one refresh, and later ones use its result', async () => {
  const { visit } = await signedIn(10)
  const old = backend.issued
  const seen = await Promise.all([visit(), visit(), visit()])
  expect(new Set(seen)).toEqual(new Set([`access-${old + 1}`]))
  expect(await visit()).toBe(`access-${old + 1}`)
  expect(backend.refreshes).toEqual([`refresh-${old}`])
})

test('an outage keeps the session, and a refused refresh token ends it', async () => {
  const { site, visit } = await signedIn(10)
  backend.isDown = true
  const { response } = await site.proxy(lib.auth, '/account')
  expect(response.status).toBe(503)
  expect(site.cookies.get(SESSION)).toBeDefined()
  backend.isDown = false
  backend.issued += 1
  expect(await visit()).toBeUndefined()
  expect(site.cookies.get(SESSION)).toBeUndefined()
})

test('a wrong password is rejected', async () => {
  const fields = { username: 'ada', password: 'wrong', redirect: false }
  const work = openSite(lib).action(() => lib.signIn('credentials', fields))
  await expect(work).rejects.toMatchObject({ type: 'CredentialsSignin' })
})

test('the backend verifies a token of the site', async () => {
  const { callBackend } = await guide.load<{
    callBackend: (path: string, headers: Headers) => Promise<Response>
  }>('call-backend.ts')
  const calls: [string, RequestInit][] = []
  vi.stubGlobal('fetch', async (...call: [string, RequestInit]) => {
    calls.push(call)
    return new Response()
  })
  const token = await encode({ token: { sub: 'ada' }, secret: SECRET, salt: SESSION })
  await callBackend('/orders', new Headers({ cookie: `${SESSION}=${token}`, host: 'app.test' }))
  const [url, init] = calls[0] ?? []
  expect(url).toBe(`${BACKEND}/orders`)
  const sent = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
  const { payload } = await jwtVerify(sent, new TextEncoder().encode(KEY), { audience: 'backend' })
  expect(payload).toMatchObject({ sub: 'ada', exp: expect.any(Number) })
  await expect(callBackend('/orders', new Headers({ host: 'app.test' }))).rejects.toThrow('Sign in')
})
