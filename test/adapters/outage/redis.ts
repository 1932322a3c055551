/** The outages of a Redis server, for any client. */
import { afterAll, expect, test, vi } from 'vitest'
import RedisAdapter from '../../../src/adapters/redis.ts'
import type { RedisClient } from '../../../src/adapters/redis.ts'
import { withServers } from '../servers.ts'
import { isAny, isGrowth, isWrite, testOutages } from './suite.ts'
import type { Outage } from './suite.ts'

/** A client that is connected. */
export interface Connected {
  readonly client: RedisClient
  readonly send: (...command: string[]) => Promise<unknown>
  /** Errors that its listener received. */
  readonly lost: readonly Error[]
  readonly close: () => void
}

/** Registers the tests for a client. */
export async function testOnRedis(
  connect: (url: string) => Connected | Promise<Connected>,
): Promise<void> {
  await withServers(['redis'], async ({ redis: server }) => {
    const { client, send, lost, close } = await connect(server.url)

    afterAll(close)

    /** The rows of a kind: `user`, `account`, `session`. */
    async function rowsOf(kind: string): Promise<Record<string, unknown>[]> {
      const keys = await send('KEYS', `lib-auth:${kind}:*`)
      if (!Array.isArray(keys) || keys.length === 0) return []
      const texts = await send('MGET', ...keys.map(String))
      if (!Array.isArray(texts)) return []
      // A session that was stored after its deadline may be deleted between the two commands.
      return texts
        .filter((text) => text !== null)
        .map((text): Record<string, unknown> => JSON.parse(String(text)))
    }

    const isAvailable = () =>
      send('PING').then(
        () => true,
        () => false,
      )

    /** The client has one connection, so no outage can exhaust the connections. */
    const outages: Outage[] = [
      {
        name: 'is read-only',
        stops: isWrite,
        begin: () => send('REPLICAOF', '127.0.0.1', '1'),
        end: () => send('REPLICAOF', 'NO', 'ONE'),
      },
      {
        name: 'is full',
        stops: isGrowth,
        begin: () => send('CONFIG', 'SET', 'maxmemory', '1'),
        end: () => send('CONFIG', 'SET', 'maxmemory', '0'),
      },
      {
        name: 'was stopped',
        stops: isAny,
        begin: () => server.stop(),
        async end() {
          await server.restart()
          await vi.waitUntil(isAvailable, { timeout: 20_000 })
        },
      },
      {
        name: 'does not respond',
        stops: isAny,
        isSilent: true,
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

    test('reports a lost connection to the listener of the client', () => {
      expect(lost).not.toEqual([])
    })
  })
}
