import { afterEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import type { SiteOptions } from '../../oauth.ts'
import { deployment, PREVIEW } from '../../redirect-proxy.ts'

const op = await issuer()

afterEach(() => vi.unstubAllEnvs())

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
