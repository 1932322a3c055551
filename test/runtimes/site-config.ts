/** The configuration of the guide's servers while they are tested. */
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

export const config: AuthConfig = {
  providers: [GitHub, password],
  logger: { error: () => undefined },
}
