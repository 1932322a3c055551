/** Sign-ups, passwords and linked accounts of an attacker that complete after the eviction of the unverified user. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import type { EventsOptions, User } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { enter, oidc, passwordConfig } from '../config.ts'
import { databaseSite, down, once, recordCalls, without } from '../database.ts'
import type { DatabaseSite } from '../database.ts'
import { click, locationOf, mailProvider, requestLink, STRATEGIES } from '../email.ts'
import { during, hold } from '../hold.ts'
import { pass, stopClock } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const VICTIM = 'victim@example.com'
const EVIL = { sub: 'evil', email: VICTIM, email_verified: false }
const EXTRA = { sub: 'extra', email: 'extra@example.com' }
const HOME = 'https://app.test'
const REFUSED = `${HOME}/auth/signin?error=OAuthAccountNotLinked`
const CANNOT_LINK = `${REFUSED}&code=session_cannot_link`

afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

interface Site extends DatabaseSite {
  readonly mails: VerificationRequest[]
}

function siteOf(
  strategy: 'jwt' | 'database',
  adapter: Adapter = MemoryAdapter(),
  events: EventsOptions = {},
): Site {
  stopClock()
  const mails: VerificationRequest[] = []
  const providers = [oidc(op), oidc(op, { id: 'other' }), mailProvider(mails)]
  const config = { session: { strategy }, providers, events }
  return { ...databaseSite(op, { adapter, config }), mails }
}

/** The victim verifies the address with a magic link. */
async function prove(site: Site, victim = site.open()) {
  expect(locationOf(await click(victim, await requestLink(victim, site, VICTIM)))).toBe(HOME)
  return victim
}

async function accountsOf({ stored }: Site): Promise<string[]> {
  const user = await stored.getUserByEmail?.(VICTIM)
  const accounts = (await stored.listAccounts?.(user?.id ?? '')) ?? []
  return accounts.map(({ provider }) => provider)
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  test.each(['deleteVerificationTokens', 'createUser'] as const)(
    'evicts an attacker who signs up before %s of a magic link',
    async (method) => {
      const site = siteOf(strategy)
      const [attacker, victim] = [site.open(), site.open()]
      const held = hold(site, method, 'before')
      await during(held, prove(site, victim), async () => {
        expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
      })
      expect(await accountsOf(site)).toEqual([])
      expect((await victim.session())?.user?.email).toBe(VICTIM)
      expect((await site.stored.getUserByEmail?.(VICTIM))?.emailVerified).toBeInstanceOf(Date)
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
      expect(locationOf(await site.open().signIn('op', EVIL))).toBe(REFUSED)
    },
  )
})

describe.each(STRATEGIES)('with %s sessions and no transactions', (strategy) => {
  test('rejects a sign-up whose account is linked after the eviction', async () => {
    const site = siteOf(strategy, without(MemoryAdapter(), 'transaction'))
    const attacker = site.open()
    const held = hold(site, 'linkAccount', 'before')
    const response = await during(held, attacker.signIn('op', EVIL), () => prove(site))
    expect(locationOf(response)).toBe(REFUSED)
    expect(await attacker.session()).toBeNull()
    expect(await accountsOf(site)).toEqual([])
  })

  test.each(['createUser', 'linkAccount'] as const)(
    'rejects a sign-up that is evicted while %s verifies the address',
    async (event) => {
      const adapter = without(MemoryAdapter(), 'transaction')
      const handler = async ({ user: { id = '' } }: { user: User }) => {
        await prove(site)
        await adapter.updateUser?.({ id, emailVerified: new Date() })
      }
      const site: Site = siteOf(strategy, adapter, { [event]: handler })
      const attacker = site.open()
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
      expect(await attacker.session()).toBeNull()
      expect(await accountsOf(site)).toEqual([])
    },
  )

  test('rejects a resumed sign-up whose account is linked after the eviction', async () => {
    const site = siteOf(strategy, without(MemoryAdapter(), 'transaction', 'deleteUser'))
    vi.useRealTimers()
    const attacker = site.open()
    site.faults.linkAccount = once(down)
    await attacker.signIn('op', EVIL)
    const held = hold(site, 'linkAccount', 'before')
    const response = await during(held, attacker.signIn('op', EVIL), () => prove(site))
    expect(locationOf(response)).toBe(REFUSED)
    expect(await attacker.session()).toBeNull()
    expect(await accountsOf(site)).toEqual([])
  })

  test('rejects a sign-up whose address was verified before a lost insert was found', async () => {
    const site = siteOf(strategy, without(MemoryAdapter(), 'transaction'))
    vi.useRealTimers()
    const attacker = site.open()
    site.faults.createUser = once(async (run) => {
      await run()
      await prove(site)
      return down()
    })
    expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
    expect(await attacker.session()).toBeNull()
    expect(await accountsOf(site)).toEqual([])
  })

  test('keeps a user whose owner verified the address while a sign-up was undone', async () => {
    const site = siteOf(strategy, without(MemoryAdapter(), 'transaction'))
    const tab = site.open()
    const held = hold(site, 'linkAccount', 'before')
    const work = tab.signIn('op', { ...EVIL, sub: 'twice' })
    await during(held, work, async () => {
      await site.open().signIn('op', { sub: 'twice', email: 'other@example.com' })
      await prove(site)
    })
    expect(await site.stored.getUserByEmail?.(VICTIM)).toMatchObject({ email: VICTIM })
  })
})

test('ends a database session that an evicted account created before it was unlinked', async () => {
  const site = siteOf('database', without(MemoryAdapter(), 'transaction'))
  const [attacker, other] = [site.open(), site.open()]
  const linking = hold(site, 'linkAccount', 'before')
  const unlinking = hold(site, 'unlinkAccount', 'before')
  const signUp = during(linking, attacker.signIn('op', EVIL), () => prove(site))
  const response = await during(unlinking, signUp, async () => {
    expect(locationOf(await other.signIn('op', EVIL))).toBe(HOME)
    expect(await other.session()).not.toBeNull()
  })
  expect(locationOf(response)).toBe(REFUSED)
  expect(await accountsOf(site)).toEqual([])
  expect(await other.session()).toBeNull()
})

describe('a jwt session', () => {
  test('links no account if it began in the second of the verification', async () => {
    const site = siteOf('jwt')
    await site.open().signIn('op', EVIL)
    await pass(60)
    const attacker = site.open()
    await attacker.signIn('op', EVIL)
    await prove(site)
    await pass(60)
    expect(locationOf(await attacker.signIn('other', EXTRA))).toBe(CANNOT_LINK)
    expect(await accountsOf(site)).toEqual([])
  })

  test('links no account if its sign-in completed after the eviction', async () => {
    const site = siteOf('jwt')
    await site.open().signIn('op', EVIL)
    await pass(60)
    const attacker = site.open()
    const held = hold(site, 'updateAccount', 'before')
    await during(held, attacker.signIn('op', EVIL), async () => {
      await prove(site)
      await pass(3)
    })
    await pass(60)
    expect(locationOf(await attacker.signIn('other', EXTRA))).toBe(CANNOT_LINK)
    expect(await accountsOf(site)).toEqual([])
  })

  test('links an account of a verified user after a magic link in another browser', async () => {
    const site = siteOf('jwt')
    const laptop = await prove(site)
    await pass(60)
    await prove(site)
    await pass(60)
    expect(locationOf(await laptop.signIn('other', EXTRA))).toBe(HOME)
    expect(await accountsOf(site)).toEqual(['other'])
  })

  test('is reported when the owner verifies the address in a browser that is signed in', async () => {
    const site = siteOf('jwt')
    await site.open().signIn('op', EVIL)
    const owner = site.open()
    await owner.signIn('op', EVIL)
    await pass(60)
    await prove(site, owner)
    expect(site.log.lines.join('\n')).toContain('eviction-unavailable')
  })
})

/** A site where an attacker has a password for the address of the victim, which the application revokes in `events.evict`. */
async function passwordSite(strategy: 'jwt' | 'database', duringAuthorize: () => Promise<void>) {
  stopClock()
  const stored = MemoryAdapter()
  const { id } = await stored.createUser({ id: '', email: VICTIM, emailVerified: null })
  const recorded = recordCalls(stored)
  const mails: VerificationRequest[] = []
  const { config } = passwordConfig(
    { adapter: recorded.adapter, session: { strategy }, fetch: op.fetch },
    {
      async authorize() {
        await duringAuthorize()
        return { id, email: VICTIM }
      },
    },
  )
  const providers = [...(config.providers ?? []), mailProvider(mails), oidc(op, { id: 'other' })]
  const open = () => browser({ ...config, providers }, { issuer: op })
  return { ...recorded, stored, id, mails, open }
}

describe('a password that was checked before the eviction', () => {
  test('links no account from a jwt session', async () => {
    const site = await passwordSite('jwt', async () => {
      await pass(1)
      const victim = site.open()
      await click(victim, await requestLink(victim, site, VICTIM))
      await pass(2)
    })
    const attacker = site.open()
    await enter(attacker)
    await pass(60)
    expect(locationOf(await attacker.signIn('other', EXTRA))).toBe(CANNOT_LINK)
    expect(await site.stored.listAccounts(site.id)).toEqual([])
  })

  test('creates no session that outlives the eviction', async () => {
    const site = await passwordSite('database', async () => undefined)
    const victim = site.open()
    const attacker = site.open()
    const link = await requestLink(victim, site, VICTIM)
    const held = hold(site, 'updateUser', 'before')
    await during(held, click(victim, link), () => enter(attacker))
    expect(await attacker.session()).toBeNull()
    expect((await victim.session())?.user?.email).toBe(VICTIM)
  })

  test('creates no user whose session outlives the eviction, if createUser verifies addresses', async () => {
    const adapter = MemoryAdapter()
    const mails: VerificationRequest[] = []
    const recorded = recordCalls(adapter)
    const createUser = async ({ user: { id = '' } }: { user: User }) =>
      void (await adapter.updateUser({ id, emailVerified: new Date() }))
    const { config } = passwordConfig(
      { adapter: recorded.adapter, session: { strategy: 'database' }, events: { createUser } },
      { createUser: true, authorize: () => ({ email: VICTIM }) },
    )
    const providers = [...(config.providers ?? []), mailProvider(mails)]
    const open = () => browser({ ...config, providers })
    const [attacker, victim] = [open(), open()]
    const link = await requestLink(victim, { mails }, VICTIM)
    const held = hold(recorded, 'createSession', 'before')
    const response = await during(held, enter(attacker), async () => {
      await new Promise((resolve) => void setTimeout(resolve, 5))
      await click(victim, link)
    })
    expect(locationOf(response)).toContain('error=AccessDenied')
    expect(await attacker.session()).toBeNull()
  })

  test('is rejected when the clock of the evicting process is behind', async () => {
    const site = await passwordSite('database', async () => undefined)
    const attacker = site.open()
    const held = hold(site, 'createSession', 'before')
    const response = await during(held, enter(attacker), async () => {
      await site.stored.updateUser({ id: site.id, emailVerified: new Date(Date.now() - 5000) })
    })
    expect(locationOf(response)).toContain('error=AccessDenied')
    expect(await attacker.session()).toBeNull()
  })
})
