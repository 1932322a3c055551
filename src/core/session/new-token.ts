/** The token of a database session that begins. */
import type { SessionContext } from '../contracts.ts'
import { hmac, randomHex, sha256 } from '../crypto/digest.ts'
import { CallbackRouteError, InvalidConfiguration } from '../errors/classes.ts'
import { appendFacts } from './facts.ts'
import type { SessionFacts } from './facts.ts'
import { hashToken, MAX_TOKEN_LENGTH } from './stored-session.ts'
import type { TokenStorage } from './stored-session.ts'

export interface TokenSettings {
  readonly generateSessionToken: (() => string) | undefined
  readonly stored: TokenStorage
}

interface NewToken {
  readonly proofId: string | undefined
  readonly facts: SessionFacts | undefined
}

/** Characters of a key column. */
const MAX_KEY_LENGTH = 191
/** Characters of the random part of a token with facts. */
const MAX_RANDOM_LENGTH = 90

/** Derived from a single-use proof: the token is unique, so a concurrent sign-in of another process fails. */
async function generateToken(
  { config }: SessionContext,
  { proofId, facts }: NewToken,
): Promise<string> {
  const [secret = ''] = config.secrets
  const digits =
    proofId === undefined ? randomHex() : await hmac(proofId, { secret, purpose: 'session-token' })
  // As many bits in 43 characters, because key columns have 191.
  return facts ? sha256(digits, 'base64url') : digits
}

/** The token of the cookie, and as it is stored. */
export async function newToken(
  ctx: SessionContext,
  { generateSessionToken, stored }: TokenSettings,
  { proofId, facts }: NewToken,
): Promise<{ readonly token: string; readonly sessionToken: string }> {
  const random = generateSessionToken
    ? generateSessionToken()
    : await generateToken(ctx, { proofId, facts })
  const limit = facts ? MAX_RANDOM_LENGTH : MAX_TOKEN_LENGTH
  if (typeof random !== 'string' || !random || random.length > limit)
    throw new CallbackRouteError(
      `session.generateSessionToken did not return a string of 1 to ${limit} characters.${facts ? ' The facts of the sign-in, which an option such as tokens or session.lifetime needs, take the rest of the column.' : ''}`,
    )
  const token = facts ? appendFacts(random, facts) : random
  const sessionToken = stored === 'hash' ? await hashToken(token) : token
  // Some databases cut longer values off, without an error.
  if (facts && sessionToken.length > MAX_KEY_LENGTH)
    throw new InvalidConfiguration(
      `The token of a session with the facts of its sign-in has ${sessionToken.length} characters, and key columns have ${MAX_KEY_LENGTH}. Set session.hashTokens, shorten the id of the provider ${facts.via}${generateSessionToken ? ', or return less from session.generateSessionToken' : ''}.`,
    )
  return { token, sessionToken }
}
