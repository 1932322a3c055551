/**
 * Generic cell rate algorithm (GCRA): the state of a key is one number, its theoretical arrival time (tat). Times are in
 * whole milliseconds, because fractions add up to wrong decisions.
 */
import type { RateDecision, RateLimit } from '../config/protection-options.ts'

export type Rate = Pick<RateLimit, 'burst' | 'per'>

/** Milliseconds until one more charge is available. */
export function chargeInterval({ burst, per }: Rate): number {
  return Math.max(1, Math.round((per * 1000) / burst))
}

/** Seconds, a multiple of 5: a more exact time would help to schedule guesses. */
export function roundWait(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000 / 5) * 5
}

/** The time of an exhausted key is at most one `per` ahead; more means that the clock was set back. */
function currentTat(tat: number, rate: Rate, now: number): number {
  return Math.min(Math.max(now, tat), now + rate.burst * chargeInterval(rate))
}

/** Returns the decision, and the tat after the charge; if it is rejected, the tat to keep. */
export function decide(
  tat: number,
  rate: Rate,
  now: number,
): RateDecision & { readonly tat: number } {
  const interval = chargeInterval(rate)
  const current = currentTat(tat, rate, now)
  const wait = current - (rate.burst - 1) * interval - now
  if (wait > 0) {
    return { allowed: false, retryAfter: roundWait(wait), used: rate.burst, tat: current }
  }
  const used = Math.ceil((current - now) / interval) + 1
  return { allowed: true, retryAfter: 0, used, tat: current + interval }
}

/** The tat that a decision of a store implies, at most one charge too late; 0 if it implies none. */
export function impliedTat(
  { allowed, retryAfter, used = 0 }: RateDecision,
  rate: Rate,
  now: number,
): number {
  const interval = chargeInterval(rate)
  if (allowed) return used > 0 ? now + Math.min(used, rate.burst) * interval : 0
  return now + retryAfter * 1000 + (rate.burst - 1) * interval
}

/**
 * How much of a burst is in use; 1 if it is exhausted. Bursts above 100 count as 100, because a counter that is never
 * exhausted would always be nearly idle.
 */
export function usage(tat: number, rate: Rate, now: number): number {
  return (tat - now) / chargeInterval(rate) / Math.min(rate.burst, 100)
}

/** The tat after one charge was given back. */
export function refund(tat: number, rate: Rate, now: number): number {
  return Math.max(now, currentTat(tat, rate, now) - chargeInterval(rate))
}
