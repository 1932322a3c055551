import { insecureHttp } from 'lib-auth'
import Credentials from 'lib-auth/providers/credentials'
import Lib from 'lib-auth/tanstack-start'

const GRACE = { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }

// Sessions are in cookies, so that the example needs no database.
export const lib = Lib({
  providers: [
    {
      id: 'demo',
      name: 'Demo provider',
      type: 'oidc',
      // The issuer and the client come from AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET.
      // The provider of the demo runs on this machine, without https.
      [insecureHttp]: true,
    },
    Credentials({
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
    }),
  ],
  theme: { name: 'lib-auth demo' },
})
