import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { InvalidConfiguration } from '../../src/errors.ts'
import * as react from '../../src/browser/react/index.ts'
import { SessionProvider, useSession } from '../../src/browser/react/index.ts'
import { Greeting, sessionOf } from './greeting.tsx'
import { ORIGIN, login, siteConfig, unusable, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit
/** URLs of all requests. */
let requested: string[]

beforeEach(async () => {
  const { config } = siteConfig()
  site = visit(config)
  await site.client.signIn('credentials', { ...login, redirect: false })
  requested = []
  vi.stubGlobal('location', undefined)
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    requested.push(url)
    return site.page.fetch(url, init)
  })
  for (const name of ['NEXTAUTH_URL_INTERNAL', 'AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL', 'VERCEL_URL'])
    vi.stubEnv(name, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Removes the cookies of Grace's browser and returns them as a Cookie header. */
function takeCookie(): string {
  const { cookies } = site.page.tab
  const all = cookies.all().map(({ name, value }) => `${name}=${value}`)
  for (const { name } of cookies.all()) cookies.delete(name)
  return all.join('; ')
}

describe('on a server', () => {
  test.each([
    ['headers of Node', (cookie: string) => ({ headers: { cookie } })],
    ['headers of the web', (cookie: string) => ({ headers: new Headers({ cookie }) })],
    ['the request of page props', (cookie: string) => ({ req: { headers: { cookie } } })],
    ['a request of the web', (cookie: string) => new Request(ORIGIN, { headers: { cookie } })],
  ])('getSession returns the session of the given request, as %s', async (_what, params) => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const cookie = takeCookie()
    expect(await react.getSession(params(cookie))).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(await react.getSession()).toBeNull()
    expect(await react.getSession({ headers: {} })).toBeNull()
  })

  test('getCsrfToken returns the token of the browser, and getProviders the providers', async () => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const token = await site.page.tab.csrfToken()
    expect(await react.getCsrfToken({ headers: { cookie: takeCookie() } })).toBe(token)
    expect(Object.keys((await react.getProviders()) ?? {})).toEqual(['op', 'credentials'])
  })

  test.each([
    [{ AUTH_URL: 'https://app.test' }, 'https://app.test/api/auth/session'],
    [{ AUTH_URL: 'https://app.test/' }, 'https://app.test/api/auth/session'],
    [{ AUTH_URL: 'https://app.test/shop/auth' }, 'https://app.test/shop/auth/session'],
    [{ NEXTAUTH_URL: 'https://app.test' }, 'https://app.test/api/auth/session'],
    [{ AUTH_URL: 'https://app.test', NEXTAUTH_URL: 'https://old.test' }, 'https://app.test/api'],
    [{ AUTH_URL: '', LIB_URL: 'https://app.test' }, 'https://app.test/api/auth/session'],
    [{ AUTH_URL: 'https://x.test', NEXTAUTH_URL_INTERNAL: 'http://web:80' }, 'http://web/api/auth'],
    [{ VERCEL_URL: 'site-1.vercel.test' }, 'https://site-1.vercel.test/api/auth/session'],
    [{ VERCEL_URL: 'site-1.vercel.test', AUTH_URL: 'https://app.test' }, 'https://app.test/api'],
  ])('with %o requests %s', async (environment, url) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    await react.getSession()
    expect(requested).toEqual([expect.stringContaining(url)])
  })

  test.each([
    ['https://app.test', 'https://app.test/shop/api/auth/session'],
    ['https://app.test/shop', 'https://app.test/shop/api/auth/session'],
    ['https://app.test/shop/auth', 'https://app.test/shop/auth/session'],
    ['https://app.test/shopping', 'https://app.test/shopping/session'],
  ])('with a basePath of Next and %s requests %s', async (siteUrl, url) => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop')
    vi.stubEnv('AUTH_URL', siteUrl)
    await react.getSession()
    expect(requested).toEqual([url])
  })

  test.each([
    [{}, 'Set AUTH_URL=https://your.site'],
    [{ AUTH_URL: 'app.test' }, 'AUTH_URL, which is not a URL'],
    [{ NEXTAUTH_URL: 'localhost:3000' }, 'NEXTAUTH_URL, which is not a URL'],
  ])('with %o throws an error with the fix and sends no request', async (environment, message) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const headers = { host: 'evil.test', cookie: takeCookie() }
    for (const ask of [react.getSession, react.getCsrfToken, react.getProviders]) {
      const answer: unknown = await ask({ headers }).catch((error: unknown) => error)
      expect(answer).toBeInstanceOf(InvalidConfiguration)
      expect(String(answer)).toContain(message)
    }
    expect(requested).toEqual([])
  })

  test('does not send cookies to the host in the Host header', async () => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', cookie: takeCookie() }
    await react.getSession({ headers })
    expect(requested).toEqual([`${ORIGIN}/api/auth/session`])
  })

  test('returns null for a failed request and logs the error', async () => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    site.page.intercept = unusable.networkError
    expect(await react.getSession({ headers: { cookie: takeCookie() } })).toBeNull()
    expect(console.error).toHaveBeenCalledTimes(1)
  })
})

test.each([
  ['signIn', () => react.signIn('credentials', login)],
  ['signIn', () => react.signIn()],
  ['signOut', () => react.signOut()],
])('%s on a server throws an error with the fix and sends no request', async (name, call) => {
  vi.stubEnv('AUTH_URL', ORIGIN)
  const answer: unknown = await call().catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(InvalidConfiguration)
  expect(String(answer)).toContain(`${name}() was called outside a browser`)
  expect(String(answer)).toContain(`call ${name}() of your configuration`)
  expect(requested).toEqual([])
})

describe('pages that a server renders at the same time', () => {
  /** Renders a page up to a suspended component; `finish` resolves that component. */
  async function renderSlowly(page: (slow: ReactNode) => ReactNode) {
    let finish = () => {}
    const component = new Promise<{ default: typeof Greeting }>((resolve) => {
      finish = () => resolve({ default: Greeting })
    })
    const Suspended = lazy(() => component)
    const slow = (
      <Suspense fallback="…">
        <Suspended />
      </Suspense>
    )
    const output = new PassThrough()
    await new Promise<void>((onShellReady) => {
      renderToPipeableStream(page(slow), { onShellReady }).pipe(output)
    })
    return { finish, html: text(output) }
  }

  test('show each user their own session and keep no state', async () => {
    const pages = ['Ada', 'Grace', undefined].map((name) =>
      renderSlowly((slow) => (
        <SessionProvider session={name === undefined ? null : sessionOf(name)}>
          {slow}
        </SessionProvider>
      )),
    )
    const rendered = await Promise.all(pages)
    for (const { finish } of rendered.toReversed()) finish()
    const [ada, grace, visitor] = await Promise.all(rendered.map(({ html }) => html))
    expect(ada).toContain('authenticated: Ada')
    expect(grace).toContain('authenticated: Grace')
    expect(visitor).toContain('unauthenticated: no user')
    expect(visitor).not.toMatch(/Ada|Grace/)
    const next = await renderSlowly((slow) => <SessionProvider>{slow}</SessionProvider>)
    next.finish()
    expect(await next.html).toContain('loading: no user')
    expect(requested).toEqual([])
  })

  test('do not redirect to the sign-in page; the browser does', async () => {
    function Secret() {
      return useSession({ required: true }).status
    }
    const page = await renderSlowly(() => (
      <SessionProvider session={null}>
        <Secret />
      </SessionProvider>
    ))
    expect(await page.html).toBe('loading')
    expect(site.visited).toEqual([])
  })
})
