/** How long a session lasts, and what is stored of it. */
import type { SessionContext, Subject } from '../contracts.ts'
import { LONGEST_IDLE, SESSION_MAX_AGE } from '../config/defaults.ts'
import { nextExpiry, sessionTerms } from './terms.ts'
import type { Terms } from './terms.ts'

interface KeptFor {
  readonly seconds: number
  /** Whether a cookie outlives the browser. */
  readonly keep: boolean
}

function termsOf({ config: { lifetime } }: SessionContext, subject: Subject): Terms {
  const since = subject.since === null ? undefined : subject.since.getTime() / 1000
  return sessionTerms(subject.facts(), lifetime, since)
}

/** Seconds without use after which a session ends, at most. */
export function idleTimeoutOf(ctx: SessionContext, subject: Subject): number {
  return termsOf(ctx, subject).idle ?? ctx.config.lifetime.maxAge
}

/** When a session ends that is used now and not again. */
export function expiresAfterUse(ctx: SessionContext, subject: Subject): Date {
  return new Date(nextExpiry(termsOf(ctx, subject), idleTimeoutOf(ctx, subject)))
}

/**
 * Until the session has to end. A session in use is extended without its tokens, which are read only when an API is
 * called: so its idle timeout, if it is short, is not theirs. They are sealed, and cannot be opened without the session.
 */
export function tokensKeptFor(ctx: SessionContext, subject: Subject): KeptFor {
  const { end, keep } = termsOf(ctx, subject)
  const left = Math.ceil((end - Date.now()) / 1000)
  const longest = Math.max(idleTimeoutOf(ctx, subject), SESSION_MAX_AGE)
  return { seconds: Math.max(0, Math.min(longest, left)), keep }
}

/** Seconds for which a record about any session is kept after it was last used. */
export function recordsKeptFor({ config: { lifetime } }: SessionContext): number {
  return lifetime.hasLifetime ? LONGEST_IDLE : lifetime.maxAge
}
