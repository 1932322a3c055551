/** A sign-out deletes the tokens that are stored with the session, and revokes them if the configuration says so. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { SESSION } from '../../sessions.ts'

const STORES: Readonly<
  Record<string, (adapter: Adapter) => Pick<AuthConfig, 'adapter' | 'session' | 'tokens'>>
> = {
  cookies: () => ({ tokens: { revokeOnSignOut: 'session' } }),
  records: (adapter) => ({
    adapter,
    session: { strategy: 'database' },
    tokens: { where: 'store', revokeOnSignOut: 'session' },
  }),
}

interface Options {
  readonly answer?: () => Response | Promise<Response>
  readonly tokens?: AuthConfig['tokens']
}

async function signedIn(place: string, { answer, tokens }: Options = {}) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept' })
  const adapter = MemoryAdapter()
  const revoked: URLSearchParams[] = []
  const given = STORES[place]?.(adapter)
  const { config, log } = configFor(op, {
    providers: [oidc(op, { revocation: `${op.url}/revoke` })],
    async fetch(input, init) {
      const request = new Request(input, init)
      if (!request.url.endsWith('/revoke')) return op.fetch(request)
      revoked.push(new URLSearchParams(await request.text()))
      return answer?.() ?? new Response()
    },
    ...given,
    ...(tokens && { tokens }),
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  return { tab, log, revoked, adapter }
}

describe.each(Object.keys(STORES))('tokens in %s', (place) => {
  test('are revoked after the sign-out', async () => {
    const { tab, revoked } = await signedIn(place)
    await tab.post('signout')
    expect(await tab.session()).toBeNull()
    expect(revoked).toHaveLength(1)
    expect(revoked[0]?.get('token_type_hint')).toBe('refresh_token')
    expect(revoked[0]?.get('token')).toMatch(/^[\da-f-]{36}$/)
  })

  test('are revoked at a provider that responds with 204', async () => {
    const { tab, revoked, log } = await signedIn(place, {
      answer: () => new Response(null, { status: 204 }),
    })
    await tab.post('signout')
    expect(revoked).toHaveLength(1)
    expect(log.lines.map(([, code]) => code)).not.toContain('token-not-revoked')
  })

  test('are deleted, and not revoked, by default', async () => {
    const { tab, revoked, adapter } = await signedIn(place, {
      tokens: place === 'records' ? { where: 'store' } : {},
    })
    const user = await adapter.getUserByEmail?.('ada@example.com')
    const owner = `user:${user?.id}`
    expect(await adapter.listRecords?.(owner)).toHaveLength(place === 'records' ? 1 : 0)
    await tab.post('signout')
    expect(revoked).toEqual([])
    expect(await adapter.listRecords?.(owner)).toEqual([])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test.each<[string, () => Response | Promise<Response>]>([
    ['responds with 503', () => new Response('Down', { status: 503 })],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
  ])('do not keep the user signed in if the provider %s', async (_what, answer) => {
    const { tab, log } = await signedIn(place, { answer })
    const response = await tab.post('signout')
    expect(response.status).toBe(302)
    expect(await tab.session()).toBeNull()
    expect(log.lines).toContainEqual(['warn', 'token-not-revoked', expect.any(String)])
  })
})
