/** An attacker cannot lock the owner of a mailbox out: a browser that has signed in with it has limits of its own. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import {
  ADA,
  click,
  confirm,
  enterCode,
  followLink,
  locationOf,
  mailSite,
  requestCode,
  requestLink,
  submitAddress,
  wrongCode,
  WRONG,
} from '../../email.ts'
import type { MailSite } from '../../email.ts'
import { SECRET } from '../../config.ts'
import { pass, stopClock } from '../../sessions.ts'

afterEach(() => void vi.useRealTimers())

const HOME = 'https://app.test'
const KNOWN = '__Host-lib.known'
type Method = 'code' | 'link'

const siteFor = (method: Method, protection: AuthConfig['protection'] = {}) =>
  mailSite({ protection }, { provider: { method } })

async function signInBy(method: Method, tab: Browser, site: MailSite, address = ADA) {
  if (method === 'code') await enterCode(tab, await requestCode(tab, site, address))
  else await followLink(tab, await requestLink(tab, site, address))
}

/** A browser that has signed in to the address, an hour ago. */
async function knownTo(site: MailSite, method: Method, address = ADA): Promise<Browser> {
  stopClock()
  const tab = browser(site.config)
  await signInBy(method, tab, site, address)
  await tab.post('signout')
  await pass(3600)
  return tab
}

/** How many of these requests sent a mail. */
async function countMails(tab: Browser, { mails }: MailSite, times: number): Promise<number> {
  const before = mails.length
  for (let count = 0; count < times; count++) await submitAddress(tab)
  return mails.length - before
}

describe.each(['code', 'link'] as const)('after a sign-in with a %s', (method) => {
  test('a known browser signs in while strangers request mails every five minutes', async () => {
    const site = siteFor(method)
    const owner = await knownTo(site, method)
    for (let at = 0; at < 12; at++) {
      for (let count = 0; count < 3; count++) await submitAddress(browser(site.config))
      await pass(300)
      await submitAddress(browser(site.config))
      expect(await countMails(browser(site.config), site, 1)).toBe(0)
    }
    await signInBy(method, owner, site)
    expect(await owner.session()).toMatchObject({ user: { email: ADA } })
  })

  test('a known browser receives three mails in 15 minutes, which strangers are not charged', async () => {
    const site = siteFor(method)
    const owner = await knownTo(site, method)
    expect(await countMails(owner, site, 6)).toBe(3)
    expect(await countMails(browser(site.config), site, 6)).toBe(3)
  })

  test('the known browsers of a mailbox receive six mails in 15 minutes together', async () => {
    const site = siteFor(method)
    const tabs = [
      await knownTo(site, method),
      await knownTo(site, method),
      await knownTo(site, method),
    ]
    const before = site.mails.length
    for (const tab of tabs) await countMails(tab, site, 6)
    expect(site.mails.length - before).toBe(6)
  })

  test('at most ten browsers become known for a mailbox in a day', async () => {
    const site = siteFor(method, { limits: { mail: 'off' } })
    const tabs = Array.from({ length: 12 }, () => browser(site.config))
    for (const tab of tabs) await signInBy(method, tab, site)
    expect(tabs.filter(({ cookies }) => cookies.get(KNOWN))).toHaveLength(10)
  })

  test('a browser stays known when the secret is rotated', async () => {
    const site = siteFor(method)
    const former = await knownTo(site, method)
    const rotated = { ...site.config, secret: [`new ${SECRET}`, SECRET] }
    expect(await countMails(browser(rotated), site, 4)).toBe(3)
    const owner = browser(rotated)
    owner.cookies.set(KNOWN, former.cookies.get(KNOWN)?.value ?? '')
    expect(await countMails(owner, site, 1)).toBe(1)
  })

  test('a browser is not known for another mailbox', async () => {
    const site = siteFor(method)
    const mallory = await knownTo(site, method, 'mallory@example.com')
    await countMails(browser(site.config), site, 3)
    expect(await countMails(mallory, site, 1)).toBe(0)
  })

  test('no browser is known with knownBrowsers: off', async () => {
    const site = siteFor(method, { knownBrowsers: 'off' })
    const owner = await knownTo(site, method)
    await countMails(browser(site.config), site, 3)
    expect(await countMails(owner, site, 1)).toBe(0)
    expect(owner.cookies.all().map(({ name }) => name)).not.toContain(KNOWN)
  })
})

test('a magic link makes another browser known that confirms it, and not one that only opens it', async () => {
  const site = siteFor('link')
  const [laptop, phone] = [browser(site.config), browser(site.config)]
  const page = await click(phone, await requestLink(laptop, site))
  const isKnown = (tab: Browser) => tab.cookies.all().some(({ name }) => name === KNOWN)
  expect([isKnown(laptop), isKnown(phone)]).toEqual([false, false])
  await confirm(phone, page)
  expect([isKnown(laptop), isKnown(phone)]).toEqual([false, true])
})

test('the mails of known browsers are limited by client address, too', async () => {
  const site = siteFor('link', { clientAddress: { header: 'x-client' } })
  const tab = browser(site.config, { headers: { 'x-client': '192.0.2.1' } })
  for (let count = 0; count < 20; count++) {
    const address = `mallory+${count % 4}@${count % 4}.example`
    await submitAddress(tab, address)
    const sent = site.mails.at(-1)
    if (sent && count < 4) await followLink(tab, sent.url)
  }
  expect(site.mails).toHaveLength(10)
})

test.each<[string, Exclude<AuthConfig['protection'], 'off'>, number]>([
  ['the rate of mail', { limits: { mail: { burst: 1, per: 60 } } }, 1],
  [
    'its own rate',
    { limits: { mail: { burst: 1, per: 60 }, 'mail.known': { burst: 5, per: 60 } } },
    5,
  ],
  ['no limit, if mail has none', { limits: { mail: 'off' } }, 8],
  ['no limit, if mail.known has none', { limits: { 'mail.known': 'off' } }, 8],
])('a known browser has %s', async (_name, protection, expected) => {
  const site = siteFor('link', protection)
  const owner = await knownTo(site, 'link')
  expect(await countMails(owner, site, 8)).toBe(expected)
})

describe('the codes of an address', () => {
  const UNLIMITED_MAILS: AuthConfig['protection'] = { limits: { mail: 'off' } }

  /** Enters wrong codes until one is not compared: the clock stands still, so the limit remains exhausted. */
  async function guess(tab: Browser, site: MailSite, times: number): Promise<(string | null)[]> {
    const code = await requestCode(tab, site)
    const answers: (string | null)[] = []
    while (answers.length < times && !answers.some((answer) => answer !== WRONG))
      answers.push(locationOf(await enterCode(tab, wrongCode(code, answers.length + 1))))
    return answers
  }

  test('can be entered in a known browser while strangers enter wrong ones', async () => {
    const site = siteFor('code', UNLIMITED_MAILS)
    const owner = await knownTo(site, 'code')
    for (let count = 0; count < 2; count++) await guess(browser(site.config), site, 5)
    const [limited] = await guess(browser(site.config), site, 1)
    expect(limited).toContain('error=TooManyAttempts')
    expect(locationOf(await enterCode(owner, await requestCode(owner, site)))).toBe(HOME)
  })

  test('can be guessed ten times in 15 minutes in a known browser', async () => {
    const site = siteFor('code', UNLIMITED_MAILS)
    const owner = await knownTo(site, 'code')
    for (let count = 0; count < 2; count++)
      expect(new Set(await guess(owner, site, 5))).toEqual(new Set([WRONG]))
    const [limited] = await guess(owner, site, 1)
    expect(limited).toContain('error=TooManyAttempts')
  })

  test('can be guessed 20 times in 15 minutes in all known browsers', async () => {
    const site = siteFor('code', UNLIMITED_MAILS)
    const tabs = [
      await knownTo(site, 'code'),
      await knownTo(site, 'code'),
      await knownTo(site, 'code'),
    ]
    const answers: (string | null)[] = []
    for (const tab of tabs)
      for (let count = 0; count < 2; count++) answers.push(...(await guess(tab, site, 5)))
    expect(answers.filter((answer) => answer === WRONG)).toHaveLength(20)
  })

  test.each(['unknown', 'known'])(
    'can be guessed at most 100 times on the first day, and 50 times on the second, in %s browsers',
    async (kind) => {
      const site = siteFor('code', UNLIMITED_MAILS)
      const tabs: Browser[] = []
      for (let count = 0; count < 10; count++)
        tabs.push(kind === 'known' ? await knownTo(site, 'code') : browser(site.config))
      stopClock()
      const compared: number[] = []
      for (let hour = 0; hour < 48; hour++) {
        for (const tab of tabs) {
          const wrong = (await guess(tab, site, 5)).filter((answer) => answer === WRONG)
          compared.push(...wrong.map(() => hour))
        }
        await pass(3600)
      }
      const day = compared.filter((hour) => hour < 24).length
      const second = compared.length - day
      expect(day).toBeLessThanOrEqual(100)
      expect(day).toBeGreaterThan(90)
      expect(second).toBeLessThanOrEqual(50)
      expect(second).toBeGreaterThan(40)
    },
  )
})

test('a code that an outage of the database rejected is not charged', async () => {
  const adapter = MemoryAdapter()
  let isDown = false
  const useVerificationToken: typeof adapter.useVerificationToken = (key) => {
    if (isDown) throw new Error('The database is down.')
    return adapter.useVerificationToken(key)
  }
  const provider = { method: 'code' } as const
  const options = { adapter, provider, methods: { useVerificationToken } }
  const site = mailSite({ protection: {} }, options)
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  isDown = true
  for (let count = 0; count < 12; count++)
    expect(locationOf(await enterCode(tab, code))).toContain('error=TemporarilyUnavailable')
  isDown = false
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})
