/** Open redirects: the target after signing in or out, for any callbackUrl. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
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
