/** Providers whose URLs contain the issuer or the client id, which the environment may set. */
import { expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { factoryOf } from './catalogue.ts'

const ISSUER = 'https://id.example.com/tenant/'

async function siteWith(module: string, env: Readonly<Record<string, string>>) {
  const factory = await factoryOf(module)
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [factory()],
    secret: SECRET,
    trustHost: true,
    logger,
    fetch: async (input) => {
      const { href } = new URL(input instanceof Request ? input.url : input)
      const issuer = href.replace('/.well-known/openid-configuration', '')
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      })
    },
  }
  const prefix = `AUTH_${module.toUpperCase().replaceAll('-', '_')}`
  const entries = Object.entries({ ID: 'project', SECRET: 'secret', ...env })
  setEnvDefaults(
    Object.fromEntries(entries.map(([name, value]) => [`${prefix}_${name}`, value])),
    config,
  )
  return { tab: browser(config), log }
}

test.each([
  ['mastodon', 'https://id.example.com/tenant/oauth/authorize'],
  ['mattermost', 'https://id.example.com/tenant/oauth/authorize'],
  ['nextcloud', 'https://id.example.com/tenant/apps/oauth2/authorize'],
  ['boxyhq-saml', 'https://id.example.com/tenant/api/oauth/authorize'],
  ['frontegg', 'https://id.example.com/tenant/oauth/authorize'],
])('%s takes its endpoints from the issuer of the environment', async (module, endpoint) => {
  const { tab } = await siteWith(module, { ISSUER })
  const { url } = await tab.begin(module)
  expect(url.origin + url.pathname).toBe(endpoint)
})

test('descope takes its issuer from the client id of the environment', async () => {
  const { url } = await (await siteWith('descope', {})).tab.begin('descope')
  expect(url.origin + url.pathname).toBe('https://api.descope.com/project/authorize')
})

test.each(['mastodon', 'mattermost', 'nextcloud', 'boxyhq-saml', 'frontegg'])(
  '%s without an issuer names the variable',
  async (module) => {
    const { tab, log } = await siteWith(module, {})
    expect((await tab.post(`signin/${module}`)).status).toBe(500)
    const variable = `AUTH_${module.toUpperCase().replaceAll('-', '_')}_ISSUER`
    expect(String(log.errors[0])).toMatch(/issuer is missing/)
    expect(String(log.errors[0])).toContain(`Set issuer or ${variable}.`)
  },
)

test.each(['mastodon', 'mattermost', 'nextcloud', 'boxyhq-saml', 'frontegg', 'keycloak'])(
  '%s rejects an issuer with a query or fragment, or that is a placeholder',
  async (module) => {
    for (const wrong of ['https://host.test#', 'https://host.test/?a=b', '{issuer}']) {
      const { tab, log } = await siteWith(module, { ISSUER: wrong })
      expect((await tab.post(`signin/${module}`)).status).toBe(500)
      // The log shows no query or fragment.
      expect(String(log.errors[0])).toMatch(/issuer is not a URL.* \(got "/)
    }
  },
)
