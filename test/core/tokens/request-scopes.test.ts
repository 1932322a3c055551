/** `requestScopes` without a wrapper; what happens at the provider is in `scopes.test.ts`. */
import { expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { requestScopes } from '../../../src/index.ts'
import type { AuthConfig, RequestLike, RequestScopesOptions } from '../../../src/index.ts'
import type { Values } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { SESSION } from '../../sessions.ts'
import { forEachPlace } from './places.ts'
import type { Place } from './places.ts'
import { requestWith, unluckySite } from './site.ts'
import type { UnluckySite } from './site.ts'

const CALENDAR: RequestScopesOptions = { redirectTo: '/calendar' }
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }
const PAGE = new URL('https://app.test/settings')

function pageHeaders(cookie: string): Record<string, string> {
  return { cookie, host: 'app.test', 'sec-fetch-site': 'same-origin', referer: PAGE.href }
}

/** The handler of an application: the response has the headers of the result. */
async function press(
  { tab, config, cookies }: UnluckySite,
  options?: RequestScopesOptions,
): Promise<URL> {
  const request = new Request(PAGE, { method: 'POST', headers: pageHeaders(cookies()) })
  const { value, headers } = await requestScopes(request, config, 'op', ['calendar'], options)
  expect(headers.get('cache-control')).toBe('private, no-store')
  for (const each of headers.getSetCookie()) tab.cookies.accept(each, PAGE)
  return new URL(value)
}

/** Answers the question of the provider, and returns to the site. */
async function grant({ op, tab }: UnluckySite, asked: URL, person?: Values): Promise<string> {
  const { url } = await op.authorize(asked.href, person)
  const response = await tab.request(url, { initiator: 'cross-site' })
  return response.headers.get('location') ?? ''
}

await forEachPlace((place) => {
  test('the URL requests the scopes of the account and the new ones; the session stays the same', async () => {
    const site = await unluckySite(place)
    const session = site.tab.cookies.get(SESSION)?.value
    const before = await site.read()
    const asked = await press(site, CALENDAR)
    expect(asked.origin).toBe(new URL(site.op.url).origin)
    expect(asked.searchParams.get('scope')).toBe('openid profile email calendar')
    expect(await grant(site, asked)).toBe('https://app.test/calendar')
    expect(site.tab.cookies.get(SESSION)?.value).toBe(session)
    const after = await site.read({ scope: ['calendar'] })
    expect(after.accessToken).not.toBe(before.accessToken)
  })

  test('another user who signs in at the provider connects nothing', async () => {
    const site = await unluckySite(place)
    const before = await site.read()
    const answer = await grant(site, await press(site, CALENDAR), BOB)
    expect(answer).toContain('error=AccountNotLinked')
    expect(await site.read()).toEqual(before)
  })

  test('a foreign return URL leads to the site', async () => {
    const site = await unluckySite(place)
    for (const redirectTo of [
      'https://evil.example/',
      '//evil.example',
      String.raw`/\evil.example`,
    ])
      expect(new URL(await grant(site, await press(site, { redirectTo }))).origin).toBe(PAGE.origin)
  })

  test('without redirectTo, the user returns to the page that sent the request', async () => {
    const site = await unluckySite(place)
    expect(await grant(site, await press(site))).toBe(PAGE.href)
  })
})

const NO_STORAGE: Place = {
  where: 'cookie',
  strategy: 'jwt',
  openAdapter: async () => MemoryAdapter(),
}

test.each<[string, (headers: Record<string, string>) => RequestLike]>([
  ['Headers', (headers) => new Headers(headers)],
  ['an object of headers', (headers) => headers],
  ['a request of a server', (headers) => ({ headers, url: '/settings', method: 'POST' })],
  ['a reader of headers', (headers) => ({ get: (name: string) => headers[name] ?? null }) as never],
])('the request is %s', async (_name, toRequest) => {
  const { config, cookies } = await unluckySite(NO_STORAGE)
  const ask = async (headers: Record<string, string>) =>
    requestScopes(toRequest(headers), config, 'op', ['calendar'])
  const { value, headers } = await ask(pageHeaders(cookies()))
  expect(value).toContain('calendar')
  expect(headers.getSetCookie()).not.toEqual([])
  const foreign = { ...pageHeaders(cookies()), 'sec-fetch-site': 'cross-site' }
  await expect(ask(foreign)).rejects.toMatchObject({ type: 'MissingCSRF' })
})

test('a request that no page of the site has sent is rejected', async () => {
  const { config, cookies } = await unluckySite(NO_STORAGE)
  await expect(requestScopes(requestWith(cookies()), config, 'op', [])).rejects.toMatchObject({
    type: 'MissingCSRF',
    message: expect.stringContaining('neither Sec-Fetch-Site: same-origin'),
  })
})

test('a visitor has no account, and nothing is set', async () => {
  const { config, log } = await unluckySite(NO_STORAGE)
  const request = new Request(PAGE, { method: 'POST', headers: pageHeaders('') })
  await expect(requestScopes(request, config, 'op', ['calendar'])).rejects.toMatchObject({
    type: 'AccessTokenError',
    code: 'not_signed_in',
  })
  expect(log.errors.map(({ name }) => name)).toEqual(['AccessTokenError'])
})

test('while the provider is down, the URL is that of the sign-in page with the error', async () => {
  const { op, config, cookies } = await unluckySite(NO_STORAGE)
  const down: AuthConfig = {
    ...config,
    providers: [oidc(op)],
    fetch: async () => new Response(null, { status: 503 }),
  }
  const request = new Request(PAGE, { method: 'POST', headers: pageHeaders(cookies()) })
  const { value } = await requestScopes(request, down, 'op', ['calendar'])
  expect(value).toContain('https://app.test/auth/signin?error=OAuthSignInError')
})

test.each<[string, unknown[]]>([
  ['"googel" is not the id of a provider of type oauth or oidc', ['googel', ['calendar']]],
  ['undefined is not the id of a provider of type oauth or oidc', [undefined, ['calendar']]],
  ["Write requestScopes('op', ['calendar']).", ['op', 'calendar']],
  ['(got an object)', ['op', Promise.resolve(['calendar'])]],
  ['(got "/calendar"). Write { redirectTo: \'/calendar\' }.', ['op', ['calendar'], '/calendar']],
  ['The option account of requestScopes is not the id', ['op', ['calendar'], { account: 1 }]],
])('requestScopes: %s', async (message, args) => {
  const { config, cookies } = await unluckySite(NO_STORAGE)
  const request = new Request(PAGE, { method: 'POST', headers: pageHeaders(cookies()) })
  const call: unknown = Reflect.apply(requestScopes, undefined, [request, config, ...args])
  await expect(call).rejects.toMatchObject({
    type: 'InvalidConfiguration',
    message: expect.stringContaining(message),
  })
})

test('a forgotten await of the request, and a missing configuration, are named', async () => {
  const { config } = await unluckySite(NO_STORAGE)
  const call = async (...args: unknown[]): Promise<unknown> =>
    Reflect.apply(requestScopes, undefined, [...args, 'op', ['calendar']])
  await expect(call(Promise.resolve(new Headers()), config)).rejects.toThrow(
    'The request is a Promise. Await it first',
  )
  await expect(call(new Headers(), undefined)).rejects.toThrow(
    'requestScopes(request, config, provider, scopes)',
  )
})
