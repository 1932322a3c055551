/** The request to the end-session endpoint of a certified provider. */
import { afterAll, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { SECRET, silentLog } from '../../config.ts'
import { startCertified } from '../flows/certified-provider.mjs'
import { consent } from '../flows/consent.mjs'

const CLIENT_SECRET = 'a secret of the client, for tests'

const provider = await startCertified({
  port: undefined,
  clients: [
    {
      client_id: 'client',
      client_secret: CLIENT_SECRET,
      redirect_uris: ['https://app.test/auth/callback/op'],
      post_logout_redirect_uris: ['https://app.test/auth/post-logout'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  settings: {
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
  },
})
afterAll(() => provider.close())

test.each(['jwt', 'database'] as const)(
  'it accepts the ID token, the client and the return URL, for %s sessions',
  async (strategy) => {
    const { log, logger } = silentLog()
    const config: AuthConfig = {
      providers: [
        {
          id: 'op',
          name: 'Certified',
          type: 'oidc',
          issuer: provider.issuer,
          clientId: 'client',
          clientSecret: CLIENT_SECRET,
        },
      ],
      secret: SECRET,
      trustHost: true,
      adapter: MemoryAdapter(),
      session: { strategy },
      logout: { backChannel: ['op'] },
      fetch: (input, init) => fetch(input, init),
      logger,
    }
    const tab = browser(config)
    const begun = await tab.begin('op')
    await begun.comeBack({
      url: await consent(begun.url, { issuer: provider.issuer, declines: false }),
    })
    expect(await tab.session()).not.toBeNull()
    const response = await tab.post('signout', { federated: 'true' })
    const page = await fetch(response.headers.get('location') ?? '')
    // The page that asks the user to confirm, and not one about an invalid request.
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logout')])
    expect([...log.errors, ...log.lines]).toEqual([])
  },
)
