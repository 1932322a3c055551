/** After a reset, users see what else can sign in to their account, and remove what they did not add. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmFactor, enrollFactor } from '../../../src/factors.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { info, Password } from '../../../src/password.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { down } from '../../database.ts'
import { claimsOf, pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { appCode } from '../factors/app-code.ts'
import { enterCode } from '../factors/factor-site.ts'
import { ADA, enter, locationOf, mailedSite, RIGHT, STRATEGIES } from './password-site.ts'
import type { MailedSite, PasswordSiteOptions } from './password-site.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const NEW = 'a pound of purple plums'
const DONE = 'https://app.test/auth/password/done'
const METHODS = 'https://app.test/auth/password/methods'
const SIGN_IN = `https://app.test/auth/signin?callbackUrl=${encodeURIComponent(METHODS)}`
const PASSKEY = { passkey: 'aW50cnVkZXI=' }
const ACCOUNT = { provider: 'op', account: 'intruder' }

type Strategy = (typeof STRATEGIES)[number]

async function addMethods({ stored }: MailedSite, userId: string, tag = ''): Promise<void> {
  const own = { userId, provider: 'passkey', type: 'webauthn' as const }
  await stored.linkAccount?.({ ...own, providerAccountId: `key${tag}` })
  await stored.createAuthenticator?.({
    credentialID: PASSKEY.passkey + tag,
    userId,
    providerAccountId: `key${tag}`,
    credentialPublicKey: 'AAAA',
    counter: 0,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: null,
    name: 'Laptop of <Mallory>',
    created: new Date('2026-01-02T23:59:59Z'),
  })
  const account = { userId, provider: 'op', type: 'oidc' as const }
  await stored.linkAccount?.({ ...account, providerAccountId: `intruder${tag}` })
}

function open(strategy: Strategy, { config, ...options }: PasswordSiteOptions = {}): MailedSite {
  const providers = [Password(), Passkey(), oidc(op)]
  const experimental = { enableWebAuthn: true }
  return mailedSite(strategy, {
    ...options,
    config: { providers, experimental, fetch: op.fetch, ...config },
  })
}

async function openWithMethods(strategy: Strategy, options?: PasswordSiteOptions) {
  const site = open(strategy, options)
  const userId = await site.createUser()
  await addMethods(site, userId)
  return { ...site, userId }
}

async function resetLink({ open: openTab, mails }: MailedSite): Promise<string> {
  await openTab().post('password/forgot', { email: ADA })
  const { url = '' } = mails.findLast(({ kind }) => kind === 'reset') ?? {}
  return new URL(url).searchParams.get('token') ?? ''
}

async function reset(site: MailedSite): Promise<{ tab: Browser; location: string | null }> {
  const tab = site.open()
  const token = await resetLink(site)
  const response = await tab.post('password/reset', { token, password: NEW })
  await pass(1)
  return { tab, location: locationOf(response) }
}

const read = async (tab: Browser, url: string) => (await tab.request(url)).text()
const remove = (tab: Browser, fields: Record<string, string>) =>
  tab.post('password/methods', fields)

async function methodsOf({ stored }: MailedSite, userId: string): Promise<string[]> {
  const accounts = (await stored.listAccounts?.(userId)) ?? []
  const passkeys = (await stored.listAuthenticatorsByUserId?.(userId)) ?? []
  return [
    ...accounts.map(({ providerAccountId }) => providerAccountId),
    ...passkeys.map(({ credentialID }) => credentialID),
  ].sort()
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('the user signs in, sees an account and a passkey, and removes both', async () => {
    const site = await openWithMethods(strategy)
    const { tab, location } = await reset(site)
    expect(location).toBe(`${DONE}?review=1`)
    const done = await read(tab, location ?? '')
    expect(done).toContain(`href="${SIGN_IN.replaceAll('&', '&amp;')}"`)
    expect(done).toContain('check what else can sign in')
    await enter(tab, NEW)
    const page = await read(tab, METHODS)
    expect(page).toContain('Laptop of &lt;Mallory&gt;')
    expect(page).toContain('Added on Jan 2, 2026')
    expect(page.match(/<li>/g)).toHaveLength(2)
    expect(locationOf(await remove(tab, PASSKEY))).toBe(`${METHODS}?removed=1`)
    expect(await read(tab, `${METHODS}?removed=1`)).not.toContain('Mallory')
    await remove(tab, ACCOUNT)
    expect(await methodsOf(site, site.userId)).toEqual([])
    expect(await read(tab, `${METHODS}?removed=1`)).toContain('No passkey and no other account')
    expect(site.audited.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['factor.removed', 'account.unlinked']),
    )
    const notices = site.mails.map((mail) => mail.kind === 'notice' && mail.notice.change)
    expect(notices).toEqual(expect.arrayContaining(['passkey-removed', 'account-unlinked']))
  })

  test('what is gone already is no error, and methods of other users stay', async () => {
    const site = await openWithMethods(strategy)
    const other = await site.createUser('other@example.com')
    await addMethods(site, other, 'X')
    const { tab } = await reset(site)
    await enter(tab, NEW)
    for (const fields of [
      { passkey: `${PASSKEY.passkey}X` },
      { ...ACCOUNT, account: 'intruderX' },
      { passkey: 'bm9uZQ==' },
      {},
    ])
      expect(locationOf(await remove(tab, fields))).toBe(`${METHODS}?removed=1`)
    expect(await methodsOf(site, other)).toHaveLength(3)
    expect(await methodsOf(site, site.userId)).toHaveLength(3)
  })

  test('without a session, and with an old one, nothing is shown or removed', async () => {
    const site = await openWithMethods(strategy)
    const { tab } = await reset(site)
    expect(locationOf(await tab.request(METHODS))).toBe(SIGN_IN)
    expect(locationOf(await remove(tab, ACCOUNT))).toBe(SIGN_IN)
    await enter(tab, NEW)
    await pass(15 * 60 + 61)
    expect(locationOf(await tab.request(METHODS))).toContain('/auth/step-up?')
    expect(locationOf(await remove(tab, ACCOUNT))).toContain('/auth/step-up?')
    expect(await methodsOf(site, site.userId)).toHaveLength(3)
  })

  test('a form of another site removes nothing, also with the token of the user', async () => {
    const site = await openWithMethods(strategy)
    const tab = site.open()
    await enter(tab)
    const form = { csrfToken: await tab.csrfToken(), ...ACCOUNT }
    for (const sent of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': sent, origin: 'https://evil.app.test' }
      await tab.request('password/methods', { method: 'POST', form, headers })
    }
    await tab.request('password/methods', { method: 'POST', form: ACCOUNT })
    expect(await methodsOf(site, site.userId)).toHaveLength(3)
    await tab.request('password/methods', { method: 'POST', form })
    expect(await methodsOf(site, site.userId)).toHaveLength(2)
  })

  test('a user with a second step passes it first', async () => {
    const site = await openWithMethods(strategy, { config: { secondStep: {} } })
    const first = site.open()
    await enter(first)
    const { id, secret } = await valueOf(first, enrollFactor(requestOf(first), site.config))
    const code = await appCode(secret, -1)
    await valueOf(first, confirmFactor(requestOf(first), site.config, { id, code }))
    const { tab } = await reset(site)
    await enter(tab, NEW)
    expect(locationOf(await tab.request(METHODS))).toBe(SIGN_IN)
    await enterCode(tab, await appCode(secret))
    expect(await read(tab, METHODS)).toContain('Mallory')
    await remove(tab, ACCOUNT)
    expect(await methodsOf(site, site.userId)).not.toContain('intruder')
  })

  test('a database that is down while the methods are read leaves link and password as they are', async () => {
    const site = await openWithMethods(strategy)
    const token = await resetLink(site)
    site.faults.listAccounts = down
    const tab = site.open()
    const failed = await tab.post('password/reset', { token, password: NEW })
    expect(locationOf(failed)).not.toContain(DONE)
    delete site.faults.listAccounts
    const done = await tab.post('password/reset', { token, password: NEW })
    expect(locationOf(done)).toBe(`${DONE}?review=1`)
  })
})

test('a session to which the jwt callback has assigned another user neither shows nor removes their methods', async () => {
  const site = await openWithMethods('jwt', {
    config: {
      callbacks: {
        jwt: ({ token, trigger }) =>
          trigger === 'update' ? { ...token, sub: site.userId } : token,
      },
    },
  })
  const email = 'other@example.com'
  await site.createUser(email)
  const tab = site.open()
  await enter(tab, RIGHT, email)
  const csrfToken = await tab.csrfToken()
  await tab.request('session', { method: 'POST', json: { csrfToken, data: {} } })
  expect((await claimsOf(tab))?.sub).toBe(site.userId)
  expect(locationOf(await tab.request(METHODS))).toContain('error=AccountNotLinked')
  await remove(tab, ACCOUNT)
  expect(await methodsOf(site, site.userId)).toHaveLength(3)
  expect(await valueOf(tab, info(requestOf(tab), site.config))).toBeNull()
})

test('a user without other methods signs in and goes on', async () => {
  const site = open('jwt')
  await site.createUser()
  const { tab, location } = await reset(site)
  expect(location).toBe(DONE)
  expect(await read(tab, DONE)).toContain('href="https://app.test/auth/signin"')
})

test('an account of a provider that is not configured, and a passkey without its account, cannot sign in', async () => {
  const site = open('jwt')
  const userId = await site.createUser()
  await site.stored.linkAccount?.({
    userId,
    provider: 'former',
    type: 'oidc',
    providerAccountId: '1',
  })
  expect((await reset(site)).location).toBe(DONE)
})

test('an unverified user, who has lost the other methods, is not led to them', async () => {
  const site = open('database')
  const userId = await site.createUser(ADA, { emailVerified: null })
  const account = { userId, provider: 'op', type: 'oidc' as const, providerAccountId: '1' }
  await site.stored.linkAccount?.(account)
  expect((await reset(site)).location).toBe(DONE)
  expect(await methodsOf(site, userId)).toEqual([])
})

test('without the option account, which a reset needs, the log says what to set', async () => {
  const site = await openWithMethods('jwt', { config: { account: undefined } })
  const tab = site.open()
  await enter(tab)
  expect((await tab.request(METHODS)).status).toBe(500)
  expect(site.log.errors.at(-1)?.message).toContain('Set account: {}')
})
