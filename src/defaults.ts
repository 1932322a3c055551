/** Every default value. */

/** Path below which the routes are. */
export const BASE_PATH = '/auth'

/** Seconds until a session that is not used ends: 30 days. */
export const SESSION_MAX_AGE: number = 30 * 24 * 60 * 60

/** Seconds after which a session that is used is extended: 1 day. */
export const SESSION_UPDATE_AGE: number = 24 * 60 * 60

/** Seconds a sign-in at a provider may take: 10 minutes. */
export const TRANSACTION_MAX_AGE: number = 10 * 60

/** Bytes below which a secret can be guessed. */
export const MIN_SECRET_LENGTH = 32

/** Bytes below which a secret is rejected in production. */
export const SHORTEST_SECRET = 16
