import { describe, expect, test } from 'vitest'
import { withEnvDefaults } from '../../../src/core/config/env.ts'
import {
  Auth,
  setEnvDefaults,
  customFetch,
  insecureHttp,
  createActionURL,
} from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig, silentLog, configFor } from '../../config.ts'
import type { OIDCConfig, Provider } from '../../../src/core/config/provider.ts'
import GitHub from '../../../src/providers/github.ts'
import Entra from '../../../src/providers/microsoft-entra-id.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { InvalidConfiguration, InvalidRequest } from '../../../src/errors.ts'

type Env = Readonly<Record<string, unknown>>

/** A configuration after the environment was read, and the codes of the warnings. */
function read(
  env: Env,
  given: Partial<AuthConfig> = {},
): { config: AuthConfig; warnings: unknown[] } {
  const { log, logger } = silentLog()
  const config: AuthConfig = { logger, ...given }
  setEnvDefaults(env, config)
  return { config, warnings: log.lines.map(([, code]) => code) }
}

describe('the base path', () => {
  test.each<[Env, string | undefined, string, string[]]>([
    [{}, undefined, '/auth', []],
    [{}, '/api/auth', '/api/auth', []],
    [{}, 'api/auth', '/api/auth', []],
    [{}, '/api/auth/', '/api/auth', []],
    [{}, '/', '', []],
    [{}, '', '', []],
    [{ AUTH_URL: 'https://app.test' }, undefined, '/auth', []],
    [{ AUTH_URL: 'https://app.test/' }, undefined, '/auth', []],
    [{ AUTH_URL: 'https://app.test' }, '/api/auth', '/api/auth', []],
    [{ AUTH_URL: 'https://app.test/x/auth' }, undefined, '/x/auth', []],
    [{ AUTH_URL: 'https://app.test/x/auth/' }, undefined, '/x/auth', []],
    [{ AUTH_URL: 'https://app.test/x/auth?y#z' }, undefined, '/x/auth', []],
    [{ AUTH_URL: 'https://app.test/x' }, '', '/x', []],
    [{ AUTH_URL: 'https://app.test/x' }, '/y', '/y', ['env-url-basepath-redundant']],
    [{ AUTH_URL: 'https://app.test/y' }, '/y', '/y', ['env-url-basepath-redundant']],
    [{ AUTH_URL: '' }, undefined, '/auth', []],
    [{ AUTH_URL: 'nonsense' }, undefined, '/auth', []],
    [{ AUTH_URL: 'localhost:3000/x' }, undefined, '/auth', []],
    [{ LIB_URL: 'https://app.test/lib' }, undefined, '/lib', []],
    [{ AUTH_URL: '', LIB_URL: 'https://app.test/lib' }, undefined, '/lib', []],
    [{ AUTH_URL: 'https://app.test/a', LIB_URL: 'https://app.test/b' }, undefined, '/a', []],
    [{ NEXTAUTH_URL: 'https://app.test/old' }, undefined, '/old', ['env-renamed']],
    [{ LIB_URL: 'https://a.test/a', NEXTAUTH_URL: 'https://b.test/b' }, undefined, '/a', []],
  ])('from %j and %j is %j', (env, basePath, expected, expectedWarnings) => {
    const { config, warnings } = read(env, { basePath })
    expect(config.basePath).toBe(expected)
    expect(warnings).toEqual(expectedWarnings)
  })

  test('does not warn of two paths with suppressBasePathWarning', () => {
    const { log, logger } = silentLog()
    const config: AuthConfig = { logger, basePath: '/y' }
    setEnvDefaults({ AUTH_URL: 'https://app.test/x' }, config, true)
    expect(config.basePath).toBe('/y')
    expect(log.lines).toEqual([])
  })
})

describe('the trusted host', () => {
  const LOOPBACK = ['localhost:*', '*.localhost:*', '127.0.0.1:*', '[::1]:*']

  test.each<[Env, boolean | undefined]>([
    [{}, undefined],
    [{ NODE_ENV: 'production' }, undefined],
    [{ NODE_ENV: 'staging' }, undefined],
    [{ NODE_ENV: 'development' }, true],
    [{ NODE_ENV: 'test' }, true],
    [{ AUTH_URL: 'https://app.test' }, true],
    [{ LIB_URL: 'https://app.test' }, true],
    [{ NEXTAUTH_URL: 'https://app.test' }, true],
    ...['true', '1', 'yes', 'on', 'TRUE', 'Yes'].map((AUTH_TRUST_HOST): [Env, boolean] => [
      { AUTH_TRUST_HOST },
      true,
    ]),
    ...['false', '0', 'no', 'off', 'False'].map((AUTH_TRUST_HOST): [Env, boolean] => [
      { AUTH_TRUST_HOST, NODE_ENV: 'development' },
      false,
    ]),
    [{ AUTH_TRUST_HOST: 'maybe' }, undefined],
    [{ AUTH_TRUST_HOST: 'maybe', VERCEL: '1' }, true],
    [{ AUTH_TRUST_HOST: '', VERCEL: '1' }, true],
    [{ AUTH_TRUST_HOST: 'false', VERCEL: '1' }, false],
    [{ VERCEL: '1', NODE_ENV: 'production' }, true],
    [{ CF_PAGES: '1', NODE_ENV: 'production' }, true],
    [{ CF_PAGES: '0', NODE_ENV: 'production' }, false],
    [{ AUTH_URL: '', AUTH_TRUST_HOST: 'true' }, true],
    [{ AUTH_URL: '', NODE_ENV: 'production' }, undefined],
    [{ AUTH_TRUST_HOST: true }, undefined],
  ])('is set by %j: trustHost is %s', (env, trustHost) => {
    const { config } = read(env)
    expect(config.trustHost).toBe(trustHost)
    // By default, only loopback hosts are trusted.
    expect(config.trustedHosts).toEqual(trustHost === undefined ? LOOPBACK : undefined)
  })

  test.each([true, false])('keeps trustHost of the application (%s)', (trustHost) => {
    const env = { AUTH_TRUST_HOST: String(!trustHost), NODE_ENV: 'development' }
    expect(read(env, { trustHost }).config.trustHost).toBe(trustHost)
    expect(read({}, { trustedHosts: ['app.test'] }).config.trustedHosts).toEqual(['app.test'])
  })

  test.each<[Env, string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ AUTH_URL: 'https://App.test:443/x' }, undefined, 'https://app.test'],
    [{ AUTH_URL: 'http://localhost:3000/' }, undefined, 'http://localhost:3000'],
    [{ AUTH_URL: 'https://user:pass@app.test/' }, undefined, 'https://app.test'],
    [{ AUTH_URL: 'https://app.test' }, 'https://mine.test', 'https://mine.test'],
  ])('is fixed by the origin in %j', (env, origin, expected) => {
    expect(read(env, { origin }).config.origin).toBe(expected)
  })

  test.each<[Env, string, number]>([
    [{}, 'http://localhost:3000', 200],
    [{}, 'http://127.0.0.1:3000', 200],
    [{}, 'http://app.localhost:3000', 200],
    [{ NODE_ENV: 'production' }, 'https://localhost.evil.test', 400],
    [{ NODE_ENV: 'production' }, 'https://app.test', 400],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '1' }, 'https://app.test', 200],
    [{ NODE_ENV: 'development', AUTH_TRUST_HOST: '0' }, 'http://localhost:3000', 400],
    [{ AUTH_URL: 'nonsense' }, 'http://localhost:3000', 500],
    [{ AUTH_URL: 'localhost:3000' }, 'http://localhost:3000', 500],
    [{ AUTH_URL: 'ftp://app.test' }, 'http://localhost:3000', 500],
  ])('with %j is checked: a request to %s receives %i', async (env, url, status) => {
    const { config, log } = passwordConfig({ trustHost: undefined })
    setEnvDefaults(env, config)
    const headers = { accept: 'application/json' }
    const response = await Auth(new Request(`${url}/auth/providers`, { headers }), config)
    expect(response.status).toBe(status)
    if (status === 500) expect(log.errors[0]?.message).toContain('AUTH_URL')
  })
})

describe('secrets', () => {
  const all = { AUTH_SECRET: 'base', AUTH_SECRET_1: '1', AUTH_SECRET_2: '2', AUTH_SECRET_3: '3' }

  test.each<[Env, AuthConfig['secret'], AuthConfig['secret']]>([
    [{ AUTH_SECRET: 'a' }, undefined, ['a']],
    [{ LIB_SECRET: 'a' }, undefined, ['a']],
    [{ AUTH_SECRET: 'a', LIB_SECRET: 'b' }, undefined, ['a']],
    [{ AUTH_SECRET: '', LIB_SECRET: 'b' }, undefined, ['b']],
    [all, undefined, ['3', '2', '1', 'base']],
    [{ ...all, AUTH_SECRET_2: '' }, undefined, ['3', '1', 'base']],
    [{ AUTH_SECRET_1: '1' }, undefined, ['1']],
    [{ LIB_SECRET: 'lib', AUTH_SECRET_1: '1' }, undefined, ['1', 'lib']],
    [{ AUTH_SECRET: 'a', AUTH_SECRET_4: '4', LIB_SECRET_1: '1' }, undefined, ['a']],
    [all, 'mine', 'mine'],
    [all, ['mine', 'old'], ['mine', 'old']],
    [{ AUTH_SECRET: 'a' }, '', ['a']],
    [{ AUTH_SECRET: 'a' }, [], ['a']],
    [{ AUTH_SECRET: ' a ' }, undefined, [' a ']],
    [{}, undefined, []],
    [{ NODE_ENV: 'production' }, undefined, []],
    [{ NODE_ENV: 'test' }, undefined, []],
  ])('from %j and %j are %j', (env, secret, expected) => {
    const { config, warnings } = read(env, { secret })
    expect(config.secret).toEqual(expected)
    expect(warnings).toEqual([])
  })

  test('a deprecated name has the lowest precedence and logs one warning with the new name', () => {
    const { log, logger } = silentLog()
    for (let round = 0; round < 2; round++) {
      const config: AuthConfig = { logger }
      setEnvDefaults({ NEXTAUTH_SECRET: 'old', AUTH_SECRET_1: 'new' }, config)
      expect(config.secret).toEqual(['new', 'old'])
    }
    expect(log.lines).toEqual([
      ['warn', 'env-renamed', 'NEXTAUTH_SECRET is deprecated; rename it to AUTH_SECRET.'],
    ])
  })

  test('development uses a default secret and warns once', async () => {
    const { log, logger } = silentLog()
    const make = (basePath?: string) => {
      const { config } = passwordConfig({ logger, secret: undefined, basePath })
      setEnvDefaults({ NODE_ENV: 'development' }, config)
      return config
    }
    const config = make()
    expect((await Auth(new Request('http://localhost/auth/csrf'), config)).status).toBe(200)
    expect(make().secret).toEqual(config.secret)
    expect(make('/other').secret).not.toEqual(config.secret)
    expect(log.lines).toEqual([
      ['warn', 'development-secret', expect.stringContaining('AUTH_SECRET')],
    ])
  })

  test.each(['production', 'test', undefined])('%s has no default secret', async (NODE_ENV) => {
    const { config, log } = passwordConfig({ secret: undefined })
    setEnvDefaults({ NODE_ENV }, config)
    expect((await Auth(new Request('http://localhost/auth/csrf'), config)).status).toBe(500)
    expect(log.errors).toMatchObject([{ type: 'MissingSecretError' }])
  })
})

test.each<[Env, string | undefined, string | undefined]>([
  [{}, undefined, undefined],
  [{ AUTH_REDIRECT_PROXY_URL: 'https://p.test/auth' }, undefined, 'https://p.test/auth'],
  [{ AUTH_REDIRECT_PROXY_URL: '' }, undefined, undefined],
  [{ AUTH_REDIRECT_PROXY_URL: 'https://p.test/auth' }, 'https://q.test/a', 'https://q.test/a'],
])('from %j and %j the redirect proxy is %j', (env, redirectProxyUrl, expected) => {
  expect(read(env, { redirectProxyUrl }).config.redirectProxyUrl).toBe(expected)
})

describe('the configuration', () => {
  const env = { AUTH_SECRET: 'a', AUTH_URL: 'https://app.test/x', AUTH_TRUST_HOST: '1' }

  test('is completed without overriding its options', () => {
    const { config: given } = passwordConfig()
    const { callbacks, events, logger } = { callbacks: {}, events: {}, logger: given.logger }
    const config: AuthConfig = { ...given, callbacks, events, debug: true, theme: { logo: '/x' } }
    setEnvDefaults(env, config)
    expect(config).toMatchObject({ debug: true, theme: { logo: '/x' }, secret: given.secret })
    expect([config.callbacks, config.events, config.logger]).toEqual([callbacks, events, logger])
  })

  test('stays the same when completed again', () => {
    const { config } = passwordConfig()
    setEnvDefaults(env, config)
    const once = { ...config }
    setEnvDefaults(env, config)
    expect(config).toEqual(once)
  })

  test('is not mutated by withEnvDefaults', () => {
    const config = Object.freeze({ ...passwordConfig().config, secret: undefined })
    const filled = withEnvDefaults({ AUTH_SECRET: 'a' }, config, '/api/auth', 'suppressed')
    expect(filled).toMatchObject({ secret: ['a'], basePath: '/api/auth' })
    expect(config.secret).toBeUndefined()
  })
})

function readProvider(env: Env, provider: Provider): Record<string | symbol, unknown> {
  const config: AuthConfig = { providers: [provider] }
  setEnvDefaults(env, config)
  const [filled] = config.providers ?? []
  return { ...(filled as object) }
}

const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

const own = (id: string, rest: Partial<OIDCConfig> = {}): OIDCConfig => ({
  id,
  name: 'Own',
  type: 'oidc',
  ...rest,
})

describe('the variables of a provider', () => {
  test.each<[string, string]>([
    ['own', 'OWN'],
    ['my-own', 'MY_OWN'],
    ['my_own', 'MY_OWN'],
    ['own2', 'OWN2'],
    ['microsoft-entra-id', 'MICROSOFT_ENTRA_ID'],
    ['myOwn', 'MY_OWN'],
    ['myOwn', 'MYOWN'],
    ['my.own', 'MY_OWN'],
    ['42-school', '42_SCHOOL'],
  ])('of %s begin with AUTH_%s', (id, name) => {
    const env = {
      [`AUTH_${name}_ID`]: 'client',
      [`AUTH_${name}_SECRET`]: 'secret',
      [`AUTH_${name}_ISSUER`]: 'https://op.test',
    }
    const expected = { clientId: 'client', clientSecret: 'secret', issuer: 'https://op.test' }
    expect(readProvider(env, own(id))).toMatchObject(expected)
    expect(readProvider(env, () => own(id))).toMatchObject(expected)
  })

  test('separated words take precedence over joined words', () => {
    const env = { AUTH_MY_OWN_ID: 'apart', AUTH_MYOWN_ID: 'in one' }
    expect(readProvider(env, own('myOwn'))).toMatchObject({ clientId: 'apart' })
  })

  const env = { AUTH_OWN_ID: 'env', AUTH_OWN_SECRET: 'env', AUTH_OWN_ISSUER: 'https://env.test' }
  const given = { clientId: 'mine', clientSecret: 'mine', issuer: 'https://mine.test' }

  test.each<[string, Provider]>([
    ['an object', own('own', given)],
    ['options', { ...own('own'), options: given } as Provider],
    ['a factory', () => own('own', given)],
  ])('set only missing options: %s', (_how, provider) => {
    expect(readProvider(env, provider)).toMatchObject(given)
  })

  test.each<[string, Provider, string]>([
    ['a factory', Entra, 'env'],
    ['a factory that was called', Entra({ clientId: 'mine' }), 'env'],
    ['a factory without options', Entra({ issuer: undefined }), 'env'],
    ['a factory with options', Entra({ issuer: issuerOf('mine') }), 'mine'],
    ['the result of a factory, as an object', { ...Entra(), options: undefined }, 'common'],
    ['an object with options', { ...own('microsoft-entra-id'), options: {} } as Provider, 'env'],
  ])('override the defaults of a provider, and not the application: %s', (_how, entry, who) => {
    const names = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: issuerOf('env') }
    expect(readProvider(names, entry)).toMatchObject({ issuer: issuerOf(who) })
  })

  test('are read independently', () => {
    const filled = readProvider(env, own('own', { clientId: 'mine', clientSecret: undefined }))
    expect(filled).toMatchObject({ clientId: 'mine', clientSecret: 'env' })
  })

  test('are ignored if empty', () => {
    const filled = readProvider({ AUTH_OWN_ID: '', AUTH_OWN_SECRET: '' }, own('own'))
    expect([filled['clientId'], filled['clientSecret']]).toEqual([undefined, undefined])
  })

  test('use the configured id', () => {
    const github = GitHub({ id: 'github-work' })
    const names = { AUTH_GITHUB_ID: 'other', AUTH_GITHUB_WORK_ID: 'mine' }
    expect(readProvider(names, github)).toMatchObject({ id: 'github-work', clientId: 'mine' })
  })

  test('do not apply to credentials', () => {
    const [provider] = passwordConfig().config.providers ?? []
    const names = { AUTH_PASSWORD_ID: 'x', AUTH_PASSWORD_SECRET: 'y', AUTH_PASSWORD_ISSUER: 'z' }
    const filled = readProvider(names, provider as Provider)
    expect(filled).not.toHaveProperty('clientId')
    expect(filled).not.toHaveProperty('issuer')
  })
})

describe('a factory', () => {
  test('receives the settings of the environment', () => {
    const calls: unknown[] = []
    const factory = (options: object = {}) => {
      calls.push(options)
      return own('own', options)
    }
    readProvider(
      { AUTH_OWN_ID: 'a', AUTH_OWN_ISSUER: 'https://b.test', AUTH_OWN_KEY: 'c' },
      factory,
    )
    // Once to read its id, once to create the provider.
    expect(calls).toEqual([{}, { clientId: 'a', issuer: 'https://b.test', apiKey: 'c' }])
  })

  test('can derive its URLs from them', () => {
    const env = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: 'https://login.microsoftonline.com/mine/v2.0' }
    expect(readProvider(env, Entra)).toMatchObject({ issuer: env.AUTH_MICROSOFT_ENTRA_ID_ISSUER })
  })
})

test('keeps symbols, functions and instances', () => {
  const fetch = async () => new Response()
  const profile = () => ({ id: '1' })
  const provider = own('own', { profile, [customFetch]: fetch, [insecureHttp]: true })
  const filled = readProvider({ AUTH_OWN_ID: 'a' }, provider)
  expect(filled).toMatchObject({ clientId: 'a', profile })
  expect(filled[customFetch]).toBe(fetch)
  expect(filled[insecureHttp]).toBe(true)
})

test('does not change the entries of the application', () => {
  const provider = Object.freeze(own('own'))
  const providers = Object.freeze([provider, GitHub])
  const config: AuthConfig = { providers }
  setEnvDefaults({ AUTH_OWN_ID: 'a', AUTH_GITHUB_ID: 'b' }, config)
  expect(provider).toEqual(own('own'))
  expect(config.providers).not.toBe(providers)
  expect(config.providers).toMatchObject([{ clientId: 'a' }, { id: 'github', clientId: 'b' }])
})

test('signs in with a provider that only the environment configures', async () => {
  const op = await issuer()
  const { config } = configFor(op, { providers: [own('op')] })
  setEnvDefaults(
    { AUTH_OP_ID: op.clientId, AUTH_OP_SECRET: op.clientSecret, AUTH_OP_ISSUER: op.url },
    config,
  )
  const tab = browser(config, { issuer: op })
  expect((await tab.signIn('op')).headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
})

type Values = Readonly<Record<string, string>>

describe('createActionURL without AUTH_URL', () => {
  test.each<[string | undefined, Values, string | undefined, string]>([
    [undefined, { host: 'app.test' }, '/basepath', 'https://app.test/basepath'],
    ['http', { host: 'app.test' }, '/auth', 'http://app.test/auth'],
    ['http:', { host: 'app.test' }, '/auth', 'http://app.test/auth'],
    ['https:', { host: 'app.test' }, '/auth', 'https://app.test/auth'],
    ['', { host: 'app.test' }, '/auth', 'https://app.test/auth'],
    ['javascript', { host: 'app.test' }, '/auth', 'https://app.test/auth'],
    ['http', { host: 'localhost:3000' }, '/auth', 'http://localhost:3000/auth'],
    ['http', { host: '[::1]:3000' }, '/auth', 'http://[::1]:3000/auth'],
    ['https', { host: 'app.test:443' }, '/auth', 'https://app.test/auth'],
    // Base paths in several spellings.
    ['https', { host: 'app.test' }, undefined, 'https://app.test'],
    ['https', { host: 'app.test' }, '', 'https://app.test'],
    ['https', { host: 'app.test' }, '/', 'https://app.test'],
    ['https', { host: 'app.test' }, 'auth', 'https://app.test/auth'],
    ['https', { host: 'app.test' }, '/my-app/auth/', 'https://app.test/my-app/auth'],
    // Proxies.
    [
      'http',
      { host: 'web:3000', 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' },
      '/auth',
      'https://app.test/auth',
    ],
    ['https', { 'x-forwarded-host': 'app.test' }, '/auth', 'https://app.test/auth'],
    [
      'http',
      { host: 'web', 'x-forwarded-host': 'evil.test, app.test', 'x-forwarded-proto': 'https,http' },
      '/auth',
      'https://app.test/auth',
    ],
    [
      'http',
      { host: 'app.test', 'x-forwarded-proto': 'javascript' },
      '/auth',
      'http://app.test/auth',
    ],
    [
      'https',
      { host: 'app.test', 'x-forwarded-host': 'evil.test/x?' },
      '/auth',
      'https://app.test/auth',
    ],
  ])(
    'with protocol %j, headers %j and base path %j returns %s/signout',
    (protocol, values, basePath, expected) => {
      const url = createActionURL('signout', protocol, new Headers(values), {}, { basePath })
      expect(url.href).toBe(`${expected}/signout`)
    },
  )

  test.each<[Values]>([
    [{}],
    [{ host: '' }],
    [{ host: 'app.test/evil?x=' }],
    [{ host: 'app@evil.test' }],
    [{ host: 'app.test:99999' }],
    [{ 'x-forwarded-host': 'a b' }],
  ])('throws for the headers %j, which contain no valid host', (values) => {
    const make = () => createActionURL('signin', 'https', new Headers(values), {}, {})
    expect(make).toThrow(InvalidRequest)
  })
})

describe('createActionURL with AUTH_URL', () => {
  const values = new Headers({ host: 'evil.test', 'x-forwarded-host': 'evil.test' })
  const make = (env: Values, basePath: string | undefined, settings: object = {}) =>
    createActionURL('callback', 'http', values, env, { basePath, ...settings }).href

  test.each<[Values, string | undefined, string]>([
    [{ AUTH_URL: 'https://app.test' }, undefined, 'https://app.test'],
    [{ AUTH_URL: 'https://app.test' }, '/auth', 'https://app.test/auth'],
    [{ AUTH_URL: 'https://app.test/' }, '/auth', 'https://app.test/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, undefined, 'https://app.test/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, '', 'https://app.test/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, '/', 'https://app.test/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth/' }, undefined, 'https://app.test/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, '/api/auth', 'https://app.test/api/auth'],
    [{ AUTH_URL: 'http://h:3000/my-app' }, '/auth', 'http://h:3000/auth'],
    [{ AUTH_URL: 'https://app.test/auth?x=1#y' }, undefined, 'https://app.test/auth'],
    [{ LIB_URL: 'https://app.test' }, '/auth', 'https://app.test/auth'],
    [{ AUTH_URL: '', LIB_URL: 'https://app.test' }, '/auth', 'https://app.test/auth'],
    [{ NEXTAUTH_URL: 'https://app.test' }, '/auth', 'https://app.test/auth'],
  ])('with variables %j and base path %j returns %s/callback', (env, basePath, expected) => {
    expect(make(env, basePath, { logger: silentLog().logger })).toBe(`${expected}/callback`)
  })

  test.each([
    ['https://app.test/my-app', '/api/auth', 1],
    ['http://h:3000/my-app/api/auth/', '/my-app/api/auth', 1],
    ['https://app.test/api/auth', '/api/auth', 0],
    ['https://app.test', '/api/auth', 0],
    ['https://app.test/api/auth', undefined, 0],
  ])('warns once of a path that differs from the base path (%s, %s)', (url, basePath, times) => {
    const { log, logger } = silentLog()
    for (let round = 0; round < 3; round++) make({ AUTH_URL: url }, basePath, { logger })
    expect(log.lines).toEqual(
      times ? [['warn', 'env-url-basepath-mismatch', expect.any(String)]] : [],
    )
  })

  test.each(['nonsense', 'localhost:3000', 'https://', '//app.test', 'javascript:x'])(
    'rejects %s with an error that names the variable',
    (url) => {
      expect(() => make({ AUTH_URL: url }, '/auth')).toThrow(InvalidConfiguration)
      expect(() => make({ AUTH_URL: url }, '/auth')).toThrow('AUTH_URL is not a URL')
    },
  )
})

test.each(['signin', 'signout', 'session', 'verify-request'] as const)(
  'returns the URL of the route %s',
  (action) => {
    const headers = new Headers({ host: 'app.test' })
    const url = createActionURL(action, 'https', headers, {}, { basePath: '/auth' })
    expect(url).toBeInstanceOf(URL)
    expect(url.href).toBe(`https://app.test/auth/${action}`)
  },
)
