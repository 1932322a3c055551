/** Database servers for the tests of one file. Tests of a missing server are skipped: see `test/services.ts`. */
import { afterAll, test } from 'vitest'
import { startMariaDB, startPostgres, startRedis } from '../../tools/databases.mjs'
import { findMariaDB, findPostgres, findRedis } from '../services.ts'

type Server = Awaited<ReturnType<typeof startPostgres>>

const SERVERS = {
  postgres: { find: findPostgres, start: startPostgres },
  mariadb: { find: findMariaDB, start: startMariaDB },
  redis: { find: findRedis, start: startRedis },
}

/** A server that can be started. */
export type ServerName = keyof typeof SERVERS

function hasAll<Wanted extends ServerName>(
  found: Partial<Record<ServerName, Server>>,
  names: readonly Wanted[],
): found is Record<Wanted, Server> {
  return names.every((name) => found[name])
}

/** Starts servers, registers the tests that need them, and ends them after the last one. */
export async function withServers<Wanted extends ServerName>(
  names: readonly Wanted[],
  register: (servers: Record<Wanted, Server>) => Promise<void> | void,
): Promise<void> {
  const started: Partial<Record<ServerName, Server>> = {}
  const end = async () => {
    for (const server of Object.values(started)) await server.end()
  }
  afterAll(end)
  for (const name of names)
    if (await SERVERS[name].find()) started[name] = await SERVERS[name].start()
  if (!hasAll(started, names)) return test.skip(`without ${names.join(' and ')}`)
  try {
    await register(started)
  } catch (error) {
    // `afterAll` does not run in a file without tests.
    await end()
    throw error
  }
}
