/** Issuers as developers write them: with or without a trailing slash, and in place of another identifier. */
import { describe, expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { ProviderConfig } from '../../src/core/config/provider.ts'
import Asgardeo from '../../src/providers/asgardeo.ts'
import Authentik from '../../src/providers/authentik.ts'
import AzureADB2C from '../../src/providers/azure-ad-b2c.ts'
import BattleNet from '../../src/providers/battlenet.ts'
import BeyondIdentity from '../../src/providers/beyondidentity.ts'
import SAMLJackson from '../../src/providers/boxyhq-saml.ts'
import Descope from '../../src/providers/descope.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

/** A vendor whose metadata and tokens contain the issuer `iss`. */
async function siteAt(provider: ProviderConfig, url: string, iss: string) {
  const site = await oidcSite(provider, { url, algorithm: 'ES256' })
  site.op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: iss })
  site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
  site.op.misbehaviour.authorization = (parameters) => {
    parameters.set('iss', iss)
    return parameters
  }
  return site
}

async function expectSignIn(provider: ProviderConfig, url: string, iss: string): Promise<void> {
  const site = await siteAt(provider, url, iss)
  await expectSignedIn(site, await site.tab.signIn(provider.id))
}

const ASGARDEO = 'https://api.asgardeo.io/t/acme'

test.each([ASGARDEO, `${ASGARDEO}/`, `${ASGARDEO}/oauth2/token`, `${ASGARDEO}/oauth2/token/`])(
  'Asgardeo accepts %s',
  async (issuer) => {
    const real = `${ASGARDEO}/oauth2/token`
    await expectSignIn(Asgardeo({ ...OPTIONS, issuer }), real, real)
  },
)

test('Asgardeo rejects the issuer of another organization', async () => {
  const url = `${ASGARDEO}/oauth2/token`
  const provider = Asgardeo({ ...OPTIONS, issuer: ASGARDEO })
  const site = await oidcSite(provider, { url, algorithm: 'ES256' })
  const iss = 'https://api.asgardeo.io/t/evil/oauth2/token'
  site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
  const response = await site.tab.signIn('asgardeo')
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
})

const BEYOND = 'https://auth-us.beyondidentity.com/v1/tenants/t/realms/r/applications/a'

describe.each([
  ['Authentik', Authentik, 'https://id.example.com/application/o/shop'],
  ['Battle.net', BattleNet, 'https://oauth.battle.net'],
  ['Beyond Identity', BeyondIdentity, BEYOND],
  ['Descope', Descope, 'https://api.descope.com/P2abc'],
])('%s', (_name, factory, url) => {
  test.each([
    [url, `${url}/`],
    [`${url}/`, url],
  ])('accepts %s for %s', async (issuer, iss) => {
    await expectSignIn(factory({ ...OPTIONS, issuer }), url, iss)
  })
})

const B2C = 'https://acme.b2clogin.com'
const TENANT = '11111111-2222-3333-4444-555555555555'

describe('Azure AD B2C', () => {
  test.each([
    ['acme.onmicrosoft.com/B2C_1_signin', `${TENANT}/v2.0/`],
    ['tfp/acme.onmicrosoft.com/B2C_1_signin', `${TENANT}/v2.0/`],
    ['acme.onmicrosoft.com/B2C_1_signin', `tfp/${TENANT}/b2c_1_signin/v2.0/`],
    [`${TENANT}/B2C_1_signin`, `${TENANT}/v2.0/`],
    [TENANT, `${TENANT}/v2.0/`],
  ])('accepts the issuer of %s: %s', async (path, iss) => {
    const issuer = `${B2C}/${path}/v2.0`
    await expectSignIn(AzureADB2C({ ...OPTIONS, issuer }), issuer, `${B2C}/${iss}`)
  })

  test.each([
    ['acme.onmicrosoft.com/B2C_1_signin', `https://evil.b2clogin.com/${TENANT}/v2.0/`],
    ['acme.onmicrosoft.com/B2C_1_signin', `${B2C}/tfp/${TENANT}/B2C_1_other/v2.0/`],
    ['acme.onmicrosoft.com/B2C_1_signin', `${B2C}/common/v2.0/`],
    [`${TENANT.replace('1', '9')}/B2C_1_signin`, `${B2C}/${TENANT}/v2.0/`],
  ])('rejects for %s the issuer %s', async (path, iss) => {
    const issuer = `${B2C}/${path}/v2.0`
    const site = await siteAt(AzureADB2C({ ...OPTIONS, issuer }), issuer, iss)
    expect((await site.tab.post('signin/azure-ad-b2c')).status).toBe(500)
    expect(site.log.errors[0]?.message).toContain(`and "${iss}" in its metadata`)
    // Correct metadata, but a token of another issuer.
    const another = await siteAt(AzureADB2C({ ...OPTIONS, issuer }), issuer, iss)
    another.op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer })
    const response = await another.tab.signIn('azure-ad-b2c')
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  })
})

/** The errors that the site logs at its first request. */
async function problems(provider: ProviderConfig): Promise<string> {
  const { log, logger } = silentLog()
  const config: AuthConfig = { providers: [provider], secret: SECRET, trustHost: true, logger }
  expect((await browser(config).request('session')).status).toBe(500)
  return log.errors.map(({ message }) => message).join('\n')
}

describe('a wrong issuer is reported with what to write', () => {
  const factories = { Asgardeo, Authentik, AzureADB2C, BeyondIdentity, SAMLJackson }

  test.each(Object.entries(factories))('%s: missing', async (_name, factory) => {
    const { id } = factory()
    const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}_ISSUER`
    const message = await problems(factory(OPTIONS))
    expect(message).toMatch(/issuer/)
    if (factory !== SAMLJackson) expect(message).toContain(name)
  })

  test.each(Object.entries({ ...factories, BattleNet, Descope }))(
    '%s: a tenant id instead of a URL',
    async (_name, factory) => {
      const message = await problems(factory({ ...OPTIONS, issuer: TENANT }))
      expect(message).toContain('issuer is not a URL')
      expect(message).toContain('https://')
    },
  )
})

describe('Battle.net', () => {
  test('reports an unknown region in the environment', async () => {
    const { log, logger } = silentLog()
    const config: AuthConfig = { providers: [BattleNet], secret: SECRET, trustHost: true, logger }
    setEnvDefaults({ AUTH_BATTLENET_ISSUER: 'https://sea.battle.net/oauth' }, config)
    expect((await browser(config).request('session')).status).toBe(500)
    expect(log.errors[0]?.message).toContain(
      'providers[0]: Provider battlenet has an unknown issuer (got "https://sea.battle.net/oauth").',
    )
  })

  test('reports an unknown region', () => {
    expect(() => BattleNet({ issuer: 'https://sea.battle.net/oauth' })).toThrow(
      'Set issuer to https://oauth.battle.net',
    )
  })

  test.each([
    'https://oauth.battle.net/',
    'https://eu.battle.net/oauth',
    'https://oauth.battlenet.com.cn',
    'https://www.battlenet.com.cn/oauth',
    'https://issuer.test',
  ])('accepts %s', (issuer) => {
    expect(BattleNet({ issuer }).options?.issuer).toBe(issuer)
  })
})

describe('Descope', () => {
  test('derives the issuer from the project id', async () => {
    const url = 'https://api.descope.com/P2abc'
    const provider = Descope({ clientId: 'P2abc', clientSecret: OPTIONS.clientSecret })
    const site = await oidcSite(provider, { url, clientId: 'P2abc', algorithm: 'ES256' })
    await expectSignedIn(site, await site.tab.signIn('descope'))
  })

  test('derives it from the environment', () => {
    const { logger } = silentLog()
    const config: AuthConfig = { providers: [Descope], secret: SECRET, logger }
    setEnvDefaults({ AUTH_DESCOPE_ID: 'P2abc', AUTH_DESCOPE_SECRET: 's' }, config)
    expect(config.providers).toMatchObject([{ issuer: 'https://api.descope.com/P2abc' }])
  })

  test('reports a missing project id', async () => {
    const { log, logger } = silentLog()
    const config = { providers: [Descope()], secret: SECRET, trustHost: true, logger }
    await browser(config).post('signin/descope')
    expect(String(log.errors[0])).toContain('AUTH_DESCOPE_ID')
  })
})
