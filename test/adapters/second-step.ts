/** The second step, imported apps, and the merge of two users, over any adapter (acceptance E4 and E5). */
import { expect, test } from 'vitest'
import { manageAccounts, mergeUser } from '../../src/account.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { requestOf, valueOf } from '../core/account/account-site.ts'
import { appCode } from '../core/factors/app-code.ts'
import { enterCode, factorSite, factorsOf, locationOf } from '../core/factors/factor-site.ts'
import type { FactorSite } from '../core/factors/factor-site.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'

interface Member {
  readonly person: { readonly sub: string; readonly email: string }
  readonly tab: Browser
  readonly id: string
}

function siteOver(adapter: Adapter): FactorSite {
  return factorSite('database', { adapter, account: { mergeUsers: () => undefined } })
}

/** A new user, who has signed in after the address was verified. */
async function memberOf(site: FactorSite): Promise<Member> {
  const { adapter } = site
  const sub = crypto.randomUUID()
  const person = { sub, email: `${sub}@example.com` }
  const tab = site.open()
  await tab.signIn('op', person)
  const { id = '' } = (await adapter.getUserByEmail?.(person.email)) ?? {}
  await adapter.updateUser?.({ id, emailVerified: new Date(0) })
  return { person, tab, id }
}

async function enroll(site: FactorSite, tab: Browser) {
  const { enroll: begin, confirm } = factorsOf(site, tab)
  const { id, secret } = await begin()
  const { recoveryCodes } = await confirm(id, await appCode(secret, -1))
  return { secret, recoveryCodes }
}

/** Browsers that wait for the second step. */
function waiting(site: FactorSite, { person }: Member): Promise<Browser[]> {
  return Promise.all(
    [1, 2, 3, 4].map(async () => {
      const tab = site.open()
      await tab.signIn('op', person)
      expect(await tab.session()).toBeNull()
      return tab
    }),
  )
}

async function countSessions(tabs: readonly Browser[]): Promise<number> {
  const sessions = await Promise.all(tabs.map((tab) => tab.session()))
  return sessions.filter(Boolean).length
}

async function addPasskey(tab: Browser): Promise<void> {
  const reply = await tab.request('webauthn-options/passkey?action=register')
  const key = createAuthenticator()
  const data = JSON.stringify(key.create((await reply.json()).options))
  await tab.post('callback/passkey', { action: 'register', data })
}

/** Signs in as another user on the page of a merge. */
async function merge(site: FactorSite, into: Member, from: Member): Promise<Response> {
  const page = await valueOf(into.tab, mergeUser(requestOf(into.tab), site.config))
  const stepUp = new URL(page).searchParams.get('stepUp') ?? ''
  return (await into.tab.begin('op', { stepUp, callbackUrl: '/account' })).complete(from.person)
}

export function testSecondStep(adapter: () => Adapter): void {
  test('no session begins before the second step, and each code begins one', async () => {
    const site = siteOver(adapter())
    const member = await memberOf(site)
    const { secret, recoveryCodes } = await enroll(site, member.tab)
    expect(recoveryCodes).toHaveLength(10)
    const before = (await site.adapter.listSessions?.(member.id))?.length
    const [byApp, byCode] = [await waiting(site, member), await waiting(site, member)]
    expect((await site.adapter.listSessions?.(member.id))?.length).toBe(before)
    const code = await appCode(secret)
    await Promise.all(byApp.map((tab) => enterCode(tab, code)))
    expect(await countSessions(byApp)).toBe(1)
    const recovery = recoveryCodes[0] ?? ''
    await Promise.all(byCode.map((tab) => enterCode(tab, recovery, { recovery: 'true' })))
    expect(await countSessions(byCode)).toBe(1)
  })

  test('an imported app ends the sessions, and a sign-in asks for its code', async () => {
    const site = siteOver(adapter())
    const { id, person, tab } = await memberOf(site)
    const app = { secret: 'JBSWY3DPEHPK3PXP', name: 'Phone' }
    const staff = manageAccounts(site.config)
    expect(await staff.importFactor(id, app)).toBe(true)
    expect(await tab.session()).toBeNull()
    expect(await staff.importFactor(id, app)).toBe(false)
    await tab.signIn('op', person)
    expect(await tab.session()).toBeNull()
    await enterCode(tab, await appCode(app.secret))
    expect((await tab.session())?.user?.email).toBe(person.email)
    expect((await factorsOf(site, tab).list())?.apps).toMatchObject([{ name: app.name }])
  })

  test('a user is merged with accounts, passkeys and second step, once', async () => {
    const site = siteOver(adapter())
    if (!site.adapter.transaction) return
    const [into, from] = [await memberOf(site), await memberOf(site)]
    await addPasskey(from.tab)
    const { secret } = await enroll(site, from.tab)
    const held = await merge(site, into, from)
    expect(locationOf(held)).toContain('/step-up')
    expect(await site.adapter.getUser?.(from.id)).not.toBeNull()
    const code = await appCode(secret)
    const copy = site.open()
    for (const { name, value } of into.tab.cookies.all()) copy.cookies.set(name, value)
    const both = await Promise.all([into.tab, copy].map((tab) => enterCode(tab, code)))
    expect(both.map(locationOf)).toContain('https://app.test/account')
    expect(await site.adapter.getUser?.(from.id)).toBeNull()
    expect(await site.adapter.listFactors?.(from.id)).toEqual([])
    const accounts = (await site.adapter.listAccounts?.(into.id)) ?? []
    const ids = accounts.map(({ providerAccountId }) => providerAccountId)
    expect(ids).toEqual(expect.arrayContaining([into.person.sub, from.person.sub]))
    expect(ids).toHaveLength(3)
    const passkeys = await site.adapter.listAuthenticatorsByUserId?.(into.id)
    expect(passkeys).toHaveLength(1)
    expect(passkeys?.[0]).toMatchObject({ userId: into.id })
    await from.tab.signIn('op', from.person)
    expect((await from.tab.session())?.user?.email).toBe(into.person.email)
  })
}
