/** While a store is called, the memory of the process is charged: it bounds the calls, and decides if none returns. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RateLimitStore } from '../../../src/core/config/protection-options.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { decide, refund } from '../../../src/core/limits/gcra.ts'
import { enter, TYPED } from '../../config.ts'
import { stopDate } from '../../oauth.ts'
import { pass, stopClock } from '../../sessions.ts'
import { BY_HEADER, guess, outcome, site, WRONG } from './site.ts'
import { overRecords } from './over-records.ts'

afterEach(() => void vi.useRealTimers())

/** A store of its own that answers after `delay` milliseconds, and counts its calls. */
function slowStore(delay: { milliseconds: number }) {
  const tats = new Map<string, number>()
  const takes: (readonly string[])[] = []
  const wait = () => new Promise((resolve) => void setTimeout(resolve, delay.milliseconds))
  const store: RateLimitStore = {
    async take(rates, now) {
      takes.push(rates.map(({ key }) => key))
      const decisions = rates.map((rate) => decide(tats.get(rate.key) ?? 0, rate, now))
      if (decisions.every(({ allowed }) => allowed))
        rates.forEach(({ key }, index) => tats.set(key, decisions[index]?.tat ?? 0))
      await wait()
      return decisions
    },
    async giveBack(rates, now) {
      for (const rate of rates) tats.set(rate.key, refund(tats.get(rate.key) ?? 0, rate, now))
      await wait()
    },
  }
  return { store, takes, tats }
}

function siteWith(milliseconds: number) {
  const delay = { milliseconds }
  const opened = slowStore(delay)
  return { ...opened, ...site({ ...BY_HEADER, store: opened.store }), delay }
}

describe('200 parallel guesses', () => {
  test('call the store five times', async () => {
    const { calls, from, takes } = siteWith(50)
    const tab = from('192.0.2.1')
    await tab.request('csrf')
    await Promise.all(Array.from({ length: 200 }, () => enter(tab, WRONG)))
    expect([takes.length, calls.length]).toEqual([5, 5])
  })

  test('do not prevent a sign-in in a known browser, or to another account', async () => {
    const { from } = siteWith(50)
    const [owner, attacker] = [from('198.51.100.1'), from('192.0.2.1')]
    await enter(owner)
    await attacker.request('csrf')
    const guesses = Array.from({ length: 200 }, () => enter(attacker, WRONG))
    const other = enter(from('203.0.113.1'), { ...TYPED, username: 'bob' })
    expect(await outcome(await enter(owner))).toBeNull()
    expect(await outcome(await other)).toBeNull()
    await Promise.all(guesses)
  })

  test('that are rejected have to wait for one interval', async () => {
    stopDate()
    const { from } = siteWith(50)
    const tab = from('192.0.2.1')
    const { csrfToken } = await (await tab.request('csrf')).json()
    const guesses = Array.from({ length: 6 }, () =>
      tab.request('callback/password', {
        method: 'POST',
        headers: { accept: 'application/json' },
        json: { ...WRONG, csrfToken },
      }),
    )
    const responses = await Promise.all(guesses)
    const limited = responses.filter(({ status }) => status === 429)
    expect(limited.map((response) => response.headers.get('retry-after'))).toEqual(['180'])
  })
})

test('an answer of the store ends the charge of the memory', async () => {
  const { calls, from, tats } = siteWith(0)
  for (let attempt = 0; attempt < 40; attempt++) {
    tats.clear()
    await guess(from('192.0.2.1'))
  }
  expect(calls).toHaveLength(40)
})

test('a store that answers too late still counts a failure, and not a success', async () => {
  stopClock()
  const { calls, delay, from } = siteWith(250)
  const submit = async (fields: Record<string, string>) => {
    const response = enter(from('192.0.2.1'), fields)
    const state = { isDone: false }
    void response.then(() => (state.isDone = true))
    while (!state.isDone) await pass(0.05)
    return outcome(await response)
  }
  for (let attempt = 0; attempt < 4; attempt++) expect(await submit(TYPED)).toBeNull()
  for (let attempt = 0; attempt < 3; attempt++)
    expect(await submit(WRONG)).toBe('CredentialsSignin')
  // Another process, whose memory is empty, finds three charges.
  Reflect.set(globalThis, Symbol.for('lib-auth.process.1'), undefined)
  delay.milliseconds = 0
  calls.length = 0
  for (let attempt = 0; attempt < 10; attempt++) await submit(WRONG)
  expect(calls).toHaveLength(2)
})

test('an attempt without a client address does not shorten the limit of those with one', async () => {
  const { calls, from } = site()
  for (let index = 0; index < 40; index++) await guess(from(`192.0.2.${index}`))
  expect(calls).toHaveLength(30)
  for (let index = 0; index < 20; index++) await guess(from('unknown'))
  calls.length = 0
  for (let index = 0; index < 40; index++) await guess(from(`198.51.100.${index}`))
  expect(calls).toEqual([])
})

describe('in records', () => {
  const rate = { key: 'limit:test:batch', burst: 30, per: 900 }

  test('parallel attempts of one process are written together', async () => {
    const adapter = MemoryAdapter()
    const write = vi.spyOn(adapter, 'writeRecord')
    const store = await overRecords(adapter)
    const now = Date.now()
    const answers = await Promise.all(Array.from({ length: 30 }, () => store.take([rate], now)))
    expect(answers.every(([decision]) => decision?.allowed)).toBe(true)
    expect(answers.map(([decision]) => decision?.used)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    expect(write.mock.calls.length).toBeLessThanOrEqual(2)
    expect(await store.take([rate], now)).toMatchObject([{ allowed: false }])
  })

  test('a write that never ends delays the next one by a second', async () => {
    stopClock()
    const adapter = MemoryAdapter()
    const write = vi.spyOn(adapter, 'writeRecord')
    write.mockImplementationOnce(() => new Promise(() => undefined))
    const store = await overRecords(adapter)
    void store.take([rate], Date.now())
    await pass(0)
    const next = store.take([rate], Date.now())
    await pass(1)
    expect(await next).toMatchObject([{ allowed: true, used: 1 }])
  })

  test('a write that is cancelled, and a request that waits for it, do not delay later ones', async () => {
    stopClock()
    const adapter = MemoryAdapter()
    const write = vi.spyOn(adapter, 'writeRecord')
    write.mockImplementationOnce(() => new Promise(() => undefined))
    const store = await overRecords(adapter)
    void store.take([rate], Date.now())
    await pass(0)
    void store.take([rate], Date.now())
    await pass(0)
    // As on Workers, whose timers end with the request that set them.
    vi.clearAllTimers()
    await pass(1)
    const later = store.take([rate], Date.now())
    await pass(0)
    const pending = new Promise((resolve) => setImmediate(resolve, 'pending'))
    expect(await Promise.race([later, pending])).toMatchObject([{ allowed: true }])
  })
})
