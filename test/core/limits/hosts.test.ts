/** A client that can choose the host has new limits at each: the account and the mailbox have a ceiling at all of them. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ProtectionOptions, RateLimit } from '../../../src/core/config/protection-options.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, TYPED } from '../../config.ts'
import {
  ADA,
  click,
  enterCode,
  locationOf,
  mailSite,
  requestCode,
  requestLink,
  submitAddress,
  WRONG as WRONG_CODE,
  wrongCode,
} from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import { guess, outcome, site } from './site.ts'

afterEach(() => void vi.useRealTimers())

const DAY = 24 * 60 * 60
const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://${index}.app.test`)

/** How the configuration states which hosts are its own; a client can choose others. */
const OPEN: readonly [string, Partial<AuthConfig>][] = [
  ['trustHost', {}],
  ['a wildcard in trustedHosts', { trustHost: undefined, trustedHosts: ['*.app.test:*'] }],
  ['trustHost and other hosts in trustedHosts', { trustedHosts: ['app.test'] }],
]

const CLOSED: readonly [string, Partial<AuthConfig>][] = [
  ['origin', { origin: 'https://app.test' }],
  [
    'the host in trustedHosts',
    { trustHost: undefined, trustedHosts: ['0.app.test', '1.app.test:*', '*.app.test'] },
  ],
]

/** Guesses at each host from browsers without cookies. */
async function guessAt(config: AuthConfig, origins: readonly string[], times = 10) {
  for (const origin of origins)
    for (let count = 0; count < times; count++) await guess(browser(config, { origin }))
}

describe.each(OPEN)('with %s', (_name, options) => {
  test('the wrong passwords of an account are limited at all hosts together', async () => {
    stopClock()
    const limits = { 'password.hosts': { burst: 25, per: DAY } }
    const { config, calls } = site({ limits }, {}, options)
    await guessAt(config, hosts(4))
    expect(calls).toHaveLength(25)
    await pass(DAY)
    await guessAt(config, hosts(4))
    expect(calls).toHaveLength(50)
  })

  test('a mailbox receives 30 mails at all hosts, and then one in five minutes', async () => {
    stopClock()
    const { config, mails } = mailSite({ protection: {}, ...options })
    for (const origin of hosts(15))
      for (let count = 0; count < 3; count++) await submitAddress(browser(config, { origin }))
    expect(mails).toHaveLength(30)
    await pass(600)
    for (const origin of hosts(15)) await submitAddress(browser(config, { origin }))
    expect(mails).toHaveLength(32)
  })
})

test('an account has 1,000 wrong passwords at all hosts', async () => {
  stopClock()
  const { config, calls } = site()
  await guessAt(config, hosts(105))
  expect(calls).toHaveLength(1000)
})

test('an address has 500 wrong codes at all hosts', async () => {
  stopClock()
  const limits = { mail: 'off', 'code.user': 'off' } as const
  const { config, mails } = mailSite({ protection: { limits } }, { provider: { method: 'code' } })
  const answers: (string | null)[] = []
  for (const origin of hosts(11).flatMap((host) => Array<string>(10).fill(host))) {
    const tab = browser(config, { origin })
    const code = await requestCode(tab, { mails })
    for (let at = 1; at <= 5; at++)
      answers.push(locationOf(await enterCode(tab, wrongCode(code, at))))
  }
  const { search } = new URL(WRONG_CODE)
  expect(answers.filter((answer) => answer?.endsWith(search))).toHaveLength(500)
})

describe('the limits at all hosts', () => {
  const ATTEMPTS: ProtectionOptions['limits'] = {
    'password.hosts': { burst: 5, per: DAY },
    'password.known.hosts': { burst: 5, per: DAY },
  }

  /** Records what is charged. */
  function recorded() {
    const keys: string[] = []
    const take = (rates: readonly RateLimit[]) => {
      keys.push(...rates.map(({ key }) => key))
      return rates.map(() => ({ allowed: true, retryAfter: 0 }))
    }
    return { keys, store: { take, giveBack: () => undefined } }
  }

  test.each(CLOSED)('do not apply with %s', async (_name, options) => {
    const { keys, store } = recorded()
    const made = site({ limits: ATTEMPTS, store }, {}, options)
    await guessAt(made.config, hosts(2))
    expect(made.calls).toHaveLength(20)
    const mail = mailSite({ protection: { store }, ...options })
    await submitAddress(browser(mail.config, { origin: 'https://0.app.test' }))
    expect(keys.filter((key) => key.includes('.hosts:'))).toEqual([])
  })

  test('apply to other hosts than those in trustedHosts', async () => {
    const { config, calls } = site({ limits: ATTEMPTS }, {}, { trustedHosts: ['0.app.test'] })
    await guessAt(config, hosts(3))
    expect(calls).toHaveLength(15)
  })

  test('do not lock a known browser out, which has its own', async () => {
    stopClock()
    const { config, calls } = site({ limits: ATTEMPTS })
    const [origin = ''] = hosts(1)
    const owner = browser(config, { origin })
    expect(await outcome(await enter(owner))).toBeNull()
    await guessAt(config, hosts(3))
    expect(calls).toHaveLength(6)
    expect(await outcome(await enter(browser(config, { origin })))).toBe('TooManyAttempts')
    expect(await outcome(await enter(owner))).toBeNull()
  })

  test('can be exhausted at other hosts, and lock out new browsers at hosts that are not listed', async () => {
    stopClock()
    const { config } = site({}, {}, { trustedHosts: ['listed.test'] })
    const [origin = '', ...others] = hosts(101)
    const owner = browser(config, { origin })
    expect(await outcome(await enter(owner))).toBeNull()
    // Ten wrong passwords for the name at each of a hundred host names.
    await guessAt(config, others)
    const enterAt = async (host: string) => outcome(await enter(browser(config, { origin: host })))
    expect(await enterAt(origin)).toBe('TooManyAttempts')
    expect(await outcome(await enter(owner))).toBeNull()
    expect(await enterAt('https://listed.test')).toBeNull()
    // One password in 87 seconds keeps it exhausted.
    await pass(87)
    expect(await enterAt(origin)).toBeNull()
  })

  test('limit the known browsers of an account together', async () => {
    stopClock()
    const { config, calls } = site({ limits: ATTEMPTS })
    const tabs = hosts(3).map((origin) => browser(config, { origin }))
    for (const tab of tabs) expect(await outcome(await enter(tab))).toBeNull()
    calls.length = 0
    for (const tab of tabs) for (let count = 0; count < 4; count++) await guess(tab)
    expect(calls).toHaveLength(5)
  })

  test('limit the known browsers of a mailbox together', async () => {
    stopClock()
    const limits = { 'mail.known.hosts': { burst: 4, per: DAY } }
    const { config, mails } = mailSite({ protection: { limits } })
    const tabs = hosts(3).map((origin) => browser(config, { origin }))
    for (const tab of tabs) await click(tab, await requestLink(tab, { mails }))
    await pass(3600)
    mails.length = 0
    for (const tab of tabs) for (let count = 0; count < 3; count++) await submitAddress(tab, ADA)
    expect(mails).toHaveLength(4)
  })

  test('are separate for each account', async () => {
    const { config } = site({ limits: ATTEMPTS })
    await guessAt(config, hosts(2))
    const tab = browser(config, { origin: 'https://0.app.test' })
    expect(await outcome(await enter(tab, { ...TYPED, username: 'grace' }))).toBeNull()
  })

  test.each<[string, ProtectionOptions['limits'], number]>([
    ['ten times the rate by day', { 'password.day': { burst: 2, per: DAY } }, 20],
    ['none, if there is none by day', { 'password.day': 'off' }, 120],
    ['none, if it is off', { 'password.hosts': 'off' }, 120],
    ['none, if all limits of passwords are off', { password: 'off' }, 120],
  ])('have %s', async (_name, limits, expected) => {
    stopClock()
    const { config, calls } = site({ limits })
    await guessAt(config, hosts(12))
    expect(calls).toHaveLength(expected)
  })
})
