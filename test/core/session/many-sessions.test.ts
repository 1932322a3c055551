/** A user with 10,000 sessions ends them, with each storage. */
import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/core/database/database.ts'
import { recordAccess } from '../../../src/core/records/access.ts'
import { sessionIndex } from '../../../src/core/records/session-index.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { governSessions, listSessions, revokeOtherSessions } from '../../../src/sessions.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter } from '../../config.ts'
import { forEachPlace } from '../tokens/places.ts'
import type { Place } from '../tokens/places.ts'
import { requestOf } from '../account/account-site.ts'
import { startProcess } from './revocation-site.ts'
import type { Site } from './revocation-site.ts'

const COUNT = 10_000
const AT_ONCE = 100

/** Runs for each number, some at the same time. */
async function times(count: number, run: (each: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, next) => run(at + next)))
}

async function siteWith(adapter: Adapter, { strategy }: Place): Promise<[Site, Browser, string]> {
  const storage = strategy === 'jwt' ? { store: adapter as AuthConfig['store'] } : { adapter }
  const overrides = { ...storage, session: { strategy, devices: 'listed' } } as const
  const site = startProcess(undefined, overrides, { createUser: true })
  const tab = site.open()
  await enter(tab)
  const userId = (await adapter.getUserByEmail?.('ada@example.com'))?.id ?? '1'
  const database = createDatabase(adapter)
  const records = recordAccess(async () => database)
  const index = sessionIndex(records, [String(site.config.secret)])
  const now = Date.now()
  const expires = new Date(now + 3600_000)
  const rest = { via: 'password', userAgent: null, address: null, lastSeenAt: now, expires }
  await times(COUNT, async (each) => {
    const startedAt = now - 1000 - each
    const session = { sid: `s${each}`, userId, startedAt, order: startedAt, ...rest }
    await index.write(site.context(), session)
    const row = { sessionToken: `token ${each}`, userId, expires }
    if (strategy === 'database') await adapter.createSession?.(row)
  })
  return [site, tab, userId]
}

await forEachPlace(
  (place) => {
    test('ends all others, and then the last one', async () => {
      const adapter = await place.openAdapter()
      const [site, tab, userId] = await siteWith(adapter, place)
      const page = () => listSessions(requestOf(tab), site.config)
      expect((await page()).value?.sessions).toHaveLength(100)
      expect((await revokeOtherSessions(requestOf(tab), site.config)).value).toBe(COUNT)
      expect((await page()).value?.sessions).toMatchObject([{ isCurrent: true }])
      expect(await adapter.listRecords?.(`user:${userId}`)).toHaveLength(1)
      expect(await governSessions(site.config).revokeAll(userId)).toBe(1)
      expect(await tab.session()).toBeNull()
    })
  },
  ['store'],
)
