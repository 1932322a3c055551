import { expect, test } from 'vitest'
import StartGG from '../../src/providers/startgg.ts'
import fixture from './fixtures/startgg.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const API = { method: 'POST', url: 'https://api.start.gg/gql/alpha' }
const TOKEN = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }

test.each([
  [200, { data: { currentUser: null } }],
  [200, { success: false, message: 'Invalid authentication token', fields: null }],
  [200, { errors: [{ message: 'Internal server error' }] }],
  [429, { success: false, message: 'Rate limit exceeded - api-token' }],
  [500, '<html>Server error</html>'],
])('start.gg rejects the query with status %i', async (status, body) => {
  const exchange = { request: API, response: { status, body } }
  const { tab, log } = oauthSite(StartGG(OPTIONS), TOKEN, [exchange])
  const response = await completeSignIn(tab)
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  const message = expect.stringContaining(`start.gg responded with status ${status}`)
  expect(log.errors).toMatchObject([{ cause: { err: { message } } }])
  expect(await tab.session()).toBeNull()
})

test('start.gg receives the query for the user', async () => {
  const body = { data: { currentUser: { id: 1042 } } }
  const exchange = { request: API, response: { status: 200, body } }
  const { tab, received } = oauthSite(StartGG(OPTIONS), TOKEN, [exchange])
  await completeSignIn(tab)
  const sent: unknown = await received.at(-1)?.json()
  expect(sent).toEqual({ query: '{ currentUser { id slug email player { gamerTag } } }' })
})
