/** Stem of every cookie of ours. */
export const STEM = 'lib.'

/** Name of the session cookie, before any prefix. */
export const SESSION_COOKIE: string = `${STEM}session-token`

/** Prefixes a session cookie can have, safest first (RFC 6265bis §4.1.3). */
export const COOKIE_PREFIXES: readonly string[] = ['__Host-', '__Secure-', '']
