/** Rows that nobody has stored before, with the fields that the usual schemas have. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../adapters/index.ts'
import type { Having } from './case.ts'

/** Later than every case. Before 2038, and with milliseconds: both are too much for some columns. */
export const LATER: Date = new Date('2037-02-03T04:05:06.789Z')

/** What a careless query stumbles over. */
export const ODD_TEXT = `Zoë "O'Brien" \\ %_ ; -- 漢字 🦊`

/** A text that nobody else has. */
export function unique(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Texts that a database may take for this one, if its collation or its query is too generous. */
export function lookalikes(text: string): readonly string[] {
  const rest = text.slice(1)
  return [text.toUpperCase(), `${text} `, ` ${text}`, rest, `%${rest}`, `_${rest}`, '%']
}

/** A user, whose address begins with a letter that has a look-alike. */
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

/** Two users who are stored. */
export async function twoUsers(adapter: Having<'createUser'>): Promise<[AdapterUser, AdapterUser]> {
  return [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
}

/** An account of a user. */
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

/** A session of a user. */
export function newSession(userId: string, expires: Date = LATER): AdapterSession {
  return { userId, sessionToken: `s${unique()}`, expires }
}

/** A token, as long as the hashes that are stored. */
export function newToken(fields: Partial<VerificationToken> = {}): VerificationToken {
  return {
    identifier: `t${unique()}@example.com`,
    token: unique() + unique(),
    expires: LATER,
    ...fields,
  }
}

/** A passkey of a user, with an id that has every kind of character of base64. */
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
