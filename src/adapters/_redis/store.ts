import { COMMIT, GET_WITH_USER, DELETE_EXPIRED } from './scripts.ts'

/** A client of the package `ioredis`. */
export interface IoRedisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A client of the package `redis` (node-redis). */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
}

/** A client of `ioredis` or `redis`. */
export type RedisClient = IoRedisClient | NodeRedisClient

/** An operation of the script {@link COMMIT}: its name, a key, and up to two arguments. */
export type Command = readonly [name: string, key: string, first?: string, second?: string]

export interface Store {
  get(key: string): Promise<string | null>
  list(name: string): Promise<readonly string[]>
  /** A row that has a `userId`, and its user, which is `null` if Redis cannot decode the row. */
  getWithUser(key: string): Promise<readonly [row: string | null, user: string | null]>
  /** Runs all changes, or nothing if a check fails (`false`). Checks come first. */
  commit(commands: Iterable<Command>): Promise<boolean>
  /** Deletes rows whose time of deletion is before this. */
  deleteExpired(before: number): Promise<void>
}

export const USER = 'user:'

/** The sorted set of all expiring rows. */
const EXPIRIES = 'ends'

/** Rows deleted per script; Redis executes no other command meanwhile. */
const BATCH = 1000

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function redisStore(client: RedisClient, prefix: string): Store {
  async function send(command: string, ...args: string[]): Promise<unknown> {
    return 'call' in client ? client.call(command, ...args) : client.sendCommand([command, ...args])
  }

  async function run(script: string, keys: readonly string[], args: readonly string[]) {
    const names = keys.map((key) => prefix + key)
    return send('EVAL', script, String(keys.length), ...names, ...args)
  }

  return {
    get: async (key) => textOf(await send('GET', prefix + key)),

    async list(name) {
      const answer = await send('ZRANGE', prefix + name, '0', '-1')
      return Array.isArray(answer) ? answer.map(String) : []
    },

    async getWithUser(key) {
      const answer = await run(GET_WITH_USER, [key], [key, USER])
      const [row, user]: readonly unknown[] = Array.isArray(answer) ? answer : []
      return [textOf(row), textOf(user)]
    },

    async commit(commands) {
      const numbers = new Map([[EXPIRIES, 1]])
      const args = [EXPIRIES]
      for (const [name, key, first = '', second = ''] of commands) {
        const number = numbers.get(key) ?? numbers.size + 1
        numbers.set(key, number)
        args.push(name, String(number), first, second)
      }
      return (await run(COMMIT, [...numbers.keys()], args)) === 1
    },

    async deleteExpired(before) {
      const args = [EXPIRIES, String(before), String(BATCH)]
      while ((await run(DELETE_EXPIRED, [EXPIRIES], args)) === BATCH);
    },
  }
}
