/** Pages behind the proxy of an application: who can read them, and which headers they have. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Application, Server } from './application.ts'
import { pathsOf } from './paths.ts'
import type { PathOptions } from './paths.ts'
import { visitor } from './visitor.ts'
import type { Answer } from './visitor.ts'

export const SECRET_TEXT = 'only for signed-in users'

/** Expects no stack trace, no path of the server, and no header that Next sends between proxy and page. */
export function expectNoInternals({ text, headers }: Answer): void {
  expect(text).not.toMatch(/\n\s+at |node_modules|file:\/\//)
  expect([...headers.keys()].filter((name) => name.startsWith('x-middleware'))).toEqual([])
}

/** Opens a browser at `localhost`. */
export function openVisit(port: number, options: PathOptions) {
  const visit = visitor({ origin: `http://localhost:${port}`, port })
  return { visit, ...pathsOf(visit, options) }
}

/** The same, signed in. */
export async function openSignedInVisit(port: number, options: PathOptions) {
  const opened = openVisit(port, options)
  await opened.post('callback/credentials', { password: 'right' })
  expect(opened.visit.cookies.get('lib.session-token')).toBeDefined()
  return opened
}

/** Adds the tests for a built application. */
export function proxyTests(
  application: () => Application,
  options: PathOptions,
  ...further: readonly ((port: () => number, options: PathOptions) => void)[]
): void {
  let server: Server
  beforeAll(async () => {
    server = await application().start()
  })
  afterAll(() => server?.stop())
  for (const tests of further) tests(() => server.port, options)

  const open = () => openVisit(server.port, options)
  const openSignedIn = () => openSignedInVisit(server.port, options)

  test('a page without user data sets no cookie and is cacheable', async () => {
    const { visit, page } = open()
    const answer = await visit.send(page('/static'))
    expect(answer.text).toContain('shared content')
    expect(answer.set).toEqual([])
    expect(answer.headers.get('cache-control')).toContain('s-maxage=')
    expectNoInternals(answer)
  })

  test('a page without user data is not cacheable when it sets a session cookie', async () => {
    const { visit, page } = await openSignedIn()
    const answer = await visit.send(page('/static'))
    expect(answer.text).toContain('shared content')
    expect(answer.set).toHaveLength(1)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expectNoInternals(answer)
  })

  test('a page receives the extended session cookie that the browser receives', async () => {
    const { visit, page } = await openSignedIn()
    const before = visit.cookies.get('lib.session-token')?.value
    const { text, set } = await visit.send(page('/protected'))
    const after = visit.cookies.get('lib.session-token')?.value
    expect(after).not.toBe(before)
    expect(set).toHaveLength(1)
    expect(/<code>([^<]*)/.exec(text)?.[1]).toBe(after)
  })

  test('a route handler reads the session', async () => {
    const { visit, page } = await openSignedIn()
    expect((await visit.send(page('/who'))).text).toBe('{"name":"Grace"}')
    expect((await visit.send(page('/who'))).status).toBe(200)
    expect((await open().visit.send(page('/who'))).text).toBe('{"name":null}')
  })

  test.each([
    { 'x-middleware-subrequest': 'middleware' },
    { 'x-middleware-subrequest': Array(5).fill('middleware').join(':') },
    { 'x-middleware-subrequest': Array(5).fill('proxy').join(':') },
    { 'x-middleware-subrequest': Array(5).fill('src/middleware').join(':') },
    { 'x-middleware-next': '1' },
    { 'x-middleware-invoke': '1' },
    { 'x-middleware-prefetch': '1' },
    { 'x-middleware-override-headers': 'cookie', 'x-middleware-request-cookie': 'a=b' },
    { 'x-middleware-rewrite': '/protected' },
    { 'x-invoke-path': '/protected', 'x-invoke-status': '200' },
    { 'x-matched-path': '/protected' },
    { 'x-original-url': '/protected' },
    { 'x-nextjs-data': '1' },
    { rsc: '1', 'next-router-prefetch': '1' },
    { rsc: '1', 'next-router-segment-prefetch': '/_tree' },
    { purpose: 'prefetch' },
    { 'x-http-method-override': 'OPTIONS' },
    { cookie: 'lib.session-token=x; __Host-lib.session-token=x; lib.session-token.0=x' },
    { cookie: `lib.session-token=${'x'.repeat(5000)}` },
    { cookie: 'lib.callback-url=https%3A%2F%2Fevil.test' },
    { authorization: 'Bearer x' },
  ])('protected pages are not served for the headers %o', async (headers) => {
    const { visit, page } = open()
    for (const path of ['/protected', '/private', '/docs/secret']) {
      const answer = await visit.send(page(path), { headers })
      expect(answer.status).toBe(307)
      expect(answer.text).not.toContain(SECRET_TEXT)
      expect(answer.location?.origin ?? visit.origin).toBe(visit.origin)
      expectNoInternals(answer)
    }
  })

  test.each([
    '//protected',
    '/./protected',
    '/static/../protected',
    '/static/..%2fprotected',
    '/%70rotected',
    '/PROTECTED',
    '/protected.',
    '/protected%2F',
    '/protected%00',
    '/protected;x',
    '/protected.rsc',
    '/protected.txt',
    '/protected.segments/_tree.segment.rsc',
    '/protected/__PAGE__.segment.rsc',
    '/index/protected',
    '\\protected',
    '/_next/static/../../protected',
    '/_next/../protected',
    '/docs/%73ecret',
    '/docs/secre%74',
    '/docs//secret',
    '/docs/./secret',
    '/docs%2Fsecret',
    '/notes/secret/plan',
    '/notes/%73ecret/plan',
    '/notes/secret%2Fplan',
    '/notes/x%2F..%2Fsecret',
    '/notes//secret/plan',
    '/_next/data/:build/private.json',
    '/_next/data/:build/%70rivate.json',
    '/_next/data/:build/docs/secret.json',
    '/_next/data/:build/docs/%73ecret.json',
    '/_next/data/:build/docs%2Fsecret.json',
    '/_next/data/x/docs/secret.json',
  ])('protected pages are not served at the path %s', async (path) => {
    const { visit, page } = open()
    for (const each of [page(path), page(path).replace(/\/$/, '')]) {
      const answer = await visit.send(each.replace(':build', application().buildId))
      expect(answer.text).not.toContain(SECRET_TEXT)
      expect(answer.text).not.toContain('pageProps')
      expect(answer.location?.origin ?? visit.origin).toBe(visit.origin)
      expectNoInternals(answer)
    }
  })

  test('protected pages are served to a signed-in user', async () => {
    const { visit, page } = await openSignedIn()
    for (const path of [
      '/protected',
      '/private',
      '/docs/secret',
      '/docs/%73ecret',
      '/notes/secret%2Fplan',
    ])
      expect((await visit.send(page(path))).text).toContain(SECRET_TEXT)
  })

  test.each([
    ['GET', { 'sec-fetch-dest': 'empty' }],
    ['GET', { accept: 'application/json' }],
    ['POST', { 'next-action': '00'.repeat(21) }],
  ])('a request that is not a navigation receives 401: %s with %o', async (method, headers) => {
    const { visit, page } = open()
    const answer = await visit.send(page('/protected'), { method, headers })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.text).toBe('Sign in first.')
    expectNoInternals(answer)
  })
}

/** The same for a proxy with a handler of the application. */
export function handlerTests(port: () => number, options: PathOptions): void {
  test('a handler around the proxy reads the session, receives paths without the base path, and can sign out', async () => {
    const { visit, page, post } = openVisit(port(), options)
    const anonymous = await visit.send(page('/static'))
    expect(anonymous.headers.get('x-user')).toBe('no user')
    expect(anonymous.headers.get('x-path')).toBe(`/static${options.trailingSlash}`)
    await post('callback/credentials', { password: 'right' })
    expect((await visit.send(page('/static'))).headers.get('x-user')).toBe('Grace')
    const signedOut = await visit.send(page('/leave'))
    expect(signedOut.location?.pathname).toBe(`${options.basePath}/static`)
    expect(visit.cookies.get('lib.session-token')).toBeUndefined()
    expect((await visit.send(page('/protected'))).status).toBe(307)
  })
}

/** An API on the edge. */
export function edgeTests(port: () => number, options: PathOptions): void {
  test('a route handler on the edge reads the session', async () => {
    const { visit, page } = await openSignedInVisit(port(), options)
    expect((await visit.send(page('/edge'))).text).toBe('{"name":"Grace","runtime":"edge"}')
  })
}
