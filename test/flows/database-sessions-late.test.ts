/** A session that the database stores after the sign-in was reported as failed. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { ADA, databaseSite, errorTypes } from '../database.ts'
import type { DatabaseSite } from '../database.ts'
import { click, mailSite, requestLink } from '../email.ts'
import { hold } from '../hold.ts'
import { pass, SESSION, stopClock } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

async function sessionsOf({ stored }: Pick<DatabaseSite, 'stored'>): Promise<number> {
  const user = await stored.getUserByEmail?.(ADA.email)
  return ((await stored.listSessions?.(user?.id ?? '')) ?? []).length
}

describe('a session that is stored after the deadline', () => {
  test.each(['before', 'after'] as const)(
    'is deleted, because no browser holds it (held %s it is stored)',
    async (moment) => {
      const site = databaseSite(op)
      const transaction = await site.tab.begin('op')
      const held = hold(site, 'createSession', moment)
      const answer = transaction.complete()
      await held.reached
      await pass(5)
      expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
      expect(site.tab.cookies.get(SESSION)).toBeUndefined()
      held.release()
      await vi.waitFor(() => expect(site.called()).toContain('deleteSession'), { timeout: 20_000 })
      expect(await sessionsOf(site)).toBe(0)
      expect(errorTypes(site.log)).toEqual(['AdapterError'])
      await site.tab.signIn('op')
      expect(await site.tab.session()).not.toBeNull()
      expect(await sessionsOf(site)).toBe(1)
    },
  )

  test('is deleted by the token that the adapter chose', async () => {
    const memory = MemoryAdapter()
    const adapter = {
      ...memory,
      createSession: (session: Parameters<typeof memory.createSession>[0]) =>
        memory.createSession({ ...session, sessionToken: 'chosen-by-the-adapter' }),
    }
    const site = databaseSite(op, { adapter })
    const transaction = await site.tab.begin('op')
    const held = hold(site, 'createSession', 'after')
    const answer = transaction.complete()
    await held.reached
    await pass(5)
    await answer
    expect(await sessionsOf(site)).toBe(1)
    held.release()
    await vi.waitFor(async () => expect(await sessionsOf(site)).toBe(0), { timeout: 20_000 })
  })

  test('is deleted after a magic link, which can be used again', async () => {
    const memory = MemoryAdapter()
    const waiting: (() => void)[] = []
    const site = mailSite(
      { session: { strategy: 'database' } },
      {
        adapter: memory,
        methods: {
          async createSession(session: Parameters<typeof memory.createSession>[0]) {
            if (waiting.length === 0)
              await new Promise<void>((resolve) => void waiting.push(resolve))
            return memory.createSession(session)
          },
        },
      },
    )
    const tab = browser(site.config)
    const link = await requestLink(tab, site, ADA.email)
    const answer = click(tab, link)
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 20_000 })
    await pass(5)
    expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
    for (const release of waiting) release()
    await vi.waitFor(
      () => expect(site.calls.map(({ method }) => method)).toContain('deleteSession'),
      { timeout: 20_000 },
    )
    expect(await sessionsOf({ stored: memory })).toBe(0)
    await click(tab, link)
    expect((await tab.session())?.user?.email).toBe(ADA.email)
  })

  test('is logged when it cannot be deleted', async () => {
    const site = databaseSite(op)
    const transaction = await site.tab.begin('op')
    const held = hold(site, 'createSession', 'after')
    const answer = transaction.complete()
    await held.reached
    await pass(5)
    await answer
    site.faults.deleteSession = () => Promise.reject(new Error('The database is down.'))
    held.release()
    await vi.waitFor(() => expect(errorTypes(site.log)).toEqual(['AdapterError', 'AdapterError']), {
      timeout: 20_000,
    })
  })
})
