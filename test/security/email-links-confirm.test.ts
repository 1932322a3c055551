import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import {
  ADA,
  click,
  confirm,
  countOf,
  hiddenFields,
  locationOf,
  mailSite,
  requestLink,
} from '../email.ts'
import type { MailSite } from '../email.ts'
import { SESSION } from '../sessions.ts'

describe('a scanner that opens links', () => {
  const scanners: [string, (link: string, site: MailSite) => Promise<Response>][] = [
    ['GET', (link, { config }) => Auth(new Request(link), config)],
    ['HEAD', (link, { config }) => Auth(new Request(link, { method: 'HEAD' }), config)],
    [
      'POST without a form',
      (link, { config }) => Auth(new Request(link, { method: 'POST' }), config),
    ],
  ]

  test.each(scanners)('does not redeem the link: %s', async (_name, scan) => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const before = site.calls.length
    for (let at = 0; at < 3; at++) {
      const { headers } = await scan(link, site)
      expect(headers.getSetCookie().join()).not.toContain(SESSION)
      expect(headers.get('x-robots-tag')).toBe('noindex')
    }
    expect(site.calls.slice(before)).toEqual([])
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })

  test('does not redeem the link with HEAD and the cookies of the browser', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const before = site.calls.length
    const preview = await tab.request(link, { method: 'HEAD' })
    expect([preview.status, await preview.text(), preview.headers.getSetCookie()]).toEqual([
      200,
      '',
      [],
    ])
    expect(site.calls.slice(before)).toEqual([])
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })

  test('receives a page whose form needs a CSRF token', async () => {
    const site = mailSite()
    const link = await requestLink(browser(site.config), site)
    const page = await Auth(new Request(link), site.config)
    const html = await page.text()
    expect(html).not.toMatch(/<script|http-equiv|autofocus/)
    expect([...html.matchAll(/<form/g)]).toHaveLength(1)
    expect([...html.matchAll(/<button/g)]).toHaveLength(1)
    expect(html).not.toMatch(/<a [^>]*token/)
  })
})

describe('the confirmation page', () => {
  async function pageFor(email = ADA): Promise<{ site: MailSite; phone: Browser; page: Response }> {
    const provider = { normalizeIdentifier: (identifier: string) => identifier }
    const site = mailSite({}, { provider })
    const phone = browser(site.config)
    const page = await click(phone, await requestLink(browser(site.config), site, email))
    return { site, phone, page }
  }

  test('contains the address and the host', async () => {
    const html = await (await pageFor()).page.text()
    expect(html).toContain('<strong>ada@example.com</strong>')
    expect(html).toContain('<h1>Sign in to app.test</h1>')
  })

  test('escapes the address', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&amp;@example.com'
    const { phone, page } = await pageFor(hostile)
    const html = await page.clone().text()
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(locationOf(await confirm(phone, page))).toBe('https://app.test')
    expect(await phone.session()).toMatchObject({ user: { email: hostile } })
  })

  const forgeries: [string, (fields: Record<string, string>) => Record<string, string>][] = [
    ['no CSRF token', ({ csrfToken: _none, ...rest }) => rest],
    ['a made-up CSRF token', (fields) => ({ ...fields, csrfToken: '0'.repeat(64) })],
  ]

  test.each(forgeries)('rejects %s', async (_name, forge) => {
    const { site, phone, page } = await pageFor()
    const fields = hiddenFields(await page.clone().text())
    const answer = await phone.request('callback/email', { method: 'POST', form: forge(fields) })
    expect(locationOf(answer)).toBe('https://app.test/auth/signin?error=MissingCSRF')
    expect(countOf(site, 'useVerificationToken')).toBe(0)
    expect(locationOf(await confirm(phone, page))).toBe('https://app.test')
  })

  test('rejects a form of another site', async () => {
    const { site, phone, page } = await pageFor()
    const form = hiddenFields(await page.clone().text())
    const forged = await phone.request('callback/email', {
      method: 'POST',
      form,
      initiator: 'cross-site',
    })
    expect(locationOf(forged)).toBe('https://app.test/auth/signin?error=MissingCSRF')
    const planted = await browser(site.config).request('callback/email', { method: 'POST', form })
    expect(locationOf(planted)).toBe('https://app.test/auth/signin?error=MissingCSRF')
    expect(countOf(site, 'useVerificationToken')).toBe(0)
  })

  test('lets older browsers send Origin, and hides the token from the Referer', async () => {
    const { phone, page } = await pageFor()
    // With `no-referrer` they would send `Origin: null`, which is what a forged form has.
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    const form = hiddenFields(await page.text())
    const headers = { 'sec-fetch-site': '' }
    const answer = await phone.request('callback/email', { method: 'POST', form, headers })
    expect(locationOf(answer)).toBe('https://app.test')
  })

  test.each([
    ['Your account is locked. Call 0800 555 0199', null],
    ['ada@example.com. Call 0800 555 0199', null],
    ['ada@example.com, eve@evil.test', null],
    ['"Support" <support@example.com>', null],
    ['ada\u202emoc.live@example.com', null],
    ['<b>ada</b>@example.com', null],
    ['a'.repeat(300), null],
    ['ada@example.com', 'ada@example.com'],
    [' Ada@Example.com ', 'ada@example.com'],
  ])('shows only a plain address: %j', async (email, shown) => {
    const { config } = mailSite()
    const token = 'x'.repeat(64)
    const query = new URLSearchParams({ token, email })
    const page = await browser(config).request(`callback/email?${query}`)
    const html = await page.text()
    expect(page.status).toBe(200)
    // What the form sends stays as it is.
    expect(hiddenFields(html)).toMatchObject({ email, token })
    const text = html.replace(/<(style|title)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, '')
    expect(/signed in as\s+(\S+)\./.exec(text)?.[1] ?? null).toBe(shown)
    if (shown === null) expect(text).not.toContain(email.slice(0, 20))
  })
})
