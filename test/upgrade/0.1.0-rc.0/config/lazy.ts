import type { AuthConfig } from 'lib-auth'
import GitHub from 'lib-auth/providers/github'

/** By the request, as for tenants. */
export const config = async (request: Request): Promise<AuthConfig> => {
  const { hostname } = new URL(request.url)
  return {
    providers: [GitHub({ clientId: `client of ${hostname}`, clientSecret: 'secret' })],
    secret: `a secret of the application for ${hostname}, of more than 32 bytes`,
    trustHost: true,
  }
}
