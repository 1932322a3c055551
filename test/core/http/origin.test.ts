import { describe, expect, test } from 'vitest'
import type { TrustPolicy } from '../../../src/core/contracts.ts'
import { InvalidRequest } from '../../../src/errors.ts'
import { isLoopback, isOrigin, publicOrigin } from '../../../src/core/http/origin.ts'

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
  test.each<[string, string, HeaderValues, TrustPolicy, string]>([
    // Only a URL.
    ['direct', 'https://app.test/x', {}, ALL, 'https://app.test'],
    ['direct, with its Host', 'https://app.test/', { host: 'app.test' }, ALL, 'https://app.test'],
    ['a port', 'http://app.test:8080/', { host: 'app.test:8080' }, ALL, 'http://app.test:8080'],
    ['the port of the scheme', 'https://app.test:443/', {}, ALL, 'https://app.test'],
    ['it in the Host', 'https://app.test/', { host: 'app.test:443' }, ALL, 'https://app.test'],
    ['IPv6', 'http://[::1]:3000/', { host: '[::1]:3000' }, ALL, 'http://[::1]:3000'],
    ['an IDN', 'https://bücher.test/', {}, ALL, 'https://xn--bcher-kva.test'],
    ['http on a public name', 'http://app.test/', {}, ALL, 'http://app.test'],

    // A URL with the private address of the server: the Host header is used.
    ['loopback', 'http://localhost:3000/', { host: 'app.test' }, ALL, 'http://app.test'],
    ['0.0.0.0', 'http://0.0.0.0:3000/', { host: 'app.test' }, ALL, 'http://app.test'],
    ['a private network', 'http://10.1.2.3/', { host: 'app.test' }, ALL, 'http://app.test'],
    ['another', 'http://172.31.0.1/', { host: 'app.test:80' }, ALL, 'http://app.test'],
    ['a name without a dot', 'http://web:3000/', { host: 'APP.test' }, ALL, 'http://app.test'],
    ['a unique local address', 'http://[fd12::1]/', { host: 'app.test' }, ALL, 'http://app.test'],
    // An absolute request target is part of the URL, and any client can send it.
    ['another target', 'http://evil.test/', { host: 'app.test' }, ALL, 'http://app.test'],
    [
      'another target behind a proxy',
      'http://evil.test/',
      { host: 'web:3000', 'x-forwarded-host': 'app.test' },
      ALL,
      'http://app.test',
    ],
    [
      'another target behind a listed proxy',
      'http://evil.test/',
      { host: 'web:3000', 'x-forwarded-host': 'app.test' },
      only('app.test'),
      'http://app.test',
    ],
    // The server has written the public address to the URL, and the Host header is that of the proxy in front of it.
    ['a public URL', 'https://app.test/', { host: 'web' }, ALL, 'https://app.test'],
    ['a name like an address', 'https://10.app.test/', { host: 'web' }, ALL, 'https://10.app.test'],
    ['a public address', 'https://172.32.0.1/', { host: 'web' }, ALL, 'https://172.32.0.1'],

    // Any client can send X-Forwarded-Host.
    ['spoofed', 'https://app.test/', evil, ALL, 'https://app.test'],
    [
      'spoofed, with Host',
      'https://app.test/',
      { ...evil, host: 'app.test' },
      ALL,
      'https://app.test',
    ],
    ['spoofed, inside', 'http://web:3000/', { ...evil, host: 'app.test' }, ALL, 'http://app.test'],
    ['spoofed, named like an address', 'https://10.app.test/', evil, ALL, 'https://10.app.test'],
    // It is trusted if the host is in trustedHosts.
    [
      'expected',
      'https://app.test/',
      { 'x-forwarded-host': 'shop.test' },
      { ...ALL, trustedHosts: ['shop.test'] },
      'https://shop.test',
    ],
    [
      'expected, behind one that is not',
      'https://app.test/',
      { 'x-forwarded-host': 'evil.test, shop.test' },
      only('app.test', 'shop.test'),
      'https://shop.test',
    ],
    // Or if a proxy has replaced the Host header with a private address.
    [
      'a proxy',
      'http://10.0.0.7:3000/',
      { host: '10.0.0.7:3000', 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' },
      ALL,
      'https://app.test',
    ],
    [
      'a proxy that adds to a spoofed list',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': 'evil.test, app.test', 'x-forwarded-proto': 'https' },
      ALL,
      'https://app.test',
    ],
    [
      'a proxy on the same machine',
      'http://localhost:3000/',
      { host: 'localhost:3000', 'x-forwarded-host': 'localhost:8080' },
      ALL,
      'http://localhost:8080',
    ],
    [
      'a proxy that sends no host at all',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': ' , ' },
      ALL,
      'http://web:3000',
    ],
    [
      'a proxy that forwards invalid hosts',
      'http://web:3000/',
      { host: 'web:3000', 'x-forwarded-host': 'a/b, c@d, e:99999, "f"' },
      ALL,
      'http://web:3000',
    ],

    // The scheme.
    [
      'TLS ends before',
      'http://app.test/',
      { 'x-forwarded-proto': 'https' },
      ALL,
      'https://app.test',
    ],
    ['a list', 'http://app.test/', { 'x-forwarded-proto': 'https,http' }, ALL, 'https://app.test'],
    ['in capitals', 'http://app.test/', { 'x-forwarded-proto': 'HTTPS' }, ALL, 'https://app.test'],
    ['never back', 'https://app.test/', { 'x-forwarded-proto': 'http' }, ALL, 'https://app.test'],
    ['nonsense', 'http://app.test/', { 'x-forwarded-proto': 'javascript' }, ALL, 'http://app.test'],
    ['empty', 'http://app.test/', { 'x-forwarded-proto': ' , ' }, ALL, 'http://app.test'],

    // The configured origin.
    [
      'AUTH_URL',
      'http://web:3000/',
      { ...evil, host: 'a b' },
      fixed('https://app.test'),
      'https://app.test',
    ],
  ])('resolves the origin: %s (%s, %j)', (_what, url, headers, policy, expected) => {
    expect(origin(url, headers, policy)).toBe(expected)
  })
})

describe('publicOrigin of headers without a URL', () => {
  test.each<[string, HeaderValues, TrustPolicy, string]>([
    ['a name', { host: 'app.test' }, ALL, 'https://app.test'],
    [
      'the protocol of a proxy',
      { host: 'app.test', 'x-forwarded-proto': 'http' },
      ALL,
      'http://app.test',
    ],
    ['nonsense', { host: 'app.test', 'x-forwarded-proto': 'ftp' }, ALL, 'https://app.test'],
    ['loopback', { host: 'localhost:3000' }, ALL, 'http://localhost:3000'],
    [
      'loopback with TLS',
      { host: 'localhost', 'x-forwarded-proto': 'https' },
      ALL,
      'https://localhost',
    ],
    ['a subdomain of it', { host: 'a.localhost:3000' }, ALL, 'http://a.localhost:3000'],
    ['its address', { host: '127.0.0.1' }, ALL, 'http://127.0.0.1'],
    ['its other address', { host: '[::1]:3000' }, ALL, 'http://[::1]:3000'],
    ['the port of the scheme', { host: 'app.test:443' }, ALL, 'https://app.test'],
    ['another port', { host: 'app.test:80' }, ALL, 'https://app.test:80'],
    ['only a proxy', { 'x-forwarded-host': 'app.test' }, ALL, 'https://app.test'],
    ['AUTH_URL', {}, fixed('https://app.test'), 'https://app.test'],
  ])('resolves the origin: %s (%j)', (_what, headers, policy, expected) => {
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
