import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorTypes } from '../../../database.ts'
import { createAuthenticator } from './authenticator.ts'
import { fieldsOf, passkeySite, requestOptions, target, withPasskey } from './site.ts'

describe('the callback rejects malformed fields', () => {
  const client = Buffer.from('{"type":"webauthn.get","challenge":7}').toString('base64url')
  test.each<[string, Record<string, unknown>, number?, string?]>([
    ['no action', { data: '{}' }],
    ['an unknown action', { action: 'login', data: '{}' }],
    ['an action that is an object', { action: {}, data: '{}' }],
    ['no data', { action: 'authenticate' }],
    ['data that is not JSON', { data: '{' }],
    ['null', { data: 'null' }],
    ['a list', { data: '[]' }],
    ['an object instead of text', { data: { id: 'AAAA' } }],
    ['an empty object', { data: '{}' }],
    ['an id that is a number', { data: '{"id":1,"response":{}}' }],
    ['an id in base64', { data: '{"id":"a+b=","response":{}}' }],
    ['no response', { data: '{"id":"AAAA"}' }],
    ['no clientDataJSON', { data: '{"id":"AAAA","response":{}}' }],
    [
      'a clientDataJSON that is not base64url',
      { data: '{"id":"AAAA","response":{"clientDataJSON":"{}"}}' },
    ],
    [
      'a challenge that is a number',
      { data: `{"id":"AAAA","response":{"clientDataJSON":"${client}"}}` },
    ],
    [
      'an id of 1024 bytes',
      { data: JSON.stringify({ id: randomBytes(1024).toString('base64url'), response: {} }) },
    ],
    ['one megabyte', { data: 'x'.repeat(2 ** 20) }, 413, 'ContentTooLarge'],
  ])('%s', async (_case, fields, status = 400, error = 'InvalidRequest') => {
    const { tab, log } = passkeySite()
    const csrfToken = await tab.csrfToken()
    const response = await tab.request('callback/passkey', {
      method: 'POST',
      json: { action: 'authenticate', csrfToken, ...fields },
      headers: { accept: 'application/json' },
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
    expect(errorTypes(log)).not.toContain('CallbackRouteError')
  })

  test.each(['action', 'data'])('a repeated %s, in the body and in the query', async (name) => {
    const { site, passkey } = await withPasskey()
    for (const place of ['body', 'query']) {
      const { options } = await requestOptions(site.tab, { action: 'authenticate' })
      const fields = fieldsOf('authenticate', passkey.get(options))
      const form = new URLSearchParams({ ...fields, csrfToken: await site.tab.csrfToken() })
      const query = new URLSearchParams()
      for (const value of ['register', 'authenticate'])
        (place === 'body' ? form : query).append(name, value)
      const response = await site.tab.request(`callback/passkey?${query}`, { method: 'POST', form })
      expect(response.status).toBe(400)
      expect(await site.tab.session()).toBeNull()
    }
  })

  test('a GET request, and one without a CSRF token or of another site', async () => {
    const { site, passkey } = await withPasskey()
    expect((await site.tab.request('callback/passkey')).status).toBe(405)
    const { options } = await requestOptions(site.tab, { action: 'authenticate' })
    const form = fieldsOf('authenticate', passkey.get(options))
    const without = await site.tab.request('callback/passkey', { method: 'POST', form })
    expect(target(without)).toBe('302 /auth/signin?error=MissingCSRF')
    const csrfToken = await site.tab.csrfToken()
    const foreign = await site.tab.request('callback/passkey', {
      method: 'POST',
      form: { ...form, csrfToken },
      headers: { 'sec-fetch-site': 'same-site' },
    })
    expect(target(foreign)).toBe('302 /auth/signin?error=MissingCSRF')
    expect(await site.tab.session()).toBeNull()
    expect(target(await site.tab.post('callback/passkey', form))).toBe('302 /')
  })
})

describe('any other value of a field is an error of the client', () => {
  const base64url = fc
    .uint8Array({ maxLength: 200 })
    .map((each) => Buffer.from(each).toString('base64url'))
  const value = fc.oneof(base64url, fc.jsonValue())

  test.each([
    ['register', ['clientDataJSON', 'attestationObject']],
    ['authenticate', ['clientDataJSON', 'authenticatorData', 'signature']],
  ] as const)('in %s', async (action, fields) => {
    const { site, passkey } = await withPasskey()
    const response = fc.dictionary(fc.constantFrom(...fields), value)
    const credential = fc.dictionary(fc.constantFrom('rawId', 'type', 'response', 'id'), value)
    const property = fc.asyncProperty(response, credential, async (inner, outer) => {
      fc.pre(Object.keys(inner).length + Object.keys(outer).length > 0)
      const tab = site.open()
      const email = `${crypto.randomUUID()}@example.com`
      const query = action === 'register' ? { action, email } : { action }
      const { options } = await requestOptions(tab, query)
      const replaced = { response: inner, credential: outer }
      const sent =
        action === 'register'
          ? createAuthenticator().create(options, replaced)
          : passkey.get(options, replaced)
      const csrfToken = await tab.csrfToken()
      const answer = await tab.request('callback/passkey', {
        method: 'POST',
        json: { ...fieldsOf(action, sent), csrfToken },
        headers: { accept: 'application/json' },
      })
      expect([400, 403]).toContain(answer.status)
      expect(await tab.session()).toBeNull()
    })
    await fc.assert(property, { numRuns: 200 })
  })
})
