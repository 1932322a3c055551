/** What Redis does in one step. A client may put something in front of the names of keys, and of nothing else. */

/** KEYS: a row. ARGV: its name, and what is in front of the ids of users. Answers the row and its user. */
export const FOLLOW = `
local row = redis.call('GET', KEYS[1])
if not row then return {} end
local read, fields = pcall(cjson.decode, row)
if not read then return {row} end
local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
return {row, redis.call('GET', prefix .. ARGV[2] .. fields['userId'])}`

/**
 * KEYS: the list of what ends, and everything that is read or written. ARGV: the name of that list, then for each
 * check and each change what it is, the number of its key, and two texts. Answers 0 if a check fails. All checks
 * come first; what fails after a change would leave half of it.
 *
 * A list is a sorted set of names of rows, by when Redis forgets them; it is forgotten with the last.
 */
export const COMMIT = `
local ends = KEYS[1]
local prefix = string.sub(ends, 1, #ends - #ARGV[1])
local lists = {}

local function differ(key, names)
  local found = redis.call('ZRANGE', key, 0, -1)
  if #found ~= #names then return true end
  for index, name in ipairs(names) do
    if found[index] ~= name then return true end
  end
end

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
  if act == 'none' then
    if redis.call('EXISTS', key) == 1 then return 0 end
  elseif act == 'same' then
    if redis.call('GET', key) ~= first then return 0 end
  elseif act == 'list' then
    if differ(key, cjson.decode(first)) then return 0 end
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

/** KEYS: the list of what ends. ARGV: its name, a time, and at most how many rows. Answers how many there were. */
export const FORGET = `
local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
local names = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[2], 'LIMIT', 0, ARGV[3])
for _, name in ipairs(names) do
  redis.call('DEL', prefix .. name)
  redis.call('ZREM', KEYS[1], name)
end
return #names`
