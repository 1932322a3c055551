import { describe, expect, test } from 'vitest'
import { withEnvDefaults } from '../../../src/core/config/env.ts'
import { Auth, setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig, silentLog } from '../../config.ts'

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
