/** Compiled, never run: third-party adapters are compatible, with and without the types of this library. */
import { expectTypeOf } from 'vitest'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  AuthenticatorChanges,
  VerificationToken,
} from '../../src/adapters/index.ts'
import type { Account, User } from '../../src/index.ts'

declare const missing: () => never

/** The types of an adapter for another library. */
interface TheirUser {
  id: string
  name?: string | null
  email: string
  emailVerified: Date | null
  image?: string | null
}
interface TheirSession {
  sessionToken: string
  userId: string
  expires: Date
}
type TheirJson = string | number | boolean | null | TheirJson[] | { [key in string]?: TheirJson }
interface TheirAccount {
  provider: string
  providerAccountId: string
  type: 'oauth' | 'oidc' | 'email' | 'webauthn'
  userId: string
  access_token?: string
  expires_at?: number
  token_type?: Lowercase<string>
  [parameter: string]: TheirJson | undefined
}
interface TheirToken {
  identifier: string
  token: string
  expires: Date
}
interface TheirAuthenticator {
  userId: string
  providerAccountId: string
  credentialID: string
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  transports?: string | null
}

/** As a class: methods on the prototype, which use `this`, and all of them async. */
class ClassAdapter {
  private readonly rows: { users: TheirUser[]; sessions: TheirSession[] }
  constructor(rows: { users: TheirUser[]; sessions: TheirSession[] }) {
    this.rows = rows
  }
  async createUser(user: TheirUser): Promise<TheirUser> {
    return { ...user, id: String(this.rows.users.length) }
  }
  async getUser(id: string): Promise<TheirUser | null> {
    return this.rows.users.find((user) => user.id === id) ?? null
  }
  async getUserByAccount(
    _key: Pick<TheirAccount, 'provider' | 'providerAccountId'>,
  ): Promise<TheirUser | null> {
    return this.rows.users[0] ?? null
  }
  async updateUser(user: Partial<TheirUser> & Pick<TheirUser, 'id'>): Promise<TheirUser> {
    return { ...(this.rows.users[0] ?? missing()), ...user }
  }
  async deleteUser(_id: string): Promise<void> {}
  async linkAccount(_account: TheirAccount): Promise<void> {}
  async unlinkAccount(_key: Pick<TheirAccount, 'provider' | 'providerAccountId'>): Promise<void> {}
  async createSession(session: TheirSession): Promise<TheirSession> {
    return session
  }
  async getSessionAndUser(
    token: string,
  ): Promise<{ session: TheirSession; user: TheirUser } | null> {
    const session = this.rows.sessions.find(({ sessionToken }) => sessionToken === token)
    const user = this.rows.users[0]
    return session && user ? { session, user } : null
  }
  async updateSession(
    session: Partial<TheirSession> & Pick<TheirSession, 'sessionToken'>,
  ): Promise<TheirSession | undefined> {
    return this.rows.sessions.find(({ sessionToken }) => sessionToken === session.sessionToken)
  }
  async deleteSession(_token: string): Promise<void> {}
  async createVerificationToken(_token: TheirToken): Promise<undefined> {}
  async useVerificationToken(
    _params: Pick<TheirToken, 'identifier' | 'token'>,
  ): Promise<TheirToken | null> {
    return null
  }
}

/** As an object: partly synchronous, and with rows as results that are optional. */
const objectAdapter = {
  createUser: (user: TheirUser): TheirUser => user,
  getUserByEmail: (_email: string): TheirUser | null => null,
  deleteUser: (_id: string): TheirUser | null => null,
  linkAccount: (account: TheirAccount): TheirAccount => account,
  unlinkAccount: async (): Promise<TheirAccount | undefined> => undefined,
  updateSession: () => null,
  deleteSession: async (): Promise<TheirSession | null> => null,
  createVerificationToken: async (token: TheirToken) => token,
  async getAccount(_providerAccountId: string, _provider: string): Promise<TheirAccount | null> {
    return null
  },
  getAuthenticator: async (_id: string): Promise<TheirAuthenticator | null> => null,
  createAuthenticator: async (authenticator: TheirAuthenticator) => authenticator,
  listAuthenticatorsByUserId: async (_userId: string): Promise<TheirAuthenticator[]> => [],
  updateAuthenticatorCounter: async (_id: string, _counter: number): Promise<TheirAuthenticator> =>
    missing(),
  updateAuthenticator: (_id: string, _changes: AuthenticatorChanges): TheirAuthenticator =>
    missing(),
  async deleteAuthenticator(_id: string): Promise<void> {},
}

/** Results of one adapter are valid results of another. */
function wrapped(adapter: Adapter): Adapter {
  return {
    async linkAccount(account) {
      return adapter.linkAccount?.(account)
    },
    deleteSession: async (token) => adapter.deleteSession?.(token),
    getUser: async (id) => (await adapter.getUser?.(id)) ?? null,
  }
}

export const adapters: readonly Adapter[] = [
  new ClassAdapter({ users: [], sessions: [] }),
  objectAdapter,
  {},
  {
    transaction: async (work) => work({}),
    deleteExpired(now) {
      expectTypeOf(now).toEqualTypeOf<Date | undefined>()
    },
    listAccounts: () => [],
    deleteUser(_id) {},
  },
  wrapped({}),
]

/** An adapter with the types of this library. */
export class OwnAdapter implements Adapter {
  async createUser(user: AdapterUser): Promise<AdapterUser> {
    return user
  }
  async transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    return work(this)
  }
}

export function mistakes(): void {
  expectTypeOf<{ getUser(id: number): null }>().not.toExtend<Adapter>()
  expectTypeOf<{ getUser(id: string): { name: string } }>().not.toExtend<Adapter>()
  expectTypeOf<{ getUser(id: string): undefined }>().not.toExtend<Adapter>()
  expectTypeOf<{ createUser(user: AdapterUser): void }>().not.toExtend<Adapter>()
  expectTypeOf<{
    createSession(session: AdapterSession): { expires: string }
  }>().not.toExtend<Adapter>()
  expectTypeOf<{ listSessions(userId: string): null }>().not.toExtend<Adapter>()
}

export function shapes(): void {
  expectTypeOf<AdapterUser>().toExtend<User>()
  expectTypeOf<AdapterUser['id']>().toBeString()
  expectTypeOf<AdapterUser['emailVerified']>().toEqualTypeOf<Date | null>()
  expectTypeOf<AdapterSession>().toEqualTypeOf<TheirSession>()
  expectTypeOf<AdapterAccount>().toExtend<Account>()
  expectTypeOf<AdapterAccount['userId']>().toBeString()
  expectTypeOf<AdapterAccount['type']>().toEqualTypeOf<'oauth' | 'oidc' | 'email' | 'webauthn'>()
  expectTypeOf<VerificationToken>().toEqualTypeOf<TheirToken>()
  expectTypeOf<AdapterAuthenticator>().toExtend<Authenticator>()
  expectTypeOf<AdapterAuthenticator['userId']>().toBeString()
}
