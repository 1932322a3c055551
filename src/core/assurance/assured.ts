/** The types of `requireAuth`. */
import type { DefaultSession, Session } from '../types.ts'
import type { AssuranceLevel } from './level.ts'

/** What `requireAuth` requires; what is left out does not matter. */
export interface AuthRequirement {
  /** 2: two different kinds of factor. Requires `session.assurance: 'kept'`. */
  readonly level?: AssuranceLevel | undefined
  /** Seconds since the user last authenticated, at least 1. */
  readonly maxAge?: number | undefined
  /** Values of the claim `acr`, one of which a provider with `trustsAssurance` must have stated. */
  readonly acr?: readonly string[] | undefined
}

/** How the user of a session was authenticated. */
export interface Assurance<Level extends AssuranceLevel = AssuranceLevel> {
  readonly level: Level
  /**
   * Methods, by names of RFC 8176: `pwd`, `hwk` and `swk` (passkeys), `mfa`, what a trusted provider stated, and `fed`
   * (a provider) and `email`. Empty for sessions from before the option was set, and for those of an impersonated user.
   */
  readonly amr: readonly string[]
  /** The authentication context that a trusted provider stated; a value of more than 32 characters as its hash. */
  readonly acr: string | null
  /** When the user was authenticated; `null`: unknown. */
  readonly authTime: Date | null
  /** Id of the provider of the sign-in; `null`: unknown. */
  readonly via: string | null
}

/** A session, and how its user was authenticated: what a function requires whose callers have called `requireAuth`. */
export interface Assured<
  S extends DefaultSession = Session,
  Level extends AssuranceLevel = AssuranceLevel,
> {
  readonly session: S
  readonly assurance: Assurance<Level>
}

/** The levels that a session has which meets the requirement. */
export type LevelOf<R> = R extends { readonly level: 2 } ? 2 : AssuranceLevel
