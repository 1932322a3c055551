/** Access tokens in a page that Next.js renders: after the proxy, and without it. */
import { afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { follow, opener } from '../../frameworks/conformance/site.ts'
import type { StartSite } from '../../frameworks/conformance/site.ts'

/** Seconds for which a token is valid. */
const LIFETIME = 600

interface Row {
  readonly settings: () => Pick<AuthConfig, 'adapter' | 'tokens'>
  /** What the page shows once the token has expired, and how often a token is requested. */
  readonly shows: RegExp
  readonly requests: number
}

const ROWS: Record<string, Row> = {
  'cookies, and the proxy refreshes': {
    settings: () => ({ tokens: { where: 'cookie', refreshInProxy: ['op'] } }),
    shows: /token:[\da-f-]{36}:/,
    requests: 1,
  },
  'cookies alone': {
    settings: () => ({ tokens: { where: 'cookie' } }),
    shows: /token:read_only:/,
    requests: 0,
  },
  'the account': {
    settings: () => ({ tokens: { where: 'account' }, adapter: MemoryAdapter() }),
    shows: /token:[\da-f-]{36}:/,
    requests: 1,
  },
}

export function tokenPageRows(start: StartSite): void {
  const open = opener(start, { basePath: '/api/auth' })
  afterEach(() => void vi.useRealTimers())

  test.each(Object.entries(ROWS))(
    'a page reads an access token that has expired, from %s',
    async (_name, { settings, shows, requests }) => {
      const op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: LIFETIME })
      const site = await open({
        overrides: { providers: [oidc(op)], fetch: op.fetch, ...settings() },
      })
      const user = site.user()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
      const begun = await user.send('/api/auth/signin/op', { form })
      await follow(user, (await op.authorize(begun.headers.location ?? '')).url)
      op.reset()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LIFETIME * 1000 })
      const url = new URL('/token-page', site.origin)
      const old = user.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
      const shown = shows.exec((await user.send('/token-page')).body)?.[0]
      expect([shown, op.requests.token]).toEqual([expect.any(String), requests])
      if (requests === 0) return
      const token = shown?.split(':')[1]
      // The next request, in a route handler, and a second tab that still has the old cookie.
      expect(JSON.parse((await user.send('/token')).body).accessToken).toBe(token)
      const tab = await site.user().send('/token-page', { headers: { cookie: old } })
      expect(tab.body).toContain(shown)
      expect(op.requests.token).toBe(1)
    },
  )
}
