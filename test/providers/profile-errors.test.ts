/** Errors of vendors in place of a profile. */
import { expect, test } from 'vitest'
import { logged } from '../oauth.ts'
import { catalogueSite, fixtures } from './catalogue.ts'
import { completeSignIn } from './vendor.ts'

/** Signs in at a vendor whose profile response is replaced, and expects an error with this text in the log. */
async function expectRejected(
  module: string,
  status: number,
  body: unknown,
  text: string,
  error = 'OAuthCallbackError',
) {
  const vector = fixtures.get(module)?.vectors[0]
  const responses = vector?.responses?.map((each) => ({ ...each, response: { status, body } }))
  const site = await catalogueSite(module, { ...vector, ...(responses && { responses }) })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain(`error=${error}`)
  expect(await site.tab.session()).toBeNull()
  // Some vendors receive the access token in the URL.
  expect(logged(site.log, [text, 'sample-access-token'])).toEqual([text])
}

const INVALID = { message: 'Invalid token', status: 400 }
const WORKSPACE = { object: 'user', type: 'bot', bot: { owner: { type: 'workspace' } } }
const SIDE_BLOG = { name: 'side-blog', uuid: 't:side', primary: false }

test.each<[string, string, unknown]>([
  ['anilist', 'AniList responded with status 200', { data: { Viewer: null }, errors: [INVALID] }],
  ['anilist', 'AniList responded with status 200', { data: null, errors: [INVALID] }],
  ['bungie', 'Bungie responded with ErrorCode 2101', { ErrorCode: 2101 }],
  ['bungie', 'Bungie responded with ErrorCode 5', { ErrorCode: 5 }],
  ['etsy', 'no user_id', { shop_id: 1 }],
  ['etsy', 'no user_id', { user_id: '../shops/1' }],
  ['foursquare', 'Foursquare responded with', { meta: { code: 401 }, response: { user: {} } }],
  ['gumroad', 'Gumroad responded', { success: false, message: 'Not allowed.' }],
  ['gumroad', 'Gumroad responded', { user: { user_id: '1' } }],
  ['hubspot', 'inactive access token', { active: false }],
  ['linear', 'Linear responded with status 200', { data: null, errors: [{ message: 'no' }] }],
  ['linear', 'Linear responded with status 200', { errors: [{ message: 'no' }] }],
  ['mailru', 'Mail.ru responded with status 200', { error: 'token not found', error_code: 6 }],
  ['nextcloud', 'OCS status 998', { ocs: { meta: { statuscode: 998 }, data: [] } }],
  ['notion', 'Notion reports no user', WORKSPACE],
  ['startgg', 'start.gg responded with status 200', { data: { currentUser: null } }],
  ['startgg', 'start.gg responded with status 200', { success: false, fields: null }],
  ['startgg', 'start.gg responded with status 200', { errors: [{ message: 'Internal' }] }],
  ['tiktok', 'the error scope_not', { data: {}, error: { code: 'scope_not_authorized' } }],
  ['tiktok', 'the error any', { data: { user: { open_id: '1' } }, error: { code: 'any' } }],
  ['trakt', 'Trakt responded without a user.', { account: {} }],
])('%s rejects an error with status 200: %s', (module, text, body) =>
  expectRejected(module, 200, body, text),
)

test.each<[string, string, unknown]>([
  ['kick', 'Kick returned no user', { data: [], message: 'OK' }],
  ['naver', 'result code 024', { resultcode: '024', message: 'Authentication failed' }],
  ['trakt', 'no id', { user: { username: 'ada', ids: { slug: 'ada' } } }],
  ['tumblr', 'without a primary blog', { response: { user: { name: 'ada', blogs: [SIDE_BLOG] } } }],
  ['twitter', "reading 'id'", { errors: [{ title: 'Forbidden', type: 'about:blank' }] }],
])('%s reports a profile without a user: %s', (module, text, body) =>
  expectRejected(module, 200, body, text, 'Configuration'),
)

test.each([
  ['anilist', 'AniList'],
  ['bungie', 'Bungie'],
  ['dropbox', 'Dropbox'],
  ['etsy', 'Etsy'],
  ['foursquare', 'Foursquare'],
  ['gumroad', 'Gumroad'],
  ['hubspot', 'HubSpot'],
  ['lichess', 'Lichess'],
  ['linear', 'Linear'],
  ['mailchimp', 'Mailchimp'],
  ['mailru', 'Mail.ru'],
  ['nextcloud', 'Nextcloud'],
  ['notion', 'Notion'],
  ['startgg', 'start.gg'],
  ['tiktok', 'TikTok'],
  ['trakt', 'Trakt'],
])('%s reports the status of a failed profile request', async (module, name) => {
  const text = `${name} responded with status`
  await expectRejected(module, 503, '<html>Unavailable</html>', text)
  await expectRejected(module, 401, {}, text)
})

test.each([403, 429])('X rejects the profile request with status %i', (status) =>
  expectRejected('twitter', status, { title: 'No' }, 'The userinfo endpoint'),
)
