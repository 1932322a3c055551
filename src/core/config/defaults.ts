export const BASE_PATH = '/auth'

/** Idle timeout of a session, in seconds: 30 days. */
export const SESSION_MAX_AGE: number = 30 * 24 * 60 * 60

/** Longest idle timeout that `session.lifetime` can return, in seconds: browsers keep no cookie for longer than 400 days (RFC 6265bis §5.5). */
export const LONGEST_IDLE: number = 400 * 24 * 60 * 60

/** Seconds after which a session in use is extended: 1 day. */
export const SESSION_UPDATE_AGE: number = 24 * 60 * 60

/** Lifetime of an authorization transaction, in seconds: 10 minutes. */
export const TRANSACTION_MAX_AGE: number = 10 * 60

/** Lifetime of the challenge of a passkey ceremony, in seconds: 5 minutes. */
export const CHALLENGE_MAX_AGE: number = 5 * 60

/** Bytes; a shorter secret can be guessed. */
export const MIN_SECRET_LENGTH = 32

/** Bytes; a shorter secret is rejected in production. */
export const SHORTEST_SECRET = 16

/** Lifetime of the cookie with ID tokens for a sign-out, in seconds: the 400 days that browsers allow; the session ends it. */
export const HINTS_MAX_AGE: number = 400 * 24 * 60 * 60

/** Lifetime of the cookie of a known browser, in seconds: 180 days. */
export const KNOWN_MAX_AGE: number = 180 * 24 * 60 * 60

/** Seconds by which the clocks of processes may differ. */
export const CLOCK_SKEW = 120

/** Seconds after a sign-in in which users may change how they sign in: 15 minutes. */
export const FRESH_FOR: number = 15 * 60
