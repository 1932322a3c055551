/** Databases with numeric ids, dates as strings or numbers, or `undefined` for missing values. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { CallbacksOptions, EventsOptions } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, databaseSite } from '../database.ts'
import { DAY, pass, SESSION, stopClock, claimsOf, cookieValue } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

/** How a database differs from the memory adapter. */
interface Dialect {
  readonly date: (date: Date) => unknown
  readonly none: null | undefined
  readonly ids: 'text' | 'numbers'
}

/** Converts every value in the arguments or the result of a method. */
function mapped(
  value: unknown,
  change: (key: string, value: unknown) => unknown,
  key = '',
): unknown {
  const changed = change(key, value)
  if (changed !== value || typeof value !== 'object' || value === null || value instanceof Date)
    return changed
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(each, change, name)]),
  )
}

/** The memory adapter with the values of a dialect. */
function withDialect({ date, none, ids }: Dialect): Adapter {
  const storedIds: string[] = []
  const isId = (key: string) => ids === 'numbers' && (key === 'id' || key === 'userId')
  const outward = (key: string, value: unknown): unknown => {
    if (value === null) return none
    if (value instanceof Date) return date(value)
    if (!isId(key) || typeof value !== 'string') return value
    if (!storedIds.includes(value)) storedIds.push(value)
    return storedIds.indexOf(value) + 1
  }
  const inward = (key: string, value: unknown): unknown =>
    isId(key) && /^\d+$/.test(String(value)) ? storedIds[Number(value) - 1] : value
  const { transaction: _none, ...memory } = MemoryAdapter()
  return new Proxy<Adapter>(memory, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        const key = name === 'getUser' || name === 'listAccounts' ? 'id' : ''
        const row: unknown = await Reflect.apply(
          method,
          target,
          args.map((each) => mapped(each, inward, key)),
        )
        return mapped(row, outward)
      }
    },
  })
}

const dialects: [string, Dialect][] = [
  ['dates as strings', { date: (date) => date.toISOString(), none: null, ids: 'text' }],
  ['dates as numbers', { date: (date) => date.getTime(), none: null, ids: 'text' }],
  ['undefined for null', { date: (date) => date, none: undefined, ids: 'text' }],
  ['numeric ids', { date: (date) => date, none: null, ids: 'numbers' }],
  ['all of these', { date: (date) => date.getTime(), none: undefined, ids: 'numbers' }],
]

describe.each(dialects)('with %s', (_name, dialect) => {
  const userId = dialect.ids === 'numbers' ? '1' : expect.stringMatching(/^[0-9a-f-]{36}$/)

  test('a user signs up, has a session that is extended, links an account, signs in again and signs out', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(({ session: given }) => given)
    const site = databaseSite(op, {
      adapter: withDialect(dialect),
      provider: { trustEmail: true },
      config: { callbacks: { session } },
    })
    const { tab } = site
    await tab.signIn('op')
    expect(await tab.session()).toEqual({
      userId,
      user: { ...ADA, id: userId, emailVerified: new Date().toISOString() },
      expires: new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    })
    expect(session.mock.lastCall?.[0].user).toMatchObject({ id: userId, emailVerified: new Date() })
    await pass(DAY)
    const later = new Date(Date.now() + 30 * DAY * 1000)
    expect((await tab.session())?.expires).toBe(later.toISOString())
    expect(tab.cookies.get(SESSION)?.expires).toBe(later.getTime())
    await tab.signIn('other', BOB)
    const elsewhere = site.open()
    await elsewhere.signIn('other', BOB)
    expect((await elsewhere.session())?.user?.name).toBe(ADA.name)
    const token = cookieValue(tab)
    await tab.post('signout')
    expect((await site.stored.getSessionAndUser?.(token)) ?? null).toBeNull()
    expect(site.log.errors).toEqual([])
  })

  test('an expired session is not valid', async () => {
    const { tab, called } = databaseSite(op, {
      adapter: withDialect(dialect),
      config: { session: { maxAge: 600 } },
    })
    await tab.signIn('op')
    const token = cookieValue(tab)
    await pass(600)
    tab.cookies.set(SESSION, token)
    called()
    expect(await tab.session()).toBeNull()
    expect(called()).toEqual(['getSessionAndUser', 'getSessionAndUser', 'deleteSession'])
  })

  test('ids are strings everywhere', async () => {
    const signIn = vi.fn<NonNullable<EventsOptions['signIn']>>()
    const { tab } = databaseSite(op, {
      adapter: withDialect(dialect),
      config: { events: { signIn }, session: { strategy: 'jwt' } },
    })
    await tab.signIn('op')
    expect(await claimsOf(tab)).toMatchObject({ sub: userId })
    expect(signIn.mock.lastCall?.[0]).toMatchObject({
      user: { id: userId },
      account: { userId, providerAccountId: 'ada' },
    })
  })
})
