import { describe, expect, test } from 'vitest'
import { browser } from '../../../src/testing/index.ts'
import { skipCSRFCheck } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'
import {
  ADA,
  submitAddress,
  click,
  confirm,
  linkIn,
  locationOf,
  mailProvider,
  mailSite,
  requestLink,
  SENT,
} from '../../email.ts'

/** Every page of this flow, in a browser of its own. */
const PAGES: [string, (site: ReturnType<typeof mailSite>) => Promise<Response>][] = [
  ['sign-in', ({ config }) => browser(config).request('signin')],
  ['verify-request', ({ config }) => browser(config).request(SENT)],
  [
    'confirm',
    async (site) => click(browser(site.config), await requestLink(browser(site.config), site)),
  ],
]

describe('every page', () => {
  test.each(PAGES)('cannot be framed, stored, sniffed or scripted: %s', async (_name, open) => {
    const response = await open(mailSite())
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: 'Cookie',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
    })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[\w-]{22,}'; /)
    expect(policy.includes("form-action 'none'")).toBe(!html.includes('<form'))
    expect(html).toMatch(/^<!doctype html>/)
    expect(html).not.toMatch(
      /<script|<iframe|<object|<base|<link (?!rel="icon" href="data:,")|\son\w+=|\sstyle=|javascript:/i,
    )
    const urls = [...html.matchAll(/https?:\/\/[^"'\s<]+/g)].map(([url]) => new URL(url).origin)
    expect(new Set([...urls, 'https://app.test'])).toEqual(new Set(['https://app.test']))
  })

  test.each(PAGES)('uses the colours of the theme: %s', async (_name, open) => {
    const theme = { brandColor: '#123456', logo: '/logo.svg', colorScheme: 'dark' } as const
    const html = await (await open(mailSite({ theme }))).text()
    expect(html).toContain('<img class="logo" src="/logo.svg" alt="Logo" />')
    expect(html).toContain('background: #123456')
    expect(html).toContain('<body class="__lib-theme-dark">')
  })
})

describe('the sign-in page', () => {
  test('offers a form that sends a link', async () => {
    const site = mailSite({}, { provider: { name: 'your <b>address</b>' } })
    const tab = browser(site.config)
    const html = await (await tab.request('signin?callbackUrl=/board')).text()
    expect(html).toContain('Continue with your &lt;b&gt;address&lt;/b&gt;')
    expect(html).toContain('<label for="input-email-for-email-provider">E-mail address</label>')
    const [, action = ''] = /<form action="([^"]*)" method="post">/.exec(html) ?? []
    expect(action).toBe('https://app.test/auth/signin/email')
    const hidden = [...html.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)]
    const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const sent = await tab.request(action, { method: 'POST', form: { ...form, email: ADA } })
    expect(locationOf(sent)).toBe(SENT)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe('https://app.test/board')
  })

  test('prefills the address of the query, escaped', async () => {
    const tab = browser(mailSite().config)
    const hostile = '"><script>alert(1)</script>'
    const [plain, filled, odd] = await Promise.all(
      [
        'signin',
        `signin?email=${encodeURIComponent(ADA)}`,
        `signin?email=${encodeURIComponent(hostile)}`,
      ].map(async (path) => (await tab.request(path)).text()),
    )
    expect(plain).toMatch(/type="email"\s+value=""/)
    expect(filled).toMatch(/type="email"\s+value="ada@example\.com"/)
    expect(odd).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(odd).not.toContain('<script')
  })

  test('separates the form from other sign-in methods', async () => {
    const { mails, config } = mailSite()
    const { providers = [] } = passwordConfig().config
    const op = {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: 'https://op.test',
      clientId: 'c',
      clientSecret: 's',
    } as const
    const all = [op, { ...op, id: 'two' }, mailProvider(mails), ...providers]
    const html = await (await browser({ ...config, providers: all }).request('signin')).text()
    const parts = [...html.matchAll(/action="[^"]*\/(\w+)"|role="(separator)"/g)]
    expect(parts.map(([, provider, separator]) => provider ?? separator)).toEqual([
      'op',
      'two',
      'separator',
      'email',
      'password',
    ])
  })

  test.each([
    ['signin/email?or=password', { password: 'x' }, 307, 'https://app.test/auth/callback/password'],
    ['signin/email?or=password', { password: '' }, 302, SENT],
    ['signin/email?or=password', {}, 302, SENT],
    ['signin/email', { password: 'x' }, 302, SENT],
    ['signin/email?or=email', { password: 'x', email2: 'x' }, 302, SENT],
    ['signin/email?or=https://evil.test', { password: 'x' }, 302, SENT],
  ])(
    'leads from %s with %o to the route of the password only if one was typed',
    async (path, typed, status, target) => {
      const { config } = mailSite()
      const { providers = [] } = passwordConfig().config
      const tab = browser({ ...config, providers: [...(config.providers ?? []), ...providers] })
      const response = await tab.post(path, { email: ADA, ...typed })
      expect([response.status, locationOf(response)]).toEqual([status, target])
      const withoutToken = await tab.request(path, {
        method: 'POST',
        form: { email: ADA, ...typed },
      })
      expect(locationOf(withoutToken)).toContain('error=MissingCSRF')
    },
  )

  test('is listed in the providers route', async () => {
    const response = await browser(mailSite().config).request('providers')
    expect(await response.json()).toEqual({
      email: {
        id: 'email',
        name: 'E-mail',
        type: 'email',
        signinUrl: 'https://app.test/auth/signin/email',
        callbackUrl: 'https://app.test/auth/callback/email',
      },
    })
  })

  test.each(['EmailSignInError', 'EmailSignin'])('explains %s', async (error) => {
    const html = await (await browser(mailSite().config).request(`signin?error=${error}`)).text()
    expect(html).toContain('The e-mail could not be sent. Check the address and try again.')
  })
})

describe('the verify-request page', () => {
  test('shows the address to the browser that typed it, and sends the link again', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const page = await tab.follow(await submitAddress(tab, ADA, { callbackUrl: '/board' }))
    const html = await page.text()
    expect(html).toContain(`<strong>${ADA}</strong>`)
    expect(html).toContain('href="https://app.test/auth/signin"')
    const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? []
    const hidden = [...html.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)]
    const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    expect(locationOf(await tab.request(action, { method: 'POST', form }))).toBe(SENT)
    expect(site.mails).toHaveLength(2)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe('https://app.test/board')
  })

  test('contains the host and no address in another browser', async () => {
    const site = mailSite()
    await submitAddress(browser(site.config))
    const page = await browser(site.config).request(`${SENT}&email=${ADA}`)
    const html = await page.text()
    expect(html).toContain('<h1>Check your e-mail</h1>')
    expect(html).toContain('<a class="site" href="https://app.test">app.test</a>')
    expect(html).toContain('<title>Check your e-mail</title>')
    expect(html).not.toContain('ada')
  })

  test.each([
    ['/sent', 'https://app.test/sent?provider=email&type=email'],
    ['/sent?lang=de#top', 'https://app.test/sent?lang=de&provider=email&type=email#top'],
    ['https://id.test/sent', 'https://id.test/sent?provider=email&type=email'],
  ])('can be a page of the application: %s', async (verifyRequest, location) => {
    const site = mailSite({ pages: { verifyRequest } })
    const tab = browser(site.config)
    const asked = await submitAddress(tab)
    expect(locationOf(asked)).toBe(SENT)
    const led = await tab.request(SENT)
    expect([led.status, locationOf(led)]).toEqual([302, location])
  })

  test('is shown if the page of the application is the built-in one', async () => {
    const site = mailSite({ pages: { verifyRequest: '/auth/verify-request' } })
    const tab = browser(site.config)
    const page = await tab.request(SENT)
    expect([page.status, (await page.text()).includes('Check your e-mail')]).toEqual([200, true])
    expect(site.log.errors).toMatchObject([{ type: 'ErrorPageLoop' }])
  })

  test('accepts only GET and HEAD', async () => {
    const tab = browser(mailSite().config)
    const posted = await tab.post('verify-request')
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    const head = await tab.request(SENT, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('the confirmation page', () => {
  test('redirects to the callbackUrl of the link', async () => {
    const site = mailSite({ pages: { newUser: '/welcome' } })
    const phone = browser(site.config)
    await submitAddress(browser(site.config), ADA, { callbackUrl: '/a?b=%22c' })
    const page = await click(phone, linkIn(site.mails))
    expect(await page.clone().text()).toContain('<title>Sign in to app.test</title>')
    const target = encodeURIComponent('https://app.test/a?b=%22c')
    expect(locationOf(await confirm(phone, page))).toBe(
      `https://app.test/welcome?callbackUrl=${target}`,
    )
  })

  test('offers to cancel: a link to the start page, without a sign-in', async () => {
    const site = mailSite()
    const phone = browser(site.config)
    const page = await click(phone, await requestLink(browser(site.config), site))
    const html = await page.text()
    expect(html).toContain('Continue only if you requested it')
    expect(html).toMatch(/<a class="button quiet" href="https:\/\/app\.test">Cancel<\/a>/)
    expect(await phone.session()).toBeNull()
  })

  test('is shown with skipCSRFCheck', async () => {
    const site = mailSite({ skipCSRFCheck })
    const phone = browser(site.config)
    await submitAddress(browser(site.config))
    const page = await click(phone, linkIn(site.mails))
    expect(await page.clone().text()).not.toContain('csrfToken')
    expect(await phone.session()).toBeNull()
    expect(locationOf(await confirm(phone, page))).toBe('https://app.test')
  })

  test('is rejected after the link was redeemed in another browser', async () => {
    const site = mailSite()
    const [phone, tablet] = [browser(site.config), browser(site.config)]
    const link = await requestLink(browser(site.config), site)
    const pages = [await click(phone, link), await click(tablet, link)]
    expect(locationOf(await confirm(phone, pages[0] ?? new Response()))).toBe('https://app.test')
    const late = await confirm(tablet, pages[1] ?? new Response())
    const shown = await tablet.follow(late)
    const html = await shown.text()
    expect(shown.status).toBe(403)
    expect(html).toContain('href="https://app.test/auth/signin"')
  })
})
