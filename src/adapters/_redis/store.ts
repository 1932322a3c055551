import { COMMIT, FOLLOW, FORGET } from './scripts.ts'

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

/** A value to write; `null` deletes the key. */
export interface Write {
  readonly value: string | null
  /** Time of deletion, in milliseconds since the epoch. */
  readonly until?: number | undefined
}

/** A change of a list; `clear` also deletes the rows in it. */
export type ListChange =
  | {
      readonly act: 'add'
      readonly list: string
      readonly key: string
      readonly until?: number | undefined
    }
  | { readonly act: 'remove'; readonly list: string; readonly key: string }
  | { readonly act: 'clear'; readonly list: string }

/** Writes, and the values read before, which must not have changed. */
export interface Commit {
  readonly read: ReadonlyMap<string, string | null>
  readonly readLists: ReadonlyMap<string, readonly string[]>
  readonly changes: readonly ListChange[]
  readonly writes: ReadonlyMap<string, Write>
}

export interface Store {
  get(key: string): Promise<string | null>
  list(name: string): Promise<readonly string[]>
  /** A row that has a `userId`, and its user, which is `null` if Redis cannot decode the row. */
  follow(key: string): Promise<readonly [row: string | null, user: string | null]>
  /** Writes everything, or nothing if a value has changed since it was read (`false`). */
  commit(commit: Commit): Promise<boolean>
  /** Deletes rows whose time of deletion is before this. */
  forget(before: number): Promise<void>
}

export const USER = 'user:'

/** The sorted set of all expiring rows. */
const ENDS = 'ends'

/** Rows deleted per script; Redis executes no other command meanwhile. */
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
