import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'
import { isAny, isGrowth, isWrite, testOutages } from './outage/suite.ts'
import type { Outage } from './outage/suite.ts'
import { withServers } from './servers.ts'

await withServers(['redis'], async ({ redis: server }) => {
  // Both as docs/guides/database.md says.
  const client = new Redis(server.url, { maxRetriesPerRequest: 1 })
  const lost: Error[] = []
  client.on('error', (error) => lost.push(error))

  afterAll(() => client.disconnect())

  /** The rows of a kind: `user`, `account`, `session`. */
  async function rowsOf(kind: string): Promise<Record<string, unknown>[]> {
    const keys = await client.keys(`lib-auth:${kind}:*`)
    const texts = keys.length > 0 ? await client.mget(keys) : []
    return texts.map((text): Record<string, unknown> => JSON.parse(text ?? 'null'))
  }

  const set = (name: string, value: string) => client.config('SET', name, value)

  const outages: Outage[] = [
    {
      name: 'can only be read',
      stops: isWrite,
      begin: () => client.replicaof('127.0.0.1', 1),
      end: () => client.replicaof('NO', 'ONE'),
    },
    {
      name: 'is full',
      stops: isGrowth,
      begin: () => set('maxmemory', '1'),
      end: () => set('maxmemory', '0'),
    },
    {
      name: 'was stopped',
      stops: isAny,
      begin: () => server.stop(),
      end: () => server.restart(),
    },
    {
      name: 'does not answer',
      stops: isAny,
      begin: () => server.pause(),
      end: () => server.resume(),
    },
  ]

  await testOutages(
    {
      open: () => RedisAdapter(client),
      async stored({ person }) {
        const users = (await rowsOf('user')).filter(({ email }) => email === person.email)
        const ids = new Set(users.map(({ id }) => id))
        const own = async (kind: string) =>
          (await rowsOf(kind)).filter(({ userId }) => ids.has(userId)).length
        return {
          users: users.length,
          accounts: await own('account'),
          sessions: await own('session'),
        }
      },
      async orphans() {
        const ids = new Set((await rowsOf('user')).map(({ id }) => id))
        const rows = [...(await rowsOf('account')), ...(await rowsOf('session'))]
        return rows.filter(({ userId }) => !ids.has(userId)).length
      },
    },
    outages,
  )

  test('that the connection is lost is told to the listener of the client', () => {
    expect(lost).not.toEqual([])
  })
})
