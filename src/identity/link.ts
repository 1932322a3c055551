/** Facts about a sign-in with an account at a provider. Users are given by id. */
export interface LinkFacts {
  /** Signed in when the sign-in began; `null` if unauthenticated. */
  readonly initiatingUser: string | null
  /** Signed in when the sign-in completes. */
  readonly currentUser: string | null
  /** Whether the current session may link accounts: not if it is older than the verification of the address. */
  readonly mayLink: boolean
  readonly accountOwner: string | null
  /** User with the same e-mail address. */
  readonly sameEmail: string | null
  /** Whether a matching address is enough: `allowDangerousEmailAccountLinking`, and verified by the provider. */
  readonly trustsEmail: boolean
}

export type LinkDecision = 'sign_in' | 'link_current' | 'link_same_email' | 'create' | 'reject'

/**
 * Decides what to do with an account, by the table in docs/reference/linking.md. A session that did not start the
 * sign-in links nothing: it may belong to another user of the browser, or to an attacker (session fixation).
 */
export function decide(facts: LinkFacts): LinkDecision {
  const { initiatingUser, currentUser, mayLink, accountOwner, sameEmail, trustsEmail } = facts
  if (initiatingUser !== null && currentUser !== null) {
    if (initiatingUser !== currentUser) return 'reject'
    if (accountOwner === null) return mayLink ? 'link_current' : 'reject'
    return accountOwner === currentUser ? 'sign_in' : 'reject'
  }
  if (accountOwner !== null) return 'sign_in'
  if (sameEmail === null) return 'create'
  return trustsEmail ? 'link_same_email' : 'reject'
}
