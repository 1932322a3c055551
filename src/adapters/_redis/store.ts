/** Keys and texts in Redis, changed all at once or not at all. */

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

/** What there is in Redis. */
export interface Store {
  get(key: string): Promise<string | null>
  /** A row that has a `userId`, and the user. */
  follow(key: string): Promise<readonly [row: string | null, user: string | null]>
  /** Writes everything if every key still has what was read, else nothing. */
  commit(
    read: ReadonlyMap<string, string | null>,
    writes: ReadonlyMap<string, Write>,
  ): Promise<boolean>
}

/** In front of the ids of users. */
export const USER = 'user:'

const FOLLOW = `
local found = redis.call('GET', KEYS[1])
if not found then return {} end
return {found, redis.call('GET', ARGV[1] .. cjson.decode(found)['userId'])}`

/** Each key comes with a mark, "=" or "-" for none, and what was read; then what is written and until when. */
const COMMIT = `
local at = 1
for index, key in ipairs(KEYS) do
  if ARGV[at] ~= '' then
    local now = redis.call('GET', key)
    if ARGV[at] == '-' and now then return 0 end
    if ARGV[at] == '=' and now ~= ARGV[at + 1] then return 0 end
  end
  at = at + 5
end
at = 1
for index, key in ipairs(KEYS) do
  local kind, value, till = ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  if kind == 'set' then redis.call('SET', key, value) end
  if kind == 'set' and till ~= '' then redis.call('PEXPIREAT', key, till) end
  if kind == 'del' then redis.call('DEL', key) end
  at = at + 5
end
return 1`

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function checkOf(read: ReadonlyMap<string, string | null>, key: string): [string, string] {
  const value = read.get(key)
  if (value === undefined) return ['', '']
  return value === null ? ['-', ''] : ['=', value]
}

function writeOf(write: Write | undefined): [string, string, string] {
  if (!write) return ['', '', '']
  if (write.value === null) return ['del', '', '']
  return ['set', write.value, write.until === undefined ? '' : String(write.until)]
}

/** What there is behind a client, under names that begin with `prefix`. */
export function storeOf(client: RedisClient, prefix: string): Store {
  async function send(command: string, ...args: string[]): Promise<unknown> {
    return 'call' in client ? client.call(command, ...args) : client.sendCommand([command, ...args])
  }

  return {
    get: async (key) => textOf(await send('GET', prefix + key)),

    async follow(key) {
      const answer = await send('EVAL', FOLLOW, '1', prefix + key, `${prefix}${USER}`)
      const [row, user]: readonly unknown[] = Array.isArray(answer) ? answer : []
      return [textOf(row), textOf(user)]
    },

    async commit(read, writes) {
      const keys = [...new Set([...read.keys(), ...writes.keys()])]
      const args = keys.flatMap((key) => [...checkOf(read, key), ...writeOf(writes.get(key))])
      const names = keys.map((key) => prefix + key)
      return (await send('EVAL', COMMIT, String(keys.length), ...names, ...args)) === 1
    },
  }
}
