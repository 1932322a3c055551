import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter, VerificationToken } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import {
  ADA,
  click,
  confirm,
  countOf,
  enterCode,
  FAILED,
  followLink,
  hiddenFields,
  linkIn,
  locationOf,
  mailSite,
  requestCode,
  requestLink,
  SENT,
  SPENT,
  STRATEGIES,
  submitAddress,
  withParameters,
  writes,
  WRONG,
} from '../email.ts'
import type { MailSite, MailSiteOptions } from '../email.ts'
import { pass, SESSION, stopClock } from '../sessions.ts'

const BOB = 'bob@example.com'

async function sessionsOf({ adapter }: MailSite, email: string): Promise<number> {
  const user = await adapter.getUserByEmail(email)
  return user ? (await adapter.listSessions(user.id)).length : 0
}

/** Expects that one response signs in, and that all others report a used link. */
function expectOne(answers: readonly Response[]): void {
  const led = answers.map(locationOf)
  expect(led.filter((location) => location === 'https://app.test')).toHaveLength(1)
  expect(led.filter((location) => location === SPENT)).toHaveLength(answers.length - 1)
}

describe.each(STRATEGIES)('with %s sessions, a link', (strategy) => {
  const session = { strategy }

  test('signs in once', async () => {
    const site = mailSite({ session })
    const [tab, phone] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
    const kept = tab.cookies.get(SESSION)?.value
    for (const again of [tab, phone]) {
      const answer = await followLink(again, link)
      expect([answer.status, locationOf(answer)]).toEqual([302, SPENT])
      const page = await again.follow(answer)
      expect([page.status, (await page.text()).includes('Unable to sign in')]).toEqual([403, true])
    }
    expect(await phone.session()).toBeNull()
    // The existing session stays valid.
    expect(tab.cookies.get(SESSION)?.value).toBe(kept)
    expect(await tab.session()).not.toBeNull()
  })

  test('that is redeemed 20 times concurrently signs in once', async () => {
    const site = mailSite({ session })
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const answers = await Promise.all(Array.from({ length: 20 }, () => click(tab, link)))
    expectOne(answers)
    const given = answers.filter(({ headers }) =>
      headers
        .getSetCookie()
        .some(
          (cookie) =>
            cookie.startsWith(`${SESSION}=ey`) || cookie.match(`^${SESSION}=[0-9a-f]{64};`),
        ),
    )
    expect(given).toHaveLength(1)
    expect(countOf(site, 'createUser')).toBe(1)
    expect(await sessionsOf(site, ADA)).toBe(strategy === 'database' ? 1 : 0)
  })

  test('that is redeemed 5 times concurrently signs in once, even if the adapter does not delete atomically', async () => {
    const adapter = MemoryAdapter()
    const rows = new Map<string, VerificationToken>()
    const methods: Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'> = {
      createVerificationToken: (row) => void rows.set(row.token, row),
      async useVerificationToken({ token }) {
        const row = rows.get(token)
        await new Promise(setImmediate)
        rows.delete(token)
        return row ?? null
      },
    }
    const site = mailSite({ session }, { adapter, methods })
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    expectOne(await Promise.all(Array.from({ length: 5 }, () => click(tab, link))))
    expect(await sessionsOf(site, ADA)).toBe(strategy === 'database' ? 1 : 0)
  })

  test('that is confirmed 20 times concurrently signs in once', async () => {
    const site = mailSite({ session })
    const link = await requestLink(browser(site.config), site)
    const phones = Array.from({ length: 20 }, () => browser(site.config))
    const pages = await Promise.all(phones.map((phone) => click(phone, link)))
    const answers = await Promise.all(
      phones.map((phone, at) => confirm(phone, pages[at] ?? new Response())),
    )
    expect(answers.filter((answer) => locationOf(answer) === 'https://app.test')).toHaveLength(1)
    const sessions = await Promise.all(phones.map((phone) => phone.session()))
    expect(sessions.filter((each) => each !== null)).toHaveLength(1)
    expect(await sessionsOf(site, ADA)).toBe(strategy === 'database' ? 1 : 0)
  })

  test('that was redeemed invalidates the others of its address only', async () => {
    const site = mailSite({ session })
    const tab = browser(site.config)
    const other = await requestLink(browser(site.config), site, BOB)
    const links = [await requestLink(tab, site), await requestLink(tab, site)]
    expect(locationOf(await click(tab, links[0] ?? ''))).toBe('https://app.test')
    expect(locationOf(await followLink(browser(site.config), links[1] ?? ''))).toBe(SPENT)
    expect(locationOf(await followLink(browser(site.config), other))).toBe('https://app.test')
  })

  test('is redeemed by an adapter that cannot delete the others', async () => {
    const site = mailSite({ session }, { methods: { deleteVerificationTokens: undefined } })
    const tab = browser(site.config)
    const [first, second] = [await requestLink(tab, site), await requestLink(tab, site)]
    expect(locationOf(await click(tab, first))).toBe('https://app.test')
    expect(locationOf(await click(tab, second))).toBe('https://app.test')
    expect(site.log.errors).toEqual([])
  })
})

describe('a link that was tampered with', () => {
  test.each<[string, Record<string, string | null>]>([
    ['a made-up token', { token: '0'.repeat(64) }],
    ['the hash of a token', { token: createHash('sha256').update('x').digest('hex') }],
    ['no token', { token: null }],
    ['an empty token', { token: '' }],
    ['another address', { email: BOB }],
    ['another spelling of the address', { email: 'Ada@example.com' }],
    ['the address with a space', { email: ' ada@example.com' }],
    ['two addresses', { email: `${ADA},${BOB}` }],
    ['no address', { email: null }],
    ['an empty address', { email: '' }],
  ])('is rejected and leaves the real one valid: %s', async (_name, parameters) => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    await requestLink(browser(site.config), site, BOB)
    for (const each of [tab, browser(site.config)]) {
      const answer = await followLink(each, withParameters(link, parameters))
      expect(locationOf(answer)).toBe(SPENT)
      expect(await each.session()).toBeNull()
    }
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
  })

  test.each(['token', 'email', 'callbackUrl'])('is rejected if it has %s twice', async (name) => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const answer = await click(tab, `${link}&${name}=x`)
    expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([400, 'no-referrer'])
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })

  test('is rejected if the adapter compares only tokens', async () => {
    const site = mailSite(
      {},
      {
        methods: {
          useVerificationToken: ({ token }: { token: string }) =>
            site.adapter.useVerificationToken({ identifier: 'eve@example.com', token }),
        },
      },
    )
    const eve = browser(site.config)
    const link = await requestLink(eve, site, 'eve@example.com')
    expect(locationOf(await followLink(eve, withParameters(link, { email: ADA })))).toBe(SPENT)
    expect(await eve.session()).toBeNull()
    expect(await site.adapter.getUserByEmail(ADA)).toBeNull()
  })

  test('redirects only to this site', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = withParameters(await requestLink(tab, site), { callbackUrl: 'https://evil.test/' })
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })

  test('is valid only for the provider that created it', async () => {
    const site = mailSite()
    const [own] = site.config.providers ?? []
    const other = { ...(own as object), id: 'other' } as NonNullable<typeof own>
    const both = { ...site.config, providers: own ? [own, other] : [] }
    const tab = browser(both)
    const link = await requestLink(tab, site)
    // Another provider requires a confirmation, also in the requesting browser.
    const moved = link.replace('/callback/email', '/callback/other')
    expect((await click(tab, moved)).status).toBe(200)
  })
})

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

// Single use of magic links while the database fails.

/** A site whose next lookup of a link fails, before or after the row was deleted. */
function failing(when: 'before' | 'afterwards') {
  const adapter = MemoryAdapter()
  const state = { fails: false }
  const useVerificationToken: typeof adapter.useVerificationToken = async (key) => {
    const fails = state.fails
    state.fails = false
    if (fails && when === 'before') throw new Error('The database is down.')
    const row = await adapter.useVerificationToken(key)
    if (fails) throw new Error('The connection was lost.')
    return row
  }
  const methods = { useVerificationToken, deleteVerificationTokens: undefined }
  return { ...mailSite({}, { adapter, methods }), state }
}

/** Replays a link with copied cookies, and returns whether a session was created. */
async function replay(link: string, cookies: string, config: AuthConfig): Promise<boolean> {
  const headers = { cookie: cookies, accept: 'text/html' }
  const response = await Auth(new Request(link, { headers }), config)
  return response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION}=`) && !cookie.includes('Max-Age=0'))
}

function cookiesOf(tab: Browser, link: string): string {
  return tab.cookies.header({ url: new URL(link), method: 'GET', initiator: 'same-site' }) ?? ''
}

test('a link whose lookup failed can be redeemed once afterwards', async () => {
  const site = failing('before')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  site.state.fails = true
  expect(locationOf(await click(tab, link))).toBe(FAILED)
  expect(locationOf(await click(tab, link))).toBe('https://app.test')
  const other = browser(site.config)
  expect(locationOf(await confirm(other, await click(other, link)))).toBe(SPENT)
  expect(await other.session()).toBeNull()
})

test('a link whose response was lost can be redeemed once, even with replayed cookies', async () => {
  const site = failing('afterwards')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  site.state.fails = true
  expect(locationOf(await click(tab, link))).toBe(FAILED)
  const cookies = cookiesOf(tab, link)
  expect(await replay(link, cookies, site.config)).toBe(true)
  expect(await replay(link, cookies, site.config)).toBe(false)
  expect(await replay(link, cookies, site.config)).toBe(false)
})

test('a redeemed link stays invalid when the database fails', async () => {
  const site = failing('before')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  const cookies = cookiesOf(tab, link)
  expect(locationOf(await click(tab, link))).toBe('https://app.test')
  site.state.fails = true
  expect(await replay(link, cookies, site.config)).toBe(false)
  expect(await replay(link, cookies, site.config)).toBe(false)
})

describe('the content of a link', () => {
  test('does not appear in later URLs or in a Referer', async () => {
    const site = mailSite({ pages: { newUser: '/welcome' } })
    const [tab, phone] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    const { token } = site.mails[0] ?? { token: '' }
    const page = await click(phone, link)
    const used = await click(tab, link)
    const late = await confirm(phone, page)
    for (const answer of [used, late, await click(tab, withParameters(link, { email: '' }))]) {
      expect(answer.status).toBe(302)
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(JSON.stringify([...answer.headers])).not.toContain(token)
      expect(locationOf(answer)).not.toContain('ada')
    }
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(JSON.stringify([...page.headers])).not.toContain(token)
  })

  test('is stored as a hash with the secret', async () => {
    const site = mailSite()
    await requestLink(browser(site.config), site)
    const { token = '', expires } = site.mails[0] ?? {}
    const stored = site.calls.find(({ method }) => method === 'createVerificationToken')?.args[0]
    const hash = createHash('sha256')
      .update(token + SECRET)
      .digest('hex')
    expect(stored).toEqual({ identifier: ADA, token: hash, expires })
    expect(JSON.stringify(site.calls)).not.toContain(token)
    // The stored hash cannot be used as a token.
    const eve = browser(site.config)
    const answer = await followLink(eve, withParameters(linkIn(site.mails), { token: hash }))
    expect(locationOf(answer)).toBe(SPENT)
  })

  test('cannot be derived from the response to the request', async () => {
    const site = mailSite({}, { provider: { generateVerificationToken: () => 'zk4711' } })
    const eve = browser(site.config)
    await submitAddress(eve)
    const name = eve.cookies.all().find((each) => each.name.includes('lib.state.'))?.name ?? ''
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    const [, suffix = ''] = /lib\.state\.([0-9a-f]{8})$/.exec(name) ?? []
    expect(suffix).not.toBe('')
    // A short code could be guessed offline from its hash.
    expect(
      [sha('zk4711'), sha(`state ${sha('zk4711')}`), sha('state zk4711')].map((each) =>
        each.slice(0, 8),
      ),
    ).not.toContain(suffix)
    expect(JSON.stringify(eve.cookies.all())).not.toContain('zk4711')
  })

  test('does not appear in the log', async () => {
    const site = mailSite({ debug: true })
    const [tab, phone] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    await click(phone, link)
    await click(tab, link)
    await followLink(phone, link)
    const text = JSON.stringify([
      site.log.lines,
      site.log.debug,
      site.log.errors.map((error) => [error.message, error.stack]),
    ])
    expect(text).toContain('adapter_useVerificationToken')
    expect(text).not.toContain(site.mails[0]?.token)
    expect(text).not.toContain(ADA)
  })
})

describe('the host of a link', () => {
  const spoofed: [string, Record<string, string>][] = [
    ['Host', { host: 'evil.test' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.test' }],
    ['both', { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' }],
    ['Forwarded', { forwarded: 'host=evil.test;proto=http' }],
    ['Origin and Referer', { origin: 'https://app.test', referer: 'https://evil.test/' }],
  ]

  test.each(spoofed)('is the configured one, regardless of %s', async (_name, headers) => {
    const site = mailSite({ trustHost: false, origin: 'https://app.test' })
    const tab = browser(site.config, { headers })
    await submitAddress(tab)
    expect(linkIn(site.mails)).toMatch(
      /^https:\/\/app\.test\/auth\/callback\/email\?callbackUrl=https%3A%2F%2Fapp\.test&/,
    )
  })

  const hosts = [
    { trustHost: true },
    { trustHost: false, trustedHosts: ['app.test', '*.app.test'] },
  ]

  test.each(hosts)('is that of the request with %j', async (trust) => {
    const site = mailSite(trust)
    const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' }
    await submitAddress(browser(site.config, { headers }))
    expect(linkIn(site.mails)).toMatch('https://app.test/auth/callback/email?')
    await submitAddress(browser(site.config, { origin: 'https://eu.app.test' }))
    expect(linkIn(site.mails)).toMatch('https://eu.app.test/auth/callback/email?')
  })

  test('is rejected if it is not trusted', async () => {
    const site = mailSite({ trustHost: false, trustedHosts: ['app.test', '*.app.test'] })
    const form = { csrfToken: await browser(site.config).csrfToken(), email: ADA }
    for (const origin of [
      'https://evil.test',
      'https://app.test.evil.test',
      'https://a.b.app.test',
    ]) {
      const eve = browser(site.config, { origin })
      const answer = await eve.request('signin/email', { method: 'POST', form })
      expect(answer.status).toBe(400)
    }
    expect([site.mails, site.calls]).toEqual([[], []])
  })
})

describe('an existing address', () => {
  test('gets the same response as an unknown one', async () => {
    const site = mailSite({ protection: { limits: { mail: 'off' } } })
    await site.adapter.createUser({ id: 'x', email: ADA, emailVerified: new Date() })
    const seen = []
    for (const email of [ADA, 'eve@example.com']) {
      const tab = browser(site.config)
      const answer = await submitAddress(tab, email)
      const page = await tab.follow(answer)
      const html = (await page.text())
        .replace(/nonce="[^"]*"/g, '')
        .replace(/name="csrfToken"\s+value="\w+"/, '')
        .replaceAll(email, 'the address that this browser typed')
      const cookies = tab.cookies
        .all()
        .map(({ name, value }) => [name.replace(/[0-9a-f]{8}$/, ''), value.length])
      const headers = [...answer.headers.keys()]
      seen.push([answer.status, locationOf(answer), headers, page.status, html, cookies])
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]?.slice(0, 2)).toEqual([302, SENT])
    const perAddress = [
      'getUserByEmail',
      'createVerificationToken',
      // Counts the open links of the address.
      'readRecords',
      'writeRecord',
    ]
    expect(site.calls.map(({ method }) => method)).toEqual([...perAddress, ...perAddress])
  })
})

describe('an address that is not a string', () => {
  test.each([[[ADA, BOB]], [{ address: ADA }], [42], [true], [null], [undefined]])(
    'is rejected: %j',
    async (email) => {
      const site = mailSite()
      const tab = browser(site.config)
      const json = { csrfToken: await tab.csrfToken(), email }
      const answer = await tab.request('signin/email', { method: 'POST', json })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'InvalidRequest' })
      expect([site.mails, site.calls]).toEqual([[], []])
    },
  )

  test('is rejected if it is in the form twice', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const form = new URLSearchParams({ csrfToken: await tab.csrfToken(), email: ADA })
    form.append('email', BOB)
    const answer = await tab.request('signin/email', { method: 'POST', form })
    expect([answer.status, site.mails]).toEqual([400, []])
  })

  test.each<[string, unknown, unknown]>([
    ['token', ['x'], ADA],
    ['email', 'x', [ADA]],
    ['both', { x: 1 }, 42],
  ])('is rejected in a link: %s', async (_name, token, email) => {
    const site = mailSite()
    const tab = browser(site.config)
    const json = { csrfToken: await tab.csrfToken(), token, email }
    const answer = await tab.request('callback/email', { method: 'POST', json })
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
      403,
      { error: 'Verification' },
    ])
    expect(site.calls).toEqual([])
  })
})

test('requesting a link needs a CSRF token', async () => {
  const site = mailSite()
  const tab = browser(site.config)
  await tab.csrfToken()
  const form = { email: ADA, csrfToken: '0'.repeat(64) }
  const answers = [
    await tab.request('signin/email', { method: 'POST', form }),
    await tab.request('signin/email', { method: 'POST', form, initiator: 'cross-site' }),
    await tab.request('signin/email', { method: 'POST', form: { email: ADA } }),
  ]
  for (const answer of answers)
    expect(locationOf(answer)).toBe('https://app.test/auth/signin?error=MissingCSRF')
  expect((await tab.request(`signin/email?email=${ADA}`)).status).toBe(200)
  expect([site.mails, writes(site)]).toEqual([[], []])
})

// Tokens of the application that are short enough to be guessed.

const HOME = 'https://app.test'

describe('a generateVerificationToken whose result could be guessed', () => {
  const short = (token: string) =>
    mailSite({}, { provider: { generateVerificationToken: () => token } })

  test.each([
    '123456',
    '123 456',
    '123456789012',
    '1234567890123456789',
    '1234-5678-9012-3456',
    '1234_5678_9012_3456',
    '１２３４５６７８９０１２',
    'aB3-xY9',
    '0123456789abcde',
    '0123-4567-89AB-CDE',
    'ABCDEFGHIJKL',
    'k3j9-x2m7-q8w1',
    'nG8-x_dR2k',
  ])('generates a code: %s', async (token) => {
    const site = short(token)
    const tab = browser(site.config)
    expect(await requestCode(tab, site)).toBe(token)
    expect(site.mails[0]?.token).toBe(token)
    const lifetime = (site.mails[0]?.expires.getTime() ?? 0) - Date.now()
    expect(lifetime).toBeGreaterThan(590_000)
    expect(lifetime).toBeLessThanOrEqual(600_000)
    expect(locationOf(await enterCode(tab, token))).toBe(HOME)
  })

  test('signs in from a page of the application that opens the link, in the same browser only', async () => {
    const site = short('123456')
    const [tab, other] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    expect(new URL(link).searchParams.get('token')).toBe('123456')
    expect(locationOf(await other.request(link))).toBe(WRONG)
    expect(locationOf(await tab.request(withParameters(link, { email: 'eve@example.com' })))).toBe(
      WRONG,
    )
    expect(locationOf(await tab.request(link))).toBe(HOME)
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect(await other.session()).toBeNull()
  })

  test('has five tries with a link', async () => {
    const site = short('123456')
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    for (let at = 1; at <= 5; at++)
      expect(locationOf(await tab.request(withParameters(link, { token: `12345${at}` })))).toBe(
        WRONG,
      )
    expect(locationOf(await tab.request(link))).toBe(WRONG)
    expect(await tab.session()).toBeNull()
  })

  test('keeps its tries if a page of another site sends codes', async () => {
    const site = short('123456')
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    for (let at = 1; at <= 6; at++) {
      const forged = await click(tab, withParameters(link, { token: `12345${at}` }))
      expect(locationOf(forged)).toBe(
        'https://app.test/auth/verify-request?provider=email&type=email',
      )
    }
    expect(locationOf(await tab.request(link))).toBe(HOME)
  })

  test.each([
    ['20 digits', '12345678901234567890'],
    ['16 hexadecimal digits', '0123456789abcdef'],
    ['UUID version 4', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
    ['base36', 'k3j9x2m7q8w1z'],
    ['base32', 'MFRGGZDFMZTWQ2LK'],
    ['8 bytes in base64url', 'nG8-x_dR2kA'],
    ['nanoid(12)', 'V1StGXR8_Z5j'],
    ['nanoid(21)', 'V1StGXR8_Z5jdHi6B-myT'],
  ])('does not apply to a longer one: %s', async (_name, token) => {
    const site = short(token)
    const link = await requestLink(browser(site.config), site)
    expect(site.mails[0]?.code).toBeUndefined()
    const phone = browser(site.config)
    expect((await click(phone, link)).status).toBe(200)
  })

  test.each(['1', '12345', '12-34-5'])('is rejected with an instruction: %s', async (token) => {
    const site = short(token)
    const answer = await submitAddress(browser(site.config))
    expect(answer.status).toBe(500)
    expect(site.mails).toEqual([])
    expect(site.log.errors).toMatchObject([
      {
        type: 'InvalidConfiguration',
        message: expect.stringContaining('at least 6 random digits'),
      },
    ])
  })

  test('is the code of a mail that has a link, too', async () => {
    const generateVerificationToken = () => 'XK-4711-QP'
    const site = mailSite({}, { provider: { method: 'both', generateVerificationToken } })
    const tab = browser(site.config)
    expect(await requestCode(tab, site)).toBe('XK-4711-QP')
    expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(locationOf(await enterCode(tab, 'XK4711QP'))).toBe(HOME)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(SPENT)
  })
})

describe('of three open links of an address, only the newest one is valid', () => {
  const UNLIMITED: Partial<AuthConfig> = { protection: { limits: { mail: 'off' } } }

  /** Redeeming a link does not delete the others, and there is no store. */
  const PLAIN: MailSiteOptions = {
    methods: {
      deleteVerificationTokens: undefined,
      readRecords: undefined,
      listRecords: undefined,
      writeRecord: undefined,
      deleteRecords: undefined,
    },
  }

  const STORED: MailSiteOptions = { methods: { deleteVerificationTokens: undefined } }

  const open = async (site: MailSite, link: string) =>
    locationOf(await followLink(browser(site.config), link))

  const request = (site: MailSite, email?: string) => requestLink(browser(site.config), site, email)

  afterEach(() => void vi.useRealTimers())

  describe.each([
    ['a store', STORED],
    ['the memory of one process', PLAIN],
  ])('with %s', (_name, options) => {
    test('two links are valid, and the third one replaces both', async () => {
      const site = mailSite(UNLIMITED, options)
      const [first, second] = [await request(site), await request(site)]
      expect([await open(site, first), await open(site, second)]).toEqual([HOME, HOME])

      const other = mailSite(UNLIMITED, options)
      const links = [await request(other), await request(other), await request(other)]
      const answers = []
      for (const link of links) answers.push(await open(other, link))
      expect(answers).toEqual([SPENT, SPENT, HOME])
    })

    test('links of other addresses stay valid', async () => {
      const site = mailSite(UNLIMITED, options)
      const bob = await request(site, 'bob@example.com')
      for (let at = 0; at < 3; at++) await request(site)
      expect(await open(site, bob)).toBe(HOME)
    })

    test('links that have expired are not counted', async () => {
      stopClock()
      const site = mailSite(UNLIMITED, { ...options, provider: { maxAge: 600 } })
      await request(site)
      await request(site)
      await pass(601)
      const links = [await request(site), await request(site)]
      for (const link of links) expect(await open(site, link)).toBe(HOME)
    })

    test('a mail that was not sent retires no link', async () => {
      let fails = false
      const mails: VerificationRequest[] = []
      const sendVerificationRequest = (mail: VerificationRequest) => {
        if (fails) throw new Error('refused')
        mails.push(mail)
      }
      const site = {
        ...mailSite(UNLIMITED, { ...options, provider: { sendVerificationRequest } }),
        mails,
      }
      const links = [await request(site), await request(site)]
      fails = true
      await submitAddress(browser(site.config))
      for (const link of links) expect(await open(site, link)).toBe(HOME)
    })
  })

  test('three links are counted over two processes with one store', async () => {
    const adapter = MemoryAdapter()
    const sites = [0, 1].map(() => mailSite(UNLIMITED, { ...STORED, adapter })) as [
      MailSite,
      MailSite,
    ]
    const links = [await request(sites[0]), await request(sites[1]), await request(sites[0])]
    const answers = []
    for (const link of links) answers.push(await open(sites[1], link))
    expect(answers).toEqual([SPENT, SPENT, HOME])
  })

  test.each(['readRecords', 'writeRecord'] as const)(
    'a link is sent and valid while %s fails',
    async (method) => {
      const fail = () => Promise.reject(new Error('The store is down.'))
      const site = mailSite(UNLIMITED, { methods: { [method]: fail } })
      const tab = browser(site.config)
      expect(locationOf(await submitAddress(tab))).toBe(SENT)
      expect(await open(site, site.mails[0]?.url ?? '')).toBe(HOME)
      expect(site.log.errors).toMatchObject([{ type: 'AdapterError' }])
    },
  )

  test('the store contains neither addresses nor tokens', async () => {
    const site = mailSite(UNLIMITED)
    await request(site)
    const written = site.calls.filter(({ method }) => method === 'writeRecord')
    expect(written).toHaveLength(1)
    expect(JSON.stringify(written)).not.toContain(site.mails[0]?.token)
    expect(JSON.stringify(written)).not.toContain(ADA)
  })

  test('without protection, all links stay valid and the store is not called', async () => {
    const site = mailSite({ protection: 'off' }, STORED)
    const links = [await request(site), await request(site), await request(site)]
    const answers = []
    for (const link of links) answers.push(await open(site, link))
    expect(answers).toEqual([HOME, HOME, HOME])
    expect(site.calls.filter(({ method }) => /records?$/i.test(method))).toEqual([])
  })
})
