/** A session, as its user and the application see it. */
export interface SessionInfo {
  /** Identifies the session; the session cannot be read with it. */
  readonly sid: string
  /** Whether it is the session of the request. */
  readonly isCurrent: boolean
  /** `null`: not known, as of a session from before the option `session.devices`. */
  readonly startedAt: Date | null
  /** At most 15 minutes old while the session is used; `null`: not stored. */
  readonly lastSeenAt: Date | null
  /** When the session ends if it is not used again. */
  readonly expires: Date
  /** Id of the provider of the sign-in. */
  readonly via: string | null
  /** Of the sign-in; only with `session.devices: 'described'`. Show it as text: a browser can send any user agent. */
  readonly device: {
    /** At most 200 characters. */
    readonly userAgent: string | null
    /** The network of the client: /24 (IPv4) or /48 (IPv6). Only with `protection.clientAddress`. */
    readonly address: string | null
  } | null
}

/** A session of any request. */
export type ListedSession = Omit<SessionInfo, 'isCurrent'>

/** At most 100 sessions, newest first. */
export interface SessionPage {
  readonly sessions: readonly SessionInfo[]
  /** Returns the next page; `null`: this is the last one. */
  readonly nextCursor: string | null
}

/** Options of a list of sessions. */
export interface SessionPageOptions {
  /** The `nextCursor` of the page before. @default the first page */
  readonly cursor?: string | undefined
}
