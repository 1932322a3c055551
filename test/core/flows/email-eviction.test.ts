import { describe, expect, test, vi } from 'vitest'
import type { EventsOptions } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import {
  ADA,
  click,
  FAILED,
  locationOf,
  mailProvider,
  mailSite,
  requestLink,
  STRATEGIES,
} from '../../email.ts'
import type { MailSite } from '../../email.ts'

const op = await issuer()

describe.each(STRATEGIES)('the first verification of an address, with %s sessions', (strategy) => {
  const session = { strategy }
  /** JWT sessions are not stored, so they cannot be revoked. */
  const canEnd = strategy === 'database'
  const ACCOUNT = { provider: 'op', providerAccountId: '1', type: 'oidc' } as const
  const TOKEN = 'f'.repeat(64)

  /** A user with the address, who has not redeemed a magic link. */
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

  async function remaining({ adapter }: MailSite, userId: string): Promise<[number, boolean]> {
    const sessions = await adapter.listSessions(userId)
    const accounts = await adapter.listAccounts(userId)
    return [accounts.length, sessions.some(({ sessionToken }) => sessionToken === TOKEN)]
  }

  test.each([
    ['null', null],
    ['an invalid date', new Date(Number.NaN)],
  ])(
    'revokes linked accounts and sessions if emailVerified is %s',
    async (_name, emailVerified) => {
      const { site, userId } = await squatted(emailVerified)
      const tab = browser(site.config)
      const link = await requestLink(tab, site)
      expect(await remaining(site, userId)).toEqual([1, true])
      expect(locationOf(await click(tab, link))).toBe('https://app.test')
      expect(await remaining(site, userId)).toEqual([0, !canEnd])
      const user = await site.adapter.getUserByEmail(ADA)
      expect([user?.id, user?.emailVerified]).toEqual([userId, expect.any(Date)])
      expect(await tab.session()).toMatchObject({ user: { email: ADA } })
      const warnings = site.log.lines.filter(([level]) => level === 'warn')
      const warning = ['warn', 'eviction-unavailable', expect.stringContaining('sessions')]
      expect(warnings).toEqual(canEnd ? [] : [warning])
    },
  )

  test('keeps accounts and sessions when later links are redeemed', async () => {
    const { site, userId } = await squatted(new Date('2020-01-01'))
    const tab = browser(site.config)
    await click(tab, await requestLink(tab, site))
    expect(await remaining(site, userId)).toEqual([1, true])
  })

  test.each<[string, string[], [number, boolean]]>([
    ['accounts', ['listAccounts'], [1, false]],
    ['accounts', ['unlinkAccount'], [1, false]],
    ['sessions', ['deleteUserSessions', 'listSessions'], [0, true]],
    ['both', ['listAccounts', 'unlinkAccount', 'deleteUserSessions', 'listSessions'], [1, true]],
  ])('logs one warning if the adapter cannot revoke %s: lacks %j', async (_name, lacking, left) => {
    const methods = Object.fromEntries(lacking.map((method) => [method, undefined]))
    const { site, userId } = await squatted(null, { methods })
    const tab = browser(site.config)
    expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
    const [accounts, isSession] = left
    expect(await remaining(site, userId)).toEqual([accounts, isSession || !canEnd])
    await site.adapter.updateUser({ id: userId, emailVerified: null })
    const other = browser(site.config)
    expect(locationOf(await click(other, await requestLink(other, site)))).toBe('https://app.test')
    const warnings = site.log.lines.filter(([level]) => level === 'warn')
    expect(warnings).toEqual([['warn', 'eviction-unavailable', expect.any(String)]])
    const [[, , text] = []] = warnings
    for (const method of lacking)
      expect(text).toContain(method.endsWith('Sessions') ? 'sessions' : method)
  })

  test.each(['deleteUserSessions', 'listSessions'])(
    'revokes sessions if the adapter lacks only %s',
    async (method) => {
      const { site, userId } = await squatted(null, { methods: { [method]: undefined } })
      const tab = browser(site.config)
      expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
      expect(await remaining(site, userId)).toEqual([0, !canEnd])
    },
  )

  test('revokes despite an email_verified claim of an untrusted provider', async () => {
    const made = mailSite({ session })
    const config = {
      ...made.config,
      fetch: op.fetch,
      providers: [oidc(op), mailProvider(made.mails)],
    }
    const attacker = browser(config, { issuer: op })
    await attacker.signIn('op', { sub: 'evil', email: ADA, email_verified: true })
    const victim = browser(config)
    await click(victim, await requestLink(victim, made))
    const user = await made.adapter.getUserByEmail(ADA)
    expect(await made.adapter.listAccounts(user?.id ?? '')).toEqual([])
    if (canEnd) expect(await attacker.session()).toBeNull()
  })

  describe('in a browser that is signed in as that user', () => {
    async function signedUp(methods: Parameters<typeof mailSite>[1] = {}) {
      const evicted: unknown[] = []
      const events = { evict: (message: unknown) => void evicted.push(message) }
      const made = mailSite({ session }, methods)
      const providers = [oidc(op), mailProvider(made.mails)]
      const config = { ...made.config, fetch: op.fetch, providers, events }
      const open = () => browser(config, { issuer: op })
      const [tab, elsewhere] = [open(), open()]
      await tab.signIn('op', { sub: 'ada', email: ADA })
      await elsewhere.signIn('op', { sub: 'ada', email: ADA })
      return { ...made, evicted, tab, elsewhere, link: await requestLink(tab, made) }
    }

    test.each([['listSessions'], [undefined]])(
      'keeps accounts, and ends sessions of other browsers (without %s)',
      async (lacking) => {
        const site = await signedUp(lacking ? { methods: { [lacking]: undefined } } : {})
        expect(locationOf(await click(site.tab, site.link))).toBe('https://app.test')
        const user = await site.adapter.getUserByEmail(ADA)
        expect(user?.emailVerified).toBeInstanceOf(Date)
        expect(await site.adapter.listAccounts(user?.id ?? '')).toHaveLength(1)
        expect((await site.tab.session())?.user?.email).toBe(ADA)
        if (canEnd) expect(await site.elsewhere.session()).toBeNull()
        expect(site.evicted).toEqual([])
      },
    )

    test('keeps the session when the sign-in fails', async () => {
      const site = await signedUp({
        methods: { updateUser: () => Promise.reject(new Error('The database is down.')) },
      })
      expect(locationOf(await click(site.tab, site.link))).toContain('TemporarilyUnavailable')
      expect((await site.tab.session())?.user?.email).toBe(ADA)
    })
  })

  describe('emits the event evict', () => {
    test('with the user and the accounts, before the session exists', async () => {
      const { site, userId } = await squatted(null)
      const received: unknown[] = []
      const evict: EventsOptions['evict'] = async (message) => {
        received.push(structuredClone(message), await site.adapter.listSessions(userId))
      }
      const tab = browser({ ...site.config, events: { evict } })
      await click(tab, await requestLink(tab, site))
      const user = { id: userId, email: ADA, emailVerified: null }
      const rows = canEnd ? [] : [expect.objectContaining({ sessionToken: TOKEN })]
      expect(received).toEqual([{ user, accounts: [{ ...ACCOUNT, userId }] }, rows])
      expect((await tab.session())?.user?.email).toBe(ADA)
    })

    test('and rejects the sign-in when its handler throws, which can be retried', async () => {
      const { site, userId } = await squatted(null)
      const evict = vi.fn<NonNullable<EventsOptions['evict']>>()
      evict.mockRejectedValueOnce(new Error('The directory is down.'))
      const tab = browser({ ...site.config, events: { evict } })
      const link = await requestLink(tab, site)
      expect(locationOf(await click(tab, link))).toBe(FAILED)
      expect(site.log.errors.map((error) => Reflect.get(error, 'type'))).toEqual(['EventError'])
      expect((await site.adapter.getUserByEmail(ADA))?.emailVerified).toBeNull()
      expect(await tab.session()).toBeNull()
      expect(locationOf(await click(tab, link))).toBe('https://app.test')
      expect(evict.mock.calls.map(([{ accounts }]) => accounts.length)).toEqual([1, 1])
      expect((await remaining(site, userId))[0]).toBe(0)
      expect((await tab.session())?.user?.email).toBe(ADA)
    })
  })
})
