/** The cost of a session read: decryptions, encryptions, key derivations and requests. */
import nodeCrypto from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import { DAY, pass, readWith, SESSION, stopClock, cookieValue } from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Counts decryptions, encryptions, key derivations and requests. */
function countCalls() {
  const decrypted = vi.spyOn(nodeCrypto, 'createDecipheriv')
  const encrypted = vi.spyOn(nodeCrypto, 'createCipheriv')
  const derived = vi.spyOn(nodeCrypto, 'hkdfSync')
  const requested = vi.fn<typeof fetch>(async () => new Response())
  vi.stubGlobal('fetch', requested)
  return () => [decrypted, encrypted, derived, requested].map((each) => each.mock.calls.length)
}

test.each(['over the route', 'directly'])(
  'a session read %s decrypts a token once, encrypts none, derives no key and sends no request',
  async (how) => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const cookie = `other=1; ${SESSION}=${cookieValue(tab)}; more=2`
    const counts = countCalls()
    const read = () =>
      how === 'directly'
        ? readWith(cookie, config)
        : tab.request('session', { headers: { cookie } })
    await read()
    expect(counts()).toEqual([1, 0, 0, 0])
    await read()
    expect(counts()).toEqual([1, 0, 0, 0])
  },
)

test('a session that is due is encrypted once when it is read', async () => {
  const { config } = passwordConfig()
  const tab = browser(config)
  await enter(tab)
  await pass(2 * DAY)
  const counts = countCalls()
  await tab.request('session')
  expect(counts()).toEqual([1, 1, 0, 0])
})

test('a signed-out request costs no decryption', async () => {
  const { config } = passwordConfig()
  const counts = countCalls()
  await readWith('other=1; more=2', config)
  expect(counts()).toEqual([0, 0, 0, 0])
})
