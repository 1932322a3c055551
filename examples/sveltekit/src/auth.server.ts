import { insecureHttp, setEnvDefaults } from 'lib-auth'
import type { AuthConfig } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { listPasskeys, removePasskey, renamePasskey } from 'lib-auth/passkeys'
import { hashPassword, Password } from 'lib-auth/password'
import Passkey from 'lib-auth/providers/passkey'
import Lib from 'lib-auth/sveltekit'
import { send } from './mail.server'

interface Caller {
  request: Request
}

// Users are in memory, so that the example needs no database.
export const adapter = MemoryAdapter()
await adapter.createUser({
  id: 'grace',
  name: 'Grace Hopper',
  email: 'grace@example.com',
  emailVerified: new Date(),
})
await adapter.setPassword('grace', {
  hash: await hashPassword('correct horse'),
  changed: new Date(),
})

const config = {
  theme: { name: 'lib-auth demo' },
  adapter,
  // Sessions are in cookies, with a list of devices.
  session: { strategy: 'jwt', devices: 'described', assurance: 'kept' },
  // Users may change how they sign in, for 15 minutes after a sign-in. The page /mail shows its mails.
  account: { send },
  secondStep: {},
  experimental: { enableWebAuthn: true },
  providers: [
    {
      id: 'demo',
      name: 'Demo provider',
      type: 'oidc',
      // The issuer and the client come from AUTH_DEMO_ISSUER, AUTH_DEMO_ID and AUTH_DEMO_SECRET.
      // The provider of the demo runs on this machine, without https.
      [insecureHttp]: true,
    },
    Password(),
    Passkey,
  ],
  callbacks: {
    // The account page reads the user by this id.
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token?.sub } }),
  },
} satisfies AuthConfig

// For the functions of lib-auth/passkeys, which do not read the environment themselves.
setEnvDefaults(process.env, config)

export const { handle, protect, account, factors, password, sessions, signIn, signOut } =
  Lib(config)

/** The functions of lib-auth/passkeys. The cookies that they return only extend the session, as the next page does. */
export const passkeys = {
  list: async ({ request }: Caller) => (await listPasskeys(request, config)).value,
  rename: async ({ request }: Caller, id: string, name: string) =>
    (await renamePasskey(request, config, id, name)).value,
  remove: async ({ request }: Caller, id: string) =>
    (await removePasskey(request, config, id)).value,
}
