import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import Apple from '../../src/providers/apple.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const CLAIMS = { sub: '000042.0123.0042', email: 'ada@example.com' }

/** Apple: its metadata contains no userinfo endpoint and no PKCE method. */
async function appleSite() {
  const url = 'https://appleid.apple.com'
  const site = await oidcSite(Apple(OPTIONS), { url, algorithm: 'ES256' })
  site.op.misbehaviour.discovery = (metadata) => {
    const { userinfo_endpoint: _u, code_challenge_methods_supported: _m, ...rest } = metadata
    return { ...rest, authorization_response_iss_parameter_supported: false }
  }
  site.op.misbehaviour.authorization = (parameters) => {
    parameters.delete('iss')
    return parameters
  }
  return site
}

describe('Apple', () => {
  test('posts the response, and needs no userinfo endpoint', async () => {
    const site = await appleSite()
    const { url } = await site.tab.begin('apple')
    const { form } = await site.op.authorize(url, CLAIMS)
    expect(form?.has('code')).toBe(true)
    await expectSignedIn(site, await site.tab.signIn('apple', CLAIMS))
    expect(site.requests).not.toContain('GET https://appleid.apple.com/userinfo')
  })

  test.each([
    [true, true],
    [false, false],
    ['true', false],
    ['false', false],
  ])('email_verified %o verifies the address: %o', async (email_verified, isVerified) => {
    const op = await issuer({ algorithm: 'ES256' })
    const { clientId, clientSecret, url } = op
    const adapter = MemoryAdapter()
    const providers = [Apple({ clientId, clientSecret, issuer: url })]
    const { config, log } = configFor(op, { adapter, providers })
    await browser(config, { issuer: op }).signIn('apple', { ...CLAIMS, email_verified })
    expect(log.errors).toEqual([])
    const user = await adapter.getUserByEmail(CLAIMS.email)
    expect(user?.emailVerified instanceof Date).toBe(isVerified)
  })
})
