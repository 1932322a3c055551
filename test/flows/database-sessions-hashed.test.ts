/** `session.hashTokens`: a stored value cannot be used as a session token. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, databaseSite, down, lost, once, rowOf, signedIn } from '../database.ts'
import type { DatabaseSite } from '../database.ts'
import { DAY, pass, readWith, SESSION, stopClock, cookieValue, cookiesSetBy } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const config = { session: { hashTokens: true } }

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

function hashOf(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`
}

/** A site that enabled `hashTokens` while Ada was signed in. */
async function migrated(adapter: Adapter = MemoryAdapter()): Promise<DatabaseSite> {
  const before = await signedIn(op, { adapter })
  const after = databaseSite(op, { adapter, config })
  after.tab.cookies.set(SESSION, cookieValue(before.tab))
  return after
}

describe('a session', () => {
  test('is stored under the hash of its token', async () => {
    const site = await signedIn(op, { config })
    const token = cookieValue(site.tab)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(await rowOf(site, token)).toBeNull()
    expect((await rowOf(site, hashOf(token)))?.user.email).toBe(ADA.email)
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('is read with one call, extended, and ended', async () => {
    const site = await signedIn(op, { config })
    const token = cookieValue(site.tab)
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser'])
    await pass(DAY)
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser', 'updateSession'])
    const expires = new Date(Date.now() + 30 * DAY * 1000)
    expect((await rowOf(site, hashOf(token)))?.session.expires).toEqual(expires)
    await site.tab.post('signout')
    expect(site.called()).toEqual(['deleteSession', 'deleteSession'])
    expect(await rowOf(site, hashOf(token))).toBeNull()
  })

  test('ends with the next sign-in in the same browser', async () => {
    const site = await signedIn(op, { config })
    const token = cookieValue(site.tab)
    await site.tab.signIn('op')
    expect(await rowOf(site, hashOf(token))).toBeNull()
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test.each([true, false])(
    'cannot be used with the stored value, with hashTokens %s',
    async (hashTokens) => {
      const site = await signedIn(op, { config })
      const stolen = hashOf(cookieValue(site.tab))
      const reader = databaseSite(op, {
        adapter: site.stored,
        config: { session: { hashTokens } },
      })
      for (const token of [stolen, stolen.slice('sha256:'.length)])
        expect((await readWith(`${SESSION}=${token}`, reader.config)).session).toBeNull()
      expect(await rowOf(site, stolen)).not.toBeNull()
    },
  )
})

describe('a session with a plain token', () => {
  test('is valid, and migrated to its hash', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    const old = await rowOf(site, token)
    const response = await site.tab.request('session')
    expect(await response.json()).toMatchObject({ user: ADA })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toEqual({
      ...old,
      session: { ...old?.session, sessionToken: hashOf(token) },
    })
    site.called()
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser'])
  })

  test('keeps columns of the application, but not the primary key', async () => {
    const adapter = MemoryAdapter()
    const before = await signedIn(op, { adapter })
    const token = cookieValue(before.tab)
    const site = databaseSite(op, { adapter, config })
    site.tab.cookies.set(SESSION, token)
    site.faults.getSessionAndUser = async (run) => {
      const row = await run()
      if (typeof row !== 'object' || row === null || !('session' in row)) return row
      return { ...row, session: { ...Object(row.session), id: 7, device: 'phone' } }
    }
    await site.tab.session()
    const created = site.calls.find(({ method }) => method === 'createSession')
    expect(created?.args[0]).toMatchObject({ device: 'phone', sessionToken: hashOf(token) })
    expect(created?.args[0]).not.toHaveProperty('id')
  })

  test('stays valid during concurrent reads', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    const cookie = `${SESSION}=${token}`
    const all = Array.from({ length: 20 }, () => readWith(cookie, site.config))
    for (const { session, headers } of await Promise.all(all)) {
      expect(session?.user).toEqual(ADA)
      expect(cookiesSetBy({ headers })).toEqual([])
    }
    expect(await rowOf(site, token)).toBeNull()
  })

  test('is found after a concurrent migration', async () => {
    const site = await migrated()
    const cookie = `${SESSION}=${cookieValue(site.tab)}`
    site.faults.getSessionAndUser = once(async (run) => {
      const row = await run()
      await readWith(cookie, site.config)
      return row
    })
    expect((await readWith(cookie, site.config)).session?.user).toEqual(ADA)
  })

  test('stays valid while the database is read-only', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    site.faults.createSession = down
    await pass(DAY)
    expect((await site.tab.session())?.expires).toBe(
      new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    )
    expect((await rowOf(site, token))?.session.expires).toEqual(
      new Date(Date.now() + 30 * DAY * 1000),
    )
    delete site.faults.createSession
    await site.tab.session()
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).not.toBeNull()
  })

  test('stays valid when the response of the database is lost', async () => {
    const site = await migrated()
    site.faults.createSession = once(lost)
    expect((await site.tab.session())?.user).toEqual(ADA)
    // The plain row has expired, and the next sign-out deletes the hashed one.
    const old = await rowOf(site, cookieValue(site.tab))
    expect(old?.session.expires.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await site.tab.session())?.user).toEqual(ADA)
    const cookie = `${SESSION}=${cookieValue(site.tab)}`
    await site.tab.post('signout')
    expect((await readWith(cookie, site.config)).session).toBeNull()
  })

  test('is deleted when it has expired', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    await pass(30 * DAY)
    expect((await readWith(`${SESSION}=${token}`, site.config)).session).toBeNull()
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toBeNull()
    expect(site.called()).not.toContain('createSession')
  })

  test.each([
    ['signing out', (site: DatabaseSite) => site.tab.post('signout')],
    ['signing in again', (site: DatabaseSite) => site.tab.signIn('op')],
  ])('ends with %s, even if it was not read before', async (_name, act) => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    await act(site)
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toBeNull()
  })
})
