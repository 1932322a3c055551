/** Options for vendors that differ from RFC 6749. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { OAuth2Config } from '../../src/config/provider.ts'
import { issuer } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, oauth, site } from '../oauth.ts'

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
        async request({ params, checks, provider }) {
          requests.push({ params, checks, provider })
          const { code = '' } = params
          const body = new URLSearchParams({
            code,
            redirect_uri: provider.callbackUrl,
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
        provider: { id: 'op', callbackUrl: 'https://app.test/auth/callback/op' },
      },
    ])
    expect(opened.signedIn[0]?.account?.token_type).toBe('bearer')
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['returns no access token', async () => ({ tokens: {} })],
  ])('rejects the sign-in if it %s', async (_what, request) => {
    const opened = siteWith({ token: { url: `${op.url}/token`, request } })
    await expectRefused(opened, await opened.tab.signIn('op'))
  })
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
    type: 'oidc',
    issuer: op.url,
    authorization: { params: { response_mode: 'form_post' } },
    profile: (profile: { readonly sub?: string | null; readonly user?: unknown }) => ({
      id: profile.sub ?? '',
      name: JSON.stringify(profile.user),
    }),
  } as const

  async function signInWith(user: string | null) {
    const opened = site(op, { provider })
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

  test('is limited in length', async () => {
    const { response } = await signInWith(JSON.stringify({ name: 'x'.repeat(5000) }))
    expect(response.status).toBe(400)
  })
})
