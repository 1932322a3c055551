import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import {
  ADA,
  submitAddress,
  withParameters,
  click,
  confirm,
  followLink,
  linkIn,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  SPENT,
  writes,
} from '../email.ts'

const BOB = 'bob@example.com'

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
