/** Users whom `authorize` returns, with sessions in cookies: their id may be one of another table. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import type { User } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import { stopClock } from '../../sessions.ts'
import { ADA, enrolledSite, enterCode, locationOf, PAGE } from './factor-site.ts'
import { appCode } from './app-code.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const HOME = 'https://app.test'

/** Ada has an authenticator app, and signs in with what this function returns. */
async function open(
  authorize: (stored: User) => User,
  { adapter = MemoryAdapter() }: { adapter?: Adapter } = {},
) {
  const users: (User | undefined)[] = []
  const site = await enrolledSite('jwt', {
    adapter,
    callbacks: {
      jwt({ token, user }) {
        users.push(user)
        return token
      },
    },
  })
  users.length = 0
  const provider = Credentials({
    id: 'password',
    credentials: { password: { type: 'password' } },
    authorize: () => authorize({ id: site.userId, email: ADA.email }),
  })
  const tab = browser({ ...site.config, providers: [provider] })
  return { ...site, users, tab, enter: () => tab.post('callback/password', { password: 'right' }) }
}

test.each<[string, (stored: User) => User]>([
  ['the id and the address', ({ id, email }) => ({ id, email })],
  ['only the id', ({ id }) => ({ id })],
  ['the id and another address', ({ id }) => ({ id, email: 'other@example.com' })],
])('a user with %s of a stored one needs the second step of that one', async (_name, authorize) => {
  const { tab, enter, secret } = await open(authorize)
  expect(locationOf(await enter())).toBe(PAGE)
  expect(await tab.session()).toBeNull()
  expect(locationOf(await enterCode(tab, await appCode(secret)))).toBe(HOME)
  expect(await tab.session()).not.toBeNull()
})

test('while the database is down, no session begins', async () => {
  const adapter = MemoryAdapter()
  const { tab, enter } = await open(({ id }) => ({ id }), { adapter })
  const down = () => Promise.reject(new Error('down'))
  for (const method of ['getUser', 'listFactors', 'getUserByAccount'] as const)
    vi.spyOn(adapter, method).mockImplementation(down)
  expect(locationOf(await enter())).toContain('error=TemporarilyUnavailable')
  expect(await tab.session()).toBeNull()
})

test('while only the factors cannot be read, no session begins', async () => {
  const adapter = MemoryAdapter()
  const { tab, enter } = await open(({ id }) => ({ id }), { adapter })
  vi.spyOn(adapter, 'listFactors').mockRejectedValue(new Error('down'))
  expect(locationOf(await enter())).toContain('error=TemporarilyUnavailable')
  expect(await tab.session()).toBeNull()
})

test('while the users cannot be read, the second step is required', async () => {
  const adapter = MemoryAdapter()
  const { tab, enter } = await open(({ id, email }) => ({ id, email }), { adapter })
  vi.spyOn(adapter, 'getUser').mockRejectedValueOnce(new Error('down'))
  expect(locationOf(await enter())).toBe(PAGE)
  expect(await tab.session()).toBeNull()
})

test('an id that the database rejects is that of no user', async () => {
  const adapter = MemoryAdapter()
  const { tab, enter } = await open(() => ({ id: 'no uuid' }), { adapter })
  const list = adapter.listFactors?.bind(adapter)
  const accepts = (id: string) => /^[\da-f-]{36}$/.test(id)
  vi.spyOn(adapter, 'listFactors').mockImplementation(async (id) => {
    if (!accepts(id)) throw new Error('no uuid')
    return list?.(id) ?? []
  })
  expect(locationOf(await enter())).toBe(HOME)
  expect((await tab.session())?.user).toBeDefined()
})

test('callbacks.jwt gets the fields of the user that the database does not store', async () => {
  const site = await open(({ id, email }) => ({ id, email, role: 'admin' }) as User)
  await site.enter()
  expect(site.users).toEqual([])
  await enterCode(site.tab, await appCode(site.secret))
  expect(site.users[0]).toMatchObject({ id: site.userId, role: 'admin' })
})
