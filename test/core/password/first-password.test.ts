/** A user of another method sets a first password, and removes it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listAccounts, unlinkAccount } from '../../../src/account.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import {
  change,
  Password,
  remove,
  requestReset,
  reset,
  signUp,
  verifyEmail,
} from '../../../src/password.ts'
import { followLink, mailProvider, requestLink } from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { ADA, enter, locationOf, mailedSite, RIGHT, STRATEGIES } from './password-site.ts'

afterEach(() => vi.useRealTimers())

const NEW = 'a pound of purple plums'

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  /** Ada has signed in with a magic link. */
  async function signedIn() {
    const links: VerificationRequest[] = []
    const site = mailedSite(strategy, { config: { providers: [Password(), mailProvider(links)] } })
    const tab = site.open()
    await followLink(tab, await requestLink(tab, { mails: links }))
    const id = (await site.stored.getUserByEmail?.(ADA))?.id ?? ''
    return { ...site, links, tab, id }
  }

  test('sets the first password within 15 minutes after the sign-in, and then signs in with it', async () => {
    const { tab, open, stored, id, mails } = await signedIn()
    const page = await (await tab.request('https://app.test/auth/password/change')).text()
    expect(page).toContain('Choose a password')
    expect(page).not.toContain('current-password')
    expect(locationOf(await tab.post('password/change', { password: NEW }))).toContain('done=1')
    expect((await stored.getPassword?.(id))?.hash).toMatch(/^\$scrypt/)
    const phone = open()
    await enter(phone, NEW)
    expect(await phone.session()).not.toBeNull()
    expect(mails.at(-1)).toMatchObject({ kind: 'notice', notice: { change: 'password-changed' } })
  })

  test('after 15 minutes, the user confirms who they are first', async () => {
    stopClock()
    const { tab, stored, id } = await signedIn()
    await pass(15 * 60 + 61)
    const page = await tab.request('https://app.test/auth/password/change')
    expect(locationOf(page)).toContain('/auth/step-up?stepUp=')
    const response = await tab.post('password/change', { password: NEW })
    expect(locationOf(response)).toContain('/auth/step-up?stepUp=')
    expect(await stored.getPassword?.(id)).toBeNull()
  })

  test('the page to confirm who a user is offers a password once they have one', async () => {
    const { tab, config } = await signedIn()
    const fields = async () => {
      const page = await (await tab.request('step-up')).text()
      return Array.from(page.matchAll(/<input[^>]*type="password"/g)).length
    }
    expect(await fields()).toBe(0)
    await valueOf(tab, change(requestOf(tab), config, { password: NEW }))
    expect(await fields()).toBe(1)
    await valueOf(tab, remove(requestOf(tab), config))
    expect(await fields()).toBe(0)
  })

  test('of two first passwords at the same time, one is stored', async () => {
    const { tab, stored, id, config } = await signedIn()
    const results = await Promise.allSettled(
      [1, 2, 3].map((each) => change(requestOf(tab), config, { password: `${NEW} ${each}` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stored.getPassword?.(id)).not.toBeNull()
  })

  test('a password is removed while another method is left', async () => {
    const { tab, stored, id, config, mails, audited } = await signedIn()
    await valueOf(tab, change(requestOf(tab), config, { password: NEW }))
    await valueOf(tab, remove(requestOf(tab), config))
    expect(await stored.getPassword?.(id)).toBeNull()
    expect(await tab.session()).not.toBeNull()
    expect(mails.at(-1)).toMatchObject({ notice: { change: 'password-removed' } })
    expect(audited.at(-1)).toMatchObject({ type: 'password.removed' })
    // Again, as after a lost response.
    await valueOf(tab, remove(requestOf(tab), config))
    const only = { ...config, providers: [Password()] }
    await valueOf(tab, change(requestOf(tab), only, { password: NEW }))
    await expect(remove(requestOf(tab), only)).rejects.toMatchObject({ type: 'LastSignInMethod' })
    expect(await stored.getPassword?.(id)).not.toBeNull()
  })

  test('a password counts as a sign-in method of an account that is unlinked', async () => {
    const { tab, stored, id, config } = await signedIn()
    const key = { provider: 'op', providerAccountId: 'ada' }
    await stored.linkAccount?.({ ...key, type: 'oidc', userId: id })
    const op = {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: 'https://op.test',
      clientId: 'x',
      clientSecret: 'y',
    } as const
    const only = { ...config, providers: [Password(), op] }
    await expect(unlinkAccount(requestOf(tab), only, key)).rejects.toMatchObject({
      type: 'LastSignInMethod',
    })
    await valueOf(tab, change(requestOf(tab), only, { password: NEW }))
    const listed = await valueOf(tab, listAccounts(requestOf(tab), only))
    expect(listed).toMatchObject([{ isLast: false }])
    expect(await valueOf(tab, unlinkAccount(requestOf(tab), only, key))).toMatchObject(key)
  })

  test('the eviction of the user during the change leaves no password', async () => {
    const { tab, stored, id, config, faults } = await signedIn()
    faults.setPassword = async (run) => {
      const result = await run()
      delete faults.setPassword
      await stored.deleteUser?.(id)
      return result
    }
    await expect(change(requestOf(tab), config, { password: NEW })).rejects.toMatchObject({
      type: expect.stringMatching(/AccountNotLinked|SessionRequired/),
    })
    expect((await stored.getPassword?.(id)) ?? null).toBeNull()
  })

  test('the functions do what the pages do', async () => {
    const site = mailedSite(strategy)
    const tab = site.open()
    const { config } = site
    const token = () => new URL(site.mails.at(-1)?.url ?? '').searchParams.get('token') ?? ''
    const form = new FormData()
    for (const [name, value] of Object.entries({ email: ADA, password: RIGHT, name: 'Ada' }))
      form.set(name, value)
    await valueOf(tab, signUp(requestOf(tab), config, form))
    const other = site.open()
    await expect(verifyEmail(requestOf(other), config, { token: token() })).rejects.toMatchObject({
      type: 'CredentialsSignin',
    })
    const url = await valueOf(tab, verifyEmail(requestOf(tab), config, { token: token() }))
    expect(url).toBe('https://app.test')
    expect((await tab.session())?.user?.name).toBe('Ada')
    await valueOf(other, requestReset(requestOf(other), config, { email: ADA }))
    const link = token()
    await expect(
      reset(requestOf(other), config, { token: link, password: 'short' }),
    ).rejects.toMatchObject({ type: 'PasswordRejected', code: 'too_short', status: 400 })
    await valueOf(other, reset(requestOf(other), config, { token: link, password: NEW }))
    expect(await tab.session()).toBeNull()
    await expect(
      reset(requestOf(other), config, { token: link, password: NEW }),
    ).rejects.toMatchObject({ type: 'Verification' })
    const foreign = requestOf(other, { 'sec-fetch-site': 'cross-site' })
    await expect(requestReset(foreign, config, { email: ADA })).rejects.toMatchObject({
      type: 'MissingCSRF',
    })
    await expect(change(requestOf(tab), config, { password: NEW })).rejects.toMatchObject({
      type: 'SessionRequired',
    })
  })
})
