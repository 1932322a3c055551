/** Errors of vendors in place of a profile. */
import { expect, test } from 'vitest'
import { logged } from '../oauth.ts'
import { catalogueSite, fixtures } from './catalogue.ts'
import { completeSignIn } from './vendor.ts'

/** Signs in at a vendor whose profile response is replaced, and returns which of the texts is logged. */
async function failure(module: string, status: number, body: unknown, text: string) {
  const vector = fixtures.get(module)?.vectors[0]
  const responses = vector?.responses?.map((each) => ({ ...each, response: { status, body } }))
  const site = await catalogueSite(module, { ...vector, ...(responses && { responses }) })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toMatch(/error=/)
  expect(await site.tab.session()).toBeNull()
  return logged(site.log, [text])
}

const OCS_ERROR = { ocs: { meta: { status: 'failure', statuscode: 998 }, data: [] } }
const WORKSPACE = { object: 'user', type: 'bot', bot: { owner: { type: 'workspace' } } }

test.each([
  ['kick', 'Kick returned no user', { data: [], message: 'OK' }],
  ['linear', 'Linear responded with status 200', { data: null, errors: [{ message: 'no' }] }],
  ['linear', 'Linear responded with status 200', { errors: [{ message: 'no' }] }],
  ['mailru', 'Mail.ru responded with status 200', { error: 'token not found', error_code: 6 }],
  ['naver', 'result code 024', { resultcode: '024', message: 'Authentication failed' }],
  ['nextcloud', 'OCS status 998', OCS_ERROR],
  ['notion', 'Notion reports no user', WORKSPACE],
])('%s rejects an error with status 200: %s', async (module, text, body) => {
  expect(await failure(module, 200, body, text)).toEqual([text])
})

test.each([
  ['lichess', 'Lichess'],
  ['linear', 'Linear'],
  ['mailchimp', 'Mailchimp'],
  ['mailru', 'Mail.ru'],
  ['nextcloud', 'Nextcloud'],
  ['notion', 'Notion'],
])('%s reports the status of a failed profile request', async (module, name) => {
  const text = `${name} responded with status 503`
  expect(await failure(module, 503, '<html>Unavailable</html>', text)).toEqual([text])
})
