/** The rows that a release freezes: users, accounts, sessions, links, passkeys, factors and passwords of every form. */
import type { Adapter } from '../../src/adapters/index.ts'
import type { Library } from './library.ts'

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5)
/** Redis deletes a session at its end, so it is far away. */
const LATER = new Date(Date.UTC(2126, 0, 1))

/** Names and addresses, by id; `null`: unverified. */
export const USERS: readonly (readonly [
  id: string,
  name: string | null,
  email: string,
  verified: Date | null,
])[] = [
  ['ada', 'Ada Lovelace', 'ada@example.com', new Date(AT)],
  ['mixed', 'Mixed Case', 'Mixed.Case@Example.com', new Date(AT)],
  ['quote', "Miles O'Brien; --", "o'brien@example.com", null],
  ['emoji', '😀 \u00e9 e\u0301', 'emoji@example.com', new Date(AT + 1)],
  ['nameless', null, 'nameless@example.com', null],
  ['0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', new Date(AT)],
  ['percent', '100 % "quoted" \\', 'percent+tag@example.com', new Date(0)],
  ['domain', 'Umlaut', 'ada@m\u00fcnchen.example', new Date(AT)],
]

export type FullAdapter = Omit<Required<Adapter>, 'transaction'>

/** Like the sign-ins of users, but without requests. */
export async function writeRows(adapter: FullAdapter, library: Library): Promise<void> {
  for (const [id, name, email, emailVerified] of USERS) {
    await adapter.createUser({ id, name, email, emailVerified, image: null })
    await adapter.linkAccount({
      userId: id,
      provider: 'op',
      type: 'oidc',
      providerAccountId: `op:${id}`,
    })
    await adapter.linkAccount({
      userId: id,
      provider: 'posted',
      type: 'oauth',
      providerAccountId: `posted:${id}`,
      access_token: 'a'.repeat(500),
      refresh_token: `sealed ' ${id}`,
      expires_at: 1_767_323_045,
      scope: 'openid email',
    })
    await adapter.createSession({ sessionToken: `session of ${id}`, userId: id, expires: LATER })
    await adapter.createSession({
      sessionToken: `old of ${id}`,
      userId: id,
      expires: new Date(AT - 1),
    })
    await adapter.createVerificationToken({
      identifier: email,
      token: `token of ${id}`,
      expires: LATER,
    })
    await adapter.createAuthenticator({
      credentialID: `key of ${id}`,
      userId: id,
      providerAccountId: `passkey:${id}`,
      credentialPublicKey: 'cHVibGlj',
      counter: 7,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
      transports: 'internal,hybrid',
    })
    const hash = await library.password.hashPassword(`the password of ${id}`)
    await adapter.setPassword(id, { hash, changed: new Date(AT) })
    await adapter.createFactor({
      id: `app of ${id}`,
      userId: id,
      type: 'totp',
      secret: 'sealed',
      name: null,
      lastStep: null,
      confirmed: false,
      created: new Date(AT),
    })
  }
}
