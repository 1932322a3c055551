/** The application imports authenticator apps that users have in another system. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { manageAccounts } from '../../../src/account.ts'
import type { ImportedApp } from '../../../src/account.ts'
import { down, recordCalls, without } from '../../database.ts'
import { pass, stopClock } from '../../sessions.ts'
import { appCode } from './app-code.ts'
import {
  ADA,
  enrolledSite,
  enterCode,
  factorSite,
  factorsOf,
  locationOf,
  PAGE,
  STRATEGIES,
} from './factor-site.ts'

const SECRET = 'JBSWY3DPEHPK3PXP'
const HOME = 'https://app.test'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

/** Ada has signed in before her app was imported. */
async function siteWithAda(...args: Parameters<typeof factorSite>) {
  const site = factorSite(...args)
  const tab = site.open()
  await tab.signIn('op', ADA)
  const { id: userId = '' } = (await site.adapter.getUserByEmail?.(ADA.email)) ?? {}
  site.audited.length = 0
  const importFactor = (app: ImportedApp) =>
    manageAccounts(site.config, { actor: 'staff' }).importFactor(userId, app)
  return { ...site, tab, userId, importFactor }
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('a sign-in asks for the code of the imported app, which is accepted once', async () => {
    const site = await siteWithAda(strategy, { session: { strategy, ...revocationOf(strategy) } })
    const created = new Date()
    expect(await site.importFactor({ secret: SECRET, name: 'Phone' })).toBe(true)
    await pass(1)
    expect(await site.tab.session()).toBeNull()
    const [tab, other] = [site.open(), site.open()]
    for (const each of [tab, other]) expect(locationOf(await each.signIn('op', ADA))).toBe(PAGE)
    const code = await appCode(SECRET)
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
    await enterCode(other, code)
    expect(await other.session()).toBeNull()
    const { list, renew } = factorsOf(site, tab)
    expect(await list()).toEqual({
      apps: [{ id: expect.any(String) as string, name: 'Phone', created }],
      recoveryCodesLeft: 0,
    })
    expect(await renew()).toHaveLength(10)
  })

  test('it is recorded, without the key', async () => {
    const site = await siteWithAda(strategy)
    await site.importFactor({ secret: SECRET })
    expect(site.audited.at(-1)).toMatchObject({
      type: 'factor.added',
      outcome: 'success',
      actor: { kind: 'user', id: 'staff' },
      target: { kind: 'factor' },
    })
    const rows = await site.adapter.listFactors?.(site.userId)
    expect(JSON.stringify([site.audited, rows, site.log.lines])).not.toContain(SECRET)
  })

  test('a repeated import adds nothing and ends no session', async () => {
    const site = await siteWithAda(strategy)
    await site.importFactor({ secret: SECRET })
    const tab = site.open()
    await tab.signIn('op', ADA)
    await enterCode(tab, await appCode(SECRET))
    expect(await site.importFactor({ secret: 'jbsw y3dp ehpk 3pxp', name: 'Again' })).toBe(false)
    expect((await factorsOf(site, tab).list())?.apps).toHaveLength(1)
  })

  test('it stands beside an app that the user has added here', async () => {
    const site = await enrolledSite(strategy)
    const staff = manageAccounts(site.config)
    expect(await staff.importFactor(site.userId, { secret: SECRET })).toBe(true)
    for (const each of [site.secret, SECRET]) {
      const tab = site.open()
      await tab.signIn('op', ADA)
      expect(locationOf(await enterCode(tab, await appCode(each)))).toBe(HOME)
    }
  })

  test.each(['deleteUserSessions', 'createFactor'] as const)(
    'after a failure of %s, the call can be repeated',
    async (method) => {
      const recorded = recordCalls(MemoryAdapter())
      const site = await siteWithAda(strategy, {
        adapter: recorded.adapter,
        session: { strategy, ...revocationOf(strategy) },
      })
      const fails = method === 'createFactor' || strategy === 'database'
      recorded.faults[method] = down
      if (fails)
        await expect(site.importFactor({ secret: SECRET })).rejects.toThrow(`${method} failed`)
      delete recorded.faults[method]
      expect(await site.importFactor({ secret: SECRET })).toBe(true)
      expect(await site.tab.session()).toBeNull()
      expect(locationOf(await site.open().signIn('op', ADA))).toBe(PAGE)
    },
  )
})

function revocationOf(strategy: 'jwt' | 'database') {
  return strategy === 'jwt' ? { revocation: {} } : {}
}

test('an eleventh app is rejected, and an unknown user is null', async () => {
  const site = await siteWithAda('jwt')
  for (const letter of 'ABCDEFGHIJ')
    expect(await site.importFactor({ secret: letter.repeat(16) })).toBe(true)
  await expect(site.importFactor({ secret: SECRET })).rejects.toThrow('10 authenticator apps')
  expect(await site.importFactor({ secret: 'A'.repeat(16) })).toBe(false)
  expect(await manageAccounts(site.config).importFactor('unknown', { secret: SECRET })).toBeNull()
})

test.each([
  ['a key that is too short', { secret: 'JBSWY3DP' }, 'not a Base32 text'],
  ['an address', { secret: `otpauth://totp/a?secret=${SECRET}` }, 'otpauth:// address'],
  ['bytes', { secret: new Uint8Array(20) as unknown as string }, 'not a Base32 text'],
  ['no key', {} as ImportedApp, 'not a Base32 text'],
  ['an empty name', { secret: SECRET, name: ' ' }, 'The name of an authenticator app'],
])('%s is rejected, and changes nothing', async (_problem, app, message) => {
  const site = await siteWithAda('database')
  await expect(site.importFactor(app)).rejects.toThrow(message)
  expect(await site.adapter.listFactors?.(site.userId)).toEqual([])
  expect((await site.tab.session())?.user?.email).toBe(ADA.email)
})

test('an adapter without factors is an error, also without the option secondStep', async () => {
  const site = await siteWithAda('jwt', { secondStep: undefined })
  const lacking = { ...site.config, adapter: without(site.adapter, 'listFactors') }
  await expect(
    manageAccounts(lacking).importFactor(site.userId, { secret: SECRET }),
  ).rejects.toThrow('no method listFactors')
  expect(await site.importFactor({ secret: SECRET })).toBe(true)
  expect(locationOf(await site.open().signIn('op', ADA))).toBe(PAGE)
})
