/** docs/guides/compose-middleware.md */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { NextFetchEvent, NextRequest } from 'next/server.js'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'
import { ORIGIN, openSite, SESSION } from '../frameworks/next/next-site.ts'
import type { NextSite } from '../frameworks/next/next-site.ts'
import { DAY } from '../sessions.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('compose-middleware')

type Proxy = (request: NextRequest, event: NextFetchEvent) => Promise<Response>

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

async function open(file: string): Promise<{ site: NextSite; proxy: Proxy }> {
  const { default: proxy } = await guide.load<{ default: Proxy }>(file)
  return { site: openSite(await guide.load<LibResult>('auth.ts')), proxy }
}

/** Signs in two days ago, so that the session is extended by the next read. */
async function signIn({ cookies }: NextSite): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const value = await encode({ token: { sub: '1', name: 'Ada' }, secret: SECRET, salt: SESSION })
  vi.useRealTimers()
  cookies.accept(`${SESSION}=${value}; Path=/; Secure; HttpOnly`, new URL(ORIGIN))
}

const GERMAN = { headers: { 'accept-language': 'de' } }

test.each([
  ['/about', '/de/about'],
  ['/account', '/signin?callbackUrl=https%3A%2F%2Fapp.test%2Faccount'],
  ['/de/account', '/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fde%2Faccount'],
  ['/signin?a=b', '/de/signin?a=b'],
])('redirects a visitor from %s to %s', async (path, location) => {
  const { site, proxy } = await open('proxy.ts')
  const { response } = await site.proxy(proxy, path, GERMAN)
  expect(response.headers.get('location')).toBe(location)
})

test('shows the sign-in page in the locale of the visitor', async () => {
  const { site, proxy } = await open('proxy.ts')
  expect((await site.proxy(proxy, '/de/signin')).page).toBeDefined()
})

test.each(['proxy.ts', 'chain.ts', 'selective.ts'])(
  'adds the extended session to the responses of %s',
  async (file) => {
    const { site, proxy } = await open(file)
    await signIn(site)
    const { response, page } = await site.proxy(proxy, '/de/account')
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(new RegExp(`^${SESSION}=ey`))
    expect(page?.get('cookie')).toContain(cookie.slice(0, cookie.indexOf(';')))
    await signIn(site)
    const redirected = await site.proxy(proxy, '/account', GERMAN)
    expect(redirected.response.headers.get('location')).toBe('/de/account')
    expect(redirected.response.headers.getSetCookie()).toHaveLength(1)
  },
)

test('keeps redirects and headers of a chain', async () => {
  const { site, proxy } = await open('chain.ts')
  const { response } = await site.proxy(proxy, '/en/old')
  expect(response.headers.get('location')).toBe('/en/new')
  const guest = (await site.proxy(proxy, '/en/about')).response.headers
  expect([guest.get('x-frame-options'), guest.get('x-visitor')]).toEqual(['DENY', 'guest'])
  await signIn(site)
  const user = (await site.proxy(proxy, '/en/about')).response.headers
  expect([user.get('x-frame-options'), user.get('x-visitor')]).toEqual(['DENY', null])
})

test('reads no session for an excluded path', async () => {
  const { site, proxy } = await open('selective.ts')
  await signIn(site)
  const { response, page } = await site.proxy(proxy, '/status')
  expect(page).toBeDefined()
  expect(response.headers.getSetCookie()).toEqual([])
})
