import { describe, expect, test } from 'vitest'
import type { OAuth2Config, Provider } from '../../../src/core/config/provider.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import {
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
  MissingSecretError,
} from '../../../src/errors.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

/** A configuration with unchecked types. */
const config = (overrides: object): AuthConfig => ({ ...passwordConfig().config, ...overrides })

/** A provider with all endpoints. */
const oauth = (overrides: object): Provider => ({
  ...({
    id: 'own',
    name: 'Own',
    type: 'oauth',
    clientId: 'c',
    clientSecret: 's',
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

describe('a configuration is rejected because of', () => {
  test.each<[string, object, string, typeof InvalidConfiguration?]>([
    ['a missing secret', { secret: undefined }, 'Set AUTH_SECRET', MissingSecretError],
    ['an empty secret', { secret: '' }, 'Set AUTH_SECRET', MissingSecretError],
    ['an empty list of secrets', { secret: [] }, 'Set AUTH_SECRET', MissingSecretError],
    ['an empty list entry', { secret: ['', 'b'] }, 'Set AUTH_SECRET', MissingSecretError],
    ['undefined in the list', { secret: [undefined] }, 'Set AUTH_SECRET', MissingSecretError],
    ['an empty jwt.secret', { jwt: { secret: '' } }, 'jwt.secret is empty', MissingSecretError],
    ['an empty jwt list', { jwt: { secret: [] } }, 'jwt.secret is empty', MissingSecretError],

    ['an origin with a path', { origin: 'https://app.test/x' }, 'AUTH_URL'],
    ['an origin without scheme', { origin: 'app.test' }, '(got "app.test")'],
    ['host and port', { origin: 'localhost:3000' }, 'https://example.com'],
    ['an empty origin', { origin: '' }, 'is not an origin'],
    ['another scheme', { origin: 'ftp://app.test' }, 'is not an origin'],

    ['an unknown strategy', { session: { strategy: 'x' } }, 'session.strategy is not'],
    ['an empty page', { pages: { signIn: '' } }, 'pages.signIn is not'],
    ['an invalid URL', { pages: { error: 'https://[' } }, 'pages.error is not'],

    ['maxAge below 0', { session: { maxAge: -1 } }, 'session.maxAge is not'],
    ['maxAge NaN', { session: { maxAge: NaN } }, 'session.maxAge is not'],
    ['an infinite maxAge', { session: { maxAge: Infinity } }, 'session.maxAge'],
    ['a string', { session: { updateAge: '60' } }, 'session.updateAge is not'],
    ['a negative absoluteMaxAge', { session: { absoluteMaxAge: -1 } }, 'absoluteMaxAge is not'],
    ['jwt.maxAge -1', { jwt: { maxAge: -1 } }, 'jwt.maxAge is not'],

    ['null as a provider', { providers: [null] }, '(got null)'],
    [
      'a factory that returns undefined',
      { providers: [() => undefined] },
      'providers[0] is a factory that returned undefined, not a provider',
    ],
    [
      'credentials without authorize',
      { providers: [{ id: 'p', name: 'P', type: 'credentials' }] },
      'providers[0] (p) has no authorize function',
      MissingAuthorize,
    ],

    [
      'a provider without endpoints',
      { providers: [{ id: 'own', name: 'Own', type: 'oauth', clientId: 'c', clientSecret: 's' }] },
      'no endpoint for authorization, token, userinfo. Set the endpoints, or issuer.',
      InvalidEndpoints,
    ],
    [
      'a provider without one endpoint',
      { providers: [oauth({ token: { params: {} } })] },
      'providers[0] (own): no endpoint for token',
      InvalidEndpoints,
    ],
    [
      'an OpenID provider without an issuer',
      { providers: [oidc({ issuer: undefined, jwks_endpoint: 'https://own.test/keys' })] },
      'issuer is missing. Set issuer or AUTH_OWN_ISSUER.',
      InvalidEndpoints,
    ],
    [
      'an endpoint that is not a URL',
      { providers: [oauth({ token: '/x' })] },
      'token is not a URL (got "/x")',
      InvalidEndpoints,
    ],
    [
      'an endpoint over http',
      { providers: [oauth({ userinfo: { url: 'http://own.test/' } })] },
      'userinfo is not https (got "http://own.test/"). Write https. Only for a provider in an internal network, set [insecureHttp]: true on it to allow http.',
      InvalidEndpoints,
    ],
  ])('%s', (_what, overrides, message, type = InvalidConfiguration) => {
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
  ])('a cookie %s with %j, which browsers reject', (name, options, message) => {
    expect(() => resolve(config(cookie(name, options)))).toThrow(InvalidConfiguration)
    expect(() => resolve(config(cookie(name, options)))).toThrow(message)
  })

  test('a prefixed cookie with secure: false, also with useSecureCookies: false', () => {
    const overrides = { ...cookie('__Host-x', { secure: false }), useSecureCookies: false }
    expect(() => resolve(config(overrides))).toThrow('needs options.secure: true')
  })

  test('any other invalid cookie', () => {
    const options = { domain: 'app.test' }
    for (const name of ['callbackUrl', 'csrfToken', 'state'])
      expect(() => resolve(config({ cookies: { [name]: { name: '__Host-x', options } } }))).toThrow(
        'call it __Secure-x',
      )
  })
})

describe('a configuration is accepted', () => {
  test.each<[string, object]>([
    ['with only a secret', { providers: undefined, trustHost: undefined }],
    ['with a list of secrets', { secret: ['a', 'b'] }],
    ['with an origin', { origin: 'https://app.test' }],
    ['with a trailing slash in the origin', { origin: 'http://localhost:3000/' }],
    ['with pages', { pages: { signIn: '/in?x=1', error: 'https://status.test/', newUser: 'new' } }],
    [
      'with lifetimes',
      { session: { maxAge: 0, updateAge: 0, absoluteMaxAge: 1 }, jwt: { maxAge: 1 } },
    ],
    ['with infinite lifetimes', { session: { updateAge: Infinity, absoluteMaxAge: Infinity } }],
    ['with a shared cookie', cookie('__Secure-x', { domain: 'app.test' })],
    ['with a cookie below a path', cookie('__Secure-x', { path: '/app' })],
    [
      'with a prefix where cookies are not secure',
      { ...cookie('__Host-x'), useSecureCookies: false },
    ],
    ['with a plain cookie', cookie('x', { domain: 'app.test', secure: false })],
    [
      'with a provider that has a userinfo.request function',
      {
        providers: [oauth({ userinfo: { request: () => ({ id: '1' }) } })],
      },
    ],
    [
      'with only an issuer',
      { providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: 'https://op.test' }] },
    ],
    [
      'with OpenID metadata',
      { providers: [oidc({ issuer: undefined, wellKnown: 'https://x.test' })] },
    ],
    [
      'with a separate metadata URL',
      { providers: [{ id: 'op', name: 'OP', type: 'oauth', wellKnown: 'https://op.test/x' }] },
    ],
  ])('%s', (_what, overrides) => {
    expect(() => resolve(config(overrides))).not.toThrow()
  })
})

test('reports all problems at once with the error class of the first', () => {
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
    'secret is empty',
    'jwt.secret is empty',
    'origin is not an origin',
    'pages.signIn',
    'pages.error',
    'The cookie __Host-x needs options.path',
    'session.maxAge',
    'session.updateAge',
    'jwt.maxAge',
    'providers[0] is not a provider',
    'providers[1] (own): token is not https',
    'providers[2] (p) has no authorize function',
  ])
    expect(read).toThrow(`\n- ${problem}`)
})

test('reports a single problem without a list', () => {
  expect(() => resolve(config({ secret: '' }))).toThrow(/^secret is empty\./)
})
