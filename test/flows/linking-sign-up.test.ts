/** Signing up is all or nothing, whatever fails, and can be repeated. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { ADA, ADAPTERS, databaseSite, down, errorTypes, lost, once, without } from '../database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from '../database.ts'
import { during, hold } from '../hold.ts'
import { SESSION } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const KEY = { provider: 'op', providerAccountId: 'ada' }
const UNVERIFIED = { sub: 'ada', name: ADA.name, email: ADA.email }
const RESUME = '__Host-lib.resume'

afterEach(() => op.reset())

function adapterOf(name: string): Adapter {
  return ADAPTERS[name]?.() ?? {}
}

/** Nobody is signed in, and the browser is told that it can try again. */
async function expectFailed({ log }: DatabaseSite, tab: Browser, response: Response) {
  expect(response.headers.get('location')).toBe(
    `${tab.origin}/auth/error?error=TemporarilyUnavailable`,
  )
  expect(errorTypes(log)).toEqual(['AdapterError'])
  expect(tab.cookies.get(SESSION)).toBeUndefined()
  log.errors.length = 0
}

/** Ada is signed in as the one user with her address, who has her account. */
async function expectSignedUp({ log, stored }: DatabaseSite, tab: Browser, response: Response) {
  expect(log.errors).toEqual([])
  expect(response.headers.get('location')).toBe(tab.origin)
  expect((await tab.session())?.user?.email).toBe(ADA.email)
  const user = await stored.getUserByEmail?.(ADA.email)
  expect((await stored.getUserByAccount?.(KEY))?.id).toBe(user?.id)
  expect(tab.cookies.get(RESUME)).toBeUndefined()
}

/** A site, and how many calls a sign-up takes there. */
async function callsOfSignUp(options: DatabaseSiteOptions): Promise<number> {
  const site = databaseSite(op, options)
  await site.tab.signIn('op', UNVERIFIED)
  expect(site.log.errors).toEqual([])
  return site.calls.length
}

/** Every method fails from a call on, which is done or not; until {@link DatabaseSite.faults} are deleted. */
function failFrom(site: DatabaseSite, first: number, isDone: boolean): void {
  const methods = [
    'getUserByAccount',
    'getUserByEmail',
    'createUser',
    'deleteUser',
    'linkAccount',
    'createSession',
    'listAccounts',
  ] as const
  for (const method of methods)
    site.faults[method] = (run) => {
      const count = site.calls.length
      if (count <= first) return run()
      return isDone && count === first + 1 ? lost(run) : down()
    }
}

describe.each(Object.keys(ADAPTERS))('with an adapter %s', (name) => {
  // Covers: link.all-or-nothing, type.adapter-error
  test.each(['getUserByAccount', 'getUserByEmail', 'createUser', 'linkAccount'] as const)(
    'a sign-up in which %s fails can be repeated',
    async (method) => {
      const site = databaseSite(op, { adapter: adapterOf(name) })
      site.faults[method] = once(down)
      await expectFailed(site, site.tab, await site.tab.signIn('op'))
      expect(await site.stored.getUserByAccount?.(KEY)).toBeNull()
      await expectSignedUp(site, site.tab, await site.tab.signIn('op'))
    },
  )

  test.each(['linkAccount', 'createUser'] as const)(
    'a sign-up in which the answer of %s gets lost ends well, now or when it is repeated',
    async (method) => {
      const site = databaseSite(op, { adapter: adapterOf(name) })
      site.faults[method] = once(lost)
      const response = await site.tab.signIn('op')
      const isRepeated = site.log.errors.length > 0
      if (isRepeated) await expectFailed(site, site.tab, response)
      const last = isRepeated ? await site.tab.signIn('op') : response
      await expectSignedUp(site, site.tab, last)
    },
  )

  // Covers: link.all-or-nothing
  test('a database that breaks down at any moment loses nobody', async () => {
    const count = await callsOfSignUp({ adapter: adapterOf(name) })
    expect(count).toBeGreaterThan(4)
    for (let first = 0; first < count; first++) {
      const site = databaseSite(op, { adapter: adapterOf(name) })
      failFrom(site, first, false)
      await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
      for (const method of Object.keys(site.faults)) Reflect.deleteProperty(site.faults, method)
      await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    }
  })
})

describe.each(Object.keys(ADAPTERS))('with an adapter %s', (name) => {
  test.each(['before', 'after'] as const)(
    'refuses a sign-up when another user with the address is created %s the lookup by address',
    async (moment) => {
      const site = databaseSite(op, { adapter: adapterOf(name) })
      const held = hold(site, moment === 'before' ? 'getUserByEmail' : 'createUser', 'before')
      const password = { id: 'with-password', email: ADA.email, emailVerified: null }
      const response = await during(held, site.tab.signIn('op', UNVERIFIED), async () => {
        await site.stored.createUser?.(password)
      })
      expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
      const again = await site.tab.signIn('op', UNVERIFIED)
      expect(again.headers.get('location')).toContain('error=OAuthAccountNotLinked')
      expect(await site.stored.getUserByEmail?.(ADA.email)).toEqual(password)
      expect(await site.stored.getUserByAccount?.(KEY)).toBeNull()
      expect(site.tab.cookies.get(SESSION)).toBeUndefined()
    },
  )
})

describe('without transactions, when the answer of createUser gets lost', () => {
  test('a row with the proposed id is found by it', async () => {
    const site = databaseSite(op, { adapter: adapterOf('without transactions') })
    site.faults.createUser = once(lost)
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
  })

  test('and the database fails after that, the same browser goes on with the row', async () => {
    const site = databaseSite(op, { adapter: adapterOf('without transactions') })
    site.faults.createUser = once(lost)
    site.faults.getUser = down
    site.faults.getUserByEmail = ((calls) => (run) => (calls++ === 1 ? down() : run()))(0)
    await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    delete site.faults.getUser
    const elsewhere = site.open()
    const refused = await elsewhere.signIn('op', UNVERIFIED)
    expect(refused.headers.get('location')).toContain('error=OAuthAccountNotLinked')
    site.log.errors.length = 0
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
  })

  test('an adapter that chooses ids itself refuses the sign-up, and links nothing', async () => {
    const memory = without(MemoryAdapter(), 'transaction')
    const adapter: Adapter = {
      ...memory,
      createUser: async (user) =>
        (await memory.createUser?.({ ...user, id: '' })) ?? Promise.reject(new Error('No user.')),
    }
    const site = databaseSite(op, { adapter })
    site.faults.createUser = once(lost)
    for (let time = 0; time < 2; time++) {
      const response = await site.tab.signIn('op', UNVERIFIED)
      expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
    }
    expect(await site.stored.getUserByAccount?.(KEY)).toBeNull()
  })
})

describe('with transactions', () => {
  const options = () => ({ adapter: adapterOf('with transactions') })

  test('a process that ends at any moment loses nobody, in whatever browser', async () => {
    const count = await callsOfSignUp(options())
    for (let first = 0; first < count; first++) {
      const site = databaseSite(op, options())
      failFrom(site, first, true)
      await site.tab.signIn('op', UNVERIFIED)
      for (const method of Object.keys(site.faults)) Reflect.deleteProperty(site.faults, method)
      site.log.errors.length = 0
      const elsewhere = site.open()
      await expectSignedUp(site, elsewhere, await elsewhere.signIn('op', UNVERIFIED))
    }
  })

  test('whose result the adapter keeps to itself, the sign-up is found by its account', async () => {
    const site = databaseSite(op, options())
    site.faults.transaction = async (run) => void (await run())
    const response = await site.tab.signIn('op')
    expect(response.headers.get('location')).toBe(site.tab.origin)
    expect((await site.tab.session())?.user).toEqual(ADA)
  })
})

describe('a user that could not be taken back', () => {
  const NAME = 'that cannot take anything back'

  async function leftBehind() {
    const told: string[] = []
    const events = {
      createUser: () => void told.push('createUser'),
      linkAccount: () => void told.push('linkAccount'),
      signIn: ({ isNewUser }: { isNewUser?: boolean }) => void told.push(`signIn ${isNewUser}`),
    }
    const site = databaseSite(op, { adapter: adapterOf(NAME), config: { events } })
    site.faults.linkAccount = once(down)
    await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    expect(site.tab.cookies.get(RESUME)).toMatchObject({ httpOnly: true, secure: true })
    expect(site.log.lines).toContainEqual(expect.arrayContaining(['warn', 'sign-up-incomplete']))
    expect(told).toEqual([])
    return { ...site, told }
  }

  test('is found again by the same browser, and is new', async () => {
    const site = await leftBehind()
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    expect(site.calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
    expect(site.told).toEqual(['createUser', 'linkAccount', 'signIn true'])
  })

  test('is found again after another failure, too', async () => {
    const site = await leftBehind()
    site.faults.linkAccount = once(down)
    await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
  })

  test.each<[string, (site: DatabaseSite) => Promise<Response>]>([
    ['another browser', ({ open }) => open().signIn('op', UNVERIFIED)],
    ['another account', ({ tab }) => tab.signIn('op', { ...UNVERIFIED, sub: 'eve' })],
    ['the same id at another provider', ({ tab }) => tab.signIn('other', UNVERIFIED)],
    [
      'somebody who has made up the cookie',
      ({ tab }) => {
        tab.cookies.set(RESUME, 'made-up')
        return tab.signIn('op', UNVERIFIED)
      },
    ],
  ])('is not given to %s', async (_name, act) => {
    const site = await leftBehind()
    const response = await act(site)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })

  test('is not given away once its owner has read what was sent to the address', async () => {
    const site = await leftBehind()
    const user = await site.stored.getUserByEmail?.(ADA.email)
    await site.stored.updateUser?.({ id: user?.id ?? '', emailVerified: new Date() })
    const response = await site.tab.signIn('op', UNVERIFIED)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })
})
