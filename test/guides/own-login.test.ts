/** docs/migrate/own-login.md */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { LibConfig, LibResult } from '../../src/frameworks/next/index.ts'
import Lib from '../../src/frameworks/next/index.ts'
import { openSite, SESSION } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const OLD = 'the secret of the old login, 32 bytes'
const adapter = MemoryAdapter()
vi.mock('ioredis', () => ({ Redis: vi.fn() }))
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

/** The cookies that the proxy sets for a browser with this old session, without attributes. */
async function exchange(value: string): Promise<string[]> {
  const { default: proxy } = await guide.load<{ default: Proxy }>('proxy.ts')
  const site = openSite(await guide.load<LibResult>('auth.ts'))
  const headers = { cookie: `sid=${value}` }
  const { response } = await site.proxy(proxy, '/orders?page=2', { headers })
  expect(response.status).toBe(307)
  expect(response.headers.get('location')).toMatch(/\/orders\?page=2$/)
  const cookies = response.headers.getSetCookie().map((each) => each.split('; ', 1).join(''))
  expect(cookies).toContain('sid=')
  return cookies.filter((each) => each !== 'sid=')
}

test('an old session becomes a session of the same user, once', async () => {
  const [cookie = ''] = await exchange(await oldSession(userId, '1h'))
  expect(cookie).toMatch(new RegExp(`^${SESSION}=`))
  const lib = await guide.load<LibResult>('auth.ts')
  const session = await openSite(lib).render(() => lib.auth(), { headers: { cookie } })
  expect(session).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
  expect(Date.parse(String(session?.expires)) - Date.now()).toBeGreaterThan(50 * 60 * 1000)
})

test.each([
  ['another secret', () => oldSession(userId, '1h', 'guessed by an attacker, 32 bytes')],
  ['an expiry in the past', () => oldSession(userId, '-1s')],
  ['an unknown user', () => oldSession('8', '1h')],
  ['no token at all', async () => 'x'],
])('an old session with %s is deleted, and signs no user in', async (_, value) => {
  expect(await exchange(await value())).toEqual([])
})

test('with session.revocation, an exchanged session is accepted', async () => {
  const [cookie = ''] = await exchange(await oldSession(userId, '1h'))
  const { config } = await guide.load<{ config: LibConfig }>('auth.ts')
  const lib = Lib({ ...config, session: { strategy: 'jwt', revocation: {} } } as never)
  const session = await openSite(lib as never).render(() => lib.auth(), { headers: { cookie } })
  expect(session).toMatchObject({ user: { name: 'Ada' } })
})
