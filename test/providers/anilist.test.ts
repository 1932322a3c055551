import { expect, test } from 'vitest'
import AniList from '../../src/providers/anilist.ts'
import fixture from './fixtures/anilist.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const API = { method: 'POST', url: 'https://graphql.anilist.co/' }
const TOKEN = {
  url: fixture.token.url,
  response: { status: 200, body: fixture.tokenResponse },
}

test.each([
  [200, { data: { Viewer: null }, errors: [{ message: 'Unauthorized.', status: 401 }] }],
  [200, { data: null, errors: [{ message: 'Invalid token', status: 400 }] }],
  [400, { data: null, errors: [{ message: 'Invalid token', status: 400 }] }],
  [429, '<html>Too Many Attempts.</html>'],
])('AniList rejects the query with status %i', async (status, body) => {
  const exchange = { request: API, response: { status, body } }
  const { tab, log } = oauthSite(AniList(OPTIONS), TOKEN, [exchange])
  const response = await completeSignIn(tab)
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(log.errors).toMatchObject([
    {
      cause: {
        err: { message: expect.stringContaining(`AniList responded with status ${status}`) },
      },
    },
  ])
  expect(await tab.session()).toBeNull()
})

test('AniList sends the query for the user', async () => {
  const body = { data: { Viewer: { id: 1, name: 'ada' } } }
  const exchange = { request: API, response: { status: 200, body } }
  const { tab, received } = oauthSite(AniList(OPTIONS), TOKEN, [exchange])
  await completeSignIn(tab)
  const sent: unknown = await received.at(-1)?.json()
  expect(sent).toEqual({ query: '{ Viewer { id name avatar { large } } }' })
})
