import { describe, expect, test, vi } from 'vitest'
import type { TrustPolicy } from '../../../src/core/contracts.ts'
import { InvalidRequest, UntrustedHost } from '../../../src/errors.ts'
import { isLoopback, isOrigin, publicOrigin } from '../../../src/core/http/origin.ts'
import { Auth, getSession } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

const NONE: TrustPolicy = { origin: undefined, trustHost: false, trustedHosts: [] }
const ALL: TrustPolicy = { ...NONE, trustHost: true }
const only = (...trustedHosts: string[]): TrustPolicy => ({ ...NONE, trustedHosts })
const fixed = (url: string): TrustPolicy => ({ ...NONE, origin: url })

type HeaderValues = Readonly<Record<string, string>>

function origin(url: string | undefined, headers: HeaderValues, policy: TrustPolicy): string {
  return publicOrigin(url === undefined ? undefined : new URL(url), new Headers(headers), policy)
}

const evil = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' }

describe('publicOrigin of a request', () => {
  test.each<[string, string, HeaderValues, string, TrustPolicy?]>([
    // Only a URL.
    ['direct', 'https://app.test/x', {}, 'https://app.test'],
    ['direct, with its Host', 'https://app.test/', { host: 'app.test' }, 'https://app.test'],
    ['a port', 'http://app.test:8080/', { host: 'app.test:8080' }, 'http://app.test:8080'],
    ['the port of the scheme', 'https://app.test:443/', {}, 'https://app.test'],
    ['it in the Host', 'https://app.test/', { host: 'app.test:443' }, 'https://app.test'],
    ['IPv6', 'http://[::1]:3000/', { host: '[::1]:3000' }, 'http://[::1]:3000'],
    ['an IDN', 'https://bücher.test/', {}, 'https://xn--bcher-kva.test'],
    ['http on a public name', 'http://app.test/', {}, 'http://app.test'],

    // A URL with the private address of the server: the Host header is used.
    ['loopback', 'http://localhost:3000/', { host: 'app.test' }, 'http://app.test'],
    ['0.0.0.0', 'http://0.0.0.0:3000/', { host: 'app.test' }, 'http://app.test'],
    ['a private network', 'http://10.1.2.3/', { host: 'app.test' }, 'http://app.test'],
    ['another', 'http://172.31.0.1/', { host: 'app.test:80' }, 'http://app.test'],
    ['a name without a dot', 'http://web:3000/', { host: 'APP.test' }, 'http://app.test'],
    ['a unique local address', 'http://[fd12::1]/', { host: 'app.test' }, 'http://app.test'],
    // An absolute request target is part of the URL, and any client can send it.
    ['another target', 'http://evil.test/', { host: 'app.test' }, 'http://app.test'],
    [
      'another target behind a proxy',
      'http://evil.test/',
      { host: 'web:3000', 'x-forwarded-host': 'app.test' },
      'http://app.test',
    ],
    [
      'another target behind a listed proxy',
      'http://evil.test/',
      { host: 'web:3000', 'x-forwarded-host': 'app.test' },
      'http://app.test',
      only('app.test'),
    ],
    // The server has written the public address to the URL, and the Host header is that of the proxy in front of it.
    ['a public URL', 'https://app.test/', { host: 'web' }, 'https://app.test'],
    ['a name like an address', 'https://10.app.test/', { host: 'web' }, 'https://10.app.test'],
    ['a public address', 'https://172.32.0.1/', { host: 'web' }, 'https://172.32.0.1'],

    // Any client can send X-Forwarded-Host.
    ['spoofed', 'https://app.test/', evil, 'https://app.test'],
    ['spoofed, with Host', 'https://app.test/', { ...evil, host: 'app.test' }, 'https://app.test'],
    ['spoofed, inside', 'http://web:3000/', { ...evil, host: 'app.test' }, 'http://app.test'],
    ['spoofed, named like an address', 'https://10.app.test/', evil, 'https://10.app.test'],
    // It is trusted if the host is in trustedHosts.
    [
      'expected',
      'https://app.test/',
      { 'x-forwarded-host': 'shop.test' },
      'https://shop.test',
      { ...ALL, trustedHosts: ['shop.test'] },
    ],
    [
      'expected, behind one that is not',
      'https://app.test/',
      { 'x-forwarded-host': 'evil.test, shop.test' },
      'https://shop.test',
      only('app.test', 'shop.test'),
    ],
    // Or if a proxy has replaced the Host header with a private address.
    [
      'a proxy',
      'http://10.0.0.7:3000/',
      { host: '10.0.0.7:3000', 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' },
      'https://app.test',
    ],
    [
      'a proxy that adds to a spoofed list',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': 'evil.test, app.test', 'x-forwarded-proto': 'https' },
      'https://app.test',
    ],
    [
      'a proxy on the same machine',
      'http://localhost:3000/',
      { host: 'localhost:3000', 'x-forwarded-host': 'localhost:8080' },
      'http://localhost:8080',
    ],
    [
      'a proxy that sends no host at all',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': ' , ' },
      'http://web:3000',
    ],
    [
      'a proxy that forwards invalid hosts',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': 'a/b, c@d, e:99999, "f"' },
      'http://web:3000',
    ],

    // The scheme.
    ['TLS ends before', 'http://app.test/', { 'x-forwarded-proto': 'https' }, 'https://app.test'],
    ['a list', 'http://app.test/', { 'x-forwarded-proto': 'https,http' }, 'https://app.test'],
    ['in capitals', 'http://app.test/', { 'x-forwarded-proto': 'HTTPS' }, 'https://app.test'],
    ['never back', 'https://app.test/', { 'x-forwarded-proto': 'http' }, 'https://app.test'],
    ['nonsense', 'http://app.test/', { 'x-forwarded-proto': 'javascript' }, 'http://app.test'],
    ['empty', 'http://app.test/', { 'x-forwarded-proto': ' , ' }, 'http://app.test'],

    // The configured origin.
    [
      'AUTH_URL',
      'http://web:3000/',
      { ...evil, host: 'a b' },
      'https://app.test',
      fixed('https://app.test'),
    ],
  ])('resolves the origin: %s (%s, %j)', (_what, url, headers, expected, policy = ALL) => {
    expect(origin(url, headers, policy)).toBe(expected)
  })
})

describe('publicOrigin of headers without a URL', () => {
  test.each<[string, HeaderValues, string, TrustPolicy?]>([
    ['a name', { host: 'app.test' }, 'https://app.test'],
    [
      'the protocol of a proxy',
      { host: 'app.test', 'x-forwarded-proto': 'http' },
      'http://app.test',
    ],
    ['nonsense', { host: 'app.test', 'x-forwarded-proto': 'ftp' }, 'https://app.test'],
    ['loopback', { host: 'localhost:3000' }, 'http://localhost:3000'],
    ['loopback with TLS', { host: 'localhost', 'x-forwarded-proto': 'https' }, 'https://localhost'],
    ['a subdomain of it', { host: 'a.localhost:3000' }, 'http://a.localhost:3000'],
    ['its address', { host: '127.0.0.1' }, 'http://127.0.0.1'],
    ['its other address', { host: '[::1]:3000' }, 'http://[::1]:3000'],
    ['the port of the scheme', { host: 'app.test:443' }, 'https://app.test'],
    ['another port', { host: 'app.test:80' }, 'https://app.test:80'],
    ['only a proxy', { 'x-forwarded-host': 'app.test' }, 'https://app.test'],
    ['AUTH_URL', {}, 'https://app.test', fixed('https://app.test')],
  ])('resolves the origin: %s (%j)', (_what, headers, expected, policy = ALL) => {
    expect(origin(undefined, headers, policy)).toBe(expected)
  })

  test('throws InvalidRequest if no header contains a host', () => {
    expect(() => origin(undefined, {}, ALL)).toThrow(InvalidRequest)
    expect(() => origin(undefined, { 'x-forwarded-host': 'app.test' }, NONE)).toThrow(
      InvalidRequest,
    )
  })
})

test.each([
  'app.test/evil?x=',
  'app@evil.test',
  'app.test#',
  'app.test:',
  'app.test:99999',
  'app.test:80:80',
  'app.test, evil.test',
  'app test',
  '-app.test',
  '.app.test',
  '1.2.3.999',
  '[::1',
  '[gg::1]',
  'äpp.test',
  '',
])('rejects the invalid Host header %j with any trust settings', (host) => {
  const [headers, url] = [{ host }, 'https://app.test/']
  for (const policy of [ALL, NONE, only('app.test')]) {
    expect(() => origin(url, headers, policy)).toThrow(InvalidRequest)
    expect(() => origin(undefined, headers, policy)).toThrow(InvalidRequest)
  }
})

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['a.localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['127.evil.test', false],
  ['localhost.evil.test', false],
  ['evil-localhost', false],
  ['10.0.0.1', false],
  ['app.test', false],
])('decides whether %s is a loopback name: %s', (name, expected) => {
  expect(isLoopback(name)).toBe(expected)
})

test.each([
  ['https://app.test', true],
  ['http://localhost:3000', true],
  ['https://app.test/', false],
  ['https://app.test/x', false],
  ['https://app.test:443', false],
  ['HTTPS://app.test', false],
  ['https://user@app.test', false],
  ['ftp://app.test', false],
  ['localhost:3000', false],
  ['app.test', false],
  ['null', false],
  ['', false],
])('decides whether %j is an origin: %s', (text, expected) => {
  expect(isOrigin(text)).toBe(expected)
})

/** The origin of a request that reached us from a proxy, at `web:3000`. */
function forwardedOrigin(forwarded: string, policy: TrustPolicy, url?: string): string {
  return origin(url, { host: 'web:3000', 'x-forwarded-host': forwarded }, policy)
}

describe.each([undefined, 'https://web:3000/'])(
  'several entries of X-Forwarded-Host with the URL %s',
  (url) => {
    test.each<[string, string, TrustPolicy, string]>([
      ['the last entry', 'evil.test, app.test', ALL, 'https://app.test'],
      [
        'the expected entry before a private one',
        'evil.test, app.test, 10.0.0.2:8080',
        { ...ALL, trustedHosts: ['app.test'] },
        'https://app.test',
      ],
      [
        'the last of several expected entries',
        'other.app.test, shop.app.test',
        only('*.app.test'),
        'https://shop.app.test',
      ],
      ['the last of private entries', 'localhost:8080, 10.0.0.2', ALL, 'https://10.0.0.2'],
      ['a private entry that is alone', '10.0.0.2:8080', ALL, 'https://10.0.0.2:8080'],
      ['no entry before an invalid one', 'evil.test, _', ALL, 'https://web:3000'],
    ])('uses %s (%s)', (_what, forwarded, policy, expected) => {
      expect(forwardedOrigin(forwarded, policy, url)).toBe(expected)
    })

    test('rejects a list to which the last proxy appended only its own address', () => {
      const list = 'evil.test, 10.0.0.2:8080'
      expect(() => forwardedOrigin(list, ALL, url)).toThrow(UntrustedHost)
      expect(() => forwardedOrigin(list, ALL, url)).toThrow('the private address "10.0.0.2:8080"')
      const configured = { ...ALL, origin: 'https://app.test' }
      expect(forwardedOrigin(list, configured, url)).toBe('https://app.test')
    })
  },
)

describe('trustedHosts', () => {
  test.each([
    ['app.test', 'https://app.test', true],
    ['APP.test', 'https://app.test', true],
    ['app.test', 'http://app.test', true],
    ['app.test', 'http://app.test:443', true],
    ['app.test', 'https://app.test:8443', false],
    ['app.test:*', 'https://app.test:8443', true],
    ['app.test:*', 'https://app.test', true],
    ['app.test:*', 'https://evilapp.test', false],
    ['app.test:*', 'https://app.test.evil.test', false],
    ['*:*', 'https://app.test', false],
    ['*:8443', 'https://app.test:8443', false],
    ['app.test:8443', 'https://app.test:8443', true],
    ['app.test:8443', 'https://app.test', false],
    ['app.test', 'https://evilapp.test', false],
    ['app.test', 'https://app.test.evil.test', false],
    ['app.test', 'https://www.app.test', false],
    ['*.app.test', 'https://www.app.test', true],
    ['*.app.test', 'https://www.app.test:8443', false],
    ['*.app.test:*', 'https://www.app.test:8443', true],
    ['*.app.test:8443', 'https://www.app.test:8443', true],
    ['*.app.test:8443', 'https://www.app.test', false],
    ['*.app.test', 'https://app.test', false],
    ['*.app.test', 'https://a.b.app.test', false],
    ['*.app.test', 'https://evilapp.test', false],
    ['*', 'https://app.test', false],
    ['*.*', 'https://app.test', false],
    ['app.*', 'https://app.test', false],
    ['.*', 'https://app.test', false],
    ['', 'https://app.test', false],
    ['[::1]', 'http://[::1]', true],
    ['[::1]', 'http://[::1]:3000', false],
    ['[::1]:*', 'http://[::1]:3000', true],
    ['127.0.0.1', 'http://127.0.0.1:3000', false],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', true],
  ])('decides whether %j matches %s: %s', (pattern, url, isTrusted) => {
    const read = () => origin(`${url}/`, {}, only('other.test', pattern))
    if (isTrusted) expect(read()).toBe(url)
    else expect(read).toThrow(UntrustedHost)
  })

  test.each<[string, string | undefined, HeaderValues, string]>([
    ['URL of the request', 'https://app.test/', {}, 'app.test'],
    ['Host header', 'http://localhost/', { host: 'app.test' }, 'app.test'],
    ['Host header', undefined, { host: 'app.test:8443' }, 'app.test:8443'],
    ['URL of the request', 'https://app.test/', { 'x-forwarded-host': 'evil.test' }, 'app.test'],
  ])(
    'names the untrusted host, its source and the settings that trust it (%s, %s)',
    (source, url, headers, host) => {
      const read = () => origin(url, headers, only('other.test'))
      expect(read).toThrow(UntrustedHost)
      expect(read).toThrow(`The host "${host}" (from the ${source}) is not trusted.`)
      expect(read).toThrow(/AUTH_URL .*trustedHosts: \["app\.test.*"\], or trustHost: true/)
    },
  )
})

describe('an untrusted or configured host', () => {
  const ask = (url: string, headers: HeaderValues, policy: object) => {
    const { config, log } = passwordConfig({ trustHost: undefined, ...policy })
    const json = { accept: 'application/json', ...headers }
    return { log, answer: Auth(new Request(url, { headers: json }), config) }
  }

  test('names the untrusted host in the log only', async () => {
    const { log, answer } = ask('https://app.test/auth/providers', {}, {})
    expect((await answer).status).toBe(400)
    expect(await (await answer).text()).not.toContain('app.test')
    expect(log.errors[0]?.message).toContain('"app.test"')
  })

  test.each([
    [undefined, / NODE_ENV is not set, .* for development, set NODE_ENV=development\./],
    ['staging', / NODE_ENV is staging, .* for development, set NODE_ENV=development\./],
    ['production', /^(?!.*NODE_ENV)/],
  ])('logs which settings trust the host if NODE_ENV is %s', async (mode, expected) => {
    vi.stubEnv('NODE_ENV', mode)
    const { log, answer } = ask('https://app.test/auth/providers', {}, {})
    expect((await answer).status).toBe(400)
    vi.unstubAllEnvs()
    expect(log.errors[0]?.message).toMatch(/Set AUTH_URL .* \(AUTH_TRUST_HOST=true\)/)
    expect(log.errors[0]?.message).toMatch(expected)
  })

  test('responds with 400 to an invalid Host header', async () => {
    const headers = { host: 'app@evil.test' }
    const { answer } = ask('https://app.test/auth/providers', headers, { trustHost: true })
    expect((await answer).status).toBe(400)
    expect(await (await answer).json()).toMatchObject({ error: 'InvalidRequest' })
  })

  test('uses the configured origin for any host of the request', async () => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
    const { answer } = ask('http://evil.test/auth/providers', headers, {
      origin: 'https://app.test',
    })
    const body = await (await answer).text()
    expect(body).toContain('https://app.test/auth/signin/password')
    expect(body).not.toContain('evil.test')
  })

  test('makes getSession reject with UntrustedHost', async () => {
    const { config } = passwordConfig({ trustHost: undefined })
    const headers = new Headers({ host: 'app.test' })
    await expect(getSession(headers, config)).rejects.toThrow(UntrustedHost)
  })
})
