/** Encrypted tokens of providers in the columns of an adapter: they are a third longer than the tokens. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import { getAccessToken } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { changeProcess, cookiesOf, pass, requestWith } from '../core/tokens/site.ts'

/** Tests tokens that are stored over an adapter. */
export function testTokens(open: () => Adapter): void {
  afterEach(() => void vi.useRealTimers())

  test.each(['account', 'store'] as const)(
    'encrypted tokens of 9 kB are stored and refreshed (%s)',
    async (where) => {
      const op = await issuer({
        algorithm: 'ES256',
        refreshTokens: 'rotated',
        accessTokenLifetime: 600,
      })
      const long = () => `${crypto.randomUUID()}-${'ü'.repeat(4500)}`
      op.misbehaviour.token = (body) => ({ ...body, access_token: long() })
      const { config, log } = configFor(op, {
        // The provider does not know a token that was replaced.
        providers: [oidc(op, { userinfo: '' })],
        adapter: open(),
        session: { strategy: 'database' },
        tokens: { where },
      })
      const tab = browser(config, { issuer: op })
      const sub = crypto.randomUUID()
      await tab.signIn('op', { sub, email: `${sub}@example.com`, name: 'Grace Hopper' })
      const read = async () =>
        (await getAccessToken(requestWith(cookiesOf(tab)), config, 'op')).value
      const first = await read()
      expect(first.accessToken).toMatch(/ü$/)
      expect(first.accessToken).toHaveLength(4537)
      pass(600)
      const second = await read()
      expect(second.accessToken).not.toBe(first.accessToken)
      expect(second.accessToken).toHaveLength(4537)
      changeProcess()
      expect(await read()).toEqual(second)
      pass(600)
      expect((await read()).accessToken).not.toBe(second.accessToken)
      expect(log.errors).toEqual([])
    },
  )
}
