/** Guessing passwords: by account, client address and known browser (acceptance D4; D1 and D2 are in attacks.test.ts). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CredentialsSignin } from '../../../src/errors.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, TYPED } from '../../config.ts'
import { pass, stopClock } from '../../sessions.ts'
import { BY_HEADER, guess, outcome, site, WRONG } from './site.ts'
import type { Site } from './site.ts'

afterEach(() => void vi.useRealTimers())

const KNOWN = '__Host-lib.known'
const MINUTES = 60

describe('one account from one address', () => {
  test('a known browser signs in meanwhile, and an unknown one does not', async () => {
    const { from } = site()
    const owner = from('198.51.100.1')
    await enter(owner)
    await owner.post('signout')
    const attacker = from('192.0.2.1')
    for (let index = 0; index < 60; index++)
      await guess(index < 10 ? attacker : from(`192.0.2.${index}`))
    expect(await outcome(await enter(from('203.0.113.1')))).toBe('TooManyAttempts')
    expect(await outcome(await enter(owner))).toBeNull()
  })

  test('a known browser has ten attempts of its own', async () => {
    const { calls, from } = site()
    const owner = from('198.51.100.1')
    await enter(owner)
    calls.length = 0
    for (let attempt = 0; attempt < 20; attempt++) await guess(owner, TYPED.username)
    expect(calls).toHaveLength(10)
  })

  test('a browser is known only for its own accounts', async () => {
    const { calls, from } = site()
    const mallory = from('192.0.2.1')
    await enter(mallory, { ...TYPED, username: 'mallory' })
    calls.length = 0
    for (let attempt = 0; attempt < 20; attempt++) await guess(mallory)
    expect(calls).toHaveLength(5)
  })

  test('a browser is known only at the provider where it has signed in', async () => {
    const { calls, config, from } = site()
    const [staff] = config.providers ?? []
    const members = { ...Object(staff), id: 'members', authorize: () => ({ id: 'member' }) }
    Object.assign(config, { providers: [staff, members] })
    for (let index = 0; index < 10; index++) {
      const mallory = from('192.0.2.1')
      await mallory.post('callback/members', WRONG)
      await guess(mallory, TYPED.username)
    }
    expect(calls).toHaveLength(5)
  })

  test('the cookie of a known browser is renewed after a day, and for another account', async () => {
    stopClock()
    const { from } = site()
    const owner = from('198.51.100.1')
    const isRenewed = async (username: string = TYPED.username) => {
      const response = await enter(owner, { ...TYPED, username })
      return response.headers.getSetCookie().some((each) => each.startsWith(`${KNOWN}=`))
    }
    expect(await isRenewed()).toBe(true)
    await pass(23 * 60 * MINUTES)
    expect(await isRenewed()).toBe(false)
    await pass(60 * MINUTES)
    expect(await isRenewed()).toBe(true)
    expect(await isRenewed('grace')).toBe(true)
  })

  test('a success is not charged', async () => {
    const { from } = site()
    const tab = from('192.0.2.1')
    for (let attempt = 0; attempt < 30; attempt++)
      expect(await outcome(await enter(from('192.0.2.1')))).toBeNull()
    expect(await guess(tab)).toBe('CredentialsSignin')
  })

  test('an attempt whose authorize throws stays charged', async () => {
    const { from } = site(BY_HEADER, {
      authorize: () => {
        throw new CredentialsSignin('No.')
      },
    })
    const tab = from('192.0.2.1')
    const seen: (string | null)[] = []
    for (let attempt = 0; attempt < 6; attempt++) seen.push(await guess(tab))
    expect(seen).toEqual([
      ...Array.from({ length: 5 }, () => 'CredentialsSignin'),
      'TooManyAttempts',
    ])
  })
})

describe('the known browsers of an account', () => {
  /** Sign-ins in browsers of their own, each from an address of its own; returns those that became known. */
  async function collect({ from }: Pick<Site, 'from'>, count: number, username = TYPED.username) {
    const tabs = Array.from({ length: count }, (_, index) => from(`10.2.${count}.${index}`))
    for (const tab of tabs)
      expect(await outcome(await enter(tab, { ...TYPED, username }))).toBeNull()
    return tabs.filter(({ cookies }) => cookies.get(KNOWN))
  }

  test('grow by at most ten a day, for all spellings of its name, and further browsers sign in without becoming known', async () => {
    stopClock()
    const made = site(BY_HEADER, { authorize: ({ username }) => ({ id: String(username) }) })
    const [owner] = await collect(made, 1)
    expect(await collect(made, 5, 'ADA')).toHaveLength(5)
    expect(await collect(made, 12)).toHaveLength(4)
    expect(await collect(made, 3, 'grace')).toHaveLength(3)
    await pass(24 * 60 * MINUTES)
    const renewed = owner && (await enter(owner))
    expect(renewed?.headers.getSetCookie().join()).toContain(`${KNOWN}=`)
    expect(await collect(made, 12)).toHaveLength(10)
  })

  test('have 30 attempts in 15 minutes together', async () => {
    const made = site()
    const tabs = await collect(made, 10)
    made.calls.length = 0
    for (const tab of tabs)
      for (let count = 0; count < 10; count++) await guess(tab, TYPED.username)
    expect(made.calls).toHaveLength(30)
  })

  test('have at most 200 attempts on the first day, and 100 on the second, together', async () => {
    stopClock()
    const made = site()
    const tabs = await collect(made, 10)
    made.calls.length = 0
    const counts: number[] = []
    // More often than one of the attempts becomes possible again.
    for (let minute = 0; minute <= 48 * 60; minute += 15) {
      if (minute === 24 * 60 || minute === 48 * 60) counts.push(made.calls.length)
      for (const tab of tabs) await guess(tab, TYPED.username)
      await pass(15 * MINUTES)
    }
    const [day = 0, second = 0] = counts
    expect(day).toBeLessThanOrEqual(200)
    expect(second - day).toBeLessThanOrEqual(100)
    expect(second).toBeGreaterThan(250)
  })

  test('have 60 attempts in 15 minutes at one client address, for all accounts', async () => {
    stopClock()
    const { calls, config } = site()
    const headers = { 'x-client': '192.0.2.1' }
    const users = Array.from({ length: 10 }, (_, index) => `user-${index}`)
    const tabs = users.map(() => browser(config, { headers }))
    for (const [index, tab] of tabs.entries())
      await enter(tab, { ...TYPED, username: users[index] ?? '' })
    calls.length = 0
    for (const [index, tab] of tabs.entries())
      for (let count = 0; count < 10; count++) await guess(tab, users[index])
    expect(calls).toHaveLength(60)
  })
})

describe('variants are the same', () => {
  test.each([
    ['a /64', (index: number) => `2001:db8:1:2::${index.toString(16)}`],
    ['an IPv4 address in IPv6', (index: number) => (index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')],
    ['a forged list', (index: number) => `10.0.0.${index}, 192.0.2.1`],
  ])('client address: %s', async (_name, address) => {
    const { calls, from } = site()
    for (let index = 0; index < 12; index++) await guess(from(address(index)))
    expect(calls).toHaveLength(5)
  })

  test('account: fields that the form does not have', async () => {
    const { calls, from } = site()
    for (let index = 0; index < 12; index++)
      await enter(from('192.0.2.1'), { ...WRONG, email: `${index}@example.com` })
    expect(calls).toHaveLength(5)
  })
})

test('without a client address, an account has ten attempts in 15 minutes', async () => {
  const { calls, from } = site({})
  for (let index = 0; index < 30; index++) await guess(from(`192.0.2.${index}`))
  expect(calls).toHaveLength(10)
})
