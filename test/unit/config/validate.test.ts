import { describe, expect, test } from 'vitest'
import type { OAuth2Config, Provider } from '../../../src/config/provider.ts'
import { resolve } from '../../../src/config/resolve.ts'
import {
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
  MissingSecretError,
} from '../../../src/errors.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

/** A configuration whose types nobody has checked. */
const config = (overrides: object): AuthConfig => ({ ...passwordConfig().config, ...overrides })

/** A provider that says itself where everything is. */
const oauth = (overrides: object): Provider => ({
  ...({
    id: 'own',
    name: 'Own',
    type: 'oauth',
    clientId: 'c',
    authorization: 'https://own.test/authorize',
    token: 'https://own.test/token',
    userinfo: 'https://own.test/user',
  } satisfies OAuth2Config),
  ...overrides,
})
const oidc = (overrides: object) =>
  oauth({ type: 'oidc', issuer: 'https://own.test', ...overrides })

const cookie = (name: string, options: object = {}) => ({
  cookies: { sessionToken: { name, options } },
})

describe('a configuration is refused', () => {
  test.each<[string, object, typeof InvalidConfiguration, string]>([
    ['without a secret', { secret: undefined }, MissingSecretError, 'Set AUTH_SECRET'],
    ['with an empty secret', { secret: '' }, MissingSecretError, 'Set AUTH_SECRET'],
    ['with no secret in the list', { secret: [] }, MissingSecretError, 'Set AUTH_SECRET'],
    ['with an empty one in the list', { secret: ['', 'b'] }, MissingSecretError, 'Set AUTH_SECRET'],
    ['with a hole in the list', { secret: [undefined] }, MissingSecretError, 'Set AUTH_SECRET'],
    [
      'with an empty jwt.secret',
      { jwt: { secret: '' } },
      MissingSecretError,
      'jwt.secret is empty',
    ],
    ['with no jwt.secret', { jwt: { secret: [] } }, MissingSecretError, 'jwt.secret is empty'],

    ['an origin with a path', { origin: 'https://app.test/x' }, InvalidConfiguration, 'AUTH_URL'],
    ['an origin without scheme', { origin: 'app.test' }, InvalidConfiguration, '"app.test" is not'],
    ['host and port', { origin: 'localhost:3000' }, InvalidConfiguration, 'https://example.com'],
    ['an empty origin', { origin: '' }, InvalidConfiguration, 'is not an origin'],
    ['another scheme', { origin: 'ftp://app.test' }, InvalidConfiguration, 'is not an origin'],

    ['no strategy', { session: { strategy: 'x' } }, InvalidConfiguration, 'session.strategy has'],
    ['an empty page', { pages: { signIn: '' } }, InvalidConfiguration, 'pages.signIn is not'],
    ['no URL', { pages: { error: 'https://[' } }, InvalidConfiguration, 'pages.error is not'],

    ['maxAge below 0', { session: { maxAge: -1 } }, InvalidConfiguration, 'session.maxAge has'],
    ['maxAge NaN', { session: { maxAge: NaN } }, InvalidConfiguration, 'session.maxAge has'],
    [
      'an endless maxAge',
      { session: { maxAge: Infinity } },
      InvalidConfiguration,
      'session.maxAge',
    ],
    ['a text', { session: { updateAge: '60' } }, InvalidConfiguration, 'session.updateAge has'],
    ['absolute', { session: { absoluteMaxAge: -1 } }, InvalidConfiguration, 'absoluteMaxAge has'],
    ['of the token', { jwt: { maxAge: -1 } }, InvalidConfiguration, 'jwt.maxAge has'],

    ['null as a provider', { providers: [null] }, InvalidConfiguration, 'is no provider'],
    ['text as a provider', { providers: ['github'] }, InvalidConfiguration, 'is no provider'],
    ['no id', { providers: [oauth({ id: undefined })] }, InvalidConfiguration, 'needs an id'],
    [
      'an unknown type',
      { providers: [oauth({ type: 'saml' })] },
      InvalidConfiguration,
      'Provider own',
    ],
    [
      'a factory of nothing',
      { providers: [() => undefined] },
      InvalidConfiguration,
      'is no provider',
    ],
    [
      'credentials nobody checks',
      { providers: [{ id: 'p', name: 'P', type: 'credentials' }] },
      MissingAuthorize,
      'Provider p needs an authorize function',
    ],

    [
      'a provider without endpoints',
      { providers: [{ id: 'own', name: 'Own', type: 'oauth', clientId: 'c' }] },
      InvalidEndpoints,
      'it has no issuer, so it needs authorization and token and userinfo',
    ],
    [
      'without one of them',
      { providers: [oauth({ token: { params: {} } })] },
      InvalidEndpoints,
      'so it needs token',
    ],
    [
      'OpenID without an issuer',
      { providers: [oidc({ issuer: undefined, jwks_endpoint: 'https://own.test/keys' })] },
      InvalidEndpoints,
      'its issuer is required, because ID tokens cannot be verified without it; set it, or AUTH_OWN_ISSUER in the environment',
    ],
    ['no URL', { providers: [oauth({ token: '/x' })] }, InvalidEndpoints, 'its token is not a URL'],
    [
      'http',
      { providers: [oauth({ userinfo: { url: 'http://own.test/' } })] },
      InvalidEndpoints,
      'its userinfo is not https; to allow that, set [insecureHttp]: true on the provider',
    ],
  ])('%s', (_what, overrides, type, message) => {
    const read = () => resolve(config(overrides))
    expect(read).toThrow(type)
    expect(read).toThrow(message)
  })

  test.each([
    ['__Host-x', { domain: 'app.test' }, 'cannot have options.domain; call it __Secure-x'],
    ['__Host-x', { secure: false }, 'needs options.secure: true, or another name'],
    ['__Host-x', { path: '/app' }, 'needs options.path: "/", or another name'],
    ['__Secure-x', { secure: false }, 'needs options.secure: true, or another name'],
    ['a b', {}, 'cannot be set'],
    ['x', { domain: 'a;b' }, 'cannot be set'],
    ['x', { path: '/a;b' }, 'cannot be set'],
    ['x', { maxAge: 1.5 }, 'cannot be set'],
  ])('a cookie %s with %j, which browsers would drop', (name, options, message) => {
    expect(() => resolve(config(cookie(name, options)))).toThrow(InvalidConfiguration)
    expect(() => resolve(config(cookie(name, options)))).toThrow(message)
  })

  test('a cookie with a prefix that is told not to be secure, where cookies are not secure', () => {
    const overrides = { ...cookie('__Host-x', { secure: false }), useSecureCookies: false }
    expect(() => resolve(config(overrides))).toThrow('needs options.secure: true')
  })

  test('every other cookie is looked at as well', () => {
    const options = { domain: 'app.test' }
    for (const name of ['callbackUrl', 'csrfToken', 'state'])
      expect(() => resolve(config({ cookies: { [name]: { name: '__Host-x', options } } }))).toThrow(
        'call it __Secure-x',
      )
  })
})

describe('a configuration is accepted', () => {
  test.each<[string, object]>([
    ['with nothing but a secret', { providers: undefined, trustHost: undefined }],
    ['with a list of secrets', { secret: ['a', 'b'] }],
    ['with an origin', { origin: 'https://app.test' }],
    ['with a slash after it', { origin: 'http://localhost:3000/' }],
    ['with pages', { pages: { signIn: '/in?x=1', error: 'https://status.test/', newUser: 'new' } }],
    [
      'with lifetimes',
      { session: { maxAge: 0, updateAge: 0, absoluteMaxAge: 1 }, jwt: { maxAge: 1 } },
    ],
    ['without ends', { session: { updateAge: Infinity, absoluteMaxAge: Infinity } }],
    ['with a shared cookie', cookie('__Secure-x', { domain: 'app.test' })],
    ['with a cookie below a path', cookie('__Secure-x', { path: '/app' })],
    [
      'with a prefix where cookies are not secure',
      { ...cookie('__Host-x'), useSecureCookies: false },
    ],
    ['with a plain cookie', cookie('x', { domain: 'app.test', secure: false })],
    [
      'with a provider that asks for the profile itself',
      {
        providers: [oauth({ userinfo: { request: () => ({ id: '1' }) } })],
      },
    ],
    [
      'with an issuer and nothing else',
      {
        providers: [
          { id: 'op', name: 'OP', type: 'oidc', clientId: 'c', issuer: 'https://op.test' },
        ],
      },
    ],
    [
      'with OpenID metadata',
      { providers: [oidc({ issuer: undefined, wellKnown: 'https://x.test' })] },
    ],
    [
      'with metadata somewhere else',
      {
        providers: [
          { id: 'op', name: 'OP', type: 'oauth', clientId: 'c', wellKnown: 'https://op.test/x' },
        ],
      },
    ],
  ])('%s', (_what, overrides) => {
    expect(() => resolve(config(overrides))).not.toThrow()
  })
})

test('every problem is named at once, and the first says which kind of error it is', () => {
  const everything = config({
    secret: '',
    jwt: { secret: '', maxAge: -1 },
    origin: 'app.test',
    pages: { signIn: '', error: '' },
    session: { maxAge: -1, updateAge: NaN },
    cookies: { csrfToken: { name: '__Host-x', options: { path: '/x' } } },
    providers: [
      null,
      oauth({ token: 'http://own.test' }),
      { id: 'p', name: 'P', type: 'credentials' },
    ],
  })
  const read = () => resolve(everything)
  expect(read).toThrow(MissingSecretError)
  for (const problem of [
    '(1) There is no secret',
    '(2) jwt.secret is empty',
    '(3) An entry of providers is no provider',
    '(4) "app.test" is not an origin',
    '(5) pages.signIn',
    '(6) pages.error',
    '(7) The cookie __Host-x needs options.path',
    '(8) session.maxAge',
    '(9) session.updateAge',
    '(10) jwt.maxAge',
    '(11) Provider own cannot be used: its token is not https',
    '(12) Provider p needs an authorize function',
  ])
    expect(read).toThrow(problem)
})

test('one problem is not numbered', () => {
  expect(() => resolve(config({ secret: '' }))).toThrow(/^There is no secret\./)
})

test('who asks learns nothing of it, and the log everything', async () => {
  const { config: bad, log } = passwordConfig({ secret: '', origin: 'app.test' })
  const headers = { accept: 'application/json' }
  const response = await Auth(new Request('https://app.test/auth/session', { headers }), bad)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toMatch(/secret|origin/i)
  expect(log.errors[0]?.message).toMatch(/secret.*origin/)
})
