import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, configFor, oidc } from '../../config.ts'
import type { Log } from '../../config.ts'
import { french, frenchMails } from '../../../examples/messages/french.ts'
import { german, germanMails } from '../../../examples/messages/german.ts'
import { englishMails } from '../../../src/core/pages/mail-messages.ts'
import { english } from '../../../src/core/pages/messages.ts'
import { errorPage } from '../../../src/core/pages/message-pages.ts'
import type { OAuthProviderButtonStyles } from '../../../src/core/config/button.ts'

type Pages = NonNullable<AuthConfig['pages']>

function siteWith(pages: Pages, overrides: Partial<AuthConfig> = {}): { tab: Browser; log: Log } {
  const { config, log } = passwordConfig({ pages, ...overrides })
  return { tab: browser(config), log }
}

async function locationOf(response: Response | Promise<Response>): Promise<string | null> {
  return (await response).headers.get('location')
}

describe.each(['signin', 'signout', 'error', 'verify-request'])('the built-in page %s', (name) => {
  test.each([
    [{}, 'data:,', "img-src 'self' data:;"],
    [{ logo: '/logo.svg' }, '/logo.svg', "img-src 'self' data:;"],
    [
      { logo: 'https://cdn.test/logo.svg' },
      'https://cdn.test/logo.svg',
      "img-src 'self' data: https://cdn.test;",
    ],
    [{ logo: 'javascript:alert(1)' }, 'data:,', "img-src 'self' data:;"],
  ])(
    'has an icon that its policy allows, so that no /favicon.ico is requested: %j',
    async (theme, icon, allowed) => {
      const response = await siteWith({}, { theme }).tab.request(name)
      expect(await response.text()).toContain(`<link rel="icon" href="${icon}" />`)
      expect(response.headers.get('content-security-policy')).toContain(allowed)
    },
  )
})

const WRONG = { username: 'ada', password: 'wrong' }

describe.each<[string, string, string]>([
  ['a path', '/login', 'https://app.test/login?'],
  ['a path with a query', '/login?theme=dark', 'https://app.test/login?theme=dark&'],
  ['a URL of another site', 'https://id.test/login', 'https://id.test/login?'],
  ['a URL with a query', 'https://id.test/login?lang=de', 'https://id.test/login?lang=de&'],
  ['a path in another script', '/登录', 'https://app.test/%E7%99%BB%E5%BD%95?'],
])('a page of the application that is %s', (_name, page, start) => {
  test('replaces the sign-in page and receives callbackUrl', async () => {
    const { tab } = siteWith({ signIn: page })
    expect(await locationOf(tab.request('signin'))).toBe(`${start}callbackUrl=%2F`)
    expect(await locationOf(tab.request('signin?callbackUrl=/a%3Fb=c'))).toBe(
      `${start}callbackUrl=${encodeURIComponent('https://app.test/a?b=c')}`,
    )
  })

  test('receives the error type', async () => {
    const { tab } = siteWith({ signIn: page })
    expect(await locationOf(enter(tab, WRONG))).toBe(
      `${start}error=CredentialsSignin&code=credentials`,
    )
    expect(await locationOf(tab.request('signin?error=CredentialsSignin&code=second_factor'))).toBe(
      `${start}callbackUrl=%2F&error=CredentialsSignin&code=second_factor`,
    )
  })

  test('replaces the error page', async () => {
    const { tab } = siteWith({ error: page }, { callbacks: { signIn: () => false } })
    expect(await locationOf(enter(tab))).toBe(`${start}error=AccessDenied`)
    expect(await locationOf(tab.request('error?error=AccessDenied'))).toBe(
      `${start}error=AccessDenied`,
    )
    expect(await locationOf(tab.request('error?error=a%26b%3Dc'))).toBe(`${start}error=a%26b%3Dc`)
  })

  test('replaces the sign-out page', async () => {
    const { tab } = siteWith({ signOut: page })
    expect(await locationOf(tab.request('signout'))).toBe(start.slice(0, -1))
  })
})

test('an error page of the application receives no parameter without an error', async () => {
  const { tab } = siteWith({ error: '/oops' })
  expect(await locationOf(tab.request('error'))).toBe('https://app.test/oops')
})

test('a page of the application receives no parameters of other pages', async () => {
  const { tab } = siteWith({ signOut: '/bye' })
  expect((await tab.request('signin')).status).toBe(200)
  expect((await tab.request('error')).status).toBe(200)
})

describe('the error page', () => {
  test.each<[string, number, string]>([
    ['Configuration', 500, 'Server error'],
    ['AccessDenied', 403, 'Access denied'],
    ['Verification', 403, 'Unable to sign in'],
    ['SessionUnavailable', 503, 'Try again in a moment'],
    ['TemporarilyUnavailable', 503, 'Try again in a moment'],
    ['MyOwnError', 200, 'Error'],
    ['', 200, 'Error'],
    ['constructor', 200, 'Error'],
    ['__proto__', 200, 'Error'],
    ['<script>alert(1)</script>', 200, 'Error'],
  ])('responds to %s with status %i', async (error, status, heading) => {
    const { tab } = siteWith({})
    const response = await tab.request(`error?error=${encodeURIComponent(error)}`)
    const text = await response.text()
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(`<h1>${heading}</h1>`)
    expect(text).not.toContain('<script>')
  })

  test('links to the sign-in page of the application', async () => {
    const { tab } = siteWith({ signIn: '/login' })
    const text = await (await tab.request('error?error=AccessDenied')).text()
    expect(text).toContain('href="https://app.test/login"')
  })
})

describe('a page that cannot be shown', () => {
  const secretless = { secret: undefined }

  test.each(['signin', 'signout', 'error'])('shows an error in place: %s', async (page) => {
    const { tab, log } = siteWith({}, secretless)
    const response = await tab.request(page)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('<h1>Server error</h1>')
    expect(log.errors).toMatchObject([{ type: 'MissingSecretError' }])
  })

  test('redirects to the error page of the application', async () => {
    const { tab } = siteWith({ error: '/oops' }, secretless)
    expect(await locationOf(tab.request('signin'))).toBe(
      'https://app.test/oops?error=Configuration',
    )
  })

  test.each([
    ['https://public.test', 'https://public.test/oops?error=Configuration'],
    ['https://public.test/', 'https://public.test/oops?error=Configuration'],
    ['public.test', '/oops?error=Configuration'],
  ])('redirects there on the origin %s', async (origin, location) => {
    const { tab } = siteWith({ error: '/oops' }, { ...secretless, origin })
    expect(await locationOf(tab.request('signin'))).toBe(location)
  })

  test.each([
    ['/oops', '/oops'],
    ['/oops', 'https://app.test/oops?x=1'],
    ['/oops?lang=de', '/oops/'],
    ['https://app.test/oops', '/oops'],
    ['https://app.test/oops?lang=de', 'https://app.test/oops?x=1'],
    // Behind a proxy, the public origin is not that of the request.
    ['/oops', 'https://public.test/oops'],
  ])(
    'shows the error in place if the error page %s redirected here: %s',
    async (error, callbackUrl) => {
      const { tab, log } = siteWith({ error }, secretless)
      const response = await tab.request(`signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)
      expect(response.status).toBe(500)
      expect(await response.text()).toContain('<h1>Server error</h1>')
      expect(log.errors).toMatchObject([{ type: 'MissingSecretError' }, { type: 'ErrorPageLoop' }])
    },
  )

  test.each([
    ['/err', '/errands'],
    ['/oops', '/elsewhere?page=/oops'],
    ['https://status.test/oops', '/oops'],
    ['/oops', 'data:text/html,/oops'],
    ['/', ''],
  ])('redirects to the page %s if another page sent the browser: %s', async (error, target) => {
    const { tab, log } = siteWith({ error }, secretless)
    const response = await tab.request(`signin?callbackUrl=${encodeURIComponent(target)}`)
    expect(response.status).toBe(302)
    expect(log.errors).toMatchObject([{ type: 'MissingSecretError' }])
  })

  test.each(['/auth/error', '/auth/error/', 'https://app.test/auth/error'])(
    'shows the error in place if the error page is the built-in one: %s',
    async (error) => {
      const { tab } = siteWith({ error }, secretless)
      const response = await tab.follow(await tab.request('error'))
      expect(response.status).toBe(500)
      expect(await response.text()).toContain('<h1>Server error</h1>')
    },
  )
})

describe.each<[string, keyof Pages, string]>([
  ['signin', 'signIn', 'action="https://app.test/auth/callback/password"'],
  ['error?error=AccessDenied', 'error', '<h1>Access denied</h1>'],
  ['signout', 'signOut', '<h1>You are not signed in</h1>'],
])('the built-in page %s configured as itself', (route, page, content) => {
  const path = `/auth/${route.split('?')[0] ?? ''}`

  test.each([path, `${path}/`, `${path}?theme=dark`, `https://app.test${path}`])(
    'is shown, and reported in the log once: %s',
    async (url) => {
      const { tab, log } = siteWith({ [page]: url })
      for (let visit = 0; visit < 2; visit++)
        expect(await (await tab.request(route)).text()).toContain(content)
      expect(log.errors).toMatchObject([
        { type: 'ErrorPageLoop', message: expect.stringContaining(`pages.${page} (${url})`) },
      ])
    },
  )

  test('is not the page of another site with the same path', async () => {
    const { tab, log } = siteWith({ [page]: `https://id.test${path}` })
    expect(await locationOf(tab.request(route))).toMatch(`https://id.test${path}`)
    expect(log.errors).toEqual([])
  })
})

const placeholdersOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).sort()])

describe.each([
  ['German', german, germanMails, 'Zugriff verweigert'],
  ['French', french, frenchMails, 'Accès refusé'],
])('the %s texts', (_name, texts, mails, title) => {
  test('have the names and placeholders of the English ones', () => {
    expect(placeholdersOf(texts)).toEqual(placeholdersOf(english))
    expect(placeholdersOf(mails)).toEqual(placeholdersOf(englishMails))
  })

  test('replace the path in the text for an unknown route', () => {
    const unknown = { error: 'UnknownAction', message: 'There is no route /auth/x.' }
    expect(errorPage({ theme: {}, ...unknown }).text).toContain('There is no route /auth/x.')
    const { text } = errorPage({ theme: { messages: texts }, ...unknown })
    expect(text).toContain(texts.unknownAction.replaceAll("'", '&#39;'))
    expect(text).not.toContain('There is no route')
  })

  test('replace the English ones', () => {
    const { text } = errorPage({ theme: { messages: texts }, error: 'AccessDenied' })
    expect(text).toContain(`<html lang="${texts.lang}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
  })
})

test.each(['__proto__', 'constructor', 'toString', 'unknown'])(
  'the placeholder {%s}, which a text does not have, is empty',
  (name) => {
    const messages = { accessDenied: `One {${name}}two` }
    const { text } = errorPage({ theme: { messages }, error: 'AccessDenied' })
    expect(text).toContain('One two')
  },
)

const op = await issuer()

interface Page {
  readonly text: string
  /** The allowed sources of images. */
  readonly pictures: string | undefined
}

async function signInPage(style: OAuthProviderButtonStyles): Promise<Page> {
  const { config } = configFor(op, { providers: [oidc(op, { style })] })
  const response = await browser(config).request('signin')
  const policy = response.headers.get('content-security-policy') ?? ''
  return { text: await response.text(), pictures: /img-src ([^;]*)/.exec(policy)?.[1] }
}

describe('the button of a provider', () => {
  test.each<[string, OAuthProviderButtonStyles]>([
    ['brandColor', { brandColor: '#123456', bg: '#ffffff' }],
    ['bg, its former name', { bg: '#123456' }],
  ])('has its colour: %s', async (_name, style) => {
    const { text } = await signInPage(style)
    expect(text).toContain('.badge-0 { background: #123456; color: #fff')
    expect(text).toContain('<span class="badge badge-0" aria-hidden="true">T</span>')
  })

  test.each([
    ['/op.svg', "'self' data:"],
    ['https://cdn.test/op.svg?a=1', "'self' data: https://cdn.test"],
  ])('shows its logo, and the policy allows no other source: %s', async (logo, pictures) => {
    const page = await signInPage({ logo })
    expect(page.text).toContain(`<img class="badge badge-0" src="${logo}" alt="" loading="lazy" />`)
    expect(page.pictures).toBe(pictures)
  })

  test.each([
    'javascript:alert(1)',
    'https://',
    '',
    "https://cdn.test; script-src 'unsafe-inline'",
  ])('shows its initial if the logo is invalid: %s', async (logo) => {
    const page = await signInPage({ logo })
    expect(page.text).not.toContain('<img')
    expect(page.text).toContain('aria-hidden="true">T</span>')
    expect(page.pictures).toBe("'self' data:")
  })
})
