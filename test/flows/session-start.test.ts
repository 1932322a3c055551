import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import type { JWTCallbackParams } from '../../src/config/callbacks.ts'
import { enter, passwordConfig } from '../config.ts'
import { DAY, pass, stopClock, claimsOf } from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

describe('the time of the sign-in in a session token', () => {
  const settings = { maxAge: 2 * DAY, absoluteMaxAge: 10 * DAY }

  test('is not changed by a jwt callback that copies the data of update()', async () => {
    const jwt = ({ token, session }: JWTCallbackParams) => ({
      ...token,
      ...session,
    })
    const { config } = passwordConfig({ session: settings, callbacks: { jwt } })
    const tab = browser(config)
    await enter(tab)
    const start = (await claimsOf(tab))?.['auth_time']
    for (const auth_time of [Math.floor(Date.now() / 1000) + 1000 * DAY, 0, 'never', null]) {
      const json = { csrfToken: await tab.csrfToken(), data: { auth_time, theme: 'dark' } }
      const response = await tab.request('session', { method: 'POST', json })
      expect(await response.json()).not.toBeNull()
      expect(await claimsOf(tab)).toMatchObject({ auth_time: start, theme: 'dark' })
    }
    for (let day = 1; day < 10; day += 1) {
      await pass(DAY)
      expect(await tab.session()).not.toBeNull()
    }
    await pass(DAY)
    expect(await tab.session()).toBeNull()
  })

  test('starts at the sign-in, whatever the jwt callback returns', async () => {
    const jwt = ({ token }: JWTCallbackParams) => ({ ...token, auth_time: 1 })
    const { config } = passwordConfig({ session: settings, callbacks: { jwt } })
    const tab = browser(config)
    await enter(tab)
    expect((await claimsOf(tab))?.['auth_time']).toBe(Math.floor(Date.now() / 1000))
    expect(await tab.session()).not.toBeNull()
  })
})
