/** The configuration of an application with ten ways to sign in. */
import Lib from 'lib-auth/next'
import type { SessionOf } from 'lib-auth/next'
import Auth0 from 'lib-auth/providers/auth0'
import Credentials from 'lib-auth/providers/credentials'
import Email from 'lib-auth/providers/email'
import GitHub from 'lib-auth/providers/github'
import GitLab from 'lib-auth/providers/gitlab'
import Google from 'lib-auth/providers/google'
import Keycloak from 'lib-auth/providers/keycloak'
import MicrosoftEntraID from 'lib-auth/providers/microsoft-entra-id'
import Nodemailer from 'lib-auth/providers/nodemailer'

export const { handlers, auth, signIn, signOut, update } = Lib({
  providers: [
    Auth0,
    Credentials({
      credentials: { user: { label: 'Name' }, password: { type: 'password' } },
      authorize: ({ user, password }) => (user === password ? null : { id: String(user) }),
    }),
    Email({ server: 'smtp://127.0.0.1', from: 'app@example.com' }),
    GitHub,
    GitLab({ profile: (profile) => ({ id: String(profile.id), name: profile.name }) }),
    Google({ clientId: 'id', clientSecret: 'secret' }),
    Keycloak({ issuer: 'https://id.example.com/realms/app' }),
    MicrosoftEntraID({ issuer: 'https://login.microsoftonline.com/common/v2.0' }),
    Nodemailer({ server: { host: '127.0.0.1' }, from: 'app@example.com' }),
    {
      id: 'own',
      name: 'Own',
      type: 'oidc',
      issuer: 'https://id.example.com',
      profile: (profile: { sub: string; roles: string[] }) => ({
        id: profile.sub,
        name: profile.roles[0],
      }),
    },
  ],
  session: { strategy: 'jwt', maxAge: 3600 },
  pages: { signIn: '/login' },
  callbacks: {
    signIn: ({ account, profile }) => account?.provider !== 'own' || Boolean(profile?.email),
    redirect: ({ url, baseUrl }) => (url.startsWith(baseUrl) ? url : baseUrl),
    jwt: ({ token, user, trigger }) =>
      trigger === 'signIn' ? { ...token, role: user.name === 'Ada' ? 'admin' : 'guest' } : token,
    async session({ session, token }) {
      const role: 'admin' | 'guest' = token.role === 'admin' ? 'admin' : 'guest'
      return { ...session, role }
    },
    authorized: ({ request, auth: session }) =>
      request.nextUrl.pathname === '/' || session?.role === 'admin',
  },
  events: { signIn: ({ user, isNewUser }) => console.log(user.id, isNewUser) },
})

export type AppSession = SessionOf<typeof auth>
