/** `session.hashTokens` on in one process and off in another, and sign-outs during the migration of a session. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, databaseSite, down, once, signedIn } from '../database.ts'
import type { DatabaseSite } from '../database.ts'
import { during, hold } from '../hold.ts'
import { DAY, pass, readWith, SESSION, stopClock, cookieValue } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

/** A process over the same database. */
function processOf(adapter: Adapter, hashTokens: boolean): DatabaseSite {
  return databaseSite(op, { adapter, config: { session: { hashTokens } } })
}

interface Mixed {
  readonly plain: DatabaseSite
  readonly hashing: DatabaseSite
  readonly cookie: string
  readonly userId: string
  /** Rows of the session. */
  readonly rows: () => Promise<string[]>
}

/** Ada is signed in, in a process without the option. */
async function mixed(adapter: Adapter = MemoryAdapter()): Promise<Mixed> {
  const { tab } = await signedIn(op, { adapter })
  const user = await adapter.getUserByEmail?.(ADA.email)
  const userId = user?.id ?? ''
  const [plain, hashing] = [processOf(adapter, false), processOf(adapter, true)]
  for (const site of [plain, hashing]) site.tab.cookies.set(SESSION, cookieValue(tab))
  return {
    plain,
    hashing,
    userId,
    cookie: `${SESSION}=${cookieValue(tab)}`,
    async rows() {
      const rows = (await adapter.listSessions?.(userId)) ?? []
      return rows.map(({ sessionToken }) => sessionToken.replace(/:.*/, ':'))
    },
  }
}

describe('with hashTokens on in one process and off in another', () => {
  test('each reads, extends and ends a session of the other', async () => {
    const { plain, hashing, cookie, rows } = await mixed()
    expect((await hashing.tab.session())?.user).toEqual(ADA)
    expect(await rows()).toEqual(['sha256:'])
    for (let time = 0; time < 2; time++) {
      expect((await plain.tab.session())?.user).toEqual(ADA)
      expect((await hashing.tab.session())?.user).toEqual(ADA)
    }
    await pass(2 * DAY)
    const later = new Date(Date.now() + 30 * DAY * 1000).toISOString()
    expect((await plain.tab.session())?.expires).toBe(later)
    expect((await readWith(cookie, hashing.config)).session?.expires).toBe(later)
    expect(await rows()).toEqual(['sha256:'])
    await plain.tab.post('signout')
    expect(await rows()).toEqual([])
    expect((await readWith(cookie, hashing.config)).session).toBeNull()
  })

  test('concurrent reads during the migration keep the session', async () => {
    const { plain, hashing, cookie } = await mixed()
    const reads = Array.from({ length: 20 }, (_, index) =>
      readWith(cookie, (index % 2 ? plain : hashing).config),
    )
    for (const { session } of await Promise.all(reads)) expect(session?.user).toEqual(ADA)
    expect((await readWith(cookie, plain.config)).session?.user).toEqual(ADA)
  })

  test.each([true, false])('hashTokens %s deletes an expired session', async (isOn) => {
    const { plain, hashing, cookie, rows } = await mixed()
    await hashing.tab.session()
    await pass(31 * DAY)
    const { config } = isOn ? hashing : plain
    expect((await readWith(cookie, config)).session).toBeNull()
    expect(await rows()).toEqual([])
  })
})

describe('while a session is migrated to its hash', () => {
  const ENDINGS: [string, (site: Mixed) => Promise<unknown>][] = [
    ['a sign-out with the option on', async ({ hashing }) => hashing.tab.post('signout')],
    ['a sign-out with the option off', async ({ plain }) => plain.tab.post('signout')],
    [
      'the end of all sessions of the user',
      async ({ plain, userId }) => plain.stored.deleteUserSessions?.(userId),
    ],
  ]

  describe.each(ENDINGS)('%s', (_name, end) => {
    test.each<[keyof Adapter, 'before' | 'after']>([
      ['createSession', 'before'],
      ['createSession', 'after'],
      ['deleteSession', 'before'],
      ['deleteSession', 'after'],
    ])('ends the session (%s, %s)', async (method, moment) => {
      const site = await mixed()
      const { hashing, plain, cookie, rows } = site
      const held = hold(hashing, method, moment)
      await during(held, readWith(cookie, hashing.config), () => end(site))
      expect(await rows()).toEqual([])
      for (const { config } of [hashing, plain])
        expect((await readWith(cookie, config)).session).toBeNull()
    })
  })

  test('a failed lookup of the old row keeps the session', async () => {
    const { hashing, cookie, rows } = await mixed()
    let reads = 0
    hashing.faults.getSessionAndUser = (run) => (++reads === 3 ? down() : run())
    expect((await readWith(cookie, hashing.config)).session?.user).toEqual(ADA)
    expect(await rows()).toEqual([expect.not.stringContaining('sha256')])
  })

  test('an old row that cannot be deleted is not a session after the sign-out', async () => {
    const { hashing, cookie, rows } = await mixed()
    hashing.faults.deleteSession = once(down)
    expect((await hashing.tab.session())?.user).toEqual(ADA)
    expect(await rows()).toHaveLength(2)
    await hashing.tab.post('signout')
    expect(await rows()).toEqual([])
    expect((await readWith(cookie, hashing.config)).session).toBeNull()
  })
})

describe('signing out', () => {
  test.each([true, false])(
    'succeeds with an adapter that throws for a missing row (hashTokens %s)',
    async (hashTokens) => {
      const memory = MemoryAdapter()
      const deleteSession = async (token: string) =>
        (await memory.deleteSession(token)) ?? Promise.reject(new Error('There is no such row.'))
      const config = { session: { hashTokens } }
      const site = await signedIn(op, { adapter: { ...memory, deleteSession }, config })
      const user = await memory.getUserByEmail(ADA.email)
      await site.tab.signIn('op')
      expect(await memory.listSessions(user?.id ?? '')).toHaveLength(1)
      await site.tab.post('signout')
      expect(site.tab.cookies.get(SESSION)).toBeUndefined()
      expect(site.log.errors).toEqual([])
      expect(await memory.listSessions(user?.id ?? '')).toEqual([])
    },
  )
})
