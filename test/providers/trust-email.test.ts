/** Providers whose claim `email_verified` is trusted. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { OIDCUserConfig, ProviderConfig } from '../../src/core/config/provider.ts'
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
const GMAIL = 'ada@gmail.com'

type Factory = (options: { issuer: string; trustEmail?: boolean }) => ProviderConfig

const providers: readonly (readonly [string, Factory])[] = [
  ['google', Google],
  ['apple', Apple],
  ['auth0', Auth0],
  ['authentik', Authentik],
  ['azure-ad-b2c', AzureADB2C],
  ['descope', Descope],
  ['keycloak', Keycloak],
  ['microsoft-entra-id', MicrosoftEntraID],
  ['a provider of the application', (options) => ({ ...oidc(op), ...options })],
]

/** Whether a user who signs up with a verified address is verified. */
async function isVerified(provider: ProviderConfig, claims: object = {}): Promise<boolean> {
  const adapter = MemoryAdapter()
  const credentials = { clientId: op.clientId, clientSecret: op.clientSecret }
  const { config, log } = configFor(op, { adapter, providers: [{ ...provider, ...credentials }] })
  await browser(config, { issuer: op }).signIn(provider.id, {
    sub: 'ada',
    email: EMAIL,
    email_verified: true,
    ...claims,
  })
  expect(log.errors).toEqual([])
  const user = await adapter.getUserByAccount({
    provider: provider.id,
    providerAccountId: 'ada',
  })
  expect(user).not.toBeNull()
  return user?.emailVerified instanceof Date
}

describe.each(providers)('%s', (_name, factory) => {
  test('is not trusted with email_verified by default', async () => {
    expect(await isVerified(factory({ issuer: op.url }))).toBe(false)
  })

  test.each([true, false])('uses trustEmail: %s of the application', async (trustEmail) => {
    expect(await isVerified(factory({ issuer: op.url, trustEmail }))).toBe(trustEmail)
  })
})

const hosts: readonly (readonly [string, Factory, claims: object, boolean])[] = [
  ['google', Google, { email: GMAIL }, true],
  ['google', Google, { email: 'Ada@GMAIL.com' }, true],
  ['google', Google, { email: EMAIL, hd: 'example.com' }, true],
  ['google', Google, { email: EMAIL, hd: '' }, false],
  ['google', Google, { email: GMAIL, email_verified: false }, false],
  ['google', Google, { email: 'ada@gmail.com.example.com' }, false],
  ['google', Google, { email: 'ada@notgmail.com' }, false],
  ['google', Google, { email: undefined, hd: 'example.com' }, false],
  ['apple', Apple, { email: 'ada@icloud.com' }, true],
  ['apple', Apple, { email: 'ada@me.com', email_verified: 'true' }, true],
  ['apple', Apple, { email: 'ada@mac.com' }, true],
  ['apple', Apple, { email: 'x1y2@privaterelay.appleid.com' }, true],
  ['apple', Apple, { email: 'ada@home.com' }, false],
  ['apple', Apple, { email: 'ada@appleid.com' }, false],
  ['apple', Apple, { email: 'ada@icloud.com', email_verified: 'false' }, false],
]

describe.each(hosts)('%s', (_name, factory, claims, isHosted) => {
  test(`is ${isHosted ? '' : 'not '}trusted with ${JSON.stringify(claims)}`, async () => {
    expect(await isVerified(factory({ issuer: op.url }), claims)).toBe(isHosted)
  })
})

describe('a provider that hosts some addresses', () => {
  /** Whether the provider signs in the user who has the address already. */
  async function links(email: string, more: Partial<OIDCUserConfig> = {}): Promise<boolean> {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser({ id: '', email, emailVerified: new Date() })
    const linking = oidc(op, {
      trustEmail: (profile) => profile.email === GMAIL,
      allowDangerousEmailAccountLinking: true,
      ...more,
    })
    const { config } = configFor(op, { adapter, providers: [linking] })
    await browser(config, { issuer: op }).signIn('op', { sub: 'ada', email, email_verified: true })
    return (await adapter.listAccounts(id)).length > 0
  }

  test('links accounts by these addresses only', async () => {
    expect(await links(GMAIL)).toBe(true)
    expect(await links(EMAIL)).toBe(false)
  })

  test('links accounts by every address if the application trusts them all', async () => {
    expect(await links(EMAIL, { trustEmail: true })).toBe(true)
  })

  test('is not trusted if the function returns anything but true, or throws', async () => {
    expect(await links(GMAIL, { trustEmail: (() => 1) as never })).toBe(false)
    expect(await links(GMAIL, { trustEmail: (async () => true) as never })).toBe(false)
    const fail = () => {
      throw new Error('The list of domains is missing.')
    }
    expect(await links(GMAIL, { trustEmail: fail })).toBe(false)
  })
})
