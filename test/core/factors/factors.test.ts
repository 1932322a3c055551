/** Users add and remove authenticator apps, and renew recovery codes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { linkAccount } from '../../../src/account.ts'
import { StepUpRequired } from '../../../src/errors.ts'
import { confirmFactor } from '../../../src/factors.ts'
import { browser } from '../../../src/testing/index.ts'
import { SECRET } from '../../config.ts'
import { without } from '../../database.ts'
import { pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'
import { register } from '../flows/webauthn/site.ts'
import { appCode } from './app-code.ts'
import {
  ADA,
  enrolledSite,
  enterCode,
  factorSite,
  factorsOf,
  locationOf,
  op,
  PAGE,
  STRATEGIES,
} from './factor-site.ts'
import type { EnrolledSite } from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

/** Ada has signed in with both steps. */
async function signedIn(site: EnrolledSite) {
  const tab = site.open()
  await tab.signIn('op', ADA)
  await enterCode(tab, await appCode(site.secret))
  return tab
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('an app is asked for once it was confirmed, and recovery codes are shown once', async () => {
    const site = factorSite(strategy)
    const tab = site.open()
    await tab.signIn('op', ADA)
    const { list, enroll, confirm } = factorsOf(site, tab)
    expect(await list()).toEqual({ apps: [], recoveryCodesLeft: 0 })
    const { id, secret, uri, qrCode } = await enroll('Phone')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toContain(`secret=${secret}`)
    expect(qrCode).toMatch(/^<svg [^<]*>.*<\/svg>$/)
    expect(await list()).toEqual({ apps: [], recoveryCodesLeft: 0 })
    const other = site.open()
    expect(locationOf(await other.signIn('op', ADA))).toBe('https://app.test')
    await expect(confirm(id, '000000')).rejects.toThrow('The code is wrong')
    const { app, recoveryCodes } = await confirm(id, await appCode(secret))
    expect(app).toEqual({ id, name: 'Phone', created: new Date() })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes.every((code) => /^[a-z2-7]{4}(?:-[a-z2-7]{4}){5}$/.test(code))).toBe(true)
    expect(await list()).toEqual({ apps: [app], recoveryCodesLeft: 10 })
    await expect(confirm(id, await appCode(secret, 1))).rejects.toThrow(StepUpRequired)
    expect((await tab.session())?.user?.email).toBe(ADA.email)
    if (strategy === 'database') expect(await other.session()).toBeNull()
    expect(locationOf(await site.open().signIn('op', ADA))).toBe(PAGE)
    expect(site.audited.map(({ type }) => type)).toContain('factor.added')
  })

  test('nothing in the database shows a key or a code', async () => {
    const adapter = MemoryAdapter()
    const site = await enrolledSite(strategy, { adapter })
    const rows = JSON.stringify(await adapter.listFactors(site.userId))
    expect(rows).not.toContain(site.secret)
    for (const code of site.recoveryCodes) {
      expect(rows).not.toContain(code)
      expect(rows).not.toContain(code.replaceAll('-', ''))
    }
  })

  test('a key that is moved to another user or row opens nothing', async () => {
    const adapter = MemoryAdapter()
    const site = await enrolledSite(strategy, { adapter })
    const rows = await adapter.listFactors(site.userId)
    const { secret = '' } = rows.find(({ type }) => type === 'totp') ?? {}
    const eve = site.open()
    await eve.signIn('op', { sub: 'eve', email: 'eve@example.com' })
    const { id: userId = '' } = (await adapter.getUserByEmail('eve@example.com')) ?? {}
    await adapter.createFactor({
      id: 'moved',
      userId,
      type: 'totp',
      secret,
      name: null,
      lastStep: null,
      confirmed: true,
      created: new Date(),
    })
    const tab = site.open()
    expect(locationOf(await tab.signIn('op', { sub: 'eve', email: 'eve@example.com' }))).toBe(PAGE)
    await enterCode(tab, await appCode(site.secret))
    expect(await tab.session()).toBeNull()
    expect(site.log.lines.map(([, code]) => code)).toContain('factor-unreadable')
  })

  test('an earlier secret in the list opens keys and recovery codes', async () => {
    const site = await enrolledSite(strategy)
    const next = 'another secret for tests, of more than 32 bytes'
    const rotated = { ...site.config, secret: [next, SECRET] }
    for (const code of [await appCode(site.secret), site.recoveryCodes[0] ?? '']) {
      const tab = browser(rotated, { issuer: op })
      await tab.signIn('op', ADA)
      await enterCode(tab, code)
      expect((await tab.session())?.user?.email).toBe(ADA.email)
    }
    const lost = browser({ ...site.config, secret: next }, { issuer: op })
    await lost.signIn('op', ADA)
    await enterCode(lost, await appCode(site.secret, 1))
    expect(await lost.session()).toBeNull()
  })

  test('with a factor, changes need a session with both steps', async () => {
    const site = await enrolledSite(strategy, { account: {} })
    await site.adapter.updateUser?.({ id: site.userId, emailVerified: null })
    const { enroll, remove, renew } = factorsOf(site, site.tab)
    const link = () => valueOf(site.tab, linkAccount(requestOf(site.tab), site.config, 'op'))
    for (const call of [() => enroll(), () => remove(site.appId), renew, link])
      await expect(call()).rejects.toThrow(StepUpRequired)
    await site.tab.signIn('op', ADA)
    await enterCode(site.tab, await appCode(site.secret))
    expect(await renew()).toHaveLength(10)
    expect(await link()).toContain(op.url)
    await pass(16 * 60)
    await expect(renew()).rejects.toThrow(StepUpRequired)
  })

  test('with a factor, a passkey is added only in a session with both steps', async () => {
    const site = await enrolledSite(strategy)
    await site.adapter.updateUser?.({ id: site.userId, emailVerified: null })
    const passkey = createAuthenticator()
    await expect(register(site.tab, passkey)).rejects.toThrow()
    await site.tab.signIn('op', ADA)
    await enterCode(site.tab, await appCode(site.secret))
    expect(locationOf(await register(site.tab, passkey))).toBe('https://app.test')
    expect(await factorsOf(site, site.tab).renew()).toHaveLength(10)
  })

  test('with the last app, the second step and the recovery codes go', async () => {
    const site = await enrolledSite(strategy)
    const tab = await signedIn(site)
    const { enroll, confirm, remove, list } = factorsOf(site, tab)
    const second = await enroll('Tablet')
    const { recoveryCodes } = await confirm(second.id, await appCode(second.secret))
    expect(recoveryCodes).toEqual([])
    expect(await remove(site.appId)).toMatchObject({ id: site.appId })
    expect(await remove(site.appId)).toBeNull()
    expect(await list()).toMatchObject({ apps: [{ name: 'Tablet' }], recoveryCodesLeft: 10 })
    expect(locationOf(await site.open().signIn('op', ADA))).toBe(PAGE)
    await remove(second.id)
    expect(await list()).toEqual({ apps: [], recoveryCodesLeft: 0 })
    expect(locationOf(await site.open().signIn('op', ADA))).toBe('https://app.test')
  })

  test('new recovery codes replace the old ones', async () => {
    const site = await enrolledSite(strategy)
    const codes = await factorsOf(site, await signedIn(site)).renew()
    for (const [code = '', works] of [
      [site.recoveryCodes[0], false],
      [codes[0], true],
    ] as const) {
      const tab = site.open()
      await tab.signIn('op', ADA)
      await enterCode(tab, code)
      expect(Boolean(await tab.session())).toBe(works)
    }
  })

  test('a user changes neither the factors nor an enrolment of another one', async () => {
    const site = await enrolledSite(strategy)
    const eve = site.open()
    await eve.signIn('op', { sub: 'eve', email: 'eve@example.com' })
    const hers = factorsOf(site, eve)
    expect(await hers.remove(site.appId)).toBeNull()
    const begun = await factorsOf(site, await signedIn(site)).enroll()
    await expect(hers.confirm(begun.id, await appCode(begun.secret))).rejects.toThrow('wrong')
    await expect(hers.renew()).rejects.toThrow('no authenticator app')
  })

  test('a request of another site changes nothing', async () => {
    const site = factorSite(strategy)
    const tab = site.open()
    await tab.signIn('op', ADA)
    const { enrollFactor } = await import('../../../src/factors.ts')
    const foreign = requestOf(tab, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
    await expect(enrollFactor(foreign, site.config)).rejects.toThrow('another origin')
  })

  test('at most five enrolments are unfinished, and ten apps can be added', async () => {
    const adapter = MemoryAdapter()
    const site = factorSite(strategy, { adapter })
    const tab = site.open()
    await tab.signIn('op', ADA)
    const { id: userId = '' } = (await adapter.getUserByEmail(ADA.email)) ?? {}
    const { enroll } = factorsOf(site, tab)
    for (let count = 0; count < 8; count++) {
      await pass(1)
      await enroll()
    }
    expect(await adapter.listFactors(userId)).toHaveLength(5)
    for (const { id, lastStep } of await adapter.listFactors(userId))
      if (lastStep === null) await adapter.deleteFactor(id)
  })
})

test.each([
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['an empty name', { name: ' ' }],
  ['a name with NUL', { name: 'a\0b' }],
  ['a name with a lone surrogate', { name: '\uD800' }],
  ['a name that is a number', { name: 5 as never }],
])('%s is rejected', async (_name, options) => {
  const site = factorSite('jwt')
  const tab = site.open()
  await tab.signIn('op', ADA)
  await expect(factorsOf(site, tab).enroll(options.name)).rejects.toThrow('The name of an')
})

test('a confirmation without its fields, as of a body that was not parsed, is rejected', async () => {
  const site = factorSite('jwt')
  const tab = site.open()
  await tab.signIn('op', ADA)
  const call = confirmFactor(requestOf(tab), site.config, undefined as never)
  await expect(call).rejects.toMatchObject({
    type: 'InvalidRequest',
    message: expect.stringContaining('The id is not a text'),
  })
})

test('the log names the fields that a form of the route step-up lacks', async () => {
  const site = factorSite('jwt')
  expect((await site.open().post('step-up', { otp: '123456' })).status).toBe(404)
  expect(site.log.errors.at(-1)?.message).toContain('needs the field "code" for the second step')
})

test('without the option, and with an adapter without factors, the error says what to do', async () => {
  const site = factorSite('jwt', { secondStep: undefined })
  const tab = site.open()
  await tab.signIn('op', ADA)
  await expect(factorsOf(site, tab).enroll()).rejects.toThrow('Set secondStep: {}')
  const adapter = without(MemoryAdapter(), 'listFactors')
  const lacking = factorSite('jwt', { adapter })
  expect((await lacking.open().request('signin')).status).toBe(500)
  expect(lacking.log.errors.map(({ message }) => message).join()).toContain('listFactors')
})

test.each([
  [{ secondStep: true as never }, 'secondStep is not an object'],
  [{ secondStep: { required: true as never } }, 'secondStep.required is not a function'],
  [{ secondStep: { rememberDevice: 60 } }, 'secondStep.rememberDevice is not a number'],
  [{ secondStep: { rememberDevice: 86_400 }, protection: 'off' as const }, 'known browsers'],
  [{ secondStep: {}, adapter: undefined }, 'secondStep is set without adapter'],
])('the configuration %o is rejected', async (overrides, message) => {
  const site = factorSite('jwt')
  const tab = browser({ ...site.config, ...overrides })
  await tab.request('session')
  expect(site.log.errors.map((error) => error.message).join()).toContain(message)
})
