import type {
  AdapterAccount,
  AdapterAccountKey,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  StoredFactor,
  StoredPassword,
  StoredRecord,
  VerificationToken,
} from '../../core/database/adapter.ts'

/** After all tests. Before 2038 and with milliseconds, because some columns support neither. */
export const LATER: Date = new Date('2037-02-03T04:05:06.789Z')

/** Before {@link BETWEEN}; the rows of other cases expire after it. */
export const EARLY: Date = new Date('2035-01-01T00:00:00.000Z')
export const BETWEEN: Date = new Date('2036-01-01T00:00:00.000Z')

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

export function accountKey({ provider, providerAccountId }: AdapterAccount): AdapterAccountKey {
  return { provider, providerAccountId }
}

export function newSession(userId: string, expires: Date = LATER): AdapterSession {
  return { userId, sessionToken: `s${unique()}`, expires }
}

/** The token has the length of the stored hashes. */
export function newToken(identifier = `t${unique()}@example.com`): VerificationToken {
  return { identifier, token: unique() + unique(), expires: LATER }
}

type TokenKey = Pick<VerificationToken, 'identifier' | 'token'>

export function tokenKey({ identifier, token }: VerificationToken): TokenKey {
  return { identifier, token }
}

/** The id contains every kind of base64 character. */
function newAuthenticator(
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

export function newRecord(fields: Partial<StoredRecord> = {}): StoredRecord {
  return { key: `k${unique()}`, value: `v${unique()}`, owner: null, expires: LATER, ...fields }
}

export function newFactor(userId: string, fields: Partial<StoredFactor> = {}): StoredFactor {
  return {
    id: `f${unique()}`,
    userId,
    type: 'totp',
    secret: `s${unique()}`,
    name: null,
    lastStep: null,
    confirmed: false,
    created: new Date('2026-05-04T03:02:01.234Z'),
    ...fields,
  }
}

/** The password of a user, without the user. */
export type NewPassword = Omit<StoredPassword, 'userId'>

export function newPassword(fields: Partial<NewPassword> = {}): NewPassword {
  return { hash: `h${unique()}`, changed: new Date('2026-05-04T03:02:01.234Z'), ...fields }
}

/** New rows for one case: of each kind, two of `user` and one of `other`. `token2` has the identifier of `token`. */
export type Rows = Readonly<
  Record<'user' | 'other', AdapterUser> &
    Record<'account' | 'account2' | 'otherAccount', AdapterAccount> &
    Record<'session' | 'session2' | 'otherSession', AdapterSession> &
    Record<'passkey' | 'passkey2' | 'otherPasskey', AdapterAuthenticator> &
    Record<'token' | 'token2' | 'otherToken', VerificationToken>
>

export function newRows([user = newUser(), other = newUser()]: readonly AdapterUser[] = []): Rows {
  const token = newToken()
  return {
    user,
    other,
    account: newAccount(user.id),
    account2: newAccount(user.id),
    otherAccount: newAccount(other.id),
    session: newSession(user.id),
    session2: newSession(user.id),
    otherSession: newSession(other.id),
    passkey: newAuthenticator(user.id),
    passkey2: newAuthenticator(user.id),
    otherPasskey: newAuthenticator(other.id),
    token,
    token2: newToken(token.identifier),
    otherToken: newToken(),
  }
}
