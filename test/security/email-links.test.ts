import { describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { Adapter, VerificationToken } from '../../src/adapters/index.ts'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  withParameters,
  click,
  confirm,
  countOf,
  followLink,
  locationOf,
  mailSite,
  requestLink,
  SPENT,
  STRATEGIES,
} from '../email.ts'
import type { MailSite } from '../email.ts'
import { SESSION } from '../sessions.ts'

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
