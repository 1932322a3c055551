import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import {
  ADA,
  submitAddress,
  CALLBACK,
  click,
  followLink,
  linkIn,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  SPENT,
} from '../email.ts'
import { DAY, pass, stopClock, cookiesSetBy } from '../sessions.ts'

describe('the link', () => {
  test('contains callbackUrl, token and address, in this order', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    await submitAddress(tab, ' Ada@Example.COM ', { callbackUrl: '/a?b=c' })
    const [mail] = site.mails
    expect(mail?.identifier).toBe(ADA)
    expect(mail?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(mail?.url).toBe(
      `${CALLBACK}?callbackUrl=${encodeURIComponent('https://app.test/a?b=c')}&token=${mail?.token}&email=ada%40example.com`,
    )
  })

  test('starts with the base path and contains the provider id', async () => {
    const site = mailSite({ basePath: '/api/auth' }, { provider: { id: 'magic' } })
    const tab = browser(site.config, { basePath: '/api/auth' })
    const asked = await tab.post('signin/magic', { email: ADA })
    expect(locationOf(asked)).toBe(
      'https://app.test/api/auth/verify-request?provider=magic&type=email',
    )
    expect(linkIn(site.mails)).toMatch('https://app.test/api/auth/callback/magic?callbackUrl=')
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
  })

  test('is passed to sendVerificationRequest with the request', async () => {
    const theme = { brandColor: '#123456' }
    const site = mailSite(
      { theme },
      { provider: { from: 'site@app.test', options: { name: 'Links' } } },
    )
    const tab = browser(site.config, { headers: { 'accept-language': 'de' } })
    await submitAddress(tab, ADA, { language: 'de' })
    const [mail] = site.mails
    expect(Object.keys(mail ?? {}).sort()).toEqual([
      'expires',
      'fetch',
      'identifier',
      'provider',
      'request',
      'theme',
      'token',
      'url',
    ])
    expect(mail?.provider).toMatchObject({ id: 'email', name: 'Links', from: 'site@app.test' })
    expect(mail?.theme).toEqual(theme)
    expect(mail?.request.url).toBe('https://app.test/auth/signin/email')
    expect(mail?.request.headers.get('accept-language')).toBe('de')
    const form = new URLSearchParams(await mail?.request.text())
    expect([form.get('email'), form.get('language')]).toEqual([ADA, 'de'])
  })

  test('can be requested with JSON, whose other members are ignored', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const odd = { toString: 1, valueOf: [] }
    const json = { csrfToken: await tab.csrfToken(), email: ADA, odd }
    const answer = await tab.request('signin/email', { method: 'POST', json })
    expect([answer.status, locationOf(answer)]).toEqual([302, SENT])
    expect(await site.mails[0]?.request.json()).toEqual(json)
  })

  test('is confirmed to clients that cannot follow redirects', async () => {
    const site = mailSite()
    const tab = browser(site.config, { headers: { 'x-auth-return-redirect': '1' } })
    const asked = await submitAddress(tab)
    expect([asked.status, await asked.json()]).toEqual([200, { url: SENT }])
    const answer = await tab.request(linkIn(site.mails))
    expect([answer.status, await answer.json()]).toEqual([200, { url: 'https://app.test' }])
    expect(await tab.session()).not.toBeNull()
    const again = await followLink(browser(site.config), linkIn(site.mails))
    expect(locationOf(again)).toBe(SPENT)
  })

  describe('is valid for', () => {
    beforeEach(stopClock)
    afterEach(() => void vi.useRealTimers())

    test.each([
      ['a day', {}, DAY],
      ['maxAge of the provider', { maxAge: 600 }, 600],
    ])('%s', async (_name, provider, lifetime) => {
      const site = mailSite({}, { provider })
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const early = await requestLink(tab, site)
      expect(site.mails[0]?.expires).toEqual(new Date(Date.now() + lifetime * 1000))
      await pass(lifetime - 1)
      expect(locationOf(await click(tab, early))).toBe('https://app.test')
      const late = await requestLink(tab, site)
      await pass(lifetime)
      expect(locationOf(await followLink(tab, late))).toBe(SPENT)
      expect(locationOf(await followLink(phone, late))).toBe(SPENT)
      expect(await phone.session()).toBeNull()
    })
  })
})

describe('in the browser that requested the link', () => {
  test('links of two tabs are independent', async () => {
    const site = mailSite({}, { methods: { deleteVerificationTokens: undefined } })
    const tab = browser(site.config)
    const first = await requestLink(tab, site)
    const second = await requestLink(tab, site, 'bob@example.com')
    expect(locationOf(await click(tab, first))).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect(locationOf(await click(tab, second))).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { email: 'bob@example.com' } })
  })

  test('a redeemed link leaves no cookie', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const held = tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))
    expect(held).toHaveLength(1)
    expect(cookiesSetBy(await click(tab, link))).toContain(`-${held[0]?.name}`)
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
  })

  test('a sign-in with a provider can be pending at the same time', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const links: string[] = []
    for (let at = 0; at < 6; at++) links.push(await requestLink(tab, site, `user${at}@example.com`))
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toHaveLength(5)
    // The oldest link needs a confirmation, as in another browser.
    expect((await click(tab, links[0] ?? '')).status).toBe(200)
    expect((await click(tab, links[1] ?? '')).status).toBe(302)
  })

  test('a link whose sign-in was rejected does not replace the others', async () => {
    let isRefused = true
    const signIn = ({ email }: { email?: unknown }) => email !== undefined || !isRefused
    const site = mailSite({ callbacks: { signIn } })
    const tab = browser(site.config)
    const links: string[] = []
    for (let at = 0; at < 5; at++) links.push(await requestLink(tab, site, `user${at}@example.com`))
    expect(locationOf(await click(tab, links[4] ?? ''))).toContain('error=AccessDenied')
    isRefused = false
    for (const link of links) expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })
})

describe('secrets', () => {
  test('can be rotated while a link is valid', async () => {
    const old = mailSite({ secret: SECRET })
    const tab = browser(old.config)
    const link = await requestLink(tab, old)
    const other = await requestLink(tab, old, 'bob@example.com')
    const secret = [`new ${SECRET}`, SECRET]
    const site = mailSite({ secret }, { adapter: old.adapter })
    const moved = browser(site.config)
    for (const { name, value } of tab.cookies.all()) moved.cookies.set(name, value)
    expect(locationOf(await click(moved, link))).toBe('https://app.test')
    expect(locationOf(await followLink(browser(site.config), other))).toBe('https://app.test')
  })

  test('that were removed do not validate a link', async () => {
    const old = mailSite({ secret: SECRET })
    const link = await requestLink(browser(old.config), old)
    const site = mailSite({ secret: `new ${SECRET}` }, { adapter: old.adapter })
    expect(locationOf(await followLink(browser(site.config), link))).toBe(SPENT)
    // The link is still stored.
    expect(locationOf(await followLink(browser(old.config), link))).toBe('https://app.test')
  })

  test('of a provider hash its links, unless empty', async () => {
    const provider = { secret: 'a secret of the provider, long enough for it' }
    const own = mailSite({}, { provider })
    const link = await requestLink(browser(own.config), own)
    const { adapter } = own
    const plain = mailSite({}, { adapter })
    expect(locationOf(await followLink(browser(plain.config), link))).toBe(SPENT)
    const other = mailSite({ secret: `new ${SECRET}` }, { adapter, provider })
    expect(locationOf(await followLink(browser(other.config), link))).toBe('https://app.test')

    const empty = mailSite({}, { adapter, provider: { secret: '' } })
    const next = await requestLink(browser(empty.config), empty)
    expect(locationOf(await followLink(browser(plain.config), next))).toBe('https://app.test')
  })
})
