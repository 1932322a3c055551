// The configuration of the server examples. Sessions are in cookies, so that they need no database.
import { insecureHttp } from 'lib-auth'
import Credentials from 'lib-auth/providers/credentials'

export const openid = {
  id: 'demo',
  name: 'Demo provider',
  type: 'oidc',
  // The issuer and the client come from AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET.
  // The provider of the demo runs on this machine, without https.
  [insecureHttp]: true,
}

/** The user who has a password. */
export const GRACE = { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }

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
  authorize: ({ username, password }) =>
    username === 'grace' && password === 'correct horse' ? GRACE : null,
})

export const theme = { name: 'lib-auth demo' }

export const config = { providers: [openid, credentials], theme }
