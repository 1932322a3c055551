import { describe, expect, test } from 'vitest'
import { InvalidConfiguration, InvalidRequest } from '../../../src/errors.ts'
import { createActionURL } from '../../../src/index.ts'
import { silentLog } from '../../config.ts'

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
