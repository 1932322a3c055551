import { describe, expect, test } from 'vitest'
import GitHub from '../../src/providers/github.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/github.json' with { type: 'json' }
import { completeSignIn, expectUser, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange, Vector, VendorSite } from './vendor.ts'

const API = 'https://api.github.com'
const TOKEN = {
  url: 'https://github.com/login/oauth/access_token',
  response: { status: 200, body: fixture.tokenResponse },
}
const ISSUER = 'https://github.com/login/oauth'
const vectors: Vector[] = fixture.vectors

function siteWith(responses: readonly Exchange[] = []): VendorSite {
  return oauthSite(GitHub(OPTIONS), TOKEN, responses)
}

/** A profile without a public address, and the list of addresses. */
function withAddresses(emails: unknown, profile: object = {}): Exchange[] {
  const get = (path: string, body: unknown): Exchange => ({
    request: { method: 'GET', url: API + path },
    response: { status: 200, body },
  })
  const user = { id: 1, login: 'octo', name: null, email: null, avatar_url: null, ...profile }
  return [get('/user', user), get('/user/emails', emails)]
}

test('requests the profile and the addresses from GitHub', async () => {
  const { url } = await siteWith().tab.begin('github')
  expect(url.href).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    scope: 'read:user user:email',
    response_type: 'code',
    client_id: 'sample-client',
    redirect_uri: 'https://app.test/auth/callback/github',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
})

test.each(vectors)('signs in with GitHub: $name', async (vector) => {
  const site = siteWith(vector.responses)
  await expectSignedIn(site, await completeSignIn(site.tab))
  expectUser(site, 'github', vector)
  expect(site.requests).toEqual([
    `POST ${TOKEN.url}`,
    ...(vector.responses ?? []).map(({ request }) => `${request.method} ${request.url}`),
  ])
  expect(site.signedIn[0]?.account).toMatchObject({
    access_token: 'sample-access-token',
    scope: 'read:user,user:email',
  })
})

describe('the private address of a GitHub user', () => {
  const address = (email: string, primary: boolean, verified: boolean) => ({
    email,
    primary,
    verified,
  })

  test.each([
    ['is null if it is not verified', [address('a@example.com', true, false)], null],
    [
      'is another verified one if the primary one is not verified',
      [address('a@example.com', true, false), address('b@example.com', false, true)],
      'b@example.com',
    ],
    ['is null if the list is empty', [], null],
    ['is null if the list is not an array', { message: 'no' }, null],
    ['is null if the list contains no addresses', [null, 'a@example.com', {}], null],
    ['is converted to lower case', [address('Ada@Example.COM', true, true)], 'ada@example.com'],
  ])('%s', async (_what, emails, expected) => {
    const site = siteWith(withAddresses(emails))
    await expectSignedIn(site, await completeSignIn(site.tab))
    expect(site.signedIn[0]?.user.email).toBe(expected)
  })
})

test('accepts only the issuer of GitHub', async () => {
  const vector = vectors[1]
  const site = siteWith(vector?.responses)
  await expectSignedIn(site, await completeSignIn(site.tab, { iss: ISSUER }))
  const other = siteWith(vector?.responses)
  const response = await completeSignIn(other.tab, { iss: 'https://evil.example' })
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(other.requests).toEqual([])
})

test('rejects an invalid code that GitHub reports with status 200', async () => {
  const token = { ...TOKEN, response: fixture.tokenErrorResponse }
  const site = oauthSite(GitHub(OPTIONS), token)
  const response = await completeSignIn(site.tab)
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(site.log.errors).toMatchObject([{ cause: { providerError: 'bad_verification_code' } }])
  expect(site.requests).toHaveLength(1)
})

test.each([
  ['no id', { id: undefined }],
  ['null as id', { id: null }],
])('rejects a GitHub profile with %s', async (_what, profile) => {
  const site = siteWith(withAddresses([], profile))
  const response = await completeSignIn(site.tab)
  expect(response.headers.get('location')).toContain('/auth/error?error=Configuration')
  expect(await site.tab.session()).toBeNull()
})

test('requests an enterprise instance instead of github.com', async () => {
  const base = 'https://git.example.com'
  const provider = GitHub({ ...OPTIONS, enterprise: { baseUrl: `${base}/` } })
  const responses = [
    {
      request: { method: 'GET', url: `${base}/api/v3/user` },
      response: { status: 200, body: { id: 1, login: 'octo', email: 'octo@example.com' } },
    },
  ]
  const token = { ...TOKEN, url: `${base}/login/oauth/access_token` }
  const site = oauthSite(provider, token, responses)
  const { url } = await site.tab.begin('github')
  expect(url.href).toMatch(/^https:\/\/git\.example\.com\/login\/oauth\/authorize\?/)
  await expectSignedIn(site, await completeSignIn(site.tab, { iss: `${base}/login/oauth` }))
})
