import { beforeEach, describe, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { transactionCookies, expectRefused, oauth, site } from '../oauth.ts'
import type { SiteOptions } from '../oauth.ts'

const op = await issuer()
beforeEach(() => op.reset())

describe('the authorization request', () => {
  test('contains state, an S256 challenge and a nonce by default', async () => {
    const { tab } = site(op)
    const { url } = await tab.begin('op')
    expect(`${url.origin}${url.pathname}`).toBe('https://issuer.test/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'https://app.test/auth/callback/op',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test('of an OAuth provider contains state and challenge, and no scope by default', async () => {
    const { tab } = site(op, { provider: { type: 'oauth' } })
    const { url } = await tab.begin('op')
    expect([...url.searchParams.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'response_type',
      'state',
    ])
  })

  test('has a new state, nonce and challenge each time', async () => {
    const { tab } = site(op)
    const [first, second] = [await tab.begin('op'), await tab.begin('op')]
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(first.url.searchParams.get(name)).not.toBe(second.url.searchParams.get(name))
  })

  test.each([
    ['client_id', 'evil'],
    ['redirect_uri', 'https://evil.example/auth/callback/op'],
    ['response_type', 'token'],
    ['response_mode', 'fragment'],
    ['state', 'chosen'],
    ['nonce', 'chosen'],
    ['code_challenge', 'chosen'],
    ['code_challenge_method', 'plain'],
    ['request', 'eyJhbGciOiJub25lIn0.e30.'],
    ['request_uri', 'https://evil.example/request'],
    ['callbackUrl', '/elsewhere'],
    ['csrfToken', 'chosen'],
  ])('ignores a %s of the browser', async (name, value) => {
    const { tab } = site(op)
    const ours = (await tab.begin('op')).url.searchParams.get(name)
    const response = await tab.post(`signin/op?${new URLSearchParams({ [name]: value })}`)
    const sent = new URL(response.headers.get('location') ?? '').searchParams.getAll(name)
    expect(sent).not.toContain(value)
    expect(sent.length).toBe(ours === null ? 0 : 1)
  })

  /** The authorization request after a sign-in with these query parameters. */
  async function requested(options: SiteOptions, query: string): Promise<URLSearchParams> {
    const response = await site(op, options).tab.post(`signin/op?${query}`)
    return new URL(response.headers.get('location') ?? '').searchParams
  }

  test.each([
    'login_hint',
    'prompt',
    'ui_locales',
    'screen_hint',
    'max_age',
    'acr_values',
    'audience',
    'organization',
    'hd',
    'access_type',
  ])('accepts %s from a browser only where it is not configured', async (name) => {
    expect((await requested({}, `${name}=7`)).getAll(name)).toEqual(['7'])
    const authorization = { params: { [name]: 'configured' } }
    const sent = await requested({ provider: { authorization } }, `${name}=wanted`)
    expect(sent.getAll(name)).toEqual(['configured'])
    const url = `${op.url}/authorize?${name}=in-the-url`
    const again = await requested({ provider: { authorization: url } }, `${name}=wanted`)
    expect(again.getAll(name)).toEqual(['in-the-url'])
  })

  test.each([
    [undefined, 'openid profile email calendar'],
    ['openid groups', 'openid groups calendar'],
  ])('extends the scope %j with the scope of the browser', async (scope, expected) => {
    const authorization = { params: { scope } }
    const sent = await requested({ provider: { authorization } }, 'scope=openid%20calendar')
    expect(sent.getAll('scope')).toEqual([expected])
  })

  test.each([
    'authorization_details',
    'claims',
    'id_token_hint',
    'resource',
    'dpop_jkt',
    'registration',
  ])('never accepts %s from a browser', async (name) => {
    expect((await requested({}, `${name}=wanted`)).has(name)).toBe(false)
    const authorization = { params: { [name]: 'configured' } }
    const sent = await requested({ provider: { authorization } }, `${name}=wanted`)
    expect(sent.getAll(name)).toEqual(['configured'])
  })

  test.each([
    ['max_age', { default_max_age: 60 }],
    ['acr_values', { default_acr_values: ['urn:mfa'] }],
  ])(
    'accepts no %s from a browser where the client is registered with one',
    async (name, client) => {
      expect((await requested({ provider: { client } }, `${name}=7`)).has(name)).toBe(false)
    },
  )

  test.each([
    ['acr.values', 'acr_values'],
    ['ACR_VALUES', 'acr_values'],
    ['max.age', 'max_age'],
    ['Max_Age', 'max_age'],
    ['prompt[]', 'prompt'],
    ['id.token.hint', 'id_token_hint'],
    [' claims', 'claims'],
    ['Claims', 'claims'],
    ['Authorization_Details', 'authorization_details'],
    ['authorization.details', 'authorization_details'],
    ['redirect uri', 'redirect_uri'],
    ['code.challenge', 'code_challenge'],
    ['STATE', 'state'],
    ['csrftoken', 'csrfToken'],
    ['login_hint\0', 'login_hint'],
  ])('does not send %j, which some servers read as %s', async (spelling, name) => {
    const params = { acr_values: 'gold', max_age: '60', prompt: 'login' }
    const options = { provider: { authorization: { params } } }
    const sent = await requested(options, String(new URLSearchParams({ [spelling]: 'wanted' })))
    expect([...sent.keys()]).not.toContain(spelling)
    expect([...sent.values()]).not.toContain('wanted')
    const ours = (await requested(options, '')).has(name)
    expect(sent.has(name)).toBe(ours)
  })

  test('does not send acr_values in capitals if the client is registered with one', async () => {
    const client = { default_acr_values: ['urn:mfa'] }
    expect((await requested({ provider: { client } }, 'ACR_VALUES=7')).has('ACR_VALUES')).toBe(
      false,
    )
  })

  test('sends scope once, in any spelling', async () => {
    const sent = await requested({}, 'SCOPE=calendar&Screen-Hint=signup')
    expect(sent.get('scope')).toBe('openid profile email calendar')
    expect(sent.has('SCOPE')).toBe(false)
    expect(sent.get('Screen-Hint')).toBe('signup')
  })

  test('accepts what applications send from the browser, and nothing else', async () => {
    const accepted = {
      audience: 'https://api.test',
      prompt: 'login',
      login_hint: 'ada@example.com',
      acr_values: 'gold',
    }
    const dangerous = {
      redirect_uri: 'https://evil.example',
      response_type: 'token',
      response_mode: 'web_message',
      request: 'x',
      request_uri: 'https://evil.example',
      claims: '{}',
      resource: 'https://evil.example',
      id_token_hint: 'x',
      client_id: 'evil',
    }
    const sent = async (query: object) =>
      Object.fromEntries(await requested({}, String(new URLSearchParams({ ...query }))))
    const names = Object.keys(await sent({}))
    const all = await sent({ ...accepted, ...dangerous, scope: 'calendar' })
    expect(all).toMatchObject({ ...accepted, scope: 'openid profile email calendar' })
    expect(Object.keys(all).sort()).toEqual([...names, ...Object.keys(accepted)].sort())
    expect(JSON.stringify(all)).not.toContain('evil')
  })

  test('is not changed by a request of another site', async () => {
    const { tab } = site(op)
    const response = await tab.request('signin/op?audience=evil&prompt=none', {
      method: 'POST',
      initiator: 'cross-site',
    })
    expect(response.headers.get('location') ?? '').not.toContain('issuer.test')
    expect(transactionCookies(tab)).toEqual([])
  })

  test('ignores the fields of the form', async () => {
    const { tab } = site(op)
    const { url } = await tab.begin('op', { prompt: 'none', client_id: 'evil' })
    expect(url.searchParams.has('prompt')).toBe(false)
    expect(url.searchParams.get('client_id')).toBe('client')
  })
})

describe('starting a sign-in', () => {
  test.each([
    ['GET', 'signin/op'],
    ['HEAD', 'signin/op'],
    ['GET', 'signin/op?iss=https://issuer.test&target_link_uri=https://evil.example&login_hint=x'],
    ['GET', 'signin?provider=op'],
  ] as const)('is not possible with %s %s', async (method, target) => {
    const { tab } = site(op)
    const response = await tab.request(target, { method, initiator: 'cross-site' })
    expect(response.headers.get('location')).toBeNull()
    expect(transactionCookies(tab)).toEqual([])
    expect(op.requests.discovery).toBe(0)
    expect(await response.text()).not.toContain('evil.example')
  })
})

describe('a code of another user', () => {
  /** The victim's authorization response with the code of an attacker (RFC 9700 §4.5). */
  async function inject(on: ReturnType<typeof site>, changeUrl = (url: URL) => url) {
    const theirs = await on.open().begin('op')
    const stolen = await op.authorize(changeUrl(theirs.url), { sub: 'mallory' })
    const code = new URL(stolen.url).searchParams.get('code') ?? ''
    on.secrets.add(code)
    const ours = await on.tab.begin('op')
    const answer = new URL((await op.authorize(ours.url)).url)
    answer.searchParams.set('code', code)
    return ours.comeBack({ url: answer.href })
  }

  function withoutChallenge(url: URL): URL {
    url.searchParams.delete('code_challenge')
    return url
  }

  test('is rejected by the provider because of the verifier', async () => {
    const on = site(op)
    await expectRefused(on, await inject(on))
  })

  test('is rejected because of the nonce if the provider ignores PKCE', async () => {
    const on = site(op)
    op.misbehaviour.overlooks = ['code_verifier']
    op.misbehaviour.discovery = ({ code_challenge_methods_supported: _none, ...metadata }) =>
      metadata
    await expectRefused(on, await inject(on))
    expect(op.requests.token).toBe(1)
  })

  test('is rejected if the challenge was removed from the request', async () => {
    const on = site(op)
    await expectRefused(on, await inject(on, withoutChallenge))
  })

  test('is rejected because of the nonce if the challenge was removed and the provider accepts that', async () => {
    const on = site(op)
    op.misbehaviour.overlooks = ['code_verifier']
    await expectRefused(on, await inject(on, withoutChallenge))
  })

  test('is rejected in another browser with its own state', async () => {
    const on = site(op, { config: { providers: [oauth(op)] } })
    op.misbehaviour.overlooks = ['code_verifier']
    const theirs = await on.open().begin('op')
    const answer = await op.authorize(theirs.url)
    on.secrets.add(new URL(answer.url).searchParams.get('code') ?? '')
    const response = await on.tab.request(answer.url, { initiator: 'cross-site' })
    await expectRefused(on, response, { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })
})
