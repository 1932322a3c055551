/** The rows that a release freezes: users, accounts, sessions, links, passkeys, factors and passwords of every form. */
import type { Adapter, AdapterUser } from '../../src/adapters/index.ts'
import { OPTIONS } from './databases.ts'
import type { Library } from './library.ts'
import { useRowsSite } from './rows-site.ts'
import type { KeptOfRows } from './rows-site.ts'

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5)
/** Redis deletes a session at its end, so it is far away. */
const LATER = new Date(Date.UTC(2126, 0, 1))

/** The label is the id, unless the database generates ids; `verified` is `null` for an unverified address. */
export type RowUser = readonly [
  label: string,
  name: string | null,
  email: string | null,
  verified: Date | null,
]

const USERS: readonly RowUser[] = [
  ['ada', 'Ada Lovelace', 'ada@example.com', new Date(AT)],
  ['mixed', 'Mixed Case', 'Mixed.Case@Example.com', new Date(AT)],
  ['quote', "Miles O'Brien; --", "o'brien@example.com", null],
  ['emoji', '😀 \u00e9 e\u0301', 'emoji@example.com', new Date(AT + 1)],
  ['nameless', null, 'nameless@example.com', null],
  ['0d0b9a0e-7f63-4a55-9a5c-6f3f1c1d7a11', 'Uuid', 'uuid@example.com', new Date(AT)],
  ['percent', '100 % "quoted" \\', 'percent+tag@example.com', new Date(0)],
  ['domain', 'Umlaut', 'ada@m\u00fcnchen.example', new Date(AT)],
  ['silent', 'Without address', null, null],
]

/** Ids that the database generates, and names in snake case. */
export const NAMED = { ...OPTIONS, ids: 'integer', columns: 'snake_case' } as const

/** The users of a database of a release; the release candidate has none without an address. */
export function usersOf(version: string, store: string): readonly RowUser[] {
  const few = new Set(['ada', 'emoji', 'mixed', 'quote', 'silent'])
  if (store.startsWith('named')) return USERS.filter(([label]) => few.has(label))
  return version === '0.1.0-rc.0' ? USERS.filter(([, , email]) => email !== null) : USERS
}

export type FullAdapter = Omit<Required<Adapter>, 'transaction'>

/** Like the sign-ins of users, but without requests; those that need requests come between. */
export async function writeRows(
  adapter: FullAdapter,
  library: Library,
  users: readonly RowUser[],
): Promise<KeptOfRows> {
  const ids = new Map<string, string>()
  for (const [label, name, email, emailVerified] of users) {
    const row = { id: label, name, email, emailVerified, image: null }
    // Despite its type, an address may be missing.
    const { id: userId } = await adapter.createUser(row as AdapterUser)
    ids.set(label, userId)
    for (const provider of ['op', 'sealed'])
      await adapter.linkAccount({
        userId,
        provider,
        type: 'oidc',
        providerAccountId: `${provider}:${label}`,
      })
    await adapter.linkAccount({
      userId,
      provider: 'posted',
      type: 'oauth',
      providerAccountId: `posted:${label}`,
      access_token: label === 'ada' ? 'a'.repeat(500) : 'a',
      refresh_token: `sealed ' ${label}`,
      expires_at: 1_767_323_045,
      scope: 'openid email',
    })
    const hash = await library.password.hashPassword(`the password of ${label}`)
    await adapter.setPassword(userId, { hash, changed: new Date(AT) })
  }
  const kept = await useRowsSite(adapter, library)
  for (const [label, , email] of users) {
    const userId = ids.get(label) ?? ''
    await adapter.createSession({ sessionToken: `session of ${label}`, userId, expires: LATER })
    await adapter.createSession({
      sessionToken: `old of ${label}`,
      userId,
      expires: new Date(AT - 1),
    })
    if (email !== null)
      await adapter.createVerificationToken({
        identifier: email,
        token: `token of ${label}`,
        expires: LATER,
      })
    await adapter.createAuthenticator({
      credentialID: `key of ${label}`,
      userId,
      providerAccountId: `passkey:${label}`,
      credentialPublicKey: 'cHVibGlj',
      counter: 7,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
      transports: 'internal,hybrid',
    })
    await adapter.createFactor({
      id: `app of ${label}`,
      userId,
      type: 'totp',
      secret: 'sealed',
      name: null,
      lastStep: null,
      confirmed: false,
      created: new Date(AT),
    })
  }
  return { ids: Object.fromEntries(ids), ...kept }
}
