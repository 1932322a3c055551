import { beforeEach, describe, expect, test } from 'vitest'
import { customFetch } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { expectSignedIn, oauth, site } from '../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())

describe('an endpoint', () => {
  test('serializes lists with commas and objects as JSON', async () => {
    const params = {
      claims: { id_token: { acr: null } },
      list: ['a', 'b'],
      n: 1,
      on: true,
      no: null,
    }
    const authorization = { url: `${op.url}/authorize?kept=yes`, params }
    const { tab } = site(op, { provider: { type: 'oauth', authorization } })
    const { searchParams } = (await tab.begin('op')).url
    expect(Object.fromEntries(searchParams)).toMatchObject({
      kept: 'yes',
      claims: '{"id_token":{"acr":null}}',
      list: 'a,b',
      n: '1',
      on: 'true',
    })
    expect(searchParams.has('no')).toBe(false)
  })

  test.each(['oauth', 'oidc'] as const)('of an %s provider keeps its parameters', async (type) => {
    const extra = (name: string) => ({ url: `${op.url}/${name}?kept=yes`, params: { more: 1 } })
    const on = site(op, {
      provider: {
        type,
        token: extra('token'),
        userinfo: extra('userinfo'),
        ...(type === 'oidc' && { idToken: false }),
      },
    })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const requestTo = (path: string) => on.sent.find(({ url }) => url.pathname === path)
    // RFC 6749 §4.1.3.
    expect(requestTo('/token')?.url.search).toBe('?kept=yes')
    expect(requestTo('/token')?.body.get('more')).toBe('1')
    expect(requestTo('/userinfo')?.url.search).toBe('?kept=yes&more=1')
  })

  test('that is a string in the provider accepts parameters of the application', async () => {
    const options = { authorization: { params: { prompt: 'login' } }, scope: undefined }
    const on = site(op, { config: { providers: [{ ...oauth(op), options }] } })
    const { url } = await on.tab.begin('op')
    expect(url.href).toMatch(/^https:\/\/issuer\.test\/authorize\?prompt=login&/)
  })

  test('of a provider can be replaced by the application', async () => {
    const provider = oauth(op, {
      token: 'https://old.test/token',
      authorization: { url: 'https://old.test' },
    })
    const options = { token: `${op.url}/token`, authorization: `${op.url}/authorize` }
    const on = site(op, { config: { providers: [{ ...provider, options }] } })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('is requested with the fetch of the provider rather than that of the configuration', async () => {
    const never = () => Promise.reject(new Error('the wrong fetch'))
    const on = site(op, {
      config: { fetch: never, providers: [oauth(op, { [customFetch]: op.fetch })] },
    })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })
})
