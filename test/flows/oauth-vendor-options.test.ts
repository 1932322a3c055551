/** Options for vendors that differ from RFC 6749. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { OAuth2Config, OIDCConfig } from '../../src/config/provider.ts'
import { postedUser } from '../../src/symbols.ts'
import { issuer } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, oauth, site } from '../oauth.ts'
import { arrive, deployment, locationOf, PREVIEW, PROXY, proxyFor } from '../redirect-proxy.ts'

const op = await issuer()
beforeEach(() => op.reset())

function siteWith(provider: Partial<OAuth2Config>) {
  return site(op, { provider: { ...oauth(op), ...provider } })
}

describe('token.request', () => {
  test('replaces the token request', async () => {
    const requests: unknown[] = []
    const opened = siteWith({
      token: {
        url: `${op.url}/token`,
        async request({ params, checks, redirectUri, provider }) {
          requests.push({ params, checks, redirectUri, provider })
          const { code = '' } = params
          const body = new URLSearchParams({
            code,
            redirect_uri: redirectUri,
            client_id: provider.clientId,
            client_secret: provider.clientSecret ?? '',
            code_verifier: checks.code_verifier ?? '',
          })
          const response = await provider.fetch(provider.token?.url ?? '', { method: 'POST', body })
          const { token_type: _none, ...tokens } = await response.json()
          return { tokens }
        },
      },
    })
    await expectSignedIn(opened, await opened.tab.signIn('op'))
    expect(requests).toMatchObject([
      {
        params: { code: expect.any(String) },
        checks: { code_verifier: expect.stringMatching(/^[\w-]{43}$/) },
        redirectUri: 'https://app.test/auth/callback/op',
        provider: { id: 'op', callbackUrl: 'https://app.test/auth/callback/op' },
      },
    ])
    expect(opened.signedIn[0]?.account?.token_type).toBe('bearer')
  })

  test('receives the redirect URI of the redirect proxy', async () => {
    const received: string[] = []
    const preview = deployment(op, PREVIEW, {
      provider: {
        ...oauth(op),
        token: {
          url: `${op.url}/token`,
          request({ redirectUri }) {
            received.push(redirectUri)
            throw new Error('no')
          },
        },
      },
    })
    const { url } = await op.authorize((await preview.tab.begin('op')).url)
    await arrive(preview, locationOf(await arrive(proxyFor(op, [PREVIEW]), url)))
    expect(received).toEqual([`${PROXY}/auth/callback/op`])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['returns no access token', async () => ({ tokens: {} })],
  ])('rejects the sign-in if it %s', async (_what, request) => {
    const opened = siteWith({ token: { url: `${op.url}/token`, request } })
    await expectRefused(opened, await opened.tab.signIn('op'))
  })
})

describe('token.params', () => {
  const params = { audience: 'api', resource: undefined, none: null, grant_type: 'password' }
  const token = { url: `${op.url}/token?version=2`, params }

  test('are parameters of the body, and cannot replace those of the grant', async () => {
    const opened = siteWith({ token })
    await expectSignedIn(opened, await opened.tab.signIn('op'))
    const [{ url, body } = {}] = opened.sent
    expect(url?.href).toBe(`${op.url}/token?version=2`)
    expect(Object.fromEntries(body ?? [])).toMatchObject({
      audience: 'api',
      grant_type: 'authorization_code',
    })
    expect([body?.has('resource'), body?.has('none')]).toEqual([false, false])
  })
})

test('{issuer} in authorization.params is the issuer of the configuration', async () => {
  const opened = siteWith({
    type: 'oauth',
    issuer: `${op.url}/`,
    authorization: { url: `${op.url}/authorize`, params: { resource: '{issuer}', other: 1 } },
  })
  const { searchParams } = (await opened.tab.begin('op')).url
  expect([searchParams.get('resource'), searchParams.get('other')]).toEqual([op.url, '1'])
})

describe('clientIdParameter', () => {
  test.each(['client_secret_post', 'none'])('names the client id with %s', async (method) => {
    const opened = siteWith({
      clientIdParameter: 'client_key',
      client: { token_endpoint_auth_method: method },
    })
    op.misbehaviour.overlooks = ['client_authentication']
    const attempt = await opened.tab.begin('op')
    const { searchParams } = attempt.url
    expect(searchParams.get('client_key')).toBe('client')
    expect(searchParams.has('client_id')).toBe(false)
    await expectSignedIn(opened, await attempt.complete())
    const { body } = opened.sent[0] ?? {}
    expect(body?.get('client_key')).toBe('client')
    expect(body?.has('client_id')).toBe(false)
  })
})

test('a deprecated provider is reported once', async () => {
  const { tab, log } = siteWith({ deprecated: 'Use another one.' })
  await tab.begin('op')
  await tab.begin('op')
  expect(log.lines.filter(([, code]) => code === 'provider-deprecated')).toEqual([
    ['warn', 'provider-deprecated', 'The provider op is deprecated. Use another one.'],
  ])
})

describe('the user that a provider posts with the response', () => {
  const provider = {
    [postedUser]: true,
    type: 'oidc',
    issuer: op.url,
    authorization: { params: { response_mode: 'form_post' } },
    profile: (profile: { readonly sub?: string | null; readonly user?: unknown }) => ({
      id: profile.sub ?? '',
      name: JSON.stringify(profile.user),
    }),
  } as const

  async function signInWith(user: string | null, options: Partial<OIDCConfig> = {}) {
    const opened = site(op, { provider: { ...provider, ...options } })
    op.misbehaviour.authorization = (parameters) => {
      if (user !== null) parameters.set('user', user)
      return parameters
    }
    return { opened, response: await opened.tab.signIn('op') }
  }

  test('is part of the profile', async () => {
    const { opened, response } = await signInWith('{"name":{"firstName":"Ada"}}')
    await expectSignedIn(opened, response)
    expect(opened.signedIn[0]?.user.name).toBe('{"name":{"firstName":"Ada"}}')
  })

  test.each([null, 'not JSON', '[]', 'null'])('is ignored if it is %s', async (user) => {
    const { opened, response } = await signInWith(user)
    await expectSignedIn(opened, response)
    expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
  })

  test.each([
    ['the provider is not Apple', { [postedUser]: undefined }],
    ['it is in the query', { authorization: {} }],
  ])('is ignored if %s', async (_what, options) => {
    const { opened, response } = await signInWith('{"name":{"firstName":"Eve"}}', options)
    await expectSignedIn(opened, response)
    expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
  })

  test('is ignored if it is in the query of a provider with form_post', async () => {
    const opened = site(op, { provider })
    const { url } = await opened.tab.begin('op')
    const { form = new URLSearchParams() } = await op.authorize(url)
    form.set('user', '{"name":{"firstName":"Eve"}}')
    const response = await opened.tab.request(`callback/op?${form}`, { initiator: 'cross-site' })
    await expectSignedIn(opened, response)
    expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
  })

  test('does not replace a claim of the ID token', async () => {
    op.misbehaviour.idToken = ({ header, claims }) => ({
      header,
      claims: { ...claims, user: 'signed' },
    })
    const { opened, response } = await signInWith('{"name":{"firstName":"Eve"}}')
    await expectSignedIn(opened, response)
    expect(opened.signedIn[0]?.user.name).toBe('"signed"')
  })

  test('is limited in length', async () => {
    const { response } = await signInWith(JSON.stringify({ name: 'x'.repeat(5000) }))
    expect(response.status).toBe(400)
  })
})
