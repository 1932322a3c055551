/** Keys and texts in Redis, changed all at once or not at all. */
import { COMMIT, FOLLOW, FORGET } from './scripts.ts'

/** A client of `ioredis`. */
export interface IoRedisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A client of `redis` (node-redis). */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
}

/** A client of one of the usual libraries. */
export type RedisClient = IoRedisClient | NodeRedisClient

/** A text to write, or `null` to delete what is there. */
export interface Write {
  readonly value: string | null
  /** When Redis may forget it, in milliseconds since the epoch. */
  readonly until?: number | undefined
}

/** A key that comes to a list, goes from it, or all that go from it together with their rows. */
export type ListChange =
  | {
      readonly act: 'add'
      readonly list: string
      readonly key: string
      readonly until?: number | undefined
    }
  | { readonly act: 'remove'; readonly list: string; readonly key: string }
  | { readonly act: 'clear'; readonly list: string }

/** What a piece of work has read, and what it writes if that is still there. */
export interface Commit {
  readonly read: ReadonlyMap<string, string | null>
  readonly readLists: ReadonlyMap<string, readonly string[]>
  readonly changes: readonly ListChange[]
  readonly writes: ReadonlyMap<string, Write>
}

/** What there is in Redis. */
export interface Store {
  get(key: string): Promise<string | null>
  /** The keys in a list. */
  list(name: string): Promise<readonly string[]>
  /** A row that has a `userId`, and the user if Redis can read the row. */
  follow(key: string): Promise<readonly [row: string | null, user: string | null]>
  /** Writes everything if every key still has what was read, else nothing. */
  commit(commit: Commit): Promise<boolean>
  /** Deletes what Redis may forget before a time. */
  forget(before: number): Promise<void>
}

/** In front of the ids of users. */
export const USER = 'user:'

/** Everything that Redis may forget some day. */
const ENDS = 'ends'

/** How many rows are deleted at once: Redis does nothing else meanwhile. */
const BATCH = 1000

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function* checksOf({ read, readLists }: Commit): Generator<string[]> {
  for (const [key, value] of read) yield value === null ? ['none', key] : ['same', key, value]
  for (const [list, keys] of readLists) yield ['list', list, JSON.stringify(keys)]
}

const timeOf = (until = Infinity): string => (until === Infinity ? 'inf' : String(until))

function* changesOf({ changes, writes }: Commit): Generator<string[]> {
  for (const change of changes)
    if (change.act === 'clear') yield [change.act, change.list]
    else if (change.act === 'remove') yield [change.act, change.list, change.key]
    else yield [change.act, change.list, change.key, timeOf(change.until)]
  for (const [key, { value, until }] of writes)
    yield value === null ? ['delete', key] : ['set', key, value, timeOf(until)]
}

/** What there is behind a client, under names that begin with `prefix`. */
export function storeOf(client: RedisClient, prefix: string): Store {
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

    async follow(key) {
      const answer = await run(FOLLOW, [key], [key, USER])
      const [row, user]: readonly unknown[] = Array.isArray(answer) ? answer : []
      return [textOf(row), textOf(user)]
    },

    async commit(commit) {
      const numbers = new Map([[ENDS, 1]])
      const args = [ENDS]
      for (const [act = '', key = '', first = '', second = ''] of [
        ...checksOf(commit),
        ...changesOf(commit),
      ]) {
        const number = numbers.get(key) ?? numbers.size + 1
        numbers.set(key, number)
        args.push(act, String(number), first, second)
      }
      return (await run(COMMIT, [...numbers.keys()], args)) === 1
    },

    async forget(before) {
      const args = [ENDS, String(before), String(BATCH)]
      while ((await run(FORGET, [ENDS], args)) === BATCH);
    },
  }
}
