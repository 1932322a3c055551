/** Limits on guessing e-mail codes, and the browser that a code makes known (acceptance D7). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import {
  ADA,
  enterCode,
  locationOf,
  mailProvider,
  mailSite,
  requestCode,
  submitAddress,
  wrongCode,
  WRONG,
} from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import { guess } from './site.ts'

afterEach(() => void vi.useRealTimers())

const HOME = 'https://app.test'
const LIMITED = `${HOME}/auth/signin?error=TooManyAttempts&retryAfter=90`

/** Mails without a limit, so that only codes are limited. */
function codeSite(protection: AuthConfig['protection'] = { limits: { mail: 'off' } }) {
  return mailSite({ protection }, { provider: { method: 'code' } })
}

/** Enters ten wrong codes for the address, five in each of two browsers. */
async function exhaust(site: ReturnType<typeof mailSite>): Promise<void> {
  for (let requested = 0; requested < 2; requested++) {
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (let at = 1; at <= 5; at++)
      expect(locationOf(await enterCode(tab, wrongCode(code, at)))).toBe(WRONG)
  }
}

describe('the codes of an address', () => {
  test('can be guessed ten times in 15 minutes, in all browsers', async () => {
    stopClock()
    const site = codeSite()
    await exhaust(site)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    const answers = [await enterCode(tab, wrongCode(code)), await enterCode(tab, code)]
    expect(answers.map(locationOf)).toEqual([LIMITED, LIMITED])
    expect(answers.map(({ headers }) => headers.get('set-cookie'))).toEqual([null, null])
    expect(await tab.session()).toBeNull()
  })

  test('are accepted again, within their lifetime, when the limit allows it', async () => {
    stopClock()
    const site = codeSite()
    await exhaust(site)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    await enterCode(tab, code)
    await pass(90)
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('of others are not limited', async () => {
    const site = codeSite()
    await exhaust(site)
    const tab = browser(site.config)
    const code = await requestCode(tab, site, 'grace@example.com')
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('are not charged if they are right', async () => {
    const site = codeSite()
    for (let signIn = 0; signIn < 12; signIn++) {
      const tab = browser(site.config)
      expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
    }
  })

  test('are not limited without protection', async () => {
    const site = codeSite('off')
    await exhaust(site)
    const tab = browser(site.config)
    expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
    expect(tab.cookies.all().map(({ name }) => name)).not.toContain('__Host-lib.known')
  })
})

test('text that is not a code is not charged', async () => {
  const site = codeSite()
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  for (let at = 0; at < 20; at++) await enterCode(tab, 'abc')
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

test('of 20 requests with the right code at the same time, one signs in', async () => {
  const site = codeSite()
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const csrfToken = await tab.csrfToken()
  const copies = Array.from({ length: 20 }, () => {
    const copy = browser(site.config)
    for (const { name, value } of tab.cookies.all()) copy.cookies.set(name, value)
    return copy
  })
  await Promise.all(copies.map((copy) => enterCode(copy, code, { csrfToken })))
  const sessions = await Promise.all(copies.map((copy) => copy.session()))
  expect(sessions.filter(Boolean)).toHaveLength(1)
})

describe('a browser that has signed in with a code', () => {
  /** A site with codes and passwords. */
  function bothSite(
    protection: AuthConfig['protection'],
    fields: Record<string, object> = { username: {}, password: {} },
  ) {
    const mails: ReturnType<typeof mailSite>['mails'] = []
    const password = Credentials({
      id: 'password',
      credentials: fields,
      authorize: ({ password: typed }) => (typed === 'right' ? { id: 'ada' } : null),
    })
    const providers = [mailProvider(mails, { method: 'code' }), password]
    const { config } = mailSite({ protection, providers, session: { strategy: 'jwt' } })
    return { config, mails }
  }

  test.each([
    [undefined, null],
    ['off' as const, 'TooManyAttempts'],
  ])('is known to the limits on passwords, knownBrowsers: %s', async (knownBrowsers, error) => {
    const site = bothSite({ ...(knownBrowsers && { knownBrowsers }) })
    const owner = browser(site.config)
    await enterCode(owner, await requestCode(owner, site))
    const attacker = browser(site.config)
    for (let at = 0; at < 12; at++) await guess(attacker, ADA)
    const answer = await owner.post('callback/password', { username: ADA, password: 'right' })
    expect(new URL(locationOf(answer) ?? '').searchParams.get('error')).toBe(error)
  })

  test.each([
    ['of a form with another field', { username: {}, customer: {}, password: {} }],
    ['of a form without declared fields', {}],
  ])('is not known for accounts %s', async (_name, fields) => {
    const site = bothSite({}, fields)
    const eve = browser(site.config)
    await enterCode(eve, await requestCode(eve, site, 'eve@example.com'))
    const answers: (string | null)[] = []
    for (let at = 0; at < 11; at++) {
      const form = { username: 'eve@example.com', customer: 'ada', password: `${at}` }
      const answer = await eve.post('callback/password', form)
      answers.push(new URL(locationOf(answer) ?? '').searchParams.get('error'))
    }
    const other = await browser(site.config).post('callback/password', {
      username: 'eve@example.com',
      password: 'right',
    })
    expect(answers.at(-1)).toBe('TooManyAttempts')
    // Its attempts were charged to all browsers.
    expect(locationOf(other)).toContain('error=TooManyAttempts')
  })

  // `authorize` may distinguish these from the address that the code has proved.
  test.each(['ada', 'ADA@example.com', 'ada+1@example.com'])(
    'is not known for another name than the address: %s',
    async (username) => {
      const site = bothSite({})
      const owner = browser(site.config)
      await enterCode(owner, await requestCode(owner, site))
      for (let at = 0; at < 12; at++) await guess(browser(site.config), username)
      const answer = await owner.post('callback/password', { username, password: 'right' })
      expect(locationOf(answer)).toContain('error=TooManyAttempts')
    },
  )

  test('is not known after a wrong code', async () => {
    const site = bothSite({})
    const tab = browser(site.config)
    await enterCode(tab, wrongCode(await requestCode(tab, site)))
    await submitAddress(tab)
    expect(tab.cookies.all().map(({ name }) => name)).not.toContain('__Host-lib.known')
  })
})
