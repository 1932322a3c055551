/** docs/migrate/own-login.md */
import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { LibConfig, LibResult } from '../../src/frameworks/next/index.ts'
import Lib from '../../src/frameworks/next/index.ts'
import { openSite, SESSION } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const OLD = 'the secret of the old login, 32 bytes'
const adapter = MemoryAdapter()
const redis = vi.hoisted(() => {
  const values = new Map<string, string>()
  return {
    on: () => undefined,
    get: async (key: string) => values.get(key) ?? null,
    set: async (key: string, value: number) => {
      if (values.has(key)) return null
      values.set(key, String(value))
      return 'OK'
    },
  }
})
vi.mock('ioredis', () => ({
  Redis: vi.fn(function connect() {
    return redis
  }),
}))
vi.mock('lib-auth/adapters/redis', () => ({ default: () => adapter }))

const guide = openGuide('own-login', 'docs/migrate/own-login.md')
type Proxy = (request: NextRequest, event: NextFetchEvent) => Promise<Response>
let userId: string

beforeAll(async () => {
  stubGuideEnvironment()
  vi.stubEnv('OLD_SECRET', OLD)
  const user = { id: '7', name: 'Ada', email: 'ada@example.com', emailVerified: null }
  userId = (await adapter.createUser(user)).id
})
afterAll(() => void vi.unstubAllEnvs())

const oldSession = (sub: string, lifetime: string, secret = OLD) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setExpirationTime(lifetime)
    .sign(new TextEncoder().encode(secret))

/** What the proxy answers to a browser with this old session: the new cookie, or `null`. */
async function exchange(value: string, others = ''): Promise<string | null> {
  const { default: proxy } = await guide.load<{ default: Proxy }>('proxy.ts')
  const site = openSite(await guide.load<LibResult>('auth.ts'))
  const headers = { cookie: `sid=${value}; ${others}` }
  const { response, page } = await site.proxy(proxy, '/orders?page=2', { headers })
  const cookies = response.headers.getSetCookie().map((each) => each.split('; ', 1).join(''))
  if (page) {
    expect(cookies.join('\n')).not.toContain('=ey')
    return null
  }
  expect(response.status).toBe(307)
  expect(response.headers.get('location')).toMatch(/\/orders\?page=2$/)
  const [old, cookie = ''] = cookies
  expect(old).toBe('sid=')
  return cookie
}

async function sessionOf(cookie: string | null, session?: LibConfig['session']) {
  const { config } = await guide.load<{ config: LibConfig }>('auth.ts')
  const lib = Lib({ ...config, ...(session && { session }) } as never)
  return openSite(lib).render(() => lib.auth(), { headers: { cookie: cookie ?? '' } })
}

test('an old session becomes a session of the same user', async () => {
  const cookie = await exchange(await oldSession(userId, '1h'))
  expect(cookie).toMatch(new RegExp(`^${SESSION}=`))
  const session = await sessionOf(cookie)
  expect(session).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
  expect(Date.parse(String(session?.expires)) - Date.now()).toBeGreaterThan(50 * 60 * 1000)
  expect(await sessionOf(cookie, { strategy: 'jwt' })).toMatchObject({ user: { name: 'Ada' } })
})

test('requests at the same time succeed, and a copy half a minute later does not', async () => {
  const old = await oldSession(userId, '2h')
  expect(await exchange(old)).not.toBeNull()
  expect(await exchange(old)).not.toBeNull()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await exchange(old)).toBeNull()
})

test.each([
  ['another secret', () => oldSession(userId, '1h', 'guessed by an attacker, 32 bytes')],
  ['an expiry in the past', () => oldSession(userId, '-1s')],
  ['an unknown user', () => oldSession('8', '1h')],
  ['no token at all', async () => 'x'],
])('an old session with %s signs no user in', async (_, value) => {
  expect(await exchange(await value())).toBeNull()
})

test.each([SESSION, `${SESSION}.0`])(
  'a browser with the cookie %s keeps its session',
  async (name) => {
    expect(await exchange(await oldSession(userId, '3h'), `${name}=x`)).toBeNull()
  },
)

test('without the old secret, the request fails, and no session is lost', async () => {
  vi.stubEnv('OLD_SECRET', '')
  onTestFinished(() => void vi.stubEnv('OLD_SECRET', OLD))
  await expect(exchange(await oldSession(userId, '4h'))).rejects.toThrow('Set OLD_SECRET.')
})

test.each([false, true])(
  'with database sessions and hashTokens %s, a stored row is the session of its cookie',
  async (hashTokens) => {
    const sessionToken = randomBytes(32).toString('base64url')
    const expires = new Date(Date.now() + 60_000)
    await adapter.createSession({ sessionToken, userId, expires })
    const cookie = `${SESSION}=${sessionToken}`
    const session = await sessionOf(cookie, { strategy: 'database', hashTokens })
    expect(session).toMatchObject({ user: { name: 'Ada' } })
  },
)
