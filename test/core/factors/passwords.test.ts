/** Passwords of users who have a second factor. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmFactor, enrollFactor } from '../../../src/factors.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import {
  ADA,
  cheapHash,
  enter,
  locationOf,
  mailedSite,
  RIGHT,
  STRATEGIES,
} from '../password/password-site.ts'
import { appCode } from './app-code.ts'
import { enterCode, PAGE } from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const NEW = 'a pound of purple plums'

/** Ada has a password and an authenticator app, and is signed in with the password alone. */
async function open(strategy: 'jwt' | 'database') {
  const site = mailedSite(strategy, { config: { secondStep: {} } })
  const userId = await site.createUser()
  const tab = site.open()
  await enter(tab)
  const { id, secret } = await valueOf(tab, enrollFactor(requestOf(tab), site.config))
  const code = await appCode(secret, -1)
  await valueOf(tab, confirmFactor(requestOf(tab), site.config, { id, code }))
  // Other sessions have ended: a password that was checked in the same moment begins none.
  await pass(1)
  return { ...site, tab, secret, userId }
}

const change = (tab: Browser) => tab.post('password/change', { current: RIGHT, password: NEW })

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('the password is one step, and an upgraded hash changes nothing about the other', async () => {
    const site = await open(strategy)
    const { changed = new Date() } = (await site.stored.getPassword?.(site.userId)) ?? {}
    await site.stored.setPassword?.(site.userId, { hash: cheapHash(RIGHT), changed })
    const tab = site.open()
    expect(locationOf(await enter(tab))).toBe(PAGE)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe('https://app.test')
    expect((await tab.session())?.user?.email).toBe(ADA)
  })

  test('the page that confirms who a user is has filled in their address', async () => {
    const { tab } = await open(strategy)
    const page = await (await tab.request('step-up')).text()
    expect(/<input[^>]*name="email"[^>]*>/.exec(page)?.[0]).toContain(`value="${ADA}"`)
    const [password] = /<input[^>]*name="password"[^>]*>/.exec(page) ?? []
    expect(password).toContain('autofocus')
    expect(password).not.toContain('value')
  })

  test('a password that is replaced between the steps begins no session', async () => {
    const site = await open(strategy)
    const tab = site.open()
    await enter(tab)
    await site.stored.setPassword?.(site.userId, { hash: cheapHash(NEW), changed: new Date() })
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toContain('InvalidCheck')
    expect(await tab.session()).toBeNull()
  })

  test('a password that is removed while it is checked holds no sign-in', async () => {
    const site = await open(strategy)
    const tab = site.open()
    const { listFactors } = site.stored
    vi.spyOn(site.stored, 'listFactors').mockImplementation(async (id) => {
      await site.stored.setPassword?.(site.userId, null)
      return (await listFactors?.(id)) ?? []
    })
    expect(locationOf(await enter(tab))).toContain('error=AccessDenied')
    expect(tab.cookies.all().some(({ name }) => name.includes('lib.pending'))).toBe(false)
  })

  test('a reset does not replace the second step', async () => {
    const site = await open(strategy)
    const tab = site.open()
    await tab.post('password/forgot', { email: ADA })
    const { url = '' } = site.mails.findLast(({ kind }) => kind === 'reset') ?? {}
    const token = new URL(url).searchParams.get('token') ?? ''
    await tab.post('password/reset', { token, password: NEW })
    expect(await tab.session()).toBeNull()
    expect(locationOf(await enter(tab, NEW))).toBe(PAGE)
    expect(await tab.session()).toBeNull()
  })

  test('a change needs both steps', async () => {
    const site = await open(strategy)
    expect(locationOf(await change(site.tab))).toContain('/step-up')
    expect(locationOf(await enter(site.open(), NEW))).toContain('error=CredentialsSignin')
    await enter(site.tab)
    await enterCode(site.tab, await appCode(site.secret))
    expect(locationOf(await change(site.tab))).toContain('done=1')
    expect(locationOf(await enter(site.open(), NEW))).toBe(PAGE)
  })
})
