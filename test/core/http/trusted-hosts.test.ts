import { describe, expect, test, vi } from 'vitest'
import type { TrustPolicy } from '../../../src/core/contracts.ts'
import { UntrustedHost } from '../../../src/errors.ts'
import { publicOrigin } from '../../../src/core/http/origin.ts'
import { Auth, getSession } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

type HeaderValues = Readonly<Record<string, string>>

const only = (...trustedHosts: string[]): TrustPolicy => ({
  origin: undefined,
  trustHost: false,
  trustedHosts,
})

function origin(url: string | undefined, headers: HeaderValues, policy: TrustPolicy): string {
  return publicOrigin(url === undefined ? undefined : new URL(url), new Headers(headers), policy)
}

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
