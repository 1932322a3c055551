/** A failed sign-up leaves no partial state, and can be repeated. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import {
  ADA,
  ADAPTERS,
  databaseSite,
  down,
  errorTypes,
  lost,
  once,
  without,
} from '../../database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from '../../database.ts'
import { during, hold } from '../../hold.ts'
import { SESSION } from '../../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const KEY = { provider: 'op', providerAccountId: 'ada' }
const UNVERIFIED = { sub: 'ada', name: ADA.name, email: ADA.email }
const RESUME = '__Host-lib.resume'

afterEach(() => op.reset())

function adapterOf(name: string): Adapter {
  return ADAPTERS[name]?.() ?? {}
}

/** The sign-in failed with an error that asks the user to try again. */
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

/** The number of adapter calls of a sign-up. */
async function callsOfSignUp(options: DatabaseSiteOptions): Promise<number> {
  const site = databaseSite(op, options)
  await site.tab.signIn('op', UNVERIFIED)
  expect(site.log.errors).toEqual([])
  return site.calls.length
}

/** Every method fails from call `first` on until the faults are deleted; `isDone`: that call takes effect. */
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
  test.each(['getUserByAccount', 'getUserByEmail', 'createUser', 'linkAccount'] as const)(
    'repeats a sign-up in which %s failed',
    async (method) => {
      const site = databaseSite(op, { adapter: adapterOf(name) })
      site.faults[method] = once(down)
      await expectFailed(site, site.tab, await site.tab.signIn('op'))
      expect(await site.stored.getUserByAccount?.(KEY)).toBeNull()
      await expectSignedUp(site, site.tab, await site.tab.signIn('op'))
    },
  )

  test.each(['linkAccount', 'createUser'] as const)(
    'completes a sign-up whose response of %s was lost, at once or when it is repeated',
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

  test('repeats a sign-up after a database outage at any call', async () => {
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
    'rejects a sign-up when another user with the address is created %s the lookup by address',
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

describe('without transactions, when the response of createUser is lost', () => {
  test('finds the row by the proposed id', async () => {
    const site = databaseSite(op, { adapter: adapterOf('without transactions') })
    site.faults.createUser = once(lost)
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
  })

  test('resumes with the row in the same browser after an outage', async () => {
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

  test('rejects the sign-up if the adapter chooses ids itself, and links nothing', async () => {
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

  test('repeats a sign-up in any browser after the process ended at any call', async () => {
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

  test('finds the sign-up by its account if the adapter does not return the result', async () => {
    const site = databaseSite(op, options())
    site.faults.transaction = async (run) => void (await run())
    const response = await site.tab.signIn('op')
    expect(response.headers.get('location')).toBe(site.tab.origin)
    expect((await site.tab.session())?.user).toEqual(ADA)
  })
})

describe('a user who could not be deleted after a failed sign-up', () => {
  const NAME = 'without methods that delete'

  async function incompleteSignUp() {
    const emitted: string[] = []
    const events = {
      createUser: () => void emitted.push('createUser'),
      linkAccount: () => void emitted.push('linkAccount'),
      signIn: ({ isNewUser }: { isNewUser?: boolean }) => void emitted.push(`signIn ${isNewUser}`),
    }
    const site = databaseSite(op, { adapter: adapterOf(NAME), config: { events } })
    site.faults.linkAccount = once(down)
    await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    expect(site.tab.cookies.get(RESUME)).toMatchObject({ httpOnly: true, secure: true })
    expect(site.log.lines).toContainEqual(expect.arrayContaining(['warn', 'sign-up-incomplete']))
    expect(emitted).toEqual([])
    return { ...site, emitted }
  }

  test('is resumed by the same browser as a new user', async () => {
    const site = await incompleteSignUp()
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    expect(site.calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
    expect(site.emitted).toEqual(['createUser', 'linkAccount', 'signIn true'])
  })

  test('is resumed after a second failure', async () => {
    const site = await incompleteSignUp()
    site.faults.linkAccount = once(down)
    await expectFailed(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
    await expectSignedUp(site, site.tab, await site.tab.signIn('op', UNVERIFIED))
  })

  test.each<[string, (site: DatabaseSite) => Promise<Response>]>([
    ['another browser', ({ open }) => open().signIn('op', UNVERIFIED)],
    ['another account', ({ tab }) => tab.signIn('op', { ...UNVERIFIED, sub: 'eve' })],
    ['the same id at another provider', ({ tab }) => tab.signIn('other', UNVERIFIED)],
    [
      'a browser with a forged cookie',
      ({ tab }) => {
        tab.cookies.set(RESUME, 'made-up')
        return tab.signIn('op', UNVERIFIED)
      },
    ],
  ])('is not adopted by %s', async (_name, act) => {
    const site = await incompleteSignUp()
    const response = await act(site)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })

  test('is not adopted once its owner has verified the address', async () => {
    const site = await incompleteSignUp()
    const user = await site.stored.getUserByEmail?.(ADA.email)
    await site.stored.updateUser?.({ id: user?.id ?? '', emailVerified: new Date() })
    const response = await site.tab.signIn('op', UNVERIFIED)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })
})
