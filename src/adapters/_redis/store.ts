/** Commands and Lua scripts, which Redis runs atomically. Clients may add a prefix to KEYS, but not to ARGV. */

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
  /** Runs a script that is atomic. */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Deletes up to `limit` rows whose time of deletion is before this. Returns their number. */
  deleteExpired(before: number, limit: number): Promise<number>
  /** The `maxmemory-policy` of the server; `null` if it does not report it, or not to this user. */
  evictionPolicy(): Promise<string | null>
}

export const USER = 'user:'

/** The sorted set of all expiring rows. */
const EXPIRIES = 'ends'

/** KEYS: a row. ARGV: its name without prefix, and the prefix of user keys. Returns the row and its user. */
const GET_WITH_USER = `
local row = redis.call('GET', KEYS[1])
if not row then return {} end
local read, fields = pcall(cjson.decode, row)
if not read then return {row} end
local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
return {row, redis.call('GET', prefix .. ARGV[2] .. fields['userId'])}`

/**
 * KEYS: the set of expiring rows, then every key to check or change. ARGV: the name of that set, then a {@link Command}
 * each, with an index into KEYS. Returns 0 if a check fails, else 1. Checks come before changes, because Redis does not
 * roll back a script. A list is a sorted set of row names by the time of their deletion.
 */
const COMMIT = `
local ends = KEYS[1]
local prefix = string.sub(ends, 1, #ends - #ARGV[1])
local lists = {}

local function add(list, name, till)
  redis.call('ZADD', list, till, name)
  lists[list] = true
end

local function remove(list, name)
  redis.call('ZREM', list, name)
  lists[list] = true
end

for at = 2, #ARGV, 4 do
  local act, key, first, second = ARGV[at], KEYS[tonumber(ARGV[at + 1])], ARGV[at + 2], ARGV[at + 3]
  local name = string.sub(key, #prefix + 1)
  if act == 'same' then
    if (redis.call('GET', key) or '') ~= first then return 0 end
  elseif act == 'list' then
    if table.concat(redis.call('ZRANGE', key, 0, -1), '\\0') ~= first then return 0 end
  elseif act == 'add' then
    add(key, first, second)
  elseif act == 'remove' then
    remove(key, first)
  elseif act == 'clear' then
    for _, row in ipairs(redis.call('ZRANGE', key, 0, -1)) do
      redis.call('DEL', prefix .. row)
      remove(ends, row)
    end
    redis.call('DEL', key)
  elseif act == 'delete' then
    redis.call('DEL', key)
    remove(ends, name)
  elseif second == 'inf' then
    redis.call('SET', key, first)
  else
    redis.call('SET', key, first, 'PXAT', second)
    add(ends, name, second)
  end
end

local now = redis.call('TIME')[1] .. '000'
for list in pairs(lists) do
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', list, '-inf', now, 'LIMIT', 0, 100)) do
    redis.call('ZREM', list, name)
  end
  local last = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')[2]
  if last == 'inf' then
    redis.call('PERSIST', list)
  elseif last then
    redis.call('PEXPIREAT', list, last)
  end
end
return 1`

/** KEYS: the set of expiring rows. ARGV: its name, a time, and how many rows to delete. Returns the number of rows. */
const DELETE_EXPIRED = `
local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
local names = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[2], 'LIMIT', 0, ARGV[3])
for _, name in ipairs(names) do
  redis.call('DEL', prefix .. name)
  redis.call('ZREM', KEYS[1], name)
end
return #names`

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

const NO_CLIENT =
  'RedisAdapter: the first argument is not a client of ioredis, or of createClient of redis. For a cluster of redis, or a client over HTTP, pass an object with sendCommand: see node_modules/lib-auth/docs/databases/redis.md#clusters-and-other-clients'

/** The `sendCommand` of a cluster or a sentinel of `redis` has more parameters, the array not being the first one. */
function isClient(client: RedisClient | null | undefined): boolean {
  if (!client) return false
  if ('call' in client) return typeof client.call === 'function'
  return typeof client.sendCommand === 'function' && client.sendCommand.length <= 2
}

export function redisStore(client: RedisClient, prefix: string): Store {
  if (!isClient(client)) throw new TypeError(NO_CLIENT)
  async function send(command: string, ...args: string[]): Promise<unknown> {
    return 'call' in client ? client.call(command, ...args) : client.sendCommand([command, ...args])
  }

  async function run(script: string, keys: readonly string[], args: readonly string[]) {
    const names = keys.map((key) => prefix + key)
    return send('EVAL', script, String(keys.length), ...names, ...args)
  }

  return {
    run,

    get: async (key) => readText(await send('GET', prefix + key)),

    async list(name) {
      const answer = await send('ZRANGE', prefix + name, '0', '-1')
      return Array.isArray(answer) ? answer.map(String) : []
    },

    async getWithUser(key) {
      const answer = await run(GET_WITH_USER, [key], [key, USER])
      const [row, user]: readonly unknown[] = Array.isArray(answer) ? answer : []
      return [readText(row), readText(user)]
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

    deleteExpired: async (before, limit) =>
      Number(await run(DELETE_EXPIRED, [EXPIRIES], [EXPIRIES, String(before), String(limit)])),

    // Hosted servers often allow INFO, but not CONFIG; an ACL without dangerous commands allows neither.
    evictionPolicy: async () => {
      const info = await send('INFO', 'memory').catch(() => '')
      return /^maxmemory_policy:(\S+)/m.exec(String(info))?.[1] ?? null
    },
  }
}
