import type { AuthConfig } from 'lib-auth'
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

export const config: AuthConfig = {
  providers: [GitHub, password],
  logger: { error: () => undefined },
}
