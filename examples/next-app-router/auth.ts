import { insecureHttp } from 'lib-auth'
import Lib from 'lib-auth/next'
import { Password } from 'lib-auth/password'
import type { OIDCConfig } from 'lib-auth/providers'
import Nodemailer from 'lib-auth/providers/nodemailer'
import Passkey from 'lib-auth/providers/passkey'
import { adapter, lastProviders } from './database'

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

const mail = Nodemailer({
  name: 'e-mail',
  // Set when the demo runs, but not when it is built.
  server: process.env.DEMO_MAIL_SERVER ?? 'smtp://localhost',
  from: 'lib-auth demo <no-reply@example.com>',
})

/** The data of `update` comes from the browser: use only the expected fields, and validate them. */
async function rename(id: string | undefined, sent: { user?: { name?: unknown } } | null) {
  const name = sent?.user?.name
  if (!id || typeof name !== 'string' || name.length > 100) return null
  return adapter.updateUser({ id, name })
}

export const {
  handlers,
  auth,
  signIn,
  signOut,
  update,
  account,
  passkeys,
  password,
  factors,
  sessions,
  requireAuth,
  getAccessToken,
  requestScopes,
} = Lib({
  adapter,
  // The access token of the demo provider is valid for a minute.
  tokens: { refreshBefore: 10 },
  // To sign out at the provider, too.
  logout: {},
  providers: [openid, mail, Password(), Passkey],
  experimental: { enableWebAuthn: true },
  // Users may change how they sign in, for 15 minutes after a sign-in. Its mails are sent by the provider for magic links.
  account: {},
  // Users may add an authenticator app, whose code each later sign-in asks for.
  secondStep: {},
  theme: { name: 'lib-auth demo' },
  session: {
    strategy: process.env.SESSIONS === 'jwt' ? 'jwt' : 'database',
    maxAge: Number(process.env.SESSION_SECONDS || 30 * 24 * 60 * 60),
    // For the list of devices, with the browser of each.
    devices: 'described',
    // For requireAuth, when sessions are in the database.
    assurance: 'kept',
  },
  callbacks: {
    // Runs in proxy.ts: the pages it matches are for signed-in users.
    authorized: ({ auth: session }) => Boolean(session?.user),
    // Runs with sessions in cookies only.
    async jwt({ token, trigger, session }) {
      const user = trigger === 'update' ? await rename(token.sub, session) : null
      return user ? { ...token, name: user.name } : token
    },
    // The browser receives what is returned here. With sessions in cookies there is a token, with sessions
    // in the database a user.
    async session({ session, token, user, trigger, newSession }) {
      if (!user) return { ...session, user: { ...session.user, id: token.sub } }
      const renamed = trigger === 'update' ? await rename(user.id, newSession) : null
      const { id, name, email, image } = renamed ?? user
      return { expires: session.expires, user: { id, name, email, image } }
    },
  },
  events: {
    // For the home page, which shows how the user signed in.
    signIn({ user, account: used }) {
      if (user.id && used) lastProviders.set(user.id, used.provider)
    },
  },
})
