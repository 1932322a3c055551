/**
 * The in-process issuer of `lib-auth/testing` in place of each OAuth provider: it validates the code, the redirect URI,
 * the client and PKCE. In `catalogue.test.ts` it is each OpenID provider.
 */
import { expect, test } from 'vitest'
import type { SkippedValidation } from '../../src/testing/types.ts'
import { expectSignedIn } from '../oauth.ts'
import { factoryOf, fixtures } from './catalogue.ts'
import type { CatalogueFixture } from './catalogue.ts'
import { expectUser, oidcSite, OPTIONS } from './vendor.ts'

const oauth = [...fixtures].filter(([, { type }]) => type === 'oauth')

/** What the issuer cannot validate, because the vendor differs from the standard. */
function overlooked({ token, authorization }: CatalogueFixture): SkippedValidation[] {
  const { code_challenge_method: method, client_id: clientId } = authorization.params
  const hasStandardClient = token.auth !== 'none' && clientId !== null
  return [
    ...(hasStandardClient ? [] : (['client_authentication'] as const)),
    ...(method === 'plain' ? (['code_verifier'] as const) : []),
    ...(token.params?.redirect_uri === null ? (['redirect_uri'] as const) : []),
    ...(token.method === 'GET' ? (['request_method'] as const) : []),
  ]
}

/** A site whose provider is the module; the issuer answers its token requests. */
async function standInFor(module: string, fixture: CatalogueFixture) {
  const [{ responses, tokenResponse, options, callback = {} } = {}] = fixture.vectors
  const provider = (await factoryOf(module))({ ...OPTIONS, ...fixture.options, ...options })
  const endpoints = { [fixture.token.url ?? '']: 'token' }
  const site = await oidcSite(provider, {
    endpoints,
    exchanges: responses ?? [],
    algorithm: 'ES256',
  })
  const { misbehaviour } = site.op
  misbehaviour.overlooks = overlooked(fixture)
  misbehaviour.token = (sent) => ({ ...sent, ...fixture.tokenResponse, ...tokenResponse })
  misbehaviour.authorization = (parameters) => {
    parameters.delete('iss')
    for (const [name, value] of Object.entries(callback)) parameters.set(name, String(value))
    return parameters
  }
  return site
}

test.each(oauth)('the issuer stands in for %s', async (module, fixture) => {
  const site = await standInFor(module, fixture)
  await expectSignedIn(site, await site.tab.signIn(fixture.id))
  expect(site.op.requests.token).toBe(1)
  const [vector] = fixture.vectors
  if (!vector) throw new Error('The fixture has no vector.')
  expectUser(site, fixture.id, vector)
})

test.each(['redirect_uri', 'request_method'] as const)(
  'the issuer rejects the token request of WeChat unless it overlooks %s',
  async (validation) => {
    const fixture = fixtures.get('wechat')
    if (!fixture) throw new Error('fixtures/wechat.json is missing.')
    const site = await standInFor('wechat', fixture)
    const { misbehaviour } = site.op
    misbehaviour.overlooks = misbehaviour.overlooks?.filter((each) => each !== validation) ?? []
    const response = await site.tab.signIn('wechat')
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toBeNull()
  },
)
