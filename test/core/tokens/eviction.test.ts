/** The tokens of an evicted user's accounts are revoked at their provider. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'

const VICTIM = 'victim@example.com'
const EVIL = { sub: 'evil', email: VICTIM, email_verified: false }
const OWNER = { sub: 'owner', email: VICTIM, email_verified: true }

type Answer = () => Response | Promise<Response>

/** An attacker has signed up with the address of a victim, who then signs in at a provider that verifies it. */
async function evict(tokens: AuthConfig['tokens'], answer: Answer = () => new Response()) {
  const op = await issuer({ url: 'https://op.test', algorithm: 'ES256', refreshTokens: 'kept' })
  const trusted = await issuer({ url: 'https://trusted.test', algorithm: 'ES256' })
  const adapter = MemoryAdapter()
  const revoked: URLSearchParams[] = []
  const issued: unknown[] = []
  op.misbehaviour.token = (body) => {
    issued.push(body['refresh_token'])
    return body
  }
  const { config, log } = configFor(op, {
    adapter,
    session: { strategy: 'database' },
    tokens,
    providers: [
      oidc(op, { revocation: `${op.url}/revoke` }),
      { ...oidc(trusted), id: 'trusted', allowDangerousEmailAccountLinking: true },
    ],
    async fetch(input, init) {
      const request = new Request(input, init)
      if (new URL(request.url).host === 'trusted.test') return trusted.fetch(request)
      if (!request.url.endsWith('/revoke')) return op.fetch(request)
      revoked.push(new URLSearchParams(await request.text()))
      // The local work is complete.
      const user = await adapter.getUserByEmail(VICTIM)
      const accounts = await adapter.listAccounts(user?.id ?? '')
      expect(accounts.filter(({ provider }) => provider === 'op')).toEqual([])
      return answer()
    },
  })
  await browser(config, { issuer: op }).signIn('op', EVIL)
  const victim = browser(config, { issuer: trusted })
  const begun = Date.now()
  await victim.signIn('trusted', OWNER)
  return { victim, log, revoked, issued, milliseconds: Date.now() - begun }
}

describe('an eviction', () => {
  test.each<[string, AuthConfig['tokens']]>([
    ['encrypted', {}],
    ['plain', { stored: 'plain' }],
  ])('revokes the tokens of the accounts (%s)', async (_name, tokens) => {
    const { victim, revoked, issued } = await evict(tokens)
    expect(await victim.session()).not.toBeNull()
    expect(revoked.map((each) => each.get('token'))).toEqual(issued)
    expect(revoked[0]?.get('token_type_hint')).toBe('refresh_token')
  })

  test('revokes nothing without the option', async () => {
    const { victim, revoked } = await evict(undefined)
    expect(await victim.session()).not.toBeNull()
    expect(revoked).toEqual([])
  })

  test.each<[string, Answer]>([
    ['responds with 503', () => new Response('Down', { status: 503 })],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['does not respond', () => new Promise(() => undefined)],
  ])('succeeds if the provider %s', async (_what, answer) => {
    const { victim, log, milliseconds } = await evict({}, answer)
    expect(await victim.session()).not.toBeNull()
    expect(log.lines).toContainEqual(['warn', 'token-not-revoked', expect.any(String)])
    expect(milliseconds).toBeLessThan(10_000)
  })
})
