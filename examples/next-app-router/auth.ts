import { insecureHttp } from 'lib-auth'
import Lib from 'lib-auth/next'
import type { OIDCConfig } from 'lib-auth/providers'
import Credentials from 'lib-auth/providers/credentials'

const openid: OIDCConfig = {
  id: 'demo',
  name: 'Demo provider',
  type: 'oidc',
  issuer: process.env.DEMO_ISSUER,
  clientId: process.env.DEMO_CLIENT_ID,
  clientSecret: process.env.DEMO_CLIENT_SECRET,
  // The provider of the demo runs on this machine, without https.
  [insecureHttp]: true,
}

const credentials = Credentials({
  credentials: {
    username: { label: 'User name', required: true, autoComplete: 'username' },
    password: {
      label: 'Password',
      type: 'password',
      required: true,
      autoComplete: 'current-password',
    },
  },
  authorize({ username, password }) {
    if (username !== 'grace' || password !== 'correct horse') return null
    return { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }
  },
})

export const { handlers, auth, signIn, signOut } = Lib({
  providers: [openid, credentials],
  callbacks: {
    // Runs in proxy.ts: the pages it matches are for people who are signed in.
    authorized: ({ auth: session }) => Boolean(session?.user),
    jwt({ token, trigger, session }) {
      // What a browser sends with `update` can be anything: take only what is meant, and check it.
      const name: unknown = session?.user?.name
      if (trigger === 'update' && typeof name === 'string' && name.length <= 100) token.name = name
      return token
    },
  },
})
