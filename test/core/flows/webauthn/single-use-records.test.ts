/** With a store of records, a response can be used once in all processes. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Auth as handle } from '../../../../src/index.ts'
import MemoryAdapter from '../../../../src/adapters/memory.ts'
import { without } from '../../../database.ts'
import { stopClock } from '../../../sessions.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  finalRequest,
  isSessionCookie,
  isSignedIn,
  sessionsFrom,
  startProcesses,
} from './processes.ts'
import { EXPIRED, fieldsOf, requestOptions, target, withPasskey } from './site.ts'

afterEach(() => void vi.useRealTimers())

const withoutRecords = () => without(MemoryAdapter(), 'writeRecord')

describe('with records, the same response', () => {
  const passkey = createAuthenticator({ counter: 0 })

  /** A site, and the same response for several processes. */
  async function siteWith(options: Parameters<typeof withPasskey>[1]) {
    const { site } = await withPasskey(passkey, options)
    const request = await finalRequest(site.tab, passkey, { action: 'authenticate' })
    return { site, request }
  }

  test.each([
    ['of the adapter', () => ({ adapter: MemoryAdapter() })],
    ['of the store', () => ({ adapter: withoutRecords(), config: { store: MemoryAdapter() } })],
  ])('gives one JWT session in several processes (%s)', async (_name, options) => {
    const { adapter, config } = { config: {}, ...options() }
    const session = { strategy: 'jwt' } as const
    const { site, request } = await siteWith({ adapter, config: { ...config, session } })
    const processes = await startProcesses(site, 3)
    expect(await sessionsFrom(request, processes)).toHaveLength(1)
    expect(await sessionsFrom(request, processes)).toEqual([])
    const rejected = await processes[0]?.(request())
    expect(rejected && target(rejected)).toBe(EXPIRED)
  })

  test('gives no second session in another process after the user has signed out', async () => {
    const { site, request } = await siteWith({ adapter: MemoryAdapter() })
    const [first, second] = await startProcesses(site, 2)
    const response = await first?.(request())
    const [cookie = ''] = response?.headers.getSetCookie().filter(isSessionCookie) ?? []
    const token = decodeURIComponent(/=([^;]+)/.exec(cookie)?.[1] ?? '')
    await site.stored.deleteSession?.(token)
    expect(await sessionsFrom(request, second ? [second] : [])).toEqual([])
  })

  test('is recorded without anything about the user, until the challenge has expired', async () => {
    stopClock()
    const store = MemoryAdapter()
    const writeRecord = vi.fn(store.writeRecord)
    const { site, request } = await siteWith({ config: { store: { ...store, writeRecord } } })
    writeRecord.mockClear()
    await handle(request(), site.config)
    const [written, expected] = writeRecord.mock.calls[0] ?? []
    expect(expected).toBeNull()
    expect(written).toMatchObject({ key: expect.stringMatching(/^challenge:[\da-f]{64}$/) })
    expect(written).toMatchObject({ value: '', owner: null })
    const seconds = ((written?.expires.getTime() ?? 0) - Date.now()) / 1000
    expect(seconds).toBe(300 + 15 + 60)
  })

  test('is recorded only if the challenge belongs to the browser', async () => {
    const store = MemoryAdapter()
    const writeRecord = vi.fn(store.writeRecord)
    const { site } = await siteWith({ config: { store: { ...store, writeRecord } } })
    writeRecord.mockClear()
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const fields = fieldsOf('authenticate', passkey.get(options))
    expect(target(await site.open().post('callback/passkey', fields))).toBe(EXPIRED)
    expect(writeRecord).not.toHaveBeenCalled()
  })

  test('does not sign in during an outage of the store, but with a new challenge after it', async () => {
    const store = MemoryAdapter()
    let isDown = false
    const writeRecord: typeof store.writeRecord = (...args) => {
      if (isDown) throw new Error('The store is unavailable.')
      return store.writeRecord(...args)
    }
    const { site, request } = await siteWith({ config: { store: { ...store, writeRecord } } })
    isDown = true
    const failed = await handle(request(), site.config)
    expect(isSignedIn(failed)).toBe(false)
    expect(failed.headers.get('location')).toContain('TemporarilyUnavailable')
    isDown = false
    const retry = await finalRequest(site.tab, passkey, { action: 'authenticate' })
    expect(isSignedIn(await handle(retry(), site.config))).toBe(true)
  })
})
