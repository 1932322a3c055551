/** How long the tokens of a session are stored. */
import type { SessionContext, Subject } from '../contracts.ts'
import { LONGEST_IDLE, SESSION_MAX_AGE } from '../config/defaults.ts'
import { sessionTerms } from './terms.ts'

interface KeptFor {
  readonly seconds: number
  /** Whether a cookie outlives the browser. */
  readonly keep: boolean
}

/**
 * Until the session has to end. A session in use is extended without its tokens, which are read only when an API is
 * called: so its idle timeout, if it is short, is not theirs. They are sealed, and cannot be opened without the session.
 */
export function tokensKeptFor({ config: { lifetime } }: SessionContext, subject: Subject): KeptFor {
  const since = subject.since === null ? undefined : subject.since.getTime() / 1000
  const { idle, end, keep } = sessionTerms(subject.facts(), lifetime, since)
  const left = Math.ceil((end - Date.now()) / 1000)
  const longest = Math.max(idle ?? lifetime.maxAge, SESSION_MAX_AGE)
  return { seconds: Math.max(0, Math.min(longest, left)), keep }
}

/** Seconds for which a record about any session is kept after it was last used. */
export function recordsKeptFor({ config: { lifetime } }: SessionContext): number {
  return lifetime.hasLifetime ? LONGEST_IDLE : lifetime.maxAge
}
