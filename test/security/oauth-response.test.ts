import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { transactionCookies, expectRefused, expectSignedIn, logged, oauth, site } from '../oauth.ts'
import type { Site } from '../oauth.ts'
import { pass, stopClock } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

/** The response to a changed authorization response. */
async function answerTo(
  { tab, secrets }: Pick<Site, 'tab' | 'secrets'>,
  change: (parameters: URLSearchParams) => void,
): Promise<Response> {
  op.misbehaviour.authorization = (parameters) => {
    secrets.add(parameters.get('code') ?? '')
    change(parameters)
    return parameters
  }
  return tab.signIn('op')
}

const set = (name: string, value: string) => (parameters: URLSearchParams) =>
  parameters.set(name, value)
const remove = (name: string) => (parameters: URLSearchParams) => parameters.delete(name)

describe('an authorization response', () => {
  test.each([
    ['has another issuer', set('iss', 'https://evil.example')],
    ['has its issuer with a trailing slash', set('iss', 'https://issuer.test/')],
    ['has no issuer, although the metadata announces it', remove('iss')],
    ['is an error', set('error', 'server_error')],
    ['is an error and a code', set('error', 'access_denied')],
    ['has an empty code', set('code', '')],
    ['has no code', remove('code')],
    ['has an access token in its query', set('access_token', 'stolen-access-token')],
    ['has an ID token in its query', set('id_token', 'stolen-id-token')],
    ['is a JWT that was not requested', set('response', 'eyJhbGciOiJub25lIn0.e30.')],
  ])('that %s is rejected, and no code is redeemed', async (_what, change) => {
    const on = site(op)
    on.secrets.add('stolen-access-token').add('stolen-id-token')
    await expectRefused(on, await answerTo(on, change))
    expect(op.requests.token).toBe(0)
  })

  test.each([
    ['code', 4097],
    ['iss', 513],
    ['error', 65],
  ])('with a %s of %i characters is rejected before any request', async (name, length) => {
    const on = site(op, { provider: { type: 'oauth' } })
    const response = await answerTo(on, set(name, 'x'.repeat(length)))
    expect(response.status).toBe(400)
    expect(transactionCookies(on.tab)).toEqual([])
    expect(on.sent).toEqual([])
    expect(await on.tab.session()).toBeNull()
    expect(logged(on.log, on.secrets)).toEqual([])
  })

  test('with a code of 100 KB is rejected', async () => {
    const on = site(op, { provider: { type: 'oauth' } })
    const response = await answerTo(on, set('code', 'x'.repeat(100_000)))
    expect(response.status).toBe(400)
    expect(on.sent).toEqual([])
  })

  test.each(['code', 'state', 'iss', 'error'])(
    'with two values of %s is rejected',
    async (name) => {
      const on = site(op)
      const response = await answerTo(on, (parameters) => {
        parameters.set(name, parameters.get(name) ?? 'first')
        parameters.append(name, 'second')
      })
      expect(response.status).toBe(400)
      expect(op.requests.token).toBe(0)
      expect(await on.tab.session()).toBeNull()
    },
  )

  test.each([
    ['no state', remove('state')],
    ['an empty state', set('state', '')],
    ['another state', set('state', 'another-state')],
  ])('with %s is rejected, and the real one stays valid', async (_what, change) => {
    const on = site(op, { provider: { type: 'oauth' } })
    const transaction = await on.tab.begin('op')
    const answer = new URL((await op.authorize(transaction.url)).url)
    const forged = new URL(answer)
    change(forged.searchParams)
    const response = await transaction.comeBack({ url: forged.href })
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=InvalidCheck')
    expect(on.sent).toEqual([])
    expect(await on.tab.session()).toBeNull()
    on.log.errors.length = 0
    await expectSignedIn(on, await transaction.comeBack({ url: answer.href }))
  })

  test('is rejected after more than ten minutes', async () => {
    stopClock()
    const on = site(op)
    const late = await on.tab.begin('op')
    // A browser that keeps cookies beyond Max-Age.
    for (const { name, value } of on.tab.cookies.all()) on.tab.cookies.set(name, value)
    await pass(10 * 60 + 16)
    await expectRefused(on, await late.complete(), { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })

  test('is accepted after nine minutes', async () => {
    stopClock()
    const on = site(op)
    const transaction = await on.tab.begin('op')
    await pass(9 * 60)
    await expectSignedIn(on, await transaction.complete())
  })

  test('can contain iss if no issuer is configured', async () => {
    const on = site(op, { provider: { type: 'oauth' } })
    await expectSignedIn(on, await answerTo(on, set('iss', 'https://issuer.test')))
  })

  test('is compared with the issuer of the metadata if only wellKnown is configured', async () => {
    const wellKnown = `${op.url}/.well-known/openid-configuration`
    const providers = [oauth(op, { wellKnown })]
    await expectSignedIn(...(await completed(providers)))
    const on = site(op, { config: { providers } })
    await expectRefused(on, await answerTo(on, set('iss', 'https://evil.example')))
  })

  test('of an OAuth provider must contain iss if the metadata requires it', async () => {
    const { authorization: _a, token: _t, userinfo: _u, ...provider } = oauth(op)
    const providers = [{ ...provider, issuer: op.url }]
    await expectSignedIn(...(await completed(providers)))
    const on = site(op, { config: { providers } })
    await expectRefused(on, await answerTo(on, remove('iss')))
    expect(op.requests).toMatchObject({ token: 1, discovery: 2 })
  })

  async function completed(providers: ReturnType<typeof oauth>[]): Promise<[Site, Response]> {
    const on = site(op, { config: { providers } })
    return [on, await on.tab.signIn('op')]
  }

  test('with access_denied redirects to the sign-in page without its text', async () => {
    const on = site(op)
    const response = await answerTo(on, (parameters) => {
      parameters.delete('code')
      parameters.set('error', 'access_denied')
      parameters.set('error_description', '<script>alert(1)</script>\r\n[auth][error] forged')
    })
    await expectRefused(on, response)
    expect(on.log.errors[0]).toMatchObject({ cause: { providerError: 'access_denied' } })
    expect(logged(on.log, ['<script>', 'forged'])).toEqual([])
    const page = await on.tab.follow(response)
    expect(page.status).toBe(200)
    expect(await page.text()).not.toMatch(/alert\(1\)|forged/)
  })
})

describe('a response of one provider', () => {
  test('is not disclosed to another provider', async () => {
    const evil = await issuer({ url: 'https://evil.example' })
    const { config, log } = configFor(op, {
      providers: [oidc(op), oidc(evil, { id: 'evil' })],
      fetch: async (input, init) => {
        const { url } = new Request(input, init)
        return url.startsWith(evil.url) ? evil.fetch(input, init) : op.fetch(input, init)
      },
    })
    const on = { ...site(op), config, log, tab: browser(config) }
    const { url } = await on.tab.begin('op')
    const answer = (await op.authorize(url)).url.replace('/callback/op', '/callback/evil')
    const response = await on.tab.request(answer, { initiator: 'cross-site' })
    await expectRefused(on, response, { type: 'InvalidCheck' })
    expect(evil.requests).toEqual({ discovery: 0, jwks: 0, token: 0, userinfo: 0 })
    expect(op.requests.token).toBe(0)
  })

  test('is redeemed at the token endpoint that the metadata contained at the start', async () => {
    stopClock()
    const on = site(op)
    await on.tab.begin('op')
    await pass(5 * 60)
    const transaction = await on.tab.begin('op')
    op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      token_endpoint: 'https://evil.example/token',
    })
    await pass(6 * 60)
    await expectSignedIn(on, await transaction.complete())
    expect(op.requests.discovery).toBe(2)
    expect(on.sent.filter(({ url }) => url.host === 'evil.example')).toEqual([])
  })
})

test('a form post is rejected for a provider that redirects', async () => {
  const on = site(op)
  const { url } = await on.tab.begin('op')
  const answer = new URL((await op.authorize(url)).url)
  const form = answer.searchParams
  const response = await on.tab.request('callback/op', { method: 'POST', form })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET')
  expect(op.requests.token).toBe(0)
})

test('a HEAD request does not redeem the code', async () => {
  const on = site(op)
  const transaction = await on.tab.begin('op')
  const answer = await op.authorize(transaction.url)
  expect((await on.tab.request(answer.url, { method: 'HEAD' })).status).toBe(200)
  expect(op.requests.token).toBe(0)
  await expectSignedIn(on, await transaction.comeBack(answer))
})
