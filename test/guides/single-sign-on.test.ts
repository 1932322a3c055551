/** docs/guides/single-sign-on.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LibConfig, LibResult } from '../../src/frameworks/next/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { openSite } from '../frameworks/next/next-site.ts'
import { oidc, SECRET } from '../config.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const ACCOUNTS = 'https://accounts.example.com'
const SHOP = 'https://shop.example.com'
const SESSION = '__Secure-lib.session-token'

const guide = openGuide('single-sign-on')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

async function sharedConfig() {
  const { sso } = await guide.load<{ sso: Omit<LibConfig, 'providers'> }>('sso.ts')
  return { ...sso, secret: SECRET }
}

/** The cookie of a sign-in at `accounts`, with the configuration that the applications share. */
async function signInAtAccounts(): Promise<string> {
  const op = await issuer()
  const shared = await sharedConfig()
  const config = { ...shared, providers: [oidc(op)], fetch: op.fetch, origin: ACCOUNTS }
  const tab = browser(config, { issuer: op, origin: ACCOUNTS })
  const attempt = await tab.begin('op', { callbackUrl: `${SHOP}/cart` })
  const response = await attempt.complete({ sub: 'ada', name: 'Ada' })
  expect(response.headers.get('location')).toBe(`${SHOP}/cart`)
  const cookie = String(response.headers.getSetCookie().find((each) => each.startsWith(SESSION)))
  expect(cookie).toContain('; Domain=example.com')
  return cookie.slice(0, cookie.indexOf(';'))
}

test('a visitor of the shop signs in at accounts, and is signed in at the shop', async () => {
  vi.stubEnv('AUTH_URL', SHOP)
  const shop = await guide.load<LibResult>('shop/auth.ts')
  const site = openSite(shop)
  const { response } = await site.proxy(shop.auth, '/cart')
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.origin + location.pathname).toBe(`${ACCOUNTS}/api/auth/signin`)
  expect(location.searchParams.get('callbackUrl')).toBe(`${SHOP}/cart`)
  const cookie = await signInAtAccounts()
  const headers = { cookie }
  expect((await site.proxy(shop.auth, '/cart', { headers })).page).toBeDefined()
  expect(await site.render(() => shop.auth(), { headers })).toMatchObject({ user: { name: 'Ada' } })
})

test('a sign-out at one application ends the session of the browser at all of them', async () => {
  const config = { ...(await sharedConfig()), providers: [] }
  const tab = browser({ ...config, origin: SHOP }, { origin: SHOP })
  const cookie = await signInAtAccounts()
  tab.cookies.accept(`${cookie}; Domain=example.com; Path=/; Secure; HttpOnly`, new URL(SHOP))
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada' } })
  await tab.post('signout')
  expect(tab.cookies.all().filter(({ name }) => name === SESSION)).toEqual([])
})
