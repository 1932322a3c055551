import { expect, test } from 'vitest'
import GitLab from '../../src/providers/gitlab.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/gitlab.json' with { type: 'json' }
import { completeSignIn, expectUser, oauthSite, OPTIONS } from './vendor.ts'
import type { Vector } from './vendor.ts'

const response = { status: 200, body: fixture.tokenResponse }
const vectors: Vector[] = fixture.vectors

test.each([
  [undefined, 'https://gitlab.com'],
  ['https://git.example.com', 'https://git.example.com'],
  ['https://example.com/gitlab/', 'https://example.com/gitlab'],
])('requests the profile from GitLab at %s', async (baseUrl, base) => {
  const provider = GitLab({ ...OPTIONS, ...(baseUrl !== undefined && { baseUrl }) })
  const user = { id: 7, username: 'ada', email: 'ada@example.com' }
  const site = oauthSite(provider, { url: `${base}/oauth/token`, response }, [
    {
      request: { method: 'GET', url: `${base}/api/v4/user` },
      response: { status: 200, body: user },
    },
  ])
  const { url } = await site.tab.begin('gitlab')
  expect(`${url.origin}${url.pathname}`).toBe(`${base}/oauth/authorize`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    scope: 'read_user',
    response_type: 'code',
    client_id: 'sample-client',
    redirect_uri: 'https://app.test/auth/callback/gitlab',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  await expectSignedIn(site, await completeSignIn(site.tab))
  expect(site.signedIn[0]?.user).toMatchObject({ id: 'gitlab|7', name: 'ada' })
})

const token = { url: 'https://gitlab.com/oauth/token', response }

test.each(vectors)('signs in with GitLab: $name', async (vector) => {
  const site = oauthSite(GitLab(OPTIONS), token, vector.responses)
  await expectSignedIn(site, await completeSignIn(site.tab))
  expectUser(site, 'gitlab', vector)
  expect(site.signedIn[0]?.account).toMatchObject({
    refresh_token: 'sample-refresh-token',
    created_at: 1767225600,
  })
})

test.each([
  ['nothing', {}],
  ['null', { id: null, sub: null }],
])('rejects a GitLab profile with %s as id', async (_what, ids) => {
  const request = { method: 'GET', url: 'https://gitlab.com/api/v4/user' }
  const body = { username: 'ada', email: 'ada@example.com', ...ids }
  const site = oauthSite(GitLab(OPTIONS), token, [{ request, response: { status: 200, body } }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('/auth/error?error=Configuration')
  expect(await site.tab.session()).toBeNull()
})
