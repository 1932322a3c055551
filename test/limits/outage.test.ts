/** A store that is down, slow or wrong: a sign-in never fails because of it (acceptance D6). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { RateLimitStore } from '../../src/config/protection-options.ts'
import { processLimits } from '../../src/limits/memory.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import { hang } from '../database.ts'
import { pass, stopClock, until } from '../sessions.ts'

afterEach(() => void vi.useRealTimers())

function siteWith(store: RateLimitStore) {
  const { config, log } = passwordConfig({ protection: { store } })
  return { config, tab: browser(config), log }
}

const down = () => Promise.reject(new Error('The store is down.'))
const WRONG = { ...TYPED, password: 'wrong' }

const STORES: [string, RateLimitStore][] = [
  [
    'throws',
    {
      take: () => {
        throw new Error('No.')
      },
      giveBack: down,
    },
  ],
  ['rejects', { take: down, giveBack: down }],
  ['returns nothing', { take: () => [], giveBack: down }],
  [
    'returns nonsense',
    { take: (rates) => rates.map(() => ({ allowed: true, retryAfter: NaN })), giveBack: down },
  ],
]

describe.each(STORES)('a store that %s', (_name, store) => {
  test('is replaced by the memory of the process', async () => {
    const { tab, log } = siteWith(store)
    const answers: (string | null)[] = []
    for (let attempt = 0; attempt < 12; attempt++) {
      const { headers } = await enter(tab, WRONG)
      answers.push(new URL(headers.get('location') ?? '').searchParams.get('error'))
    }
    expect(answers.filter((error) => error === 'CredentialsSignin')).toHaveLength(10)
    expect(answers.slice(10)).toEqual(['TooManyAttempts', 'TooManyAttempts'])
    expect(log.lines.map(([, code]) => code)).toEqual(['limit-store-unavailable'])
  })
})

test('a store that charges too late does not keep the charge of a success', async () => {
  stopClock()
  let delay = 0.25
  let taken = 0
  const { config, tab } = siteWith({
    async take(rates, now) {
      taken++
      const kept = rates.map((rate) => ({ ...rate, key: `late ${rate.key}` }))
      const decisions = processLimits.take(kept, now)
      if (delay > 0) await new Promise((resolve) => void setTimeout(resolve, delay * 1000))
      return decisions
    },
    giveBack(rates, now) {
      const kept = rates.map((rate) => ({ ...rate, key: `late ${rate.key}` }))
      processLimits.giveBack(kept, now)
    },
  })
  for (let attempt = 0; attempt < 12; attempt++) {
    const response = enter(browser(config))
    await until(() => taken > attempt)
    await pass(delay)
    await response
  }
  delay = 0
  await enter(tab)
  expect(await tab.session()).not.toBeNull()
})

describe('a store that does not respond', () => {
  test('delays a sign-in by 200 ms', async () => {
    stopClock()
    const take = vi.fn(hang)
    const { tab } = siteWith({ take, giveBack: hang })
    await tab.request('csrf')
    const response = enter(tab)
    let isDone = false
    void response.then(() => (isDone = true))
    await until(() => take.mock.calls.length > 0)
    await pass(0.199)
    expect(isDone).toBe(false)
    await pass(0.001)
    await response
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test('is reported once a minute', async () => {
    stopClock()
    const take = vi.fn(hang)
    const { tab, log } = siteWith({ take, giveBack: hang })
    for (let attempt = 0; attempt < 4; attempt++) {
      const response = enter(tab, WRONG)
      await until(() => take.mock.calls.length > attempt)
      await pass(25)
      await response
    }
    expect(log.lines).toHaveLength(2)
  })
})

// The developer sees which table is missing, and that limits are not shared until it exists.
test('the warning contains the error of the database', async () => {
  const adapter = {
    ...MemoryAdapter(),
    readRecords: () => Promise.reject(new Error('The table "records" is missing. Run: migrate.')),
  }
  const { config, log } = passwordConfig({ adapter, session: { strategy: 'jwt' } })
  await enter(browser(config))
  const warning = String(log.lines.find(([, code]) => code === 'limit-store-unavailable'))
  expect(warning).toContain('readRecords failed. The table "records" is missing. Run: migrate.')
  expect(warning).toContain('each process counts attempts for itself')
})

test('a refund that fails does not fail the sign-in', async () => {
  const { tab, log } = siteWith({
    take: (rates) => rates.map(() => ({ allowed: true, retryAfter: 0 })),
    giveBack: down,
  })
  await enter(tab)
  expect(await tab.session()).not.toBeNull()
  expect(log.lines.map(([, code]) => code)).toEqual(['limit-store-unavailable'])
})
