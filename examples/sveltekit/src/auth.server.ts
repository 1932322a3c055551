import { insecureHttp } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import Credentials from 'lib-auth/providers/credentials'
import Lib from 'lib-auth/sveltekit'

const GRACE = { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }

// Users and their second factors are in memory, so that the example needs no database.
const adapter = MemoryAdapter()
await adapter.createUser({ ...GRACE, emailVerified: null })

export const { handle, protect, account, factors, sessions, signIn, signOut } = Lib({
  theme: { name: 'lib-auth demo' },
  adapter,
  // Sessions are in cookies, with a list of devices.
  session: { strategy: 'jwt', devices: 'described', assurance: 'kept' },
  // Users may change how they sign in, for 15 minutes after a sign-in.
  account: {},
  secondStep: {},
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
})
