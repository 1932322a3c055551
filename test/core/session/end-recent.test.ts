/** With the options `account` or `secondStep`, a user ends other sessions within a recent sign-in only. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import {
  governSessions,
  listSessions,
  revokeOtherSessions,
  revokeSession,
} from '../../../src/sessions.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { requestOf } from '../account/account-site.ts'
import { ADA, EVE, METHODS, op, open, sealed, STRATEGIES } from '../assurance/step-up-site.ts'
import type { Site, Strategy } from '../assurance/step-up-site.ts'
import { pass, stopClock } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())
afterEach(() => op.reset())

const OLD = 15 * 60 + 61

/** Two sessions of Ada, and their ids. */
async function devices(strategy: Strategy, overrides: Partial<AuthConfig>) {
  const session = { strategy, assurance: 'kept', devices: 'listed' } as const
  const site = open(strategy, { ...overrides, session })
  const other: Browser = browser(site.config, { issuer: op })
  await other.signIn('op', ADA)
  await pass(1)
  await site.tab.signIn('op', ADA)
  const { value } = await listSessions(requestOf(site.tab), site.config)
  const idOf = (isCurrent: boolean) =>
    value?.sessions.find((each) => each.isCurrent === isCurrent)?.sid ?? ''
  return { site, other, own: idOf(true), sid: idOf(false) }
}

const attempts = ({ site, sid }: { site: Site; sid: string }) => [
  () => revokeSession(requestOf(site.tab), site.config, sid),
  () => revokeOtherSessions(requestOf(site.tab), site.config),
]

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test.each<[string, Partial<AuthConfig>]>([
    ['account', { account: {} }],
    ['secondStep', { secondStep: {} }],
  ])('and %s, an old sign-in ends no other session', async (_name, options) => {
    const opened = await devices(strategy, options)
    await pass(OLD)
    for (const attempt of attempts(opened))
      await expect(attempt()).rejects.toMatchObject({ type: 'StepUpRequired', status: 401 })
    expect(await opened.other.session()).not.toBeNull()
  })

  test.each([0, 1])('a recent sign-in does: %s', async (which) => {
    const opened = await devices(strategy, { account: {} })
    await attempts(opened)[which]?.()
    expect(await opened.other.session()).toBeNull()
    expect(await opened.site.tab.session()).not.toBeNull()
  })

  test('after a step-up, the same call does', async () => {
    const opened = await devices(strategy, { account: {} })
    await pass(OLD)
    const attempt = () => revokeOtherSessions(requestOf(opened.site.tab), opened.site.config)
    const error = await attempt().catch((thrown: { url?: string }) => thrown)
    const fields = { stepUp: sealed(('url' in error && error.url) || ''), callbackUrl: '/devices' }
    await METHODS['a password']?.(opened.site, fields)
    expect((await attempt()).value).toBe(1)
    expect(await opened.other.session()).toBeNull()
  })

  test.each([0, 1])(
    'a recent session of another user in the request does not stand in: %s',
    async (which) => {
      const opened = await devices(strategy, { account: {} })
      const { site, other, own } = opened
      await pass(OLD)
      const eve = browser(site.config, { issuer: op })
      await eve.signIn('op', EVE)
      const user = await site.adapter.getUserByEmail(ADA.email)
      const { listFactors } = site.adapter
      // Ends between the two reads of the session.
      vi.spyOn(site.adapter, 'listFactors').mockImplementation(async (id) => {
        await governSessions(site.config).revoke(user?.id ?? '', own)
        return listFactors(id)
      })
      const cookie = [site.tab, eve].map((tab) => requestOf(tab).headers.get('cookie')).join('; ')
      const request = requestOf(site.tab, { cookie })
      const attempt = which
        ? revokeOtherSessions(request, site.config)
        : revokeSession(request, site.config, opened.sid)
      await expect(attempt).rejects.toMatchObject({ type: 'SessionRequired' })
      expect(await site.tab.session()).toBeNull()
      expect(await other.session()).not.toBeNull()
    },
  )

  test('an old sign-in ends its own session', async () => {
    const { site, own } = await devices(strategy, { account: {} })
    await pass(OLD)
    expect((await revokeSession(requestOf(site.tab), site.config, own)).value).toBe(true)
    expect(await site.tab.session()).toBeNull()
  })

  test('without these options, an old sign-in ends others', async () => {
    const opened = await devices(strategy, {})
    await pass(OLD)
    expect((await attempts(opened)[0]?.())?.value).toBe(true)
    expect(await opened.other.session()).toBeNull()
  })
})
