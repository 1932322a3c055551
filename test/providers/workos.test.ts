import { expect, test } from 'vitest'
import WorkOS from '../../src/providers/workos.ts'
import fixture from './fixtures/workos.json' with { type: 'json' }
import { oauthSite, OPTIONS } from './vendor.ts'

const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }

test('WorkOS without a connection uses the one that is passed to signIn', async () => {
  const { tab } = oauthSite(WorkOS(OPTIONS), token)
  const { url } = await tab.begin('workos')
  expect(url.searchParams.has('connection')).toBe(false)
  const response = await tab.post('signin/workos?organization=org_1')
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.searchParams.get('organization')).toBe('org_1')
})

test('WorkOS accepts another URL of the API', async () => {
  const { tab } = oauthSite(WorkOS({ ...OPTIONS, issuer: 'https://auth.example.com/' }), token)
  const { url } = await tab.begin('workos')
  expect(url.origin + url.pathname).toBe('https://auth.example.com/sso/authorize')
})
