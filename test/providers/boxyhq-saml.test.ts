import { describe, expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import SAMLJackson from '../../src/providers/boxyhq-saml.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'

const issuer = 'https://sso.example.com'
const METADATA = {
  issuer,
  authorization_endpoint: `${issuer}/api/oauth/authorize`,
  token_endpoint: `${issuer}/api/oauth/token`,
  userinfo_endpoint: `${issuer}/api/oauth/userinfo`,
}

async function authorizationUrl(config: AuthConfig): Promise<URL> {
  const { logger } = silentLog()
  const site = { ...config, secret: SECRET, trustHost: true, logger }
  return (await browser(site).begin('boxyhq-saml')).url
}

function expectConnection({ origin, pathname, searchParams }: URL): void {
  expect(origin + pathname).toBe(`${issuer}/api/oauth/authorize`)
  expect(searchParams.get('provider')).toBe('saml')
  expect(searchParams.get('tenant')).toBe('acme')
  expect(searchParams.has('scope')).toBe(false)
}

describe('BoxyHQ SAML', () => {
  const options = { clientId: 'dummy', clientSecret: 'dummy' }
  const authorization = { params: { tenant: 'acme', product: 'shop' } }

  test.each([issuer, `${issuer}/`])('sends the request to %s', async (url) => {
    const providers = [SAMLJackson({ ...options, authorization, issuer: url })]
    expectConnection(await authorizationUrl({ providers }))
  })

  test('discovers the endpoints of the issuer in the environment', async () => {
    const config: AuthConfig = {
      providers: [SAMLJackson({ ...options, authorization })],
      fetch: async () => Response.json(METADATA),
    }
    setEnvDefaults({ AUTH_BOXYHQ_SAML_ISSUER: `${issuer}/` }, config)
    expectConnection(await authorizationUrl(config))
  })
})
