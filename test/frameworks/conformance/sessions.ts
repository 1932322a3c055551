/** Sessions that routes of the application read. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import memory from '../../../src/adapters/memory.ts'
import { follow, isSession, nameOf, op, signIn, siteConfig } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Sessions that routes of the application read. */
export function sessionRows(open: Open): void {
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('reads the session once per request, and extends it only when it is due', async () => {
    let reads = 0
    const session = ({ session: read }: { session: object }) => {
      reads++
      return read
    }
    const due = await open({
      overrides: { session: { updateAge: 0 }, callbacks: { session } as never },
    })
    const user = due.user()
    await signIn(user)
    reads = 0
    const answer = await user.send('/me')
    expect(reads).toBe(1)
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    const other = site.user()
    await signIn(other)
    expect((await other.send('/me')).setCookies).toEqual([])
  })

  test('keeps sessions in a database', async () => {
    const stored = await open({ overrides: { adapter: memory() } })
    const user = stored.user()
    const begun = await user.send(`${open.basePath}/signin/op`, {
      form: { csrfToken: await user.csrfToken() },
    })
    const { url } = await op.authorize(begun.headers.location ?? '')
    await user.send(new URL(url).pathname + new URL(url).search)
    expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })

  describe.each(['jwt', 'database'] as const)('with the strategy %s', (strategy) => {
    test.each([
      ['ends with the browser, also after it is extended', 'false', false],
      ['outlives the browser for a user who stays signed in', 'true', true],
    ])('a session cookie %s', async (_what, remember, isPersistent) => {
      const adapter = strategy === 'database' ? { adapter: memory() } : {}
      const due = await open({ overrides: { ...adapter, session: { strategy, updateAge: 0 } } })
      const user = due.user()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page', remember }
      const begun = await user.send(`${open.basePath}/signin/op`, { form })
      const { url } = await op.authorize(begun.headers.location ?? '')
      const answers = [await follow(user, url), await user.send('/me'), await user.send('/page')]
      if (!open.isRecipe)
        answers.push(await user.send('/own'), await user.send('/update', { form: {} }))
      const cookies = answers.map(({ setCookies }) => setCookies.filter(isSession).join('\n'))
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^[^\n]*session-token=[^;\n]+;[^\n]*$/)
        expect(/; (?:expires|max-age)=/i.test(cookie), cookie).toBe(isPersistent)
      }
      expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
    })
  })

  test.skipIf(open.isRecipe)(
    'sends an own cookie of the application next to an extended session',
    async () => {
      const due = await open({ overrides: { session: { updateAge: 0 } } })
      const user = due.user()
      expect((await user.send('/own')).headers['cache-control']).toBe('public, max-age=60')
      await signIn(user)
      const answer = await user.send('/own')
      expect(
        answer.setCookies
          .map((each) => each.split('=', 1)[0])
          .toSorted((a, b) => (a ?? '').localeCompare(b ?? '')),
      ).toEqual(['after', 'before', 'lib.session-token'])
      expect(answer.setCookies.find((each) => each.startsWith('before='))).toMatch(/^before=a%20b/)
      expect(answer.headers['cache-control']).toBe('private, no-store')
    },
  )

  test('answers 503 while the session cannot be read, and keeps the cookie', async () => {
    let isDown = false
    const session = ({ session: read }: { session: object }) => {
      if (isDown) throw new Error('The database does not answer.')
      return read
    }
    const failing = await open({ overrides: { callbacks: { session } as never } })
    const user = failing.user()
    await signIn(user)
    isDown = true
    expect((await user.send(`${open.basePath}/session`)).status).toBe(503)
    if (!open.isRecipe) expect((await user.send('/guarded')).status).toBe(503)
    const me = await user.send('/me')
    expect(me.status).toBeGreaterThanOrEqual(500)
    expect(me.body).not.toContain('The database does not answer.')
    isDown = false
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })

  test.skipIf(open.isRecipe)('evaluates a configuration function once per request', async () => {
    const { config } = siteConfig()
    const source = vi.fn(async () => config)
    const lazy = await open({ config: source })
    const user = lazy.user()
    await signIn(user)
    source.mockClear()
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    expect(source).toHaveBeenCalledTimes(1)
  })
}
