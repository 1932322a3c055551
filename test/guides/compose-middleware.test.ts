/** docs/guides/compose-middleware.md */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
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

describe('SvelteKit', () => {
  interface Event {
    readonly url: URL
    readonly request: Request
    readonly route: { id: string | null }
  }
  type Handle = (input: { event: Event; resolve: () => Promise<Response> }) => Promise<Response>

  type Run = (store: object, work: () => Promise<Response>) => Promise<Response>

  /** Where the request leads; `page` for a page of the application. */
  async function visit(path: string, id: string | null = null, cookie = ''): Promise<string> {
    const { handle } = await guide.load<{ handle: Handle }>('src/hooks.server.js')
    const url = new URL(path, ORIGIN)
    const headers = { accept: 'text/html', 'accept-language': 'de', host: url.host, cookie }
    const request = new Request(url, { headers })
    const cookies = { get: () => undefined, set: () => undefined, getAll: () => [] }
    const event = {
      url,
      request,
      cookies,
      locals: {},
      route: { id },
      params: { locale: 'de' },
      setHeaders: () => undefined,
    }
    const resolve = async () => new Response('page')
    // As the server of SvelteKit calls it.
    const server = '@sveltejs/kit/internal/server'
    const { with_request_store: run } = await vi.importActual<{ with_request_store: Run }>(server)
    const state = { tracing: { record_span: ({ fn }: { fn: () => unknown }) => fn() } }
    const answered = run({ event, state }, async () => handle({ event, resolve }))
    const answer: unknown = await answered.catch((error: unknown) => error)
    if (!(answer instanceof Response)) return String(Object(answer).location)
    return answer.text()
  }

  test('the routes of the library get no locale', async () => {
    expect(await visit('/auth/providers')).toContain('"github"')
  })

  test('other paths are redirected to a locale, and pages with one are shown', async () => {
    expect(await visit('/about?a=b')).toBe('/de/about?a=b')
    expect(await visit('/en/about', '/[locale]/about')).toBe('page')
  })

  test('a visitor of a protected page is led to the sign-in page in their locale, and a user sees it', async () => {
    const route = '/[locale]/(app)/account'
    const location = await visit('/de/account', route)
    expect(location).toMatch(/\/signin\?callbackUrl=.*account$/)
    expect(await visit(location)).toContain('/de/signin?callbackUrl=')
    const value = await encode({ token: { sub: '1' }, secret: SECRET, salt: SESSION })
    expect(await visit('/de/account', route, `${SESSION}=${value}`)).toBe('page')
  })
})
