// A certified OpenID provider on this machine, with two users. For demos and tests only:
// it asks for no password.
//
//   node server.mjs --port 4000 --redirect-uri http://localhost:3000/api/auth/callback/demo
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Provider } from 'oidc-provider'
import { showPages, showSignOut } from './pages.mjs'
import { CLIENT, USERS } from './users.mjs'

/** Starts the provider; resolves when it listens. */
export async function startProvider({ port, redirectUris }) {
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((uri) => new URL('../post-logout', uri).href),
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for the cookies of a demo'] },
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: { logoutSource: showSignOut },
    },
    scopes: ['openid', 'calendar'],
    // For each sign-in, and each one is for a single refresh.
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        name: USERS[sub]?.name ?? sub,
        email: USERS[sub]?.email ?? `${sub}@example.com`,
        email_verified: true,
      }),
    }),
    ttl: {
      AccessToken: 60,
      RefreshToken: 3600,
      IdToken: 3600,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
    },
  })
  showPages(provider)
  const server = createServer(provider.callback())
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, 'localhost', resolve)
  })
  return { issuer, close: () => new Promise((resolve) => server.close(resolve)) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4000' },
      'redirect-uri': { type: 'string', multiple: true, default: [] },
    },
  })
  const { issuer } = await startProvider({
    port: Number(values.port),
    redirectUris: values['redirect-uri'],
  })
  console.log(`The OpenID provider is at ${issuer}`)
}
