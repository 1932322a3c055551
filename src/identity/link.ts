/** When an account and a user belong together: the whole policy, in one table. */

/** What is known when somebody comes back with an account at a provider. Users are named by their ids. */
export interface LinkFacts {
  /** Who was signed in when the sign-in began; `null`: nobody. */
  readonly startedBy: string | null
  /** Who is signed in now. */
  readonly current: string | null
  /** Whose account it is. */
  readonly owner: string | null
  /** Who has the same e-mail address. */
  readonly sameEmail: string | null
  /** Whether the same address is enough: the application says so, and the provider has verified it. */
  readonly trustsEmail: boolean
}

/** What follows from it. */
export type LinkDecision =
  /** Sign in as the owner. */
  | 'enter'
  /** Give the account to whoever is signed in. */
  | 'link_current'
  /** Give the account to whoever has the same address, and sign in as them. */
  | 'link_same_email'
  /** Make a user. */
  | 'create'
  | 'refuse'

/**
 * Decides. The rows, first match wins:
 *
 * | started by | now    | owner        | same address | trusted | decision          |
 * | ---------- | ------ | ------------ | ------------ | ------- | ----------------- |
 * | A          | B      | –            | –            | –       | `refuse`          |
 * | A          | A      | nobody       | –            | –       | `link_current`    |
 * | A          | A      | A            | –            | –       | `enter`           |
 * | A          | A      | B            | –            | –       | `refuse`          |
 * | otherwise  |        | A            | –            | –       | `enter`           |
 * | otherwise  |        | nobody       | B            | yes     | `link_same_email` |
 * | otherwise  |        | nobody       | B            | no      | `refuse`          |
 * | otherwise  |        | nobody       | nobody       | –       | `create`          |
 *
 * A session that is merely there links nothing: somebody else may have signed in at the same browser, or planted
 * their session in it.
 */
export function decide(facts: LinkFacts): LinkDecision {
  const { startedBy, current, owner, sameEmail, trustsEmail } = facts
  if (startedBy !== null && current !== null) {
    if (startedBy !== current) return 'refuse'
    if (owner === null) return 'link_current'
    return owner === current ? 'enter' : 'refuse'
  }
  if (owner !== null) return 'enter'
  if (sameEmail === null) return 'create'
  return trustsEmail ? 'link_same_email' : 'refuse'
}
