import type { AuthConfig } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import Credentials from 'lib-auth/providers/credentials'
import GitHub from 'lib-auth/providers/github'

const password = Credentials({
  id: 'password',
  credentials: { username: {}, password: { type: 'password' } },
  authorize({ username, password: given }) {
    if (given !== 'correct horse battery staple') return null
    const name = String(username)
    return { id: name, name: name.charAt(0).toUpperCase() + name.slice(1) }
  },
})

const mail: NonNullable<AuthConfig['providers']>[number] = {
  id: 'mail',
  name: 'Mail',
  type: 'email',
  method: 'code',
  // The checks cannot read mails.
  generateVerificationToken: () => '246810',
  sendVerificationRequest: () => undefined,
}

export const config: AuthConfig = {
  adapter: MemoryAdapter(),
  session: { strategy: 'jwt' },
  providers: [GitHub, password, mail],
  logger: { error: () => undefined },
}
