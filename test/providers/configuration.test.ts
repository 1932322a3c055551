import { describe, expect, test } from 'vitest'
import type { OAuthUserConfig, ProviderConfig } from '../../src/core/config/provider.ts'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Auth0 from '../../src/providers/auth0.ts'
import GitHub from '../../src/providers/github.ts'
import GitLab from '../../src/providers/gitlab.ts'
import Google from '../../src/providers/google.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc, SECRET, silentLog } from '../config.ts'

type Options = Pick<
  OAuthUserConfig,
  'id' | 'name' | 'clientId' | 'clientSecret' | 'issuer' | 'checks' | 'authorization'
>
type Factory = (options?: Options) => ProviderConfig

const factories: Readonly<Record<string, Factory>> = {
  github: GitHub,
  gitlab: GitLab,
  google: Google,
  keycloak: Keycloak,
  auth0: Auth0,
  'microsoft-entra-id': MicrosoftEntraID,
}
const op = await issuer()
const ISSUER = { issuer: op.url }

/** The authorization URL of an entry of `providers`. */
async function authorizationUrl(id: string, config: AuthConfig): Promise<URL> {
  const { logger } = silentLog()
  const site = { ...config, secret: SECRET, trustHost: true, logger, fetch: op.fetch }
  return (await browser(site).begin(id)).url
}

function environment(id: string): Record<string, string> {
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  return {
    [`${prefix}_ID`]: 'from-env',
    [`${prefix}_SECRET`]: 'secret',
    [`${prefix}_ISSUER`]: op.url,
  }
}

describe.each(Object.entries(factories))('the provider %s', (id, factory) => {
  const isDiscovered = factory().type === 'oidc'
  const issuerOption = isDiscovered ? ISSUER : {}

  test('without a call is configured by the environment', async () => {
    const config: AuthConfig = { providers: [factory] }
    setEnvDefaults(environment(id), config)
    const url = await authorizationUrl(id, config)
    expect(url.searchParams.get('client_id')).toBe('from-env')
    if (isDiscovered) expect(url.origin).toBe(op.url)
  })

  test('reads missing options from the environment', async () => {
    const config: AuthConfig = { providers: [factory(issuerOption)] }
    setEnvDefaults(environment(id), config)
    const url = await authorizationUrl(id, config)
    expect(url.searchParams.get('client_id')).toBe('from-env')
  })

  test('prefers its options to the environment', async () => {
    const config: AuthConfig = { providers: [factory({ ...issuerOption, clientId: 'given' })] }
    setEnvDefaults(environment(id), config)
    const url = await authorizationUrl(id, config)
    expect(url.searchParams.get('client_id')).toBe('given')
  })

  test('accepts a client id that is set later', async () => {
    const provider = Object.assign(factory(issuerOption), { clientId: 'late', clientSecret: 's' })
    const url = await authorizationUrl(id, { providers: [provider] })
    expect(url.searchParams.get('client_id')).toBe('late')
  })

  test('keeps the defaults that the application does not change', async () => {
    const before = await authorizationUrl(id, {
      providers: [factory({ ...issuerOption, clientId: 'x', clientSecret: 's' })],
    })
    const authorization = { params: { prompt: 'consent' } }
    const after = await authorizationUrl(id, {
      providers: [factory({ ...issuerOption, clientId: 'x', clientSecret: 's', authorization })],
    })
    expect(`${after.origin}${after.pathname}`).toBe(`${before.origin}${before.pathname}`)
    expect(after.searchParams.get('scope')).toBe(before.searchParams.get('scope'))
    expect(after.searchParams.get('prompt')).toBe('consent')
  })

  test('requests the scope of the application', async () => {
    const authorization = { params: { scope: 'openid mine' } }
    const url = await authorizationUrl(id, {
      providers: [factory({ ...issuerOption, clientId: 'x', clientSecret: 's', authorization })],
    })
    expect(url.searchParams.getAll('scope')).toEqual(['openid mine'])
  })

  test('can have another id, name and checks', async () => {
    const options = { id: 'mine', name: 'Mine', checks: ['state' as const] }
    const provider = factory({ ...issuerOption, clientId: 'x', clientSecret: 's', ...options })
    const url = await authorizationUrl('mine', { providers: [provider] })
    expect(url.searchParams.get('redirect_uri')).toBe('https://app.test/auth/callback/mine')
    expect(url.searchParams.has('code_challenge')).toBe(false)
    expect(url.searchParams.has('state')).toBe(true)
  })

  test('is not mutated', async () => {
    const options = Object.freeze({ ...issuerOption, clientId: 'x', clientSecret: 's' })
    const provider = factory(options)
    const before = JSON.stringify(provider)
    await authorizationUrl(id, { providers: [provider] })
    expect(JSON.stringify(provider)).toBe(before)
  })
})

describe.each([
  ['github', 'AUTH_GITHUB'],
  ['gitHub', 'AUTH_GIT_HUB'],
  ['my-git.hub', 'AUTH_MY_GIT_HUB'],
])('a provider %s reports the variable to set, and reads it', (id, prefix) => {
  test('without a client id', async () => {
    const { log, logger } = silentLog()
    const config = { providers: [GitHub({ id })], secret: SECRET, trustHost: true, logger }
    expect((await browser(config).post(`signin/${id}`)).status).toBe(500)
    expect(log.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        `Provider ${id} has no clientId. Set it, or ${prefix}_ID in the environment.`,
      ),
    ])
    setEnvDefaults({ [`${prefix}_ID`]: 'app', [`${prefix}_SECRET`]: 'secret' }, config)
    expect((await authorizationUrl(id, config)).searchParams.get('client_id')).toBe('app')
  })

  test('without a client secret', async () => {
    const { config, log } = configFor(op, { providers: [oidc(op, { id, clientSecret: '' })] })
    expect((await browser(config).request('session')).status).toBe(500)
    expect(log.errors[0]?.message).toContain(
      `providers[0] (${id}): clientSecret is missing. Set it or ${prefix}_SECRET`,
    )
  })
})
