import { expect, test } from 'vitest'
import TikTok from '../../src/providers/tiktok.ts'
import fixture from './fixtures/tiktok.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange } from './vendor.ts'

function siteWith(token: Exchange['response'], response: Exchange['response']) {
  const request = { method: 'GET', url: fixture.userinfo }
  return oauthSite(TikTok(OPTIONS), { url: fixture.token.url, response: token }, [
    { request, response },
  ])
}

test('rejects an expired code, which TikTok reports with status 200', async () => {
  const site = siteWith(fixture.tokenErrorResponse, { status: 500 })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(site.requests).toEqual([`POST ${fixture.token.url}`])
})
