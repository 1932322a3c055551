/** What every `RateLimitStore` has to do. Times are passed in, so no test waits. */
import { beforeEach, expect, test } from 'vitest'
import type { RateLimitStore } from '../../../src/core/config/protection-options.ts'

/** The start of a test: stores compare expiry with the real clock. */
let now = 0
const MINUTE = 60_000

let count = 0

/** A rate whose key no other test has. */
function rate(burst: number, per: number) {
  return { key: `limit:test:${process.pid}-${Date.now()}-${++count}`, burst, per }
}

/** Whether each of these attempts is allowed. */
async function attempts(store: RateLimitStore, each: ReturnType<typeof rate>, times: number[]) {
  const allowed: boolean[] = []
  for (const time of times) {
    const decisions = await store.take([each], time)
    allowed.push(decisions.length === 1 && decisions[0]?.allowed === true)
  }
  return allowed
}

const times = (number: number, time = now) => Array.from({ length: number }, () => time)

/** Registers the tests for a store. */
export function testRateLimitStore(open: () => Promise<RateLimitStore> | RateLimitStore): void {
  beforeEach(() => void (now = Date.now()))

  test('allows a burst, then nothing', async () => {
    const store = await open()
    expect(await attempts(store, rate(5, 900), times(7))).toEqual([
      ...times(5).map(() => true),
      false,
      false,
    ])
  })

  test('allows one more attempt after each interval', async () => {
    const store = await open()
    const each = rate(5, 900)
    await attempts(store, each, times(5))
    const later = now + 3 * MINUTE
    expect(await attempts(store, each, [later - 1, later, later, later + 3 * MINUTE])).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  test('allows the whole burst again after per', async () => {
    const store = await open()
    const each = rate(3, 10)
    await attempts(store, each, times(3))
    expect(await attempts(store, each, times(4, now + 10_000))).toEqual([true, true, true, false])
  })

  test('returns when to try again, rounded up to 5 seconds', async () => {
    const store = await open()
    const each = rate(5, 903)
    await attempts(store, each, times(5))
    expect(await store.take([each], now)).toMatchObject([{ allowed: false, retryAfter: 185 }])
    expect(await store.take([each], now + 180_000)).toMatchObject([{ retryAfter: 5 }])
  })

  test('counts the charges in use', async () => {
    const store = await open()
    const each = rate(5, 900)
    expect(await store.take([each], now)).toMatchObject([{ used: 1 }])
    await attempts(store, each, times(3))
    expect(await store.take([each], now + MINUTE)).toMatchObject([{ allowed: true, used: 5 }])
    expect(await store.take([each], now + MINUTE)).toMatchObject([{ allowed: false, used: 5 }])
  })

  test('charges nothing if one of several rates is exhausted', async () => {
    const store = await open()
    const [free, full] = [rate(2, 900), rate(1, 900)]
    await store.take([full], now)
    const rejected = await store.take([free, full], now)
    expect(rejected.map(({ allowed }) => allowed)).toEqual([true, false])
    expect(await attempts(store, free, times(3))).toEqual([true, true, false])
  })

  test('refunds one charge', async () => {
    const store = await open()
    const each = rate(2, 900)
    await attempts(store, each, times(2))
    await store.giveBack([each], now)
    expect(await attempts(store, each, times(2))).toEqual([true, false])
  })

  test('does not allow more than the burst after refunds', async () => {
    const store = await open()
    const each = rate(2, 900)
    await store.giveBack([each], now)
    await store.take([each], now)
    await store.giveBack([each], now)
    await store.giveBack([each], now)
    expect(await attempts(store, each, times(3))).toEqual([true, true, false])
  })

  test('never allows more than the burst in a race of 100', async () => {
    const store = await open()
    const each = rate(5, 900)
    const answers = await Promise.all(times(100).map(async () => store.take([each], now)))
    const allowed = answers.filter(([decision]) => decision?.allowed)
    expect(allowed.length).toBeGreaterThan(0)
    expect(allowed.length).toBeLessThanOrEqual(5)
  })

  test('blocks a key for at most per after the clock was set back', async () => {
    const store = await open()
    const each = rate(5, 900)
    await attempts(store, each, times(5, now + 24 * 60 * MINUTE))
    expect(await attempts(store, each, [now])).toEqual([false])
    const minutes = Array.from({ length: 16 }, (_, minute) => now + minute * MINUTE)
    expect(await attempts(store, each, minutes)).toContain(true)
  })

  test('keeps keys apart', async () => {
    const store = await open()
    const [one, other] = [rate(1, 900), rate(1, 900)]
    await store.take([one], now)
    expect(await attempts(store, other, [now])).toEqual([true])
  })
}
