import type { AuthConfig } from 'lib-auth'
import type { OAuthConfig } from 'lib-auth/providers'

interface Person {
  readonly number: number
  readonly display_name: string
}

const github: OAuthConfig<Person> = {
  id: 'github',
  name: 'Intranet',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'secret',
  authorization: { url: 'https://intranet.test/authorize', params: { scope: 'person' } },
  token: 'https://intranet.test/token',
  userinfo: 'https://intranet.test/person',
  checks: ['pkce', 'state'],
  profile: ({ number, display_name }) => ({ id: String(number), name: display_name }),
  style: { brandColor: '#333333' },
}

export const config: AuthConfig = {
  providers: [github],
  basePath: '/auth',
  secret: 'a secret of the application, of more than 32 bytes',
  trustHost: true,
}
