/** Several entries in `X-Forwarded-Host`: only the last one is from the nearest proxy. */
import { describe, expect, test } from 'vitest'
import type { TrustPolicy } from '../../../src/core/contracts.ts'
import { UntrustedHost } from '../../../src/errors.ts'
import { publicOrigin } from '../../../src/core/http/origin.ts'

const ALL: TrustPolicy = { origin: undefined, trustHost: true, trustedHosts: [] }
const only = (...trustedHosts: string[]): TrustPolicy => ({
  ...ALL,
  trustHost: false,
  trustedHosts,
})

/** The origin of a request that reached us from a proxy, at `web:3000`. */
function origin(forwarded: string, policy: TrustPolicy, url?: string): string {
  const headers = new Headers({ host: 'web:3000', 'x-forwarded-host': forwarded })
  return publicOrigin(url === undefined ? undefined : new URL(url), headers, policy)
}

describe.each([undefined, 'https://web:3000/'])('with the URL %s', (url) => {
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
    expect(origin(forwarded, policy, url)).toBe(expected)
  })

  test('rejects a list to which the last proxy appended only its own address', () => {
    const list = 'evil.test, 10.0.0.2:8080'
    expect(() => origin(list, ALL, url)).toThrow(UntrustedHost)
    expect(() => origin(list, ALL, url)).toThrow('the private address "10.0.0.2:8080"')
    const fixed = { ...ALL, origin: 'https://app.test' }
    expect(origin(list, fixed, url)).toBe('https://app.test')
  })
})
