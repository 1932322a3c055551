import type { AuthConfig } from 'lib-auth'
import type { Adapter, AdapterUser } from 'lib-auth/adapters'
import GitHub from 'lib-auth/providers/github'

const users = new Map<string, AdapterUser>()
const accounts = new Map<string, string>()
const sessions = new Map<string, { sessionToken: string; userId: string; expires: Date }>()

const adapter: Adapter = {
  async createUser(user) {
    users.set(user.id, user)
    return user
  },
  getUser: async (id) => users.get(id) ?? null,
  getUserByEmail: async (email) => [...users.values()].find((user) => user.email === email) ?? null,
  getUserByAccount: async ({ provider, providerAccountId }) =>
    users.get(accounts.get(`${provider} ${providerAccountId}`) ?? '') ?? null,
  async updateUser({ id, ...changes }) {
    const user = users.get(id)
    if (!user) throw new Error('There is no such user.')
    const updated = { ...user, ...changes }
    users.set(id, updated)
    return updated
  },
  async linkAccount({ provider, providerAccountId, userId }) {
    accounts.set(`${provider} ${providerAccountId}`, userId)
  },
  async createSession(session) {
    sessions.set(session.sessionToken, session)
    return session
  },
  async getSessionAndUser(token) {
    const session = sessions.get(token)
    const user = session && users.get(session.userId)
    return session && user ? { session, user } : null
  },
  async updateSession({ sessionToken, ...changes }) {
    const session = sessions.get(sessionToken)
    if (!session) return null
    const updated = { ...session, ...changes }
    sessions.set(sessionToken, updated)
    return updated
  },
  async deleteSession(token) {
    sessions.delete(token)
  },
}

export const config: AuthConfig = {
  adapter,
  providers: [GitHub({ clientId: 'client', clientSecret: 'secret' })],
  secret: 'a secret of the application, of more than 32 bytes',
  trustHost: true,
}
