/** What guesses achieve with a store, by a clock that the tests set (acceptance D1 and D2). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { TIMEOUTS } from '../../../src/core/async/timeout.ts'
import { enter, TYPED } from '../../config.ts'
import { BY_HEADER, guess, outcome, site, WRONG } from './site.ts'

const MINUTE = 60_000
const { limit } = TIMEOUTS

let count = 0

/** Registers the tests for a store. */
export function testAttacks(open: () => AuthConfig['store']): void {
  // On a busy machine, the store may be late, and the memory of the process would count.
  beforeAll(() => void Object.assign(TIMEOUTS, { limit: 60_000 }))
  afterAll(() => void Object.assign(TIMEOUTS, { limit }))
  // Without timers, which the clients of databases use.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  /** A site, and names and addresses that no other test has. */
  function newSite() {
    const opened = site(BY_HEADER, {}, { store: open() })
    const number = ++count
    const network = `2001:db8:${number.toString(16)}`
    const from = (index: number) => opened.from(`${network}:${index.toString(16)}::1`)
    return { ...opened, from, name: (user: string | number) => `${user}-${number}` }
  }

  const signIn = async (tab: Browser, username: string) =>
    outcome(await enter(tab, { ...TYPED, username }))

  const pass = (time: number) => void vi.setSystemTime(Date.now() + time)

  describe('one account from one address', () => {
    test.each(['in a row', 'in parallel'])(
      '200 wrong passwords %s run authorize at most five times, and its owner signs in',
      async (how) => {
        const { calls, from, name } = newSite()
        const [owner, attacker] = [from(1), from(2)]
        await signIn(owner, name('ada'))
        await attacker.request('csrf')
        calls.length = 0
        const wrong = { ...WRONG, username: name('ada') }
        const guesses: unknown[] = []
        for (let index = 0; index < 200; index++) {
          const response = enter(attacker, wrong)
          guesses.push(how === 'in a row' ? await response : response)
        }
        expect(await signIn(owner, name('ada'))).toBeNull()
        await Promise.all(guesses)
        expect(
          calls.filter((typed) => Object(typed).password === WRONG.password).length,
        ).toBeGreaterThan(0)
        expect(calls.length - 1).toBeLessThanOrEqual(5)
      },
    )
  })

  describe('one account from 1,000 addresses', () => {
    test('has at most 60 attempts in the first hour, 200 on the first day, and 100 on the second', async () => {
      const { calls, from, name } = newSite()
      const tabs = Array.from({ length: 1000 }, (_, index) => from(index))
      await Promise.all(tabs.map((tab) => guess(tab, name('ada'))))
      expect(calls.length).toBeGreaterThan(0)
      expect(calls.length).toBeLessThanOrEqual(30)
      const counts: number[] = []
      for (let minute = 0; minute <= 48 * 60;) {
        if (minute === 60 || minute === 24 * 60 || minute === 48 * 60) counts.push(calls.length)
        const tab = tabs[minute % tabs.length]
        if (tab) await guess(tab, name('ada'))
        const step = minute < 60 ? 2 : 6
        minute += step
        pass(step * MINUTE)
      }
      const [hour = 0, day = 0, second = 0] = counts
      expect(hour).toBeLessThanOrEqual(60)
      expect(day).toBeLessThanOrEqual(200)
      expect(second - day).toBeLessThanOrEqual(100)
      // The limits delay; they do not block the account.
      expect(second).toBeGreaterThan(250)
    })
  })

  describe('one address', () => {
    test('has at most 40 attempts for 1,000 accounts in 15 minutes, and 20 in each after', async () => {
      const { calls, from, name } = newSite()
      const tab = from(1)
      await tab.request('csrf')
      const accounts = Array.from({ length: 1000 }, (_, index) => name(index))
      await Promise.all(accounts.map((account) => guess(tab, account)))
      const counts: number[] = []
      for (let index = 1; index <= 180; index++) {
        pass(15_000)
        if (index % 60 === 0) counts.push(calls.length)
        await guess(tab, name(`later-${index}`))
      }
      const [first = 0, second = 0, third = 0] = counts
      expect(first).toBeGreaterThan(20)
      expect(first).toBeLessThanOrEqual(40)
      expect(second - first).toBeLessThanOrEqual(20)
      expect(third - second).toBeLessThanOrEqual(20)
    })

    test('signs in 40 users within a minute, 20 at the same moment', async () => {
      const { from, name } = newSite()
      const outcomes: (string | null)[] = []
      for (let group = 0; group < 2; group++) {
        const users = Array.from({ length: 20 }, (_, index) => name(`${group}-${index}`))
        outcomes.push(...(await Promise.all(users.map((user) => signIn(from(1), user)))))
        pass(30_000)
      }
      expect(outcomes).toEqual(Array.from({ length: 40 }, () => null))
    })
  })
}
