/** How long a session lasts: by the facts of its sign-in, and by the configuration. */
import type { SessionFacts } from './facts.ts'

export interface LifetimeSettings {
  /** Idle timeout in seconds, unless the sign-in has chosen another. */
  readonly maxAge: number
  /** Seconds after which a session is extended. */
  readonly updateAge: number
  /** Seconds after the sign-in at which every session ends; `Infinity`: no limit. */
  readonly absoluteMaxAge: number
  /** Whether sign-ins have lifetimes of their own: the option `session.lifetime`. */
  readonly hasLifetime: boolean
}

export interface Terms {
  /** Idle timeout in seconds; `null`: the session is not extended. */
  readonly idle: number | null
  /** When the session ends however much it is used, in milliseconds since the epoch; `Infinity`: never. */
  readonly end: number
  readonly updateAge: number
  /** Whether the cookie outlives the browser. */
  readonly keep: boolean
}

/** Whole seconds, because adapters may store no fractions of them. */
function endOf(startedAt: number, absolute: number): number {
  return Math.floor(startedAt / 1000) * 1000 + absolute * 1000
}

/** @param startedAt - of a session without facts, in seconds since the epoch; `undefined`: unknown */
export function sessionTerms(
  facts: SessionFacts | null,
  { maxAge, updateAge, absoluteMaxAge, hasLifetime }: LifetimeSettings,
  startedAt?: number,
): Terms {
  if (!facts) {
    // Of an earlier release: nothing shows when it has to end, so it is valid until it expires.
    const isUnknown = startedAt === undefined && absoluteMaxAge !== Infinity
    const idle = hasLifetime || isUnknown ? null : maxAge
    const end = startedAt === undefined ? Infinity : endOf(startedAt * 1000, absoluteMaxAge)
    return { idle, end, updateAge, keep: true }
  }
  // Without the option, the configuration may have become stricter since the sign-in.
  const idle = hasLifetime ? facts.idle : Math.min(facts.idle, maxAge)
  return {
    idle,
    end: endOf(facts.startedAt, Math.min(facts.absolute ?? Infinity, absoluteMaxAge)),
    // A session with a short idle timeout would otherwise expire before it is extended.
    updateAge: idle < maxAge ? Math.min(updateAge, idle / 10) : updateAge,
    keep: facts.keep,
  }
}

/** The expiry of a session that is created or extended now, in milliseconds since the epoch. */
export function nextExpiry(
  { end }: Pick<Terms, 'end'>,
  idle: number,
  now: number = Date.now(),
): number {
  return Math.min(now + idle * 1000, end)
}
