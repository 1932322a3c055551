/** Providers whose claim `email_verified` is trusted. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { OIDCUserConfig, ProviderConfig } from '../../src/config/provider.ts'
import Apple from '../../src/providers/apple.ts'
import Auth0 from '../../src/providers/auth0.ts'
import Authentik from '../../src/providers/authentik.ts'
import AzureADB2C from '../../src/providers/azure-ad-b2c.ts'
import Descope from '../../src/providers/descope.ts'
import Google from '../../src/providers/google.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'

const op = await issuer()
const EMAIL = 'ada@example.com'

type Factory = (options: Pick<OIDCUserConfig, 'issuer' | 'trustEmail'>) => ProviderConfig

const providers: readonly (readonly [string, Factory, boolean])[] = [
  ['google', Google, true],
  ['apple', Apple, true],
  ['auth0', Auth0, false],
  ['authentik', Authentik, false],
  ['azure-ad-b2c', AzureADB2C, false],
  ['descope', Descope, false],
  ['keycloak', Keycloak, false],
  ['microsoft-entra-id', MicrosoftEntraID, false],
  ['a provider of the application', (options) => ({ ...oidc(op), ...options }), false],
]

/** Whether a user who signs up with a verified address is verified. */
async function isVerified(provider: ProviderConfig): Promise<boolean> {
  const adapter = MemoryAdapter()
  const credentials = { clientId: op.clientId, clientSecret: op.clientSecret }
  const { config, log } = configFor(op, { adapter, providers: [{ ...provider, ...credentials }] })
  await browser(config, { issuer: op }).signIn(provider.id, {
    sub: 'ada',
    email: EMAIL,
    email_verified: true,
  })
  expect(log.errors).toEqual([])
  const user = await adapter.getUserByEmail(EMAIL)
  expect(user).not.toBeNull()
  return user?.emailVerified instanceof Date
}

describe.each(providers)('%s', (_name, factory, isTrusted) => {
  test(`is ${isTrusted ? '' : 'not '}trusted with email_verified by default`, async () => {
    expect(await isVerified(factory({ issuer: op.url }))).toBe(isTrusted)
  })

  test.each([true, false])('uses trustEmail: %s of the application', async (trustEmail) => {
    expect(await isVerified(factory({ issuer: op.url, trustEmail }))).toBe(trustEmail)
  })
})
