import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OAuthConfig } from '../../src/core/config/provider.ts'
import { issuer } from '../../src/testing/index.ts'
import type { Misbehaviour } from '../../src/testing/index.ts'
import type { Profile, TokenSet, User } from '../../src/core/types.ts'
import { expectRefused, expectSignedIn, logged, never, site } from '../oauth.ts'
import { stopClock, until } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

const FROM_USERINFO: Partial<OAuthConfig>[] = [{ type: 'oauth' }, { type: 'oidc', idToken: false }]

describe.each(FROM_USERINFO)('userinfo of a provider with %o', (provider) => {
  test('identifies the user', async () => {
    const on = site(op, { provider })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(await on.tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(op.requests.userinfo).toBe(1)
  })

  test.each<[string, NonNullable<Misbehaviour['userinfo']>]>([
    ['fails with a connection error', () => Promise.reject(new TypeError('failed'))],
    ['has status 401', (claims) => Response.json(claims, { status: 401 })],
    ['has status 500', (claims) => Response.json(claims, { status: 500 })],
    [
      'redirects to another host',
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
    ],
    ['is HTML', () => new Response('<p>secret page</p>')],
    ['is a list', () => []],
    ['is a string', () => Response.json('x')],
    ['is a number', () => Response.json(123)],
    ['is null', () => Response.json(null)],
    ['is an empty object', () => ({})],
    ['is empty', () => new Response(null, { status: 200 })],
    ['is larger than 256 KiB', (claims) => Response.json({ ...claims, x: 'x'.repeat(256 * 1024) })],
  ])('that %s is rejected', async (_what, userinfo) => {
    const on = site(op, { provider })
    on.secrets.add('secret page')
    op.misbehaviour.userinfo = userinfo
    await expectRefused(on, await on.tab.signIn('op'))
    expect(on.sent.filter(({ url }) => url.host !== 'issuer.test')).toEqual([])
    expect(on.sent.filter(({ redirect }) => redirect !== 'manual')).toEqual([])
  })

  test('times out after five seconds', async () => {
    stopClock()
    const on = site(op, { provider })
    op.misbehaviour.userinfo = never
    const pending = on.tab.signIn('op')
    await until(() => op.requests.userinfo === 1)
    await vi.advanceTimersByTimeAsync(5000)
    const refusal = { type: 'TemporarilyUnavailable', page: 'error' } as const
    await expectRefused(on, await pending, refusal)
  })

  test('is requested again once after a connection error', async () => {
    const on = site(op, { provider })
    op.misbehaviour.userinfo = (claims) => {
      if (op.requests.userinfo === 1) throw new TypeError('failed')
      return claims
    }
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests).toMatchObject({ userinfo: 2, token: 1 })
  })

  test('receives the access token only in a header', async () => {
    const on = site(op, { provider })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const request = on.sent.find(({ url }) => url.pathname === '/userinfo')
    const token = String(on.signedIn[0]?.account?.access_token)
    expect(request?.headers.get('authorization')).toBe(`Bearer ${token}`)
    expect(request?.url.search).toBe('')
    expect(on.sent.filter(({ url }) => url.href.includes(token))).toEqual([])
  })
})

describe('userinfo of an OpenID provider', () => {
  const provider = { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } }
  const asJwt = (jwt: string) =>
    new Response(jwt, { headers: { 'content-type': 'application/jwt' } })

  test.each([
    ['another user', (claims: object) => ({ ...claims, sub: 'mallory' })],
    ['no user', ({ sub: _removed, ...claims }: Record<string, unknown>) => claims],
  ])('about %s is rejected, because sub differs from the ID token', async (_who, userinfo) => {
    const on = site(op, { provider: { idToken: false } })
    op.misbehaviour.userinfo = userinfo
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('about another user is rejected from userinfo.request too', async () => {
    const request = async (): Promise<Profile> => ({ sub: 'mallory' })
    const on = site(op, { provider: { idToken: false, userinfo: { request } } })
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('with a signature is accepted', async () => {
    const on = site(op, { provider })
    op.misbehaviour.userinfo = async (claims) => asJwt(await op.sign(claims))
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('with the signature of another provider is rejected', async () => {
    const on = site(op, { provider })
    const thief = await issuer()
    op.misbehaviour.userinfo = async (claims) => asJwt(await thief.sign(claims))
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('for another client, or from another issuer, is rejected', async () => {
    for (const wrong of [{ aud: 'evil' }, { iss: 'https://evil.example' }]) {
      const on = site(op, { provider })
      op.misbehaviour.userinfo = async (claims) => asJwt(await op.sign({ ...claims, ...wrong }))
      await expectRefused(on, await on.tab.signIn('op'))
    }
  })

  test('without a registered signature is rejected, and with an unregistered one', async () => {
    const on = site(op, { provider })
    await expectRefused(on, await on.tab.signIn('op'))
    const other = site(op, { provider: { idToken: false } })
    op.misbehaviour.userinfo = async (claims) => asJwt(await op.sign(claims))
    await expectRefused(other, await other.tab.signIn('op'))
  })
})

describe('a profile', () => {
  const failed = { type: 'OAuthProfileParseError', page: 'error', error: 'Configuration' } as const
  const withProfile = (profile: (profile: Profile) => User) => site(op, { provider: { profile } })

  test.each<[string, (profile: Profile) => unknown]>([
    ['without an id', ({ name }) => ({ name })],
    ['with an empty id', () => ({ id: '' })],
    ['with null as id', () => ({ id: null })],
    ['with a boolean as id', () => ({ id: true })],
    ['with an object as id', () => ({ id: {} })],
    ['with NaN as id', () => ({ id: NaN })],
    ['with an infinite id', () => ({ id: JSON.parse('1e400') })],
    ['with an id that JSON rounded', () => ({ id: JSON.parse('9007199254740993') })],
    ['with a fraction as id', () => ({ id: 1.5 })],
    ['with a missing id as text', ({ nothing }) => ({ id: String(nothing) })],
    ['with a null id as text', () => ({ id: String(null) })],
    ['with an object as address', () => ({ id: '1', email: { value: 'ada@example.com' } })],
    ['that is null', () => null],
    ['that is a list', () => []],
    [
      'from a function that throws',
      () => {
        throw new TypeError('no such claim')
      },
    ],
    ['from a function that rejects', async () => Promise.reject(new Error('no such claim'))],
  ])('%s is rejected', async (_what, profile) => {
    const on = withProfile(profile as (profile: Profile) => User)
    await expectRefused(on, await on.tab.signIn('op'), failed)
  })

  test('without an id in the standard claims is rejected', async () => {
    const on = site(op, { provider: { type: 'oauth' } })
    op.misbehaviour.userinfo = () => ({ name: 'Ada Lovelace', email: 'ada@example.com' })
    await expectRefused(on, await on.tab.signIn('op'), failed)
  })

  test('with a number as id has it converted to a string', async () => {
    const on = withProfile(() => ({ id: 42 }) as unknown as User)
    await expectSignedIn(on, await on.tab.signIn('op'))
    await expectSignedIn(on, await on.tab.signIn('op'))
    for (const { user, account } of on.signedIn) {
      expect(user.id).toBe('op|42')
      expect(account?.providerAccountId).toBe('42')
    }
  })

  test.each([
    ['javascript:alert(1)', null],
    [' java\nscript:alert(1)', null],
    ['vbscript:x', null],
    ['data:text/html;base64,PHNjcmlwdD4=', null],
    ['data:image/svg+xml;base64,PHN2Zz4=', null],
    [`data:image/png;base64,${'A'.repeat(1_000_000)}`, null],
    [`https://issuer.test/${'x'.repeat(2048)}`, null],
    [{ url: 'https://issuer.test/ada.png' }, null],
    ['https://issuer.test/ada.png', 'https://issuer.test/ada.png'],
    ['http://issuer.test/ada.png', 'http://issuer.test/ada.png'],
    ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ])('with the picture %.40s shows %.40s', async (image, shown) => {
    const on = withProfile(() => ({ id: '1', image }) as unknown as User)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect((await on.tab.session())?.user?.image ?? null).toBe(shown)
  })
})

describe('a token in the error of an application function is not logged', () => {
  /** Throws an error that contains every token in its message and cause. */
  function quote({ access_token, id_token, refresh_token }: TokenSet): never {
    const text = `The API refused ${[access_token, id_token, refresh_token].join()}`
    const request = { headers: [`Bearer ${access_token}`] }
    throw new Error(text, { cause: Object.assign(new Error(text), { request }) })
  }

  test.each<[string, string, Partial<OAuthConfig>]>([
    ['profile()', 'OAuthProfileParseError', { profile: (_profile, tokens) => quote(tokens) }],
    [
      'userinfo.request',
      'OAuthCallbackError',
      { idToken: false, userinfo: { request: ({ tokens }) => quote(tokens) } },
    ],
  ])('%s', async (_hook, type, provider) => {
    op.misbehaviour.token = (body) => ({ ...body, refresh_token: 'canary-refresh-token' })
    const { tab, log, secrets } = site(op, { provider })
    await tab.signIn('op')
    expect(secrets).toContain('canary-refresh-token')
    expect(logged(log, secrets)).toEqual([])
    const message = 'The API refused [redacted],[redacted],[redacted]'
    expect(log.errors).toMatchObject([{ type, cause: { err: { message } } }])
  })
})
