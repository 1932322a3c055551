/** The configuration of the guide's servers while they are tested. */
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { EmailConfig } from '../../src/core/config/email.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'

const password = Credentials({
  id: 'password',
  credentials: { username: {}, password: { type: 'password' } },
  authorize({ username, password: given }) {
    if (given !== 'correct horse battery staple') return null
    const name = String(username)
    return { id: name, name: name.charAt(0).toUpperCase() + name.slice(1) }
  },
})

const mail: EmailConfig = {
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
