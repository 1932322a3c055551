/** The claims of a session to which the jwt callback has assigned another user than the one of the sign-in. */
import type { SignInFacts } from '../contracts.ts'
import type { SignInClaims } from './codec.ts'
import type { BegunSession } from './revocations.ts'

/** Not in the file of the facts, which a session read does not load: the claim of a session that the jwt callback has assigned to another user, who has not been authenticated. */
function withoutAssurance(claim: object): object {
  return { ...claim, afterSub: undefined, amr: [], acr: undefined, authTime: 0 }
}

/**
 * The callback has assigned the session to another user (impersonation), or to an id of another table, or to none: how
 * the user of the sign-in was authenticated says nothing about them.
 */
export function ofAnotherUser(claims: SignInClaims, signedInAs: string | undefined): SignInClaims {
  const { verified_at_sign_in, user_at_sign_in, lib } = claims
  const isMarked = verified_at_sign_in !== undefined || user_at_sign_in
  return {
    ...claims,
    verified_at_sign_in: undefined,
    user_at_sign_in: isMarked || undefined,
    // The session ends with all those of the user who has signed in, too.
    lib: lib && { by: signedInAs, ...withoutAssurance(lib) },
  }
}

/**
 * Without a database, the id that the callback sets at the sign-in is the only one of the user who has signed in.
 *
 * @param begin - reads when sessions of that id ended, so that this one is newer
 */
export async function assigned(
  claims: SignInClaims,
  { wasVerified, user }: SignInFacts,
  begin: () => Promise<BegunSession> | undefined,
): Promise<SignInClaims> {
  const other = ofAnotherUser(claims, user.id)
  if (wasVerified !== undefined || !claims.lib) return other
  const afterSub = (await begin())?.after
  return { ...other, lib: { by: user.id, afterSub, ...claims.lib } }
}
