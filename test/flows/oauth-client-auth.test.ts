import { decodeProtectedHeader, generateKeyPair, jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ClientMetadata, OAuthConfig } from '../../src/config/provider.ts'
import { issuer } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, oauth, site } from '../oauth.ts'
import type { Site } from '../oauth.ts'

const op = await issuer()
const { publicKey, privateKey } = await generateKeyPair('ES256')

beforeEach(() => op.reset())

const TYPES = ['oauth', 'oidc'] as const

function siteWith(
  type: OAuthConfig['type'],
  method: string,
  overrides: Partial<OAuthConfig> & { client?: ClientMetadata } = {},
): Site {
  const client = { token_endpoint_auth_method: method, ...overrides.client }
  const both = { issuer: op.url, ...overrides, client }
  return site(op, { provider: { ...both, type } as Partial<OAuthConfig> })
}

const tokenRequest = ({ sent }: Site) => sent.find(({ url }) => url.pathname === '/token')

/** Client id and secret of a Basic header, decoded as RFC 6749 §2.3.1 specifies. */
function basicCredentials(on: Site): string[] {
  const header = tokenRequest(on)?.headers.get('authorization')?.replace('Basic ', '') ?? ''
  return atob(header)
    .split(':')
    .map((part) => new URLSearchParams(`x=${part}`).get('x') ?? '')
}

describe.each(TYPES)('a client of an %s provider', (type) => {
  test('authenticates with a Basic header by default', async () => {
    const on = site(op, { provider: { type } })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(basicCredentials(on)).toEqual(['client', op.clientSecret])
    expect(tokenRequest(on)?.body.has('client_secret')).toBe(false)
    expect(tokenRequest(on)?.body.has('client_id')).toBe(false)
  })

  test('authenticates in the body with client_secret_post', async () => {
    const on = siteWith(type, 'client_secret_post')
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(tokenRequest(on)?.headers.has('authorization')).toBe(false)
    expect(tokenRequest(on)?.body.get('client_id')).toBe('client')
    expect(tokenRequest(on)?.body.get('client_secret')).toBe(op.clientSecret)
  })

  test.each(['none', 'tls_client_auth'])('sends only its client id with %s', async (method) => {
    op.misbehaviour.overlooks = ['client_authentication']
    const on = siteWith(type, method)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(tokenRequest(on)?.headers.has('authorization')).toBe(false)
    expect(tokenRequest(on)?.body.get('client_id')).toBe('client')
    expect(tokenRequest(on)?.body.has('client_secret')).toBe(false)
    expect(tokenRequest(on)?.body.has('client_assertion')).toBe(false)
  })

  test.each([
    ['private_key_jwt', publicKey, 'ES256'],
    ['client_secret_jwt', new TextEncoder().encode(op.clientSecret), 'HS256'],
  ])('signs an assertion for this provider with %s', async (method, key, algorithm) => {
    op.misbehaviour.overlooks = ['client_authentication']
    const token = { url: `${op.url}/token`, clientPrivateKey: { key: privateKey, kid: 'mine' } }
    const on = siteWith(type, method, { token })
    const ids = new Set<unknown>()
    for (let count = 0; count < 2; count++) {
      on.sent.length = 0
      await expectSignedIn(on, await on.tab.signIn('op'))
      const { body, headers } = tokenRequest(on) ?? {}
      expect(headers?.has('authorization')).toBe(false)
      expect(body?.has('client_secret')).toBe(false)
      expect(body?.get('client_assertion_type')).toBe(
        'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      )
      const assertion = body?.get('client_assertion') ?? ''
      const { payload } = await jwtVerify(assertion, key, {
        issuer: 'client',
        subject: 'client',
        algorithms: [algorithm],
      })
      const { alg, typ, kid } = decodeProtectedHeader(assertion)
      expect({ alg, typ }).toEqual({ alg: algorithm, typ: 'client-authentication+jwt' })
      expect(kid).toBe(method === 'private_key_jwt' ? 'mine' : undefined)
      expect(payload.aud).toBe('https://issuer.test')
      expect((payload.exp ?? Infinity) - (payload.iat ?? 0)).toBeLessThanOrEqual(60)
      expect(payload.jti).toMatch(/.{16}/)
      ids.add(payload.jti)
    }
    expect(ids.size).toBe(2)
  })

  test.each([
    ['client_secret_basic', { clientSecret: undefined }, 'clientSecret'],
    ['client_secret_post', { clientSecret: '' }, 'clientSecret'],
    ['client_secret_jwt', { clientSecret: undefined }, 'clientSecret'],
    ['private_key_jwt', {}, 'token.clientPrivateKey'],
  ])('without the credentials of %s is a configuration error', async (method, no, missing) => {
    const on = siteWith(type, method, no)
    expect((await on.tab.request('signin')).status).toBe(500)
    expect(on.log.errors.map(({ message }) => message)).toEqual([expect.stringContaining(missing)])
    expect(on.sent).toEqual([])
  })

  test.each([
    ['constructor', 'token_endpoint_auth_method (got "constructor")'],
    ['my_own', 'token_endpoint_auth_method (got "my_own")'],
  ])('reports the unknown method %s', async (method, missing) => {
    const on = siteWith(type, method)
    const response = await on.tab.signIn('op')
    expect(response.status).toBe(500)
    expect(on.log.errors.map(({ message }) => message)).toEqual([expect.stringContaining(missing)])
    expect(op.requests.token).toBe(0)
    expect(await on.tab.session()).toBeNull()
  })

  test('is rejected with a wrong secret', async () => {
    const on = site(op, { provider: { type, clientSecret: 'a wrong secret' } })
    on.secrets.add('a wrong secret')
    await expectRefused(on, await on.tab.signIn('op'))
    expect(on.log.errors[0]).toMatchObject({ cause: { providerError: 'invalid_client' } })
  })
})

describe('a Basic header', () => {
  test.each([
    ['a colon', 'a:b', 'c:d'],
    ['percent signs', '100%', '%41%'],
    ['spaces and plus signs', 'a b+c', ' d+ e'],
    ['other alphabets', 'ключ', 'ö–🔑'],
    ['the characters of a query', 'a&b=c', '?#/&=;,'],
    ['quotes and the like', `a"b'c`, '~!*()\\'],
  ])('encodes %s', async (_what, clientId, clientSecret) => {
    const strange = await issuer({ clientId, clientSecret })
    const on = site(strange)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(basicCredentials(on)).toEqual([clientId, clientSecret])
  })

  test('leaves unreserved characters unencoded, for providers that do not decode', async () => {
    const plain = await issuer({ clientSecret: 'GOCSPX-a_b.c-1' })
    const on = site(plain)
    await expectSignedIn(on, await on.tab.signIn('op'))
    const header = tokenRequest(on)?.headers.get('authorization')
    expect(header).toBe(`Basic ${btoa('client:GOCSPX-a_b.c-1')}`)
  })
})

describe('a private key', () => {
  test('can be set by the application', async () => {
    op.misbehaviour.overlooks = ['client_authentication']
    const options = {
      client: { token_endpoint_auth_method: 'private_key_jwt' },
      token: { clientPrivateKey: privateKey },
    }
    const on = site(op, { config: { providers: [{ ...oauth(op), options }] } })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const assertion = tokenRequest(on)?.body.get('client_assertion') ?? ''
    const { payload } = await jwtVerify(assertion, publicKey)
    // Without an issuer, the endpoint is the one name that both sides share (RFC 7523 §3).
    expect(payload.aud).toBe('https://issuer.test/token')
  })
})
