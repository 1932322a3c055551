/** Providers whose issuer or account id is that of the application. */
import { describe, expect, test } from 'vitest'
import type { ProviderConfig } from '../../src/core/config/provider.ts'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Kinde from '../../src/providers/kinde.ts'
import Logto from '../../src/providers/logto.ts'
import Mastodon from '../../src/providers/mastodon.ts'
import Mattermost from '../../src/providers/mattermost.ts'
import NetSuite from '../../src/providers/netsuite.ts'
import Nextcloud from '../../src/providers/nextcloud.ts'
import Okta from '../../src/providers/okta.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { fixtures } from './catalogue.ts'
import { completeSignIn, oauthSite, oidcSite, OPTIONS } from './vendor.ts'

/** The messages that the site logs at its first request. */
async function problems(provider: ProviderConfig): Promise<string> {
  const { log, logger } = silentLog()
  const config: AuthConfig = { providers: [provider], secret: SECRET, trustHost: true, logger }
  expect((await browser(config).request('session')).status).toBe(500)
  return log.errors.map(({ message }) => message).join('\n')
}

describe.each([
  ['Mastodon', Mastodon, '/oauth/authorize'],
  ['Mattermost', Mattermost, '/oauth/authorize'],
  ['Nextcloud', Nextcloud, '/apps/oauth2/authorize'],
])('%s', (_name, factory, path) => {
  const { id } = factory()

  test.each(['https://example.com', 'https://example.com/', 'https://example.com/sub/'])(
    'is requested at %s',
    async (issuer) => {
      const { tab } = oauthSite(factory({ ...OPTIONS, issuer }), {
        url: 'https://unused.test',
        response: { status: 200 },
      })
      const { url } = await tab.begin(id)
      expect(url.origin + url.pathname).toBe(issuer.replace(/\/$/, '') + path)
    },
  )

  test('reads the issuer from the environment', async () => {
    const config: AuthConfig = { providers: [factory], secret: SECRET, trustHost: true }
    const prefix = `AUTH_${id.toUpperCase()}`
    const issuer = 'https://example.com/'
    const environment = {
      [`${prefix}_ID`]: 'sample-client',
      [`${prefix}_SECRET`]: 'sample-secret',
      [`${prefix}_ISSUER`]: issuer,
    }
    setEnvDefaults(environment, config)
    const { url } = await browser(config).begin(id)
    expect(url.origin + url.pathname).toBe(`https://example.com${path}`)
  })

  test('reports a missing issuer', async () => {
    expect(await problems(factory(OPTIONS))).toContain('issuer is missing. Set issuer or AUTH_')
  })

  test('reports a host in place of the URL', async () => {
    const message = await problems(factory({ ...OPTIONS, issuer: 'example.com' }))
    expect(message).toContain('issuer is not a URL')
  })
})

test('Nextcloud in a folder is asked for the user below it', async () => {
  const fixture = fixtures.get('nextcloud')
  const issuer = 'https://example.com/cloud/'
  const base = 'https://example.com/cloud'
  const data = { id: 'ada', displayname: 'Ada' }
  const body = { ocs: { meta: { statuscode: 100 }, data } }
  const site = oauthSite(
    Nextcloud({ ...OPTIONS, issuer }),
    {
      url: `${base}/apps/oauth2/api/v1/token`,
      response: { status: 200, body: fixture?.tokenResponse },
    },
    [
      {
        request: { method: 'GET', url: `${base}/ocs/v1.php/cloud/users/ada` },
        response: { status: 200, body },
      },
    ],
  )
  await expectSignedIn(site, await completeSignIn(site.tab))
  expect(site.signedIn[0]?.user).toMatchObject({ name: 'Ada', image: `${base}/avatar/ada/512` })
})

test.each([{}, { user_id: '' }, { user_id: 7 }])(
  'Nextcloud rejects a token response with %o',
  async (identity) => {
    const issuer = 'https://example.com'
    const body = { access_token: 'sample-access-token', token_type: 'Bearer', ...identity }
    const site = oauthSite(Nextcloud({ ...OPTIONS, issuer }), {
      url: `${issuer}/apps/oauth2/api/v1/token`,
      response: { status: 200, body },
    })
    const answer = await completeSignIn(site.tab)
    expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toBeNull()
  },
)

describe.each([
  ['Okta', Okta, 'https://example.okta.com/oauth2/default'],
  ['Kinde', Kinde, 'https://example.kinde.com'],
  ['Logto', Logto, 'https://example.logto.app/oidc'],
])('%s', (_name, factory, url) => {
  test('accepts an issuer with a slash at the end', async () => {
    const site = await oidcSite(factory({ ...OPTIONS, issuer: `${url}/` }), { url })
    await expectSignedIn(site, await site.tab.signIn(factory().id))
  })

  test('reports a missing issuer', async () => {
    const name = `AUTH_${factory().id.toUpperCase()}_ISSUER`
    expect(await problems(factory(OPTIONS))).toContain(name)
  })

  test('rejects the token of another issuer', async () => {
    const site = await oidcSite(factory({ ...OPTIONS, issuer: url }), { url })
    const iss = 'https://evil.example.com'
    site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
    const response = await site.tab.signIn(factory().id)
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  })
})

test.each(['', 'example.com/', 'https://1234567.app.netsuite.com'])(
  'NetSuite rejects the account id "%s"',
  (accountID) => {
    const userinfo = 'https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl'
    expect(() => NetSuite({ ...OPTIONS, accountID, userinfo })).toThrow('no valid accountID')
  },
)
