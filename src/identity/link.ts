/** Facts about a sign-in with an account at a provider. Users are given by id. */
export interface LinkFacts {
  /** Signed in when the sign-in started; `null` if unauthenticated. */
  readonly startedBy: string | null
  /** Signed in now. */
  readonly current: string | null
  /** Whether the session of the signed-in user may link accounts: not if it is older than the verification of the address. */
  readonly mayLink: boolean
  /** Owner of the account. */
  readonly owner: string | null
  /** User with the same e-mail address. */
  readonly sameEmail: string | null
  /** Whether a matching address is enough: `allowDangerousEmailAccountLinking`, and verified by the provider. */
  readonly trustsEmail: boolean
}

export type LinkDecision =
  /** Sign in as the owner. */
  | 'enter'
  /** Link the account to the signed-in user. */
  | 'link_current'
  /** Link the account to the user with the same address, and sign in as them. */
  | 'link_same_email'
  | 'create'
  | 'refuse'

/**
 * Decides what to do with an account. First match wins:
 *
 * | started by | now | may link | owner | same address | trusted | decision          |
 * | ---------- | --- | -------- | ----- | ------------ | ------- | ----------------- |
 * | A          | B   | –        | –     | –            | –       | `refuse`          |
 * | A          | A   | yes      | none  | –            | –       | `link_current`    |
 * | A          | A   | no       | none  | –            | –       | `refuse`          |
 * | A          | A   | –        | A     | –            | –       | `enter`           |
 * | A          | A   | –        | B     | –            | –       | `refuse`          |
 * | otherwise  |     | –        | A     | –            | –       | `enter`           |
 * | otherwise  |     | –        | none  | B            | yes     | `link_same_email` |
 * | otherwise  |     | –        | none  | B            | no      | `refuse`          |
 * | otherwise  |     | –        | none  | none         | –       | `create`          |
 *
 * A session that did not start the sign-in links nothing: it may belong to another user of the browser, or to an
 * attacker (session fixation).
 */
export function decide(facts: LinkFacts): LinkDecision {
  const { startedBy, current, mayLink, owner, sameEmail, trustsEmail } = facts
  if (startedBy !== null && current !== null) {
    if (startedBy !== current) return 'refuse'
    if (owner === null) return mayLink ? 'link_current' : 'refuse'
    return owner === current ? 'enter' : 'refuse'
  }
  if (owner !== null) return 'enter'
  if (sameEmail === null) return 'create'
  return trustsEmail ? 'link_same_email' : 'refuse'
}
