import type { AuthConfig } from 'lib-auth'
import GitHub from 'lib-auth/providers/github'

export const config: AuthConfig = {
  providers: [GitHub({ clientId: 'client', clientSecret: 'secret' })],
  secret: 'a secret of the application, of more than 32 bytes',
  trustHost: true,
}
