/** Events of Nuxt on platforms without `node:http`, where Nitro emulates requests and responses. */
import { expect, test } from 'vitest'
import Lib from '../../src/frameworks/nuxt/index.ts'
import type { LibConfig, ServerEvent } from '../../src/frameworks/nuxt/index.ts'
import { passwordConfig, TYPED } from '../config.ts'

interface Given {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly context?: Record<string, unknown>
}

/** An event with the request and response of `node-mock-http`, as far as they are used. */
function emulated(url: string, { method = 'GET', headers, body, context = {} }: Given = {}) {
  const sent = new Map<string, string | readonly string[]>()
  const res = {
    __unenv__: {},
    statusCode: 200,
    headersSent: false,
    getHeader: (name: string) => sent.get(name),
    setHeader: (name: string, value: string | readonly string[]) => void sent.set(name, value),
    once: () => res,
    write: () => true,
    end: () => res,
  }
  const req = {
    __unenv__: {},
    method,
    url,
    originalUrl: url,
    headers: { host: 'app.test', 'sec-fetch-site': 'same-origin', ...headers },
    readableDidRead: false,
    readableEnded: true,
    socket: { encrypted: false },
    body: body ?? null,
  }
  return { event: { node: { req, res }, context } as unknown as ServerEvent, res, sent }
}

function cookiesOf(sent: ReadonlyMap<string, string | readonly string[]>): string[] {
  return [sent.get('set-cookie') ?? []].flat().map((each) => each.split(';', 1)[0] ?? '')
}

const { config } = passwordConfig()
const lib = Lib(config)

test('signs in from a handler, keeps cookies of the application, and reads the session', async () => {
  const { event, res, sent } = emulated('/login', { method: 'POST' })
  sent.set('set-cookie', 'theme=dark; Path=/')
  const url = await lib.signIn(event, 'password', { ...TYPED, redirectTo: '/account' })
  expect([url, res.statusCode, sent.get('location')]).toEqual([
    'http://app.test/account',
    303,
    'http://app.test/account',
  ])
  expect(sent.get('cache-control')).toBe('private, no-store')
  const cookies = cookiesOf(sent)
  expect(cookies[0]).toBe('theme=dark')
  expect(cookies.filter((each) => each.startsWith('lib.session-token='))).toHaveLength(1)
  const next = emulated('/me', { headers: { cookie: cookies.join('; ') } })
  expect((await lib.auth(next.event))?.user?.name).toBe('Ada Lovelace')
})

test('sets the last value of a cookie only', async () => {
  const { event, sent } = emulated('/login', { method: 'POST' })
  await lib.signIn(event, 'password', TYPED)
  await lib.signOut(event)
  expect(cookiesOf(sent).filter((each) => each.startsWith('lib.session-token'))).toEqual([
    'lib.session-token=',
  ])
})

test.each([
  ['a string', (text: string) => text],
  ['an ArrayBuffer', (text: string) => new TextEncoder().encode(text).buffer],
  ['a Buffer', (text: string) => Buffer.from(text)],
])('accepts a body that is %s', async (_what, encode) => {
  const page = (await lib.handler(emulated('/auth/csrf').event)) ?? Response.error()
  const { csrfToken } = (await page.json()) as { csrfToken: string }
  const cookie = page.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const form = new URLSearchParams({ ...TYPED, csrfToken }).toString()
  const { event } = emulated('/auth/callback/password', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookie.join('; ') },
    body: encode(form),
  })
  const answer = await lib.handler(event)
  expect(answer?.headers.getSetCookie().join()).toContain('lib.session-token=')
})

test('reads the environment from the bindings of Cloudflare', async () => {
  const { providers, logger } = config
  const { handler } = Lib({ providers, logger, trustHost: true } as LibConfig)
  const context = { cloudflare: { env: { AUTH_SECRET: 'x'.repeat(32) } } }
  const answer = await handler(emulated('/auth/session', { context }).event)
  expect(answer?.status).toBe(200)
})

test('there is no session while a page is prerendered, and no configuration is needed', async () => {
  const { auth } = Lib({ providers: [] })
  const headers = { 'x-nitro-prerender': '/about' }
  expect(await auth(emulated('/about', { headers }).event)).toBeNull()
})

test.each([
  ['caches for all users', undefined, undefined],
  ['caches for each cookie', ['Cookie'], 'Ada Lovelace'],
])('on a page that Nitro %s, the session is that of these users', async (_what, varies, name) => {
  const login = emulated('/login', { method: 'POST' })
  await lib.signIn(login.event, 'password', TYPED)
  const headers = { cookie: cookiesOf(login.sent).join('; ') }
  const context = { cache: { options: { swr: true, varies } } }
  const { event } = emulated('/news', { headers, context })
  await lib.session(event)
  expect((await event.context['auth']())?.user?.name).toBe(name)
})

test('as a middleware, leaves all other paths to the application', async () => {
  expect(await lib.handler(emulated('/authors').event)).toBeUndefined()
  expect(await lib.handler(emulated('/').event)).toBeUndefined()
})

test('answers 404 and warns once if its route is not below the base path', async () => {
  const { config: own, log } = passwordConfig()
  const { handler } = Lib(own)
  const context = { matchedRoute: { path: '/api/auth/**' } }
  for (const route of ['session', 'csrf']) {
    const answer = await handler(emulated(`/api/auth/${route}`, { context }).event)
    expect(answer?.status).toBe(404)
  }
  expect(log.lines).toHaveLength(1)
  expect(log.lines[0]?.join(' ')).toContain("set basePath: '/api/auth'")
})

test.each(['/ADMIN', '/admin/', '/%41dmin'])('a rule for /admin applies to %s', async (path) => {
  const authorized = ({ url }: { url: URL }) => url.pathname !== '/admin'
  const { protect } = Lib({ ...config, callbacks: { authorized } })
  const { event, res } = emulated(path, { headers: { accept: 'text/html' } })
  await expect(protect(event)).rejects.toThrow('protect() has sent the response.')
  expect(res.statusCode).toBe(302)
})

test.each(['/account', '/account/_payload.json', '/account/_payload.json?a1b2'])(
  'asks authorized for the page that %s contains',
  async (path) => {
    const asked: string[] = []
    const { protect } = Lib({
      ...config,
      callbacks: {
        authorized({ url }) {
          asked.push(url.pathname)
          return false
        },
      },
    })
    const { event, res } = emulated(path, { headers: { accept: 'text/html' } })
    await expect(protect(event)).rejects.toThrow('protect() has sent the response.')
    expect(res.statusCode).toBe(302)
    expect(asked).toEqual(['/account'])
  },
)
