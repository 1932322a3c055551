import type { AuthConfig } from 'lib-auth'
import Credentials from 'lib-auth/providers/credentials'
import GitHub from 'lib-auth/providers/github'

type Role = 'admin' | 'guest'

declare module 'lib-auth/types' {
  interface User {
    role?: Role
  }
  interface JWT {
    role?: Role | undefined
  }
}

export const config: AuthConfig = {
  providers: [
    GitHub({ clientId: 'client', clientSecret: 'secret' }),
    Credentials({
      credentials: { username: { label: 'User name' }, password: { type: 'password' } },
      authorize: ({ username, password }) =>
        password === 'right' ? { id: '1', name: String(username), role: 'admin' } : null,
    }),
  ],
  callbacks: {
    signIn: ({ user }) => user.name !== 'banned',
    redirect: ({ url, baseUrl }) => (url.startsWith('/') ? new URL(url, baseUrl).href : baseUrl),
    jwt({ token, user }) {
      if (user) token.role = user.role ?? 'guest'
      return token
    },
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, role: token.role ?? 'guest' },
    }),
  },
  events: { signIn: ({ user }) => void user.id, signOut: () => undefined },
  secret: 'a secret of the application, of more than 32 bytes',
  trustHost: true,
}
