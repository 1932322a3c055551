/** Staff send a link to choose a password, and end sessions. */
import { describe, expect, test } from 'vitest'
import { manageAccounts } from '../../../src/account.ts'
import type { AccountMail } from '../../../src/account.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'
import { ADA, enter, mailedSite, passwordSite, STRATEGIES } from './password-site.ts'

const NEW = 'a pound of purple plums'
const ORIGIN = 'https://app.test'
const STAFF = { kind: 'user', id: 'staff 7' } as const

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('the link of startReset replaces the password, and is attributed to who sent it', async () => {
    const site = mailedSite(strategy, { config: { origin: ORIGIN } })
    const id = await site.createUser()
    const tab = site.open()
    await enter(tab)
    const staff = manageAccounts(site.config, { actor: STAFF.id })
    expect(await staff.startReset(id)).toBe(true)
    expect(site.mails).toMatchObject([{ kind: 'reset', to: ADA, user: { id } }])
    expect(site.audited.at(-1)).toMatchObject({
      type: 'reset.requested',
      actor: STAFF,
      target: { kind: 'user', id },
    })
    // Until it is used, nothing changes.
    expect(await tab.session()).not.toBeNull()
    const url = new URL(site.mails[0]?.url ?? '')
    expect(url.origin).toBe(ORIGIN)
    const token = url.searchParams.get('token') ?? ''
    const other = site.open()
    await other.post('password/reset', { token, password: NEW })
    expect(await tab.session()).toBeNull()
    await enter(other, NEW)
    expect(await other.session()).not.toBeNull()
    const again = await site.open().post('password/reset', { token, password: NEW })
    expect(again.status).toBe(403)
  })

  test('a user without a password chooses the first one', async () => {
    const site = mailedSite(strategy, { config: { origin: ORIGIN } })
    const id = await site.createUser(ADA, { hash: null })
    await manageAccounts(site.config).startReset(id)
    const token = new URL(site.mails[0]?.url ?? '').searchParams.get('token') ?? ''
    const tab = site.open()
    await tab.post('password/reset', { token, password: NEW })
    await enter(tab, NEW)
    expect(await tab.session()).not.toBeNull()
  })

  test('a link that was not sent is not valid, and the call can be repeated', async () => {
    let isDown = true
    const urls: (string | undefined)[] = []
    const send = ({ url }: AccountMail) => {
      urls.push(url)
      if (isDown) throw new Error('The mail server is down.')
    }
    const site = passwordSite({
      config: { session: { strategy }, account: { send }, origin: ORIGIN },
    })
    const id = await site.createUser()
    const staff = manageAccounts(site.config)
    await expect(staff.startReset(id)).rejects.toMatchObject({ type: 'AccountMailError' })
    const token = new URL(urls[0] ?? '').searchParams.get('token') ?? ''
    const reset = await site.open().post('password/reset', { token, password: NEW })
    expect(reset.status).toBe(403)
    isDown = false
    expect(await staff.startReset(id)).toBe(true)
  })

  test('endSessions ends all sessions of the user, of whichever browser', async () => {
    const session = { strategy, ...(strategy === 'jwt' && { revocation: {} }) }
    const site = mailedSite(strategy, { config: { session } })
    const id = await site.createUser()
    const tabs = [site.open(), site.open()]
    for (const tab of tabs) await enter(tab)
    const staff = manageAccounts(site.config, { actor: STAFF.id })
    const isListed = strategy === 'database'
    expect(await staff.endSessions(id)).toBe(isListed ? 2 : null)
    for (const tab of tabs) expect(await tab.session()).toBeNull()
    expect(site.audited.at(-1)).toMatchObject({
      type: 'session.ended',
      actor: STAFF,
      target: isListed ? { kind: 'session' } : { kind: 'user', id },
    })
    expect(await staff.endSessions('unknown')).toBe(isListed ? 0 : null)
  })
})

test('startReset returns false for an unknown user, and sends nothing', async () => {
  const site = mailedSite('jwt', { config: { origin: ORIGIN } })
  expect(await manageAccounts(site.config).startReset('unknown')).toBe(false)
  expect(site.mails).toEqual([])
})

test.each<[string, Partial<AuthConfig>, string]>([
  ['the URL of the site', {}, 'Set AUTH_URL'],
  [
    'the provider Password',
    { origin: ORIGIN, providers: passwordConfig().config.providers ?? [] },
    'Add Password()',
  ],
  ['a way to send mails', { origin: ORIGIN, account: {} }, 'Set account: { send }'],
])('startReset needs %s', async (_what, config, message) => {
  const site = mailedSite('jwt', { config })
  const id = await site.createUser()
  await expect(manageAccounts(site.config).startReset(id)).rejects.toThrow(message)
  expect(site.mails).toEqual([])
})
