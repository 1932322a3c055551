import type { TokenSet } from '../types.ts'
import type { StoredTokens } from './stored-tokens.ts'

/** What the provider did with a refresh token. */
export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly tokens: TokenSet }
  /** `invalid_grant`: the token is expired, revoked, or was replaced (RFC 6749 §5.2). */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'unavailable'
      /** Seconds before the token may be sent again. */
      readonly retryAfter: number
      /** Without secrets. */
      readonly error: Error
      /** Whether only a change of our configuration can help. */
      readonly isMisconfigured: boolean
    }

export type Refreshed =
  | {
      readonly kind: 'refreshed'
      readonly tokens: StoredTokens
      /** If not, this process has the only copy. */
      isStored: boolean
    }
  | Extract<RefreshOutcome, { readonly kind: 'unavailable' }>
  | {
      readonly kind: 'refused'
      /** When the provider refused the token for the first time, in milliseconds since the epoch. */
      readonly since: number
      /** Whether the event `tokenRefreshFailed` was emitted. */
      isReported?: boolean
    }

/** What this process knows of a refresh token. */
export interface Flight {
  readonly result: Promise<Refreshed>
  /** Of {@link result}; undefined: pending. */
  outcome?: Refreshed
  /** In milliseconds since the epoch: until then, no request is sent with this token. */
  endsAt: number
}
