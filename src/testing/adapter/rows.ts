import type {
  AdapterAccount,
  AdapterAccountKey,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../adapters/index.ts'

/** After all tests. Before 2038 and with milliseconds, because some columns support neither. */
export const LATER: Date = new Date('2037-02-03T04:05:06.789Z')

/** Breaks queries without escaping and columns without Unicode. */
export const ODD_TEXT = `Zoë "O'Brien" \\ %_ ; -- 漢字 🦊`

export function unique(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Strings that are equal with a wrong collation or with `like`. */
export function lookalikes(text: string): readonly string[] {
  const rest = text.slice(1)
  return [text.toUpperCase(), `${text} `, ` ${text}`, rest, `%${rest}`, `_${rest}`, '%']
}

/** The address begins with a letter that other strings resemble in some collations. */
export function newUser(fields: Partial<AdapterUser> = {}): AdapterUser {
  return {
    id: crypto.randomUUID(),
    name: 'Ada Lovelace',
    email: `e${unique()}@example.com`,
    emailVerified: new Date('2021-02-03T04:05:06.789Z'),
    image: 'https://example.com/ada.png',
    ...fields,
  }
}

export function newAccount(userId: string, fields: Partial<AdapterAccount> = {}): AdapterAccount {
  return {
    userId,
    type: 'oidc',
    provider: 'example',
    providerAccountId: `a${unique()}`,
    access_token: 'an access token',
    refresh_token: 'a refresh token',
    id_token: 'an.id.token',
    token_type: 'bearer',
    scope: 'openid email',
    expires_at: 2_114_380_800,
    session_state: 'a session state',
    ...fields,
  }
}

export function keyOf({ provider, providerAccountId }: AdapterAccount): AdapterAccountKey {
  return { provider, providerAccountId }
}

export function newSession(userId: string, expires: Date = LATER): AdapterSession {
  return { userId, sessionToken: `s${unique()}`, expires }
}

/** The token has the length of the stored hashes. */
export function newToken(fields: Partial<VerificationToken> = {}): VerificationToken {
  return {
    identifier: `t${unique()}@example.com`,
    token: unique() + unique(),
    expires: LATER,
    ...fields,
  }
}

export function tokenKey({
  identifier,
  token,
}: VerificationToken): Pick<VerificationToken, 'identifier' | 'token'> {
  return { identifier, token }
}

/** The id contains every kind of base64 character. */
export function newAuthenticator(
  userId: string,
  fields: Partial<AdapterAuthenticator> = {},
): AdapterAuthenticator {
  const credentialID = `c+/${unique()}=`
  return {
    userId,
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: 'pQECAyYgASFYIA+/BA==',
    counter: 0,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'internal,hybrid',
    ...fields,
  }
}
