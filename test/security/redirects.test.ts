/** Open redirects: the target after signing in or out, for any callbackUrl. */
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, enter, passwordConfig, TYPED } from '../config.ts'

const ORIGIN = 'https://app.test'

const COOKIE = '__Host-lib.callback-url'

const locationOf = (response: Response) => response.headers.get('location') ?? ''

async function postJson(tab: Browser, route: string, fields: object): Promise<Response> {
  const json = { ...fields, csrfToken: await tab.csrfToken() }
  return tab.request(route, { method: 'POST', json })
}

/** Every source of a callbackUrl, with the final Location. */
const ways: readonly (readonly [string, (url: string) => Promise<string>])[] = [
  [
    'a field of the form',
    async (callbackUrl) =>
      locationOf(await enter(browser(passwordConfig().config), { ...TYPED, callbackUrl })),
  ],
  [
    'a key of the JSON',
    async (callbackUrl) => {
      const tab = browser(passwordConfig().config)
      return locationOf(await postJson(tab, 'callback/password', { ...TYPED, callbackUrl }))
    },
  ],
  [
    'the query',
    async (callbackUrl) => {
      const tab = browser(passwordConfig().config)
      const query = new URLSearchParams({ callbackUrl })
      return locationOf(await tab.post(`callback/password?${query}`, TYPED))
    },
  ],
  [
    'a planted cookie',
    async (callbackUrl) => {
      const tab = browser(passwordConfig().config)
      tab.cookies.set(COOKIE, encodeURIComponent(Buffer.from(callbackUrl).toString()))
      return locationOf(await enter(tab))
    },
  ],
  [
    'a link to the sign-in page',
    async (callbackUrl) => {
      const tab = browser(passwordConfig().config)
      const page = await tab.request(`signin?${new URLSearchParams({ callbackUrl })}`)
      const [, shown = ''] = /name="callbackUrl"\s+value="([^"]*)"/.exec(await page.text()) ?? []
      expect(new URL(shown).origin).toBe(ORIGIN)
      return locationOf(await enter(tab))
    },
  ],
  [
    'signing out',
    async (callbackUrl) => {
      const tab = browser(passwordConfig().config)
      await enter(tab)
      return locationOf(await tab.post('signout', { callbackUrl }))
    },
  ],
]

const op = await issuer()

const atProvider = browser(configFor(op).config, { issuer: op })

const ALL = [
  ...ways,
  [
    'a sign-in at a provider',
    async (callbackUrl: string) =>
      locationOf(await (await atProvider.begin('op', { callbackUrl })).complete()),
  ] as const,
]

describe.each(ALL)('a callbackUrl from %s', (how, ask) => {
  test.each([
    ['//evil.test', '/evil.test'],
    ['///evil.test/x', '/evil.test/x'],
    ['/\\evil.test', '/evil.test'],
    ['/\\\\evil.test\\x', '/evil.test/x'],
    ['/\t/evil.test', '/evil.test'],
    ['/\n/evil.test', '/evil.test'],
    ['/../..//evil.test', '/evil.test'],
    [`${ORIGIN}//evil.test?y`, '/evil.test?y'],
    ['//', '/'],
    ['/x//y', '/x//y'],
    ['/@evil.test', '/@evil.test'],
    ['/.evil.test', '/.evil.test'],
    ['/%0d%0aSet-Cookie:a=b', '/%0d%0aSet-Cookie:a=b'],
    ['/\r\nSet-Cookie:a=b', '/Set-Cookie:a=b'],
    ['/日本語?q=ö#é', '/%E6%97%A5%E6%9C%AC%E8%AA%9E?q=%C3%B6#%C3%A9'],
    ['/?next=https://evil.test/', '/?next=https://evil.test/'],
    ['/a lone surrogate: \ud800', '/a%20lone%20surrogate:%20%EF%BF%BD'],
    [`${ORIGIN}/x?y#z`, '/x?y#z'],
    ['HTTPS://APP.TEST:443/x', '/x'],
    ['https:\\\\app.test\\x', '/x'],
  ])('%j redirects within the site', async (url, path) => {
    // The library never stores a path in the cookie.
    const isPath = how === 'a planted cookie' && url.startsWith('/')
    expect(await ask(url)).toBe(isPath ? ORIGIN : ORIGIN + path)
  })

  test.each([
    '\thttps://evil.test',
    ' //evil.test',
    '\\\\evil.test',
    '@evil.test',
    '.evil.test',
    'evil.test',
    'https://app@evil.test',
    'https://app.test@evil.test',
    'https://app.test.evil.test',
    'https://evil.test\\@app.test',
    'https:evil.test',
    'https:/evil.test',
    'https:///evil.test',
    'http://app.test/',
    'https://app.test:8443/',
    'https://аpp.test/',
    'https://app。test.evil.test/',
    'https://evil.test#https://app.test',
    'https://evil.test?https://app.test/',
    'https://sub.app.test/',
    'https://app.test./',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'javascript://app.test/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://app.test/x',
    'filesystem:https://app.test/x',
    'vbscript:x',
    'file:///etc/passwd',
    'about:blank',
    'ftp://app.test/',
    'wss://app.test/',
    'https://',
    'https://[',
    'null',
  ])('%j redirects to the origin', async (url) => {
    expect(await ask(url)).toBe(ORIGIN)
  })
})

describe('without a callbackUrl', () => {
  test.each(['signin?callbackUrl=', 'signin'])('GET %s redirects to the origin', async (page) => {
    const tab = browser(passwordConfig().config)
    await tab.request(page)
    expect(locationOf(await enter(tab))).toBe(ORIGIN)
  })

  test('an earlier one is used, even after another page', async () => {
    const tab = browser(passwordConfig().config)
    await tab.request('signin?callbackUrl=/orders')
    await tab.request('signin?error=CredentialsSignin')
    expect(locationOf(await enter(tab))).toBe(`${ORIGIN}/orders`)
  })

  test('ignores a callbackUrl that is not a string', async () => {
    for (const callbackUrl of [1, true, null, ['https://evil.test'], { href: '//evil.test' }]) {
      const response = await postJson(browser(passwordConfig().config), 'callback/password', {
        ...TYPED,
        callbackUrl,
      })
      expect(locationOf(response)).toBe(ORIGIN)
    }
  })

  test.each([
    ['that is not a URL', 'https://['],
    ['of one word', 'nonsense'],
    ['with a script', 'javascript:alert(1)'],
    ['that is too long', `https://app.test/${'x'.repeat(4000)}`],
  ])(
    'a planted cookie %s is ignored and removed, and the request succeeds',
    async (_what, value) => {
      const tab = browser(passwordConfig().config)
      tab.cookies.set(COOKIE, encodeURIComponent(value))
      const page = await tab.request('signin')
      expect(page.status).toBe(200)
      expect(page.headers.getSetCookie().join()).toContain(`${COOKIE}=; Max-Age=0`)
      expect(tab.cookies.get(COOKIE)).toBeUndefined()
    },
  )

  test.each(['session', 'csrf', 'providers'])('GET %s ignores it', async (route) => {
    const tab = browser(passwordConfig().config)
    const response = await tab.request(`${route}?callbackUrl=https://[`)
    expect(response.status).toBe(200)
    expect(tab.cookies.get(COOKIE)).toBeUndefined()
  })
})

describe('a long callbackUrl', () => {
  test.each([
    ['of the maximum length', `/${'a'.repeat(2047)}`, true],
    ['of one character more', `/${'a'.repeat(2048)}`, false],
    ['of characters that URLs encode', `/${'日'.repeat(2000)}`, false],
    ['of characters that cookies encode', `/?${'&'.repeat(2000)}`, true],
    ['of characters that JSON escapes', `/?${'\\'.repeat(250)}${'a'.repeat(1700)}`, true],
  ])('%s fits into cookies, and the sign-in completes', async (_what, url, isKept) => {
    const tab = browser(configFor(op).config, { issuer: op })
    const transaction = await tab.begin('op', { callbackUrl: url })
    for (const { name, value } of tab.cookies.all())
      expect(
        `${name}=${value}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`.length,
      ).toBeLessThanOrEqual(4096)
    const target = isKept ? new URL(ORIGIN + url).href : ORIGIN
    expect(locationOf(await transaction.complete())).toBe(target)
  })
})

test('no string redirects to another site', async () => {
  const config: AuthConfig = passwordConfig().config
  const characters = Array.from('/\\:@.?#\t\n %[]&\u00ad。\ud800')
  const words = ['https', 'http', 'javascript', 'app.test', 'evil.test', '%2f', '%5c', 'a']
  const unit = fc.constantFrom(...characters, ...words)
  const url = fc.oneof(
    fc.array(unit).map((all) => all.join('')),
    fc.webUrl(),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(url, async (callbackUrl) => {
      const tab = browser(config)
      const fields = { ...TYPED, callbackUrl }
      const location = locationOf(await postJson(tab, 'callback/password', fields))
      expect(`${location}/`.startsWith(`${ORIGIN}/`)).toBe(true)
      expect(new URL(location).origin).toBe(ORIGIN)
      expect(new URL(location).pathname.startsWith('//')).toBe(false)
    }),
    { numRuns: 300 },
  )
})

// Redirects that the application determines: callbacks and custom pages.

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
