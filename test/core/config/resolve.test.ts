import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Provider } from '../../../src/core/config/provider.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { InvalidEndpoints, InvalidConfiguration } from '../../../src/errors.ts'
import { Auth, insecureHttp } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig, SECRET, silentLog } from '../../config.ts'
import type { SiteOptions } from '../../oauth.ts'
import { deployment, PREVIEW } from '../../redirect-proxy.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** Freezes every object of a configuration, so that writes throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  return value
}

async function attributesAfterSignIn(config: AuthConfig): Promise<string[]> {
  const response = await enter(browser(config), { username: 'ada', password: 'right' })
  const cookies = [...response.headers.getSetCookie(), response.headers.get('location') ?? '']
  return cookies.map((cookie) => cookie.replace(/=[^;]*/, ''))
}

const credentials = { authorize: () => ({ id: '1' }) }

test('treats undefined options as missing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01') })
  const { config } = passwordConfig({}, credentials)
  const names = ['sessionToken', 'callbackUrl', 'csrfToken', 'state', 'nonce', 'pkceCodeVerifier']
  const options = { path: undefined, secure: undefined, sameSite: undefined, domain: undefined }
  const given: object = {
    session: {
      strategy: undefined,
      maxAge: undefined,
      updateAge: undefined,
      absoluteMaxAge: undefined,
    },
    jwt: { secret: undefined, maxAge: undefined, encode: undefined, decode: undefined },
    pages: { signIn: undefined, signOut: undefined, error: undefined },
    callbacks: { signIn: undefined, redirect: undefined, session: undefined, jwt: undefined },
    events: { signIn: undefined, signOut: undefined, session: undefined },
    theme: { colorScheme: undefined, logo: undefined },
    cookies: Object.fromEntries(names.map((name) => [name, { name: undefined, options }])),
  }
  const absent = ['debug', 'basePath', 'origin', 'useSecureCookies', 'trustedHosts', 'fetch', 'raw']
  const rest = Object.fromEntries([...absent, 'skipCSRFCheck'].map((name) => [name, undefined]))
  const asGiven = await attributesAfterSignIn({ ...config, ...rest, ...given })
  const asAbsent = Object.fromEntries(Object.keys(given).map((name) => [name, undefined]))
  const byDefault = await attributesAfterSignIn(config)
  expect(byDefault[0]).toContain('__Host-lib.')
  expect(asGiven).toEqual(byDefault)
  expect(await attributesAfterSignIn({ ...config, ...rest, ...asAbsent })).toEqual(byDefault)
})

describe('the configuration of the application', () => {
  test('is never mutated', async () => {
    const op = await issuer()
    const { config } = configFor(op)
    const factory = () => ({ ...credentials, id: 'p', name: 'P', type: 'credentials' as const })
    const { logger, fetch, ...rest } = {
      ...config,
      providers: [...(config.providers ?? []), factory],
    }
    const before = structuredClone({ ...rest, providers: [] })
    const frozen = Object.freeze({ ...deepFreeze(rest), logger, fetch } as AuthConfig)
    const tab = browser(frozen, { issuer: op })
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    await tab.post('signout')
    expect((await tab.post('callback/p')).headers.get('location')).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
    expect(structuredClone({ ...rest, providers: [] })).toEqual(before)
  })

  test('can be changed afterwards without an effect', () => {
    const secret = [SECRET]
    const trustedHosts = ['app.test']
    const pages = { signIn: '/in' }
    const { config } = passwordConfig({ secret, trustedHosts, pages })
    const resolved = resolve(config)
    secret.push('another')
    trustedHosts.push('evil.test')
    pages.signIn = '/elsewhere'
    Object.assign(config, { basePath: '/other', trustHost: false })
    expect(resolve(config)).toBe(resolved)
    expect(resolved).toMatchObject({
      secrets: [SECRET],
      basePath: '/auth',
      pages: { signIn: '/in' },
    })
    expect(resolved.trust).toMatchObject({ trustHost: true, trustedHosts: ['app.test'] })
  })

  test('is resolved once per object, and the result is frozen', () => {
    const { config } = passwordConfig()
    const resolved = resolve(config)
    expect(resolve(config)).toBe(resolved)
    expect(resolve({ ...config })).not.toBe(resolved)
    expect(Object.isFrozen(resolved)).toBe(true)
    expect(Object.isFrozen(resolved.cookies.secure)).toBe(true)
    expect(Object.isFrozen(resolved.cookies.secure.sessionToken.options)).toBe(true)
    expect(Object.isFrozen(resolved.providers.get('password'))).toBe(true)
  })

  test('that is invalid does not affect another one', () => {
    const { config } = passwordConfig()
    for (let round = 0; round < 2; round++) {
      expect(() => resolve({ ...config, secret: '' })).toThrow('secret is empty')
      expect(resolve(config).secrets).toEqual([SECRET])
    }
  })

  test('that was corrected in a new object is resolved again', () => {
    const { config } = passwordConfig({ secret: '' })
    expect(() => resolve(config)).toThrow('secret is empty')
    expect(resolve({ ...config, secret: SECRET }).secrets).toEqual([SECRET])
  })
})

const withProvider = (overrides: object): AuthConfig => {
  const op = {
    id: 'op',
    name: 'OP',
    type: 'oidc',
    clientId: 'c',
    clientSecret: 's',
    ...overrides,
  } as Provider
  return passwordConfig({ providers: [op] }).config
}

describe('plain http to a provider', () => {
  test.each([
    ['test', 'http://localhost:8080', {}, true],
    ['development', 'http://127.0.0.1:8080', {}, true],
    ['development', 'http://[::1]:8080', {}, true],
    ['development', 'http://op.localhost:8080', {}, true],
    ['development', 'http://op.test', {}, false],
    ['development', 'http://localhost.op.test', {}, false],
    ['development', 'http://10.0.0.1', {}, false],
    ['production', 'http://localhost:8080', {}, false],
    ['production', 'http://localhost:8080', { [insecureHttp]: true }, true],
    ['production', 'http://op.test', { [insecureHttp]: true }, true],
    ['production', 'https://op.test', {}, true],
    ['production', 'http://op.test', { insecureHttp: true }, false],
    ['production', 'http://op.test', { [Symbol.for('lib-auth.insecureHttp')]: true }, false],
    ['development', 'ftp://localhost', { [insecureHttp]: true }, false],
  ])('in %s to %s with %o is accepted: %s', (mode, url, overrides, isAccepted) => {
    vi.stubEnv('NODE_ENV', mode)
    const read = () => resolve(withProvider({ issuer: url, ...overrides }))
    if (isAccepted) expect(read).not.toThrow()
    else expect(read).toThrow(InvalidEndpoints)
  })
})

describe('a secret that can be guessed', () => {
  const SHORT = 'x'.repeat(31)

  test.each<[string, Partial<AuthConfig>, boolean]>([
    ['of 31 bytes', { secret: SHORT }, true],
    ['of 32 bytes', { secret: `${SHORT}x` }, false],
    ['of 16 characters that take 32 bytes', { secret: 'é'.repeat(16) }, false],
    ['among good ones', { secret: [SECRET, SHORT] }, true],
    ['for tokens alone', { secret: SECRET, jwt: { secret: SHORT } }, true],
  ])('is warned of below 32 bytes: %s', (_what, overrides, isWeak) => {
    const { config, log } = passwordConfig(overrides)
    resolve(config)
    const warning = ['warn', 'weak-secret', expect.stringContaining('shorter than 32 bytes')]
    expect(log.lines).toEqual(isWeak ? [warning] : [])
    expect(log.errors).toEqual([])
  })

  test.each<[string, Partial<AuthConfig>, RegExp]>([
    ['of 15 bytes', { secret: 'x'.repeat(15) }, /^secret \(15 bytes\) is shorter than 16 bytes/],
    [
      'in a list',
      { secret: [SECRET, 'short'], jwt: { secret: 'x' } },
      /^The .* 2 problems:\n- secret\[1\] \(5 bytes\) is shorter .*\n- jwt\.secret \(1 bytes\) is shorter/,
    ],
    ['of the redirect proxy', { redirectProxySecret: 'short' }, /^redirectProxySecret \(5 bytes\)/],
  ])('%s is rejected in production with one error', async (_what, overrides, message) => {
    vi.stubEnv('NODE_ENV', 'production')
    const { config, log } = passwordConfig(overrides)
    expect(() => resolve(config)).toThrow(message)
    const response = await Auth(new Request('https://app.test/auth/session'), { ...config })
    expect(response.status).toBe(500)
    expect(log.errors.map((error) => error.name)).toEqual(['InvalidConfiguration'])
    vi.stubEnv('NODE_ENV', 'development')
    expect(() => resolve({ ...config })).not.toThrow()
  })

  test('of 16 bytes is accepted in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { config, log } = passwordConfig({ secret: 'x'.repeat(16) })
    expect(() => resolve(config)).not.toThrow()
    expect(log.errors.map((error) => error.name)).toEqual(['InvalidConfiguration'])
  })

  test.each(['development', 'production'])('is logged once in %s', async (mode) => {
    vi.stubEnv('NODE_ENV', mode)
    const { log, logger } = silentLog()
    for (let round = 0; round < 3; round++) {
      const { config } = passwordConfig({ secret: SHORT, logger, protection: 'off' })
      const response = await Auth(new Request('https://app.test/auth/csrf'), config)
      expect(response.status).toBe(200)
    }
    const isProduction = mode === 'production'
    expect(log.errors.map((error) => error.name)).toEqual(
      isProduction ? ['InvalidConfiguration'] : [],
    )
    expect(log.lines).toHaveLength(isProduction ? 0 : 1)
    for (const line of [...log.errors.map(String), log.lines.join()])
      expect(line).not.toContain(SHORT)
  })
})

test.each([
  ['production', 1],
  ['development', 0],
])('warns of debug messages in %s (%i times)', (mode, times) => {
  vi.stubEnv('NODE_ENV', mode)
  const { log, logger } = silentLog()
  for (let round = 0; round < 2; round++) resolve(passwordConfig({ debug: true, logger }).config)
  expect(log.lines.filter(([, code]) => code === 'debug-enabled')).toHaveLength(times)
})

describe('providers with the same id', () => {
  const named = (name: string) => ({ id: 'op', name, type: 'credentials', authorize: () => null })
  const two = [named('First'), named('Last'), { ...named('Other'), id: 'other' }] as Provider[]

  test('cause one warning, and the last one is used', async () => {
    const { log, logger } = silentLog()
    for (let round = 0; round < 2; round++) {
      const { config } = passwordConfig({ providers: two, logger })
      const response = await Auth(new Request('https://app.test/auth/providers'), config)
      expect(await response.json()).toMatchObject({ op: { name: 'Last' }, other: {} })
    }
    expect(log.lines).toEqual([
      ['warn', 'duplicate-provider', 'Several providers have the id "op"; the last one is used.'],
    ])
  })
})

/** A configuration with unchecked types. */
function configWith(...overrides: object[]): AuthConfig {
  const provider: Provider = {
    id: 'op',
    name: 'OP',
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'c',
    clientSecret: 's',
  }
  const providers = overrides.map((each): Provider => Object.assign({}, provider, each))
  return { ...passwordConfig().config, providers }
}

test.each(['', '.', '..', 'my provider', 'a/b', 'a\\b', 'a%2fb', 'a?b', 'a#b', 'größe'])(
  'rejects the provider id "%s", which cannot be part of a path',
  (id) => {
    const read = () => resolve(configWith({ id }))
    expect(read).toThrow(InvalidConfiguration)
    expect(read).toThrow(
      `providers[0] has an id that cannot be part of a path (got ${JSON.stringify(id)}). Use letters, digits, "-", "_", "." and "~".`,
    )
  },
)

test.each(['github', '42-school', 'azure-ad.v2', 'My_Provider~1'])(
  'accepts the provider id %s',
  (id) => {
    expect(resolve(configWith({ id })).providers.ids).toEqual([id])
  },
)

test('uses the id as the name of a provider without one', async () => {
  const config = configWith({ name: undefined }, { id: 'other', name: '' })
  const response = await Auth(new Request('https://app.test/auth/providers'), config)
  expect(await response.json()).toMatchObject({ op: { name: 'op' }, other: { name: 'other' } })
})

test('rejects a provider name that is not a string', () => {
  const read = () => resolve(configWith({ name: 42 }))
  expect(read).toThrow(InvalidConfiguration)
  expect(read).toThrow('providers[0] (op): name is not a string (got 42).')
})

const op = await issuer()

describe('a configuration is rejected', () => {
  async function problemOf(options: SiteOptions): Promise<string> {
    const { tab, log } = deployment(op, PREVIEW, options)
    expect((await tab.request('session')).status).toBe(500)
    expect(log.errors).toMatchObject([{ type: 'InvalidConfiguration' }])
    return log.errors[0]?.message ?? ''
  }

  test.each([
    'auth.example.test/auth',
    '/auth',
    'http://auth.example.test/auth',
    'ftp://auth.example.test/auth',
    'https://auth.example.test/auth?a=b',
    'https://auth.example.test/auth#a',
    'https://user@auth.example.test/auth',
  ])('with the redirect proxy %s', async (redirectProxyUrl) => {
    const message = await problemOf({ config: { redirectProxyUrl } })
    expect(message).toContain('redirectProxyUrl is not an https URL')
    const ofOne = await problemOf({ provider: { redirectProxyUrl } })
    expect(ofOne).toContain('providers[0] (op): redirectProxyUrl is not')
  })

  test.each([
    '',
    '*',
    'example.test',
    '*.example.test',
    'https://*',
    'https://*.test',
    'https://*.*.example.test',
    'https://a*.example.test',
    'https://*.example.test/auth',
    'https://a.example.test/',
    'https://A.example.test',
    'https://a.example.test:443',
    'http://a.example.test',
    'http://*.example.test',
    'javascript:alert(1)',
  ])('with the allowed origin %j', async (pattern) => {
    const config = { redirectProxyAllowedOrigins: [PREVIEW, pattern] }
    const message = await problemOf({ config })
    expect(message).toContain(
      `redirectProxyAllowedOrigins[1] is not an https origin (got "${pattern}")`,
    )
    expect(message).toContain('https://*.example.com')
  })

  test.each([[''], [[]]])('with the empty redirectProxySecret %j', async (redirectProxySecret) => {
    const { tab, log } = deployment(op, PREVIEW, { config: { redirectProxySecret } })
    expect((await tab.request('session')).status).toBe(500)
    expect(log.errors).toMatchObject([{ type: 'MissingSecretError' }])
    expect(log.errors[0]?.message).toContain('redirectProxySecret is empty')
  })

  test('with http on localhost in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const origin = 'http://localhost:3000'
    const config = { redirectProxyUrl: `${origin}/auth`, redirectProxyAllowedOrigins: [origin] }
    const message = await problemOf({ config })
    expect(message).toContain('- redirectProxyUrl')
    expect(message).toContain(
      `- redirectProxyAllowedOrigins[0] is not an https origin (got "${origin}")`,
    )
  })
})
