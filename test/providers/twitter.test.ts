import { expect, test } from 'vitest'
import { catalogueSite } from './catalogue.ts'
import { completeSignIn } from './vendor.ts'

const USERS_ME = 'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email'

test.each([
  [200, { errors: [{ title: 'Forbidden', type: 'about:blank' }] }],
  [403, { title: 'Unsupported Authentication', status: 403 }],
  [429, { title: 'Too Many Requests', status: 429 }],
])('X reports an error instead of a user with status %i', async (status, body) => {
  const request = { method: 'GET', url: USERS_ME }
  const { tab } = await catalogueSite('twitter', {
    responses: [{ request, response: { status, body } }],
  })
  const response = await completeSignIn(tab)
  expect(response.headers.get('location')).toMatch(/error=/)
  expect(await tab.session()).toBeNull()
})
