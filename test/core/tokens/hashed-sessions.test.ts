/** Tokens of sessions whose tokens are stored as hashes. */
import { afterEach, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import { dump, forEachPlace } from './places.ts'
import { changeProcess, pass, requestWith, TOKEN, unluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

await forEachPlace(
  (place) => {
    test('are read, refreshed and deleted with session.hashTokens', async () => {
      const site = await unluckySite({ ...place, hashTokens: true })
      const { adapter, tab } = site
      const [, session = ''] = /session-token=([^;]+)/.exec(site.cookies()) ?? []
      expect(session.length).toBeGreaterThan(30)
      const user = await adapter.getUserByEmail?.('ada@example.com')
      const sessions = JSON.stringify(await adapter.listSessions?.(user?.id ?? ''))
      expect(sessions).toContain('sessionToken')
      expect(sessions).not.toContain(session)
      const first = await site.read()
      expect(first.accessToken).toMatch(TOKEN)
      pass(600)
      const second = await site.read()
      expect(second.accessToken).not.toBe(first.accessToken)
      changeProcess()
      expect(await site.read()).toEqual(second)
      // The session is extended, and keeps its tokens.
      pass(2 * 24 * 60 * 60)
      expect(await tab.session()).not.toBeNull()
      expect((await site.read()).accessToken).toMatch(TOKEN)
      expect(site.sent).toHaveLength(2)
      await tab.post('signout')
      expect(await dump(adapter)).not.toContain('"tokens:')
      expect(site.cookies()).not.toContain('lib.tokens.')
    })

    test('are found after session.hashTokens was switched on or off', async () => {
      for (const [before, after] of [
        [undefined, true],
        [true, undefined],
      ] as const) {
        const site = await unluckySite({ ...place, hashTokens: before })
        const { accessToken } = await site.read()
        const config = {
          ...site.config,
          session: { strategy: 'database', hashTokens: after },
        } as const
        const answer = await getAccessToken(requestWith(site.cookies()), config, 'op')
        expect(answer.value.accessToken).toBe(accessToken)
      }
    })
  },
  undefined,
  ['database'],
)
