/** A store that is down, slow or wrong: a sign-in never fails because of it (acceptance D6). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { RateLimit, RateLimitStore } from '../../../src/core/config/protection-options.ts'
import { decide } from '../../../src/core/limits/gcra.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { processLimits } from '../../../src/core/limits/memory.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import { hang } from '../../database.ts'
import { pass, stopClock, until } from '../../sessions.ts'

afterEach(() => {
  vi.useRealTimers()
  Reflect.set(globalThis, Symbol.for('lib-auth.process.1'), undefined)
})

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

describe('an exhausted limit stays exhausted while the store fails', () => {
  /** A store of several processes, which fails or is late when it is told to. */
  function shared() {
    const state = { fault: 'none' as 'none' | 'down' | 'late' | 'wrong' }
    const own = (rates: readonly RateLimit[]) =>
      rates.map((rate) => ({ ...rate, key: `shared ${rate.key}` }))
    const store: RateLimitStore = {
      async take(rates, now) {
        if (state.fault === 'down') return down()
        if (state.fault === 'wrong') return []
        const decisions = processLimits.take(own(rates), now)
        if (state.fault === 'late') await new Promise((resolve) => void setTimeout(resolve, 250))
        return decisions
      },
      giveBack: (rates, now) => processLimits.giveBack(own(rates), now),
    }
    return { state, store }
  }

  const checked = async (config: AuthConfig, times: number, fields = WRONG) => {
    let count = 0
    for (let attempt = 0; attempt < times; attempt++) {
      const response = enter(browser(config), fields)
      const progress = { isDone: false }
      void response.then(() => (progress.isDone = true))
      while (!progress.isDone) await pass(0.05)
      const { headers } = await response
      const error = new URL(headers.get('location') ?? '').searchParams.get('error')
      if (error !== 'TooManyAttempts') count++
    }
    return count
  }

  describe.each(['down', 'late', 'wrong'] as const)('because it is %s', (fault) => {
    test.each([
      [0, 10],
      [4, 6],
      [9, 1],
      [10, 0],
      [15, 0],
    ])('after %i wrong passwords, %i more are checked', async (before, expected) => {
      stopClock()
      const { state, store } = shared()
      const { config } = siteWith(store)
      await checked(config, before)
      state.fault = fault
      expect(await checked(config, 20)).toBe(expected)
      // A store that was down does not contain the attempts of the outage.
      state.fault = 'none'
      expect(await checked(config, 20)).toBeLessThanOrEqual(expected)
    })

    test('a rejection because of guesses at other processes is kept', async () => {
      stopClock()
      const { state, store } = shared()
      const { config } = siteWith(store)
      await checked(config, 10)
      const memory = Symbol.for('lib-auth.process.1')
      const table: object = Reflect.get(Reflect.get(globalThis, memory), 'limits')
      for (const [key] of Reflect.get(table, 'positions'))
        if (key.startsWith('kept ')) Reflect.get(table, 'positions').delete(key)
      expect(await checked(config, 1)).toBe(0)
      state.fault = fault
      expect(await checked(config, 20)).toBe(0)
    })

    test('sign-ins that succeed are not counted', async () => {
      stopClock()
      const { state, store } = shared()
      const { config } = siteWith(store)
      for (const each of ['none', fault, 'none', fault] as const) {
        state.fault = each
        expect(await checked(config, 12, TYPED)).toBe(12)
      }
    })
  })

  test('a store that was reset during an outage decides again', async () => {
    stopClock()
    const state = { fault: 'none', tats: new Map<string, number>() }
    const store: RateLimitStore = {
      async take(rates, now) {
        if (state.fault === 'down') return down()
        const decisions = rates.map((rate) => decide(state.tats.get(rate.key) ?? 0, rate, now))
        if (decisions.every(({ allowed }) => allowed))
          for (const [index, { key }] of rates.entries())
            state.tats.set(key, decisions[index]?.tat ?? 0)
        return decisions
      },
      giveBack: () => undefined,
    }
    const { config } = siteWith(store)
    await checked(config, 10)
    state.fault = 'down'
    expect(await checked(config, 5)).toBe(0)
    Object.assign(state, { fault: 'none', tats: new Map() })
    expect(await checked(config, 20)).toBe(10)
  })
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
