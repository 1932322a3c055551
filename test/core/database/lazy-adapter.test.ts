/** An adapter that is loaded on first use. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { MissingAdapterMethods, SessionUnavailable } from '../../../src/errors.ts'
import { getSession } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Awaitable } from '../../../src/core/types.ts'
import { configFor } from '../../config.ts'
import { errorTypes, without } from '../../database.ts'
import { readWith, SESSION, until } from '../../sessions.ts'

afterEach(() => void vi.useRealTimers())

const op = await issuer({ algorithm: 'ES256' })

/** A site whose adapter is loaded by `load`. */
function site(load: () => Awaitable<Adapter>, more: Pick<AuthConfig, 'session'> = {}) {
  const adapter = vi.fn(load)
  const { config, log } = configFor(op, { adapter, ...more })
  return { adapter, config, log, tab: browser(config, { issuer: op }) }
}

describe('an adapter that is loaded on first use', () => {
  test('stores sessions like an adapter object', async () => {
    const stored = MemoryAdapter()
    const { adapter, tab, log } = site(async () => stored)
    await tab.signIn('op')
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    const user = await stored.getUserByEmail?.('ada@example.com')
    expect(await stored.listSessions?.(user?.id ?? '')).toHaveLength(1)
    await tab.post('signout')
    expect(await stored.listSessions?.(user?.id ?? '')).toEqual([])
    expect(adapter).toHaveBeenCalledTimes(1)
    expect(errorTypes(log)).toEqual([])
  })

  test('is loaded once for concurrent requests', async () => {
    const stored = MemoryAdapter()
    const { adapter, config } = site(async () => stored)
    const reads = Array.from({ length: 20 }, () => readWith(`${SESSION}=unknown`, config))
    const sessions = (await Promise.all(reads)).map(({ session }) => session)
    expect(sessions).toEqual(Array(20).fill(null))
    expect(adapter).toHaveBeenCalledTimes(1)
  })

  test('is not loaded for a request without a session cookie', async () => {
    const { adapter, config } = site(async () => MemoryAdapter())
    const headers = new Headers({ host: 'app.test', 'x-forwarded-proto': 'https' })
    expect((await getSession(headers, config)).session).toBeNull()
    expect(adapter).not.toHaveBeenCalled()
  })

  test('is not loaded to read a JWT session', async () => {
    const load = vi.fn(async () => MemoryAdapter())
    const { tab, config } = site(load, { session: { strategy: 'jwt' } })
    await tab.signIn('op')
    expect(load).toHaveBeenCalledTimes(1)
    const { adapter, ...rest } = config
    const elsewhere = vi.fn(async () => MemoryAdapter())
    const cookie = tab.cookies.get(SESSION)?.value ?? ''
    const { session } = await readWith(`${SESSION}=${cookie}`, { ...rest, adapter: elsewhere })
    expect(session).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(adapter).toBeDefined()
    expect(elsewhere).not.toHaveBeenCalled()
  })

  test('is not loaded to read a JWT session that can be revoked, if the records have their own store', async () => {
    const records = MemoryAdapter()
    const session = { strategy: 'jwt', revocation: {}, assurance: 'kept' } as const
    const { tab, config } = site(() => MemoryAdapter(), { session })
    const providers = [...(config.providers ?? []), Password()]
    Object.assign(config, { store: records, providers })
    await tab.signIn('op')
    const elsewhere = vi.fn(() => Promise.reject(new Error('There is no database on the edge.')))
    const copy = { ...config, adapter: elsewhere, secondStep: {}, account: {} }
    const cookie = `${SESSION}=${tab.cookies.get(SESSION)?.value ?? ''}`
    expect(await readWith(cookie, copy)).toMatchObject({
      session: { user: { name: 'Ada Lovelace' } },
    })
    await tab.post('signout')
    expect((await readWith(cookie, copy)).session).toBeNull()
    expect(elsewhere).not.toHaveBeenCalled()
    await expect(readWith(cookie, { ...copy, store: undefined })).rejects.toThrow(
      SessionUnavailable,
    )
  })

  test('creates users with and without transactions', async () => {
    for (const stored of [MemoryAdapter(), without(MemoryAdapter(), 'transaction')]) {
      const { tab } = site(() => stored)
      await tab.signIn('op')
      expect(await tab.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    }
  })
})

describe('an adapter that cannot be loaded', () => {
  test.each<[string, AuthConfig['session']]>([
    ['database', { strategy: 'database' }],
    ['jwt that can be revoked', { strategy: 'jwt', revocation: {} }],
  ])('ends no session of %s, and is loaded again by the next request', async (_name, session) => {
    const stored = MemoryAdapter()
    let isDown = false
    const { tab, config, log } = site(async () => stored, { session })
    await tab.signIn('op')
    const cookie = `${SESSION}=${tab.cookies.get(SESSION)?.value ?? ''}`
    const restarted = {
      ...config,
      adapter: async () => {
        if (isDown) throw new Error('The pool could not connect.')
        return stored
      },
    }
    isDown = true
    await expect(readWith(cookie, restarted)).rejects.toBeInstanceOf(SessionUnavailable)
    expect(errorTypes(log)).toEqual(['SessionUnavailable'])
    isDown = false
    expect((await readWith(cookie, restarted)).session).toMatchObject({
      user: { name: 'Ada Lovelace' },
    })
  })

  test('times out after five seconds, and is loaded again afterwards', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
    let tries = 0
    const { config } = site(() => {
      tries += 1
      return tries === 1 ? new Promise<Adapter>(() => undefined) : MemoryAdapter()
    })
    const failed = expect(readWith(`${SESSION}=x`, config)).rejects.toBeInstanceOf(
      SessionUnavailable,
    )
    await until(() => tries === 1)
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
    expect((await readWith(`${SESSION}=x`, config)).session).toBeNull()
    expect(tries).toBe(2)
  })

  test('is reported with its missing methods, and loaded again', async () => {
    let stored = without(MemoryAdapter(), 'getSessionAndUser', 'linkAccount')
    const { config, log } = site(async () => stored)
    const read = readWith(`${SESSION}=x`, config)
    await expect(read).rejects.toBeInstanceOf(MissingAdapterMethods)
    await expect(read).rejects.toThrow('The adapter lacks linkAccount, getSessionAndUser.')
    expect(errorTypes(log)).toEqual(['MissingAdapterMethods'])
    stored = MemoryAdapter()
    expect((await readWith(`${SESSION}=x`, config)).session).toBeNull()
  })

  test.each([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a class', MemoryAdapter, 'a function'],
  ])('is reported with what to write if the function returns %s', async (_name, value, named) => {
    const { config } = site(async () => value as Adapter)
    await expect(readWith(`${SESSION}=x`, config)).rejects.toThrow(
      `returned ${named}, not an adapter. Write it like adapter: () => import("./database").then(({ adapter }) => adapter).`,
    )
  })

  test('causes 503 without details', async () => {
    const { tab } = site(() => {
      throw new Error('postgres://user:hunter2@db/')
    })
    tab.cookies.set(SESSION, 'x')
    const answer = await tab.request('session')
    expect(answer.status).toBe(503)
    expect(await answer.text()).not.toMatch(/postgres|hunter2|adapter/i)
  })
})
