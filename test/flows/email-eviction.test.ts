import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { ADA, click, locationOf, mailSite, requestLink, STRATEGIES } from '../email.ts'
import type { MailSite } from '../email.ts'

describe.each(STRATEGIES)('the first verification of an address, with %s sessions', (strategy) => {
  const session = { strategy }
  /** Tokens are with the browsers, so rows of a database are not looked at. */
  const canEnd = strategy === 'database'
  const ACCOUNT = { provider: 'op', providerAccountId: '1', type: 'oidc' } as const
  const TOKEN = 'f'.repeat(64)

  /** Somebody signed up with the address and never showed that they read it. */
  async function squatted(
    emailVerified: Date | null,
    methods: Parameters<typeof mailSite>[1] = {},
  ): Promise<{ site: MailSite; userId: string }> {
    const site = mailSite({ session }, methods)
    const { id: userId } = await site.adapter.createUser({ id: 'x', email: ADA, emailVerified })
    await site.adapter.linkAccount({ ...ACCOUNT, userId })
    const expires = new Date(Date.now() + 86_400_000)
    await site.adapter.createSession({ sessionToken: TOKEN, userId, expires })
    return { site, userId }
  }

  async function leftBehind({ adapter }: MailSite, userId: string): Promise<[number, boolean]> {
    const sessions = await adapter.listSessions(userId)
    const accounts = await adapter.listAccounts(userId)
    return [accounts.length, sessions.some(({ sessionToken }) => sessionToken === TOKEN)]
  }

  test.each([
    ['none', null],
    ['one that is no date', new Date(Number.NaN)],
  ])('takes away what others left to sign in with', async (_name, emailVerified) => {
    const { site, userId } = await squatted(emailVerified)
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    expect(await leftBehind(site, userId)).toEqual([1, true])
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
    expect(await leftBehind(site, userId)).toEqual([0, !canEnd])
    const user = await site.adapter.getUserByEmail(ADA)
    expect([user?.id, user?.emailVerified]).toEqual([userId, expect.any(Date)])
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    const warnings = site.log.lines.filter(([level]) => level === 'warn')
    const warning = ['warn', 'eviction-unavailable', expect.stringContaining('sessions')]
    expect(warnings).toEqual(canEnd ? [] : [warning])
  })

  test('was the last that did: later links leave accounts and sessions alone', async () => {
    const { site, userId } = await squatted(new Date('2020-01-01'))
    const tab = browser(site.config)
    await click(tab, await requestLink(tab, site))
    expect(await leftBehind(site, userId)).toEqual([1, true])
  })

  test.each<[string, string[], [number, boolean]]>([
    ['accounts', ['listAccounts'], [1, false]],
    ['accounts', ['unlinkAccount'], [1, false]],
    ['sessions', ['deleteUserSessions'], [0, true]],
    ['both', ['listAccounts', 'unlinkAccount', 'deleteUserSessions'], [1, true]],
  ])(
    'says once what it cannot do where the adapter cannot end %s: lacks %j',
    async (_name, lacking, left) => {
      const methods = Object.fromEntries(lacking.map((method) => [method, undefined]))
      const { site, userId } = await squatted(null, { methods })
      const tab = browser(site.config)
      expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
      const [accounts, isSession] = left
      expect(await leftBehind(site, userId)).toEqual([accounts, isSession || !canEnd])
      await site.adapter.updateUser({ id: userId, emailVerified: null })
      expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
      const warnings = site.log.lines.filter(([level]) => level === 'warn')
      expect(warnings).toEqual([['warn', 'eviction-unavailable', expect.any(String)]])
      const [[, , text] = []] = warnings
      for (const method of lacking)
        expect(text).toContain(method === 'deleteUserSessions' ? 'sessions' : method)
    },
  )
})
