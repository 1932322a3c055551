// How users sign in. Users are in memory, with their passwords, passkeys and apps.
import { setEnvDefaults } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import Lib from 'lib-auth/express'
import { Password, hashPassword } from 'lib-auth/password'
import Passkey from 'lib-auth/providers/passkey'
import { GRACE, openid, theme } from '../server-parts/config.mjs'
import { send } from './mail.mjs'

export const adapter = MemoryAdapter()
const now = new Date()
await adapter.createUser({ ...GRACE, emailVerified: now })
await adapter.setPassword(GRACE.id, { hash: await hashPassword('correct horse'), changed: now })

export const config = {
  adapter,
  providers: [openid, Password(), Passkey],
  experimental: { enableWebAuthn: true },
  // Sessions stay in cookies, with a list of devices.
  session: { strategy: 'jwt', devices: 'described', assurance: 'kept' },
  callbacks: {
    // The account page reads the user by id.
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
  // Users may change how they sign in, for 15 minutes after a sign-in.
  account: { send },
  secondStep: {},
  theme,
}
// The functions of lib-auth/passkeys are called with the configuration.
setEnvDefaults(process.env, config)

export const lib = Lib(config)
