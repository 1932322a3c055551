/** The rate limits of the library, in one script for all keys of an attempt. */
import type {
  RateDecision,
  RateLimit,
  RateLimitStore,
} from '../../core/config/protection-options.ts'
import { chargeInterval, roundWait } from '../../core/limits/gcra.ts'
import type { Store } from './store.ts'

/**
 * KEYS: the limits. ARGV: the current time, then `burst` and the milliseconds for each charge of each limit. Returns for
 * each limit how long to wait, and how many charges are in use. Charges all, or none if one is exhausted. A time that is
 * further ahead than `burst` charges is one of a clock that was set back.
 */
const TAKE = `
local now = tonumber(ARGV[1])
local answers, tats, isFree = {}, {}, true
for at, key in ipairs(KEYS) do
  local burst, interval = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local stored = tonumber(redis.call('GET', key) or 0) or 0
  local tat = math.min(math.max(now, stored), now + burst * interval)
  local wait = math.max(0, tat - (burst - 1) * interval - now)
  local isExhausted = wait > 0
  if isExhausted then isFree = false end
  local used = isExhausted and burst or math.ceil((tat - now) / interval) + 1
  answers[at] = {wait, used}
  tats[at] = {isExhausted and tat or tat + interval, isExhausted and tat < stored}
end
for at, key in ipairs(KEYS) do
  local tat, isSetBack = tats[at][1], tats[at][2]
  if isFree or isSetBack then
    redis.call('SET', key, string.format('%.0f', tat), 'PX', string.format('%.0f', tat - now))
  end
end
return answers`

/** KEYS and ARGV as above. Refunds one charge of each limit. */
const GIVE_BACK = `
local now = tonumber(ARGV[1])
for at, key in ipairs(KEYS) do
  local burst, interval = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local stored = tonumber(redis.call('GET', key) or 0) or 0
  local tat = math.min(stored, now + burst * interval) - interval
  if tat > now then
    redis.call('SET', key, string.format('%.0f', tat), 'PX', string.format('%.0f', tat - now))
  else
    redis.call('DEL', key)
  end
end
return 1`

function readDecision(answer: unknown): RateDecision {
  const [wait = 0, used = 0] = Array.isArray(answer) ? answer.map(Number) : []
  return { allowed: wait === 0, retryAfter: roundWait(wait), used }
}

export function redisLimits(redis: Store): RateLimitStore {
  const call = (script: string, rates: readonly RateLimit[], now: number) => {
    const keys = rates.map(({ key }) => key)
    const numbers = rates.flatMap((rate) => [rate.burst, chargeInterval(rate)])
    return redis.run(script, keys, [now, ...numbers].map(String))
  }
  return {
    async take(rates, now) {
      const answers = await call(TAKE, rates, now)
      return Array.isArray(answers) ? answers.map(readDecision) : []
    },
    async giveBack(rates, now) {
      await call(GIVE_BACK, rates, now)
    },
  }
}
