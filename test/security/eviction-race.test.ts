/** Race conditions between the eviction of an unverified user and sign-ins of the attacker who created it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { unlinkAccount } from '../../src/account.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, oidc, passwordConfig } from '../config.ts'
import { databaseSite, errorTypes, recordCalls, without } from '../database.ts'
import type { DatabaseSite } from '../database.ts'
import { click, locationOf, mailProvider, requestLink, STRATEGIES } from '../email.ts'
import { requestOf } from '../core/account/account-site.ts'
import { during, hold } from '../hold.ts'
import { pass, SESSION, stopClock } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const VICTIM = 'victim@example.com'
const EVIL = { sub: 'evil', email: VICTIM, email_verified: false }
const EXTRA = { sub: 'extra', email: 'extra@example.com' }
const HOME = 'https://app.test'
const REFUSED = `${HOME}/auth/signin?error=OAuthAccountNotLinked`

afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

/** A held call, and the moment. */
type Call = [method: keyof Adapter, moment: 'before' | 'after']

interface Squatted extends DatabaseSite {
  readonly strategy: 'jwt' | 'database'
  readonly attacker: Browser
  readonly victim: Browser
  readonly mails: VerificationRequest[]
}

function siteOf(strategy: 'jwt' | 'database', adapter: Adapter = MemoryAdapter()): Squatted {
  stopClock()
  const mails: VerificationRequest[] = []
  const site = databaseSite(op, {
    adapter,
    config: {
      session: { strategy },
      account: {},
      providers: [
        oidc(op),
        oidc(op, { id: 'other' }),
        oidc(op, { id: 'trusted', allowDangerousEmailAccountLinking: true }),
        mailProvider(mails),
      ],
    },
  })
  return { ...site, strategy, mails, attacker: site.open(), victim: site.open() }
}

/** A site where an attacker has signed up with the address of the victim. */
async function squatted(strategy: 'jwt' | 'database', adapter?: Adapter): Promise<Squatted> {
  const site = siteOf(strategy, adapter)
  expect(locationOf(await site.attacker.signIn('op', EVIL))).toBe(HOME)
  await pass(60)
  return site
}

/** The ways in which the victim verifies the address. */
const PROOFS: [string, (site: Squatted) => Promise<Response>][] = [
  [
    'a magic link',
    async (site) => click(site.victim, await requestLink(site.victim, site, VICTIM)),
  ],
  [
    'a trusted provider',
    async ({ victim }) =>
      victim.signIn('trusted', { sub: 'owner', email: VICTIM, email_verified: true }),
  ],
]

async function accountsOf({ stored }: Squatted): Promise<string[]> {
  const user = await stored.getUserByEmail?.(VICTIM)
  const accounts = (await stored.listAccounts?.(user?.id ?? '')) ?? []
  return accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`)
}

/** Expects no account or session of the attacker, and a session of the victim. */
async function expectEvicted(site: Squatted): Promise<void> {
  expect((await accountsOf(site)).filter((each) => each !== 'trusted owner')).toEqual([])
  const user = await site.stored.getUserByEmail?.(VICTIM)
  const sessions = (await site.stored.listSessions?.(user?.id ?? '')) ?? []
  expect(sessions).toHaveLength(site.strategy === 'database' ? 1 : 0)
  expect((await site.victim.session())?.user?.email).toBe(VICTIM)
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  const isStored = strategy === 'database'
  /** Calls of a sign-in. */
  const inFlight: Call[] = [['getUserByAccount', 'after']]
  if (isStored) inFlight.push(['createSession', 'before'], ['createSession', 'after'])
  else inFlight.push(['listAccounts', 'before'])
  /** Calls of an eviction. */
  const steps: Call[] = [
    ['listAccounts', 'before'],
    ['listAccounts', 'after'],
    ['unlinkAccount', 'before'],
  ]
  if (isStored) steps.push(['deleteUserSessions', 'after'])

  describe.each(PROOFS)('and an address that is verified by %s', (_name, prove) => {
    test.each(inFlight)(
      'rejects a sign-in whose call of %s was in flight (%s)',
      async (method, moment) => {
        const site = await squatted(strategy)
        const fresh = site.open()
        const held = hold(site, method, moment)
        const response = await during(held, fresh.signIn('op', EVIL), () => prove(site))
        expect(locationOf(response)).toBe(REFUSED)
        expect(fresh.cookies.get(SESSION)).toBeUndefined()
        await expectEvicted(site)
        expect(errorTypes(site.log)).toEqual(['OAuthAccountNotLinked'])
      },
    )

    test('rejects a sign-up that was in flight', async () => {
      const site = siteOf(strategy)
      const method = strategy === 'database' ? 'createSession' : 'listAccounts'
      const held = hold(site, method, 'before')
      const response = await during(held, site.attacker.signIn('op', EVIL), () => prove(site))
      expect(locationOf(response)).toBe(REFUSED)
      expect(site.attacker.cookies.get(SESSION)).toBeUndefined()
      await expectEvicted(site)
    })

    test('does not link an account again whose unlinking was in flight', async () => {
      const site = await squatted(strategy)
      await site.attacker.signIn('other', EXTRA)
      const held = hold(site, 'unlinkAccount', 'after')
      const key = { provider: 'op', providerAccountId: EVIL.sub }
      const work = unlinkAccount(requestOf(site.attacker), site.config, key)
      await during(held, Promise.allSettled([work]), () => prove(site))
      await expectEvicted(site)
    })

    test.each(['before', 'after'] as const)(
      'unlinks an account whose linking was in flight (%s linkAccount)',
      async (moment) => {
        const site = await squatted(strategy)
        const held = hold(site, 'linkAccount', moment)
        const work = site.attacker.signIn('other', EXTRA)
        const response = await during(held, work, () => prove(site))
        expect(locationOf(response)).toBe(REFUSED)
        await expectEvicted(site)
      },
    )

    test.each(steps)(
      'deletes a session and unlinks an account that the attacker adds during the eviction (%s, %s)',
      async (method, moment) => {
        const site = await squatted(strategy)
        const held = hold(site, method, moment)
        const attacker = site.open()
        await during(held, prove(site), async () => {
          expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
          expect(locationOf(await attacker.signIn('other', EXTRA))).toBe(HOME)
        })
        await expectEvicted(site)
        if (strategy === 'database') expect(await attacker.session()).toBeNull()
      },
    )
  })
})

test('rejects an unlinked account without listAccounts', async () => {
  const site = await squatted('database', without(MemoryAdapter(), 'listAccounts'))
  const held = hold(site, 'createSession', 'before')
  const response = await during(held, site.open().signIn('op', EVIL), async () => {
    await site.stored.unlinkAccount?.({ provider: 'op', providerAccountId: 'evil' })
  })
  expect(locationOf(response)).toBe(REFUSED)
  const user = await site.stored.getUserByEmail?.(VICTIM)
  expect(await site.stored.listSessions?.(user?.id ?? '')).toHaveLength(1)
})

test.each(STRATEGIES)(
  'keeps the %s session that a browser has when its sign-in is rejected',
  async (strategy) => {
    const site = await squatted(strategy)
    const method = strategy === 'database' ? 'createSession' : 'listAccounts'
    const tab = site.open()
    await tab.signIn('other', EXTRA)
    await tab.signIn('other', EXTRA)
    await site.stored.linkAccount?.({
      userId: (await site.stored.getUserByEmail?.(EXTRA.email))?.id ?? '',
      type: 'oidc',
      provider: 'op',
      providerAccountId: 'second',
    })
    const held = hold(site, method, 'before')
    const response = await during(held, tab.signIn('op', { sub: 'second' }), async () => {
      await site.stored.unlinkAccount?.({ provider: 'op', providerAccountId: 'second' })
    })
    expect(locationOf(response)).toBe(REFUSED)
    expect((await tab.session())?.user?.email).toBe(EXTRA.email)
  },
)

test.each(STRATEGIES)(
  'rejects a magic link whose address moved to another user during the sign-in, with %s sessions',
  async (strategy) => {
    const site = siteOf(strategy)
    const user = await site.stored.createUser?.({
      id: '',
      email: VICTIM,
      emailVerified: new Date(0),
    })
    const link = await requestLink(site.victim, site, VICTIM)
    const held = hold(site, 'updateUser', 'after')
    const response = await during(held, click(site.victim, link), async () => {
      await site.stored.updateUser?.({ id: user?.id ?? '', email: 'moved@example.com' })
    })
    expect(locationOf(response)).toContain('error=AccessDenied')
    expect(site.victim.cookies.get(SESSION)).toBeUndefined()
    expect(await site.stored.listSessions?.(user?.id ?? '')).toEqual([])
    expect(locationOf(await click(site.victim, link))).toBe(HOME)
    const owner = await site.stored.getUserByEmail?.(VICTIM)
    expect(owner?.id).not.toBe(user?.id)
  },
)

test.each([
  ['createSession', 'before'],
  ['getUser', 'before'],
] as const)('rejects a password whose user is evicted before %s', async (method, moment) => {
  stopClock()
  const stored = MemoryAdapter()
  const { id } = await stored.createUser({ id: '', email: VICTIM, emailVerified: null })
  const recorded = recordCalls(stored)
  const mails: VerificationRequest[] = []
  const { config } = passwordConfig(
    { adapter: recorded.adapter, session: { strategy: 'database' } },
    {
      async authorize() {
        await pass(1)
        return { id, email: VICTIM }
      },
    },
  )
  const both = { ...config, providers: [...(config.providers ?? []), mailProvider(mails)] }
  const attacker = browser(both)
  const victim = browser(both)
  const held = hold(recorded, method, moment)
  const response = await during(held, enter(attacker), async () =>
    click(victim, await requestLink(victim, { mails }, VICTIM)),
  )
  expect(locationOf(response)).toContain('error=AccessDenied')
  expect(attacker.cookies.get(SESSION)).toBeUndefined()
  expect(await stored.listSessions(id)).toHaveLength(1)
  expect((await victim.session())?.user?.email).toBe(VICTIM)
})
