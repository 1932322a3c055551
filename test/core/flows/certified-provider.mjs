// A certified OpenID provider on loopback. It takes any password.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from '../../../tools/ports.mjs'

/** Starts the provider, with keys of its own; `settings` are added to those of the provider. */
export async function startCertified({ clients, port, settings = {} }) {
  const at = port ?? (await freePort())
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(`http://localhost:${at}`, {
    clients,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // The claims of scopes are returned only by the userinfo endpoint (OpenID Connect Core §5.4).
    conformIdTokenClaims: true,
    cookies: { keys: ['a key for the cookies of a test'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
    }),
    ttl: {
      AccessToken: 60,
      RefreshToken: 60,
      IdToken: 60,
      Session: 60,
      Grant: 60,
      Interaction: 60,
    },
    ...settings,
  })
  const requests = []
  const failures = []
  provider.on('backchannel.error', (_ctx, error) => failures.push(error))
  const server = createServer((request, response) => {
    // Without connections that stay open, another provider can take the port at once.
    response.setHeader('connection', 'close')
    requests.push(new URL(request.url, provider.issuer).pathname)
    return provider.callback()(request, response)
  })
  await new Promise((resolve) => server.listen(at, 'localhost', resolve))
  return {
    issuer: provider.issuer,
    port: at,
    requests,
    /** Why logout tokens could not be sent. */
    failures,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
