/** Redirects that the application determines: callbacks and custom pages. */
import { describe, expect, test, vi } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'

const ORIGIN = 'https://app.test'
const locationOf = (response: Response) => response.headers.get('location') ?? ''

function signIn(overrides: Partial<AuthConfig>, callbackUrl = '/wanted'): Promise<Response> {
  return enter(browser(passwordConfig(overrides).config), { ...TYPED, callbackUrl })
}

describe('the redirect callback', () => {
  const returning = (value: unknown) =>
    ({ callbacks: { redirect: () => value } as unknown as CallbacksOptions }) satisfies object

  test('receives the unchanged callbackUrl and the origin', async () => {
    const redirect = vi.fn(({ baseUrl }: { url: string; baseUrl: string }) => `${baseUrl}/chosen`)
    expect(locationOf(await signIn({ callbacks: { redirect } }, '//evil.test'))).toBe(
      `${ORIGIN}/chosen`,
    )
    expect(redirect.mock.calls).toEqual([[{ url: '//evil.test', baseUrl: ORIGIN }]])
  })

  test.each([
    ['/path', `${ORIGIN}/path`],
    [ORIGIN, ORIGIN],
    ['https://elsewhere.test/x', 'https://elsewhere.test/x'],
    ['https://elsewhere.test/日本', 'https://elsewhere.test/%E6%97%A5%E6%9C%AC'],
    ['my-app://signed-in', 'my-app://signed-in'],
  ])('can return %s', async (value, location) => {
    expect(locationOf(await signIn(returning(value)))).toBe(location)
    expect(locationOf(await signIn(returning(Promise.resolve(value))))).toBe(location)
  })

  test.each(['//evil.test/x', '/\\evil.test/x', '/\t/evil.test/x'])(
    'that returns every path unchanged does not redirect to another site (%j)',
    async (callbackUrl) => {
      const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
        url.startsWith('/') ? url : baseUrl
      const location = locationOf(await signIn({ callbacks: { redirect } }, callbackUrl))
      expect(location).toBe(`${ORIGIN}//evil.test/x`)
    },
  )

  test.each([
    undefined,
    null,
    42,
    {},
    '',
    'wanted',
    'not a URL',
    'https://',
    'javascript:alert(1)',
    'data:text/html,x',
    `blob:${ORIGIN}/x`,
  ])('that returns %j redirects to the origin, with a warning', async (value) => {
    const { config, log } = passwordConfig(returning(value))
    const response = await enter(browser(config), { ...TYPED, callbackUrl: '/wanted' })
    expect(locationOf(response)).toBe(ORIGIN)
    expect(log.lines).toContainEqual(['warn', 'redirect-callback', expect.any(String)])
  })

  test('rejects the sign-in if it throws', async () => {
    const redirect = () => {
      throw new Error('Not now.')
    }
    const { config, log } = passwordConfig({ callbacks: { redirect } })
    const tab = browser(config)
    const response = await enter(tab, { ...TYPED, callbackUrl: '/wanted' })
    expect(locationOf(response)).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(await tab.session()).toBeNull()
    expect(log.errors).toMatchObject([{ type: 'CallbackRouteError' }])
  })

  test('is not called without a callbackUrl', async () => {
    const redirect = vi.fn(() => `${ORIGIN}/chosen`)
    const { config } = passwordConfig({ callbacks: { redirect } })
    expect(locationOf(await enter(browser(config)))).toBe(ORIGIN)
    expect(redirect).not.toHaveBeenCalled()
  })

  test.each(['foo', 'https://', 'app.test/x', '?x=1'])(
    'is not called with %j, which is not a URL',
    async (callbackUrl) => {
      const redirect = vi.fn(({ url, baseUrl }: { url: string; baseUrl: string }) =>
        new URL(url).origin === baseUrl ? url : baseUrl,
      )
      const { config } = passwordConfig({ callbacks: { redirect } })
      const tab = browser(config)
      const page = await tab.request(`signin?${new URLSearchParams({ callbackUrl })}`)
      expect(page.status).toBe(200)
      expect(locationOf(await enter(tab, { ...TYPED, callbackUrl }))).toBe(ORIGIN)
      expect(redirect).not.toHaveBeenCalled()
    },
  )

  test('determines the target of a sign-out', async () => {
    const { config } = passwordConfig(returning('https://elsewhere.test/bye'))
    const tab = browser(config)
    await enter(tab)
    const response = await tab.post('signout', { callbackUrl: '/' })
    expect(locationOf(response)).toBe('https://elsewhere.test/bye')
    expect(await tab.session()).toBeNull()
  })
})

describe('a URL from the signIn callback', () => {
  const to = (url: string, redirect?: CallbacksOptions['redirect']) => ({
    callbacks: { signIn: () => url, ...(redirect && { redirect }) },
  })

  test.each([
    ['/pay?first', `${ORIGIN}/pay?first`],
    [`${ORIGIN}/pay`, `${ORIGIN}/pay`],
    ['https://evil.test/', ORIGIN],
    ['//evil.test/', `${ORIGIN}/evil.test/`],
    ['javascript:alert(1)', ORIGIN],
    ['pay', ORIGIN],
  ])('%s redirects to %s without a session', async (url, location) => {
    const tab = browser(passwordConfig(to(url)).config)
    expect(locationOf(await enter(tab))).toBe(location)
    expect(await tab.session()).toBeNull()
  })

  test('is passed to the redirect callback', async () => {
    const url = 'https://pay.test/'
    expect(locationOf(await signIn(to(url, (params) => params.url)))).toBe(url)
    expect(locationOf(await signIn(to(url, (params) => params.baseUrl)))).toBe(ORIGIN)
  })
})

describe('pages of the application', () => {
  const refused = { signIn: () => false }

  test.each([
    ['/oops', `${ORIGIN}/oops?error=AccessDenied`],
    ['oops', `${ORIGIN}/oops?error=AccessDenied`],
    ['/oops?from=auth', `${ORIGIN}/oops?from=auth&error=AccessDenied`],
    ['/oops?error=old#top', `${ORIGIN}/oops?error=AccessDenied#top`],
    ['https://status.test/oops?x=1', 'https://status.test/oops?x=1&error=AccessDenied'],
  ])('pages.error %s receives the error', async (page, location) => {
    const pages = { error: page }
    expect(locationOf(await signIn({ pages, callbacks: refused }))).toBe(location)
    const tab = browser(passwordConfig({ pages }).config)
    expect(locationOf(await tab.request('error?error=AccessDenied'))).toBe(location)
  })

  test.each([
    ['/login', `${ORIGIN}/login?error=CredentialsSignin&code=credentials`],
    ['/login?x=1', `${ORIGIN}/login?x=1&error=CredentialsSignin&code=credentials`],
    ['https://id.test/in', 'https://id.test/in?error=CredentialsSignin&code=credentials'],
  ])('pages.signIn %s receives it with its code', async (page, location) => {
    const tab = browser(passwordConfig({ pages: { signIn: page } }).config)
    expect(locationOf(await enter(tab, { username: 'ada', password: 'wrong' }))).toBe(location)
  })

  test.each([
    ['/orders', `${ORIGIN}/orders`],
    ['//evil.test', `${ORIGIN}/evil.test`],
    ['https://evil.test', '/'],
    ['javascript:alert(1)', '/'],
  ])('pages.signIn receives the callbackUrl %s', async (callbackUrl, expected) => {
    const tab = browser(passwordConfig({ pages: { signIn: '/login?x=1' } }).config)
    const response = await tab.request(`signin?${new URLSearchParams({ callbackUrl })}`)
    const url = new URL(locationOf(response))
    expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/login`)
    expect(Object.fromEntries(url.searchParams)).toEqual({ x: '1', callbackUrl: expected })
  })

  test('an error page that redirects to itself is shown in place, and logged', async () => {
    const { config, log } = passwordConfig({ pages: { error: '/oops' }, secret: '' })
    const request = new Request(`${ORIGIN}/auth/signin?callbackUrl=/oops?error=Configuration`)
    const response = await Auth(request, config)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(log.errors.map((error) => error.name)).toContain('ErrorPageLoop')
  })
})
