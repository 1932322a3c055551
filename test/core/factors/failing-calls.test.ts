/** The second step, and what users do with their factors, while each call of the adapter fails. */
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import type { Browser } from '../../../src/testing/index.ts'
import { testFlow } from '../../failing-calls.ts'
import type { FailingAdapter } from '../../failing-calls.ts'
import { pass, stopClock } from '../../sessions.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'
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
import type { EnrolledSite } from './factor-site.ts'

/** Seconds after which an app shows another code. */
const STEP = 30

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const key = createAuthenticator()

async function ceremony(tab: Browser, action: 'register' | 'authenticate') {
  const reply = await tab.request(`webauthn-options/passkey?action=${action}`)
  return (await reply.json()).options
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  const options = ({ adapter }: FailingAdapter) => ({
    adapter,
    session: strategy === 'jwt' ? { strategy, revocation: {} } : { strategy },
  })

  /** Another browser, which has passed the first step. */
  async function waiting(site: EnrolledSite): Promise<Browser> {
    const tab = site.open()
    expect(locationOf(await tab.signIn('op', ADA))).toBe(PAGE)
    return tab
  }

  async function expectCode(site: EnrolledSite, code: string, isValid: boolean) {
    const tab = await waiting(site)
    await enterCode(tab, code)
    expect((await tab.session()) !== null).toBe(isValid)
  }

  testFlow('a user begins to add an app', async (failing) => {
    const site = factorSite(strategy, options(failing))
    const tab = site.open()
    await tab.signIn('op', ADA)
    const { enroll, confirm } = factorsOf(site, tab)
    let begun: Awaited<ReturnType<typeof enroll>> | undefined
    return {
      act: async () => {
        begun = await enroll()
      },
      async done() {
        // Nothing is required before the code.
        const other = site.open()
        await other.signIn('op', ADA)
        expect(await other.session()).not.toBeNull()
        const { id = '', secret = '' } = begun ?? {}
        expect((await confirm(id, await appCode(secret))).recoveryCodes).toHaveLength(10)
      },
    }
  })

  testFlow('a user confirms an app', async (failing) => {
    const site = factorSite(strategy, options(failing))
    const [phone, tab] = [site.open(), site.open()]
    for (const each of [phone, tab]) await each.signIn('op', ADA)
    const { id: userId = '' } = (await failing.stored.getUserByEmail(ADA.email)) ?? {}
    const { enroll, confirm } = factorsOf(site, tab)
    const { id, secret } = await enroll()
    let codes: readonly string[] = []
    return {
      act: async () => {
        ;({ recoveryCodes: codes } = await confirm(id, await appCode(secret)))
      },
      async failed() {
        const confirmed = (await failing.stored.listFactors(userId)).filter(
          (factor) => factor.confirmed,
        )
        expect(confirmed).toEqual([])
        await pass(STEP)
      },
      async done() {
        expect(codes).toHaveLength(10)
        expect(await failing.stored.listFactors(userId)).toHaveLength(11)
        expect(await phone.session()).toBeNull()
        expect(await tab.session()).not.toBeNull()
        await pass(1)
        await phone.signIn('op', ADA)
        expect(await phone.session()).toBeNull()
        await enterCode(phone, codes[0] ?? '')
        expect(await phone.session()).not.toBeNull()
      },
    }
  })

  testFlow('a user adds an app at the sign-in that requires one', async (failing) => {
    const site = factorSite(strategy, {
      ...options(failing),
      secondStep: { required: () => true },
    })
    const tab = site.open()
    await tab.signIn('op', ADA)
    const page = await (await tab.request('step-up')).text()
    const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page) ?? []
    let response: Response | undefined
    return {
      async act() {
        response = await enterCode(tab, await appCode(secret))
        return response.clone()
      },
      async failed() {
        expect(await tab.session()).toBeNull()
        await pass(STEP)
      },
      async done() {
        expect(await tab.session()).not.toBeNull()
        const shown = (await response?.text()) ?? ''
        expect(shown.match(/(?:[a-z2-7]{4}-){5}[a-z2-7]{4}/g)?.length).toBeGreaterThanOrEqual(10)
      },
    }
  })

  /** Ada has an app, and has signed in with both steps. */
  async function open(failing: FailingAdapter): Promise<EnrolledSite> {
    const site = await enrolledSite(strategy, options(failing))
    await pass(1)
    const tab = await waiting(site)
    await enterCode(tab, await appCode(site.secret))
    await pass(STEP)
    return { ...site, tab }
  }

  testFlow('a user enters the code of the app', async (failing) => {
    const site = await open(failing)
    const tab = await waiting(site)
    return {
      act: async () => enterCode(tab, await appCode(site.secret)),
      async failed() {
        expect(await tab.session()).toBeNull()
        await pass(STEP)
      },
      async done() {
        expect(await tab.session()).not.toBeNull()
        await expectCode(site, await appCode(site.secret), false)
      },
    }
  })

  testFlow('a user enters a recovery code', async (failing) => {
    const site = await open(failing)
    const tab = await waiting(site)
    const codes = [...site.recoveryCodes]
    let entered = ''
    return {
      async act() {
        entered = codes.shift() ?? ''
        return enterCode(tab, entered)
      },
      failed: async () => expect(await tab.session()).toBeNull(),
      async done() {
        expect(await tab.session()).not.toBeNull()
        await expectCode(site, entered, false)
        await expectCode(site, codes[0] ?? '', true)
      },
    }
  })

  testFlow('a user has a passkey instead of a code', async (failing) => {
    const site = await open(failing)
    const created = JSON.stringify(key.create(await ceremony(site.tab, 'register')))
    await site.tab.post('callback/passkey', { action: 'register', data: created })
    const tab = await waiting(site)
    return {
      async act() {
        const data = JSON.stringify(key.get(await ceremony(tab, 'authenticate')))
        return tab.post('callback/passkey', { action: 'authenticate', data })
      },
      failed: async () => expect(await tab.session()).toBeNull(),
      done: async () => expect((await tab.session())?.user?.email).toBe(ADA.email),
    }
  })

  testFlow('a user renews the recovery codes', async (failing) => {
    const site = await open(failing)
    const { list, renew } = factorsOf(site, site.tab)
    let codes: readonly string[] = []
    return {
      act: async () => {
        codes = await renew()
      },
      failed: () => expectCode(site, '000000', false),
      async done() {
        expect((await list())?.recoveryCodesLeft).toBe(10)
        await expectCode(site, site.recoveryCodes[0] ?? '', false)
        await expectCode(site, codes[0] ?? '', true)
      },
    }
  })

  testFlow('a user removes the last app', async (failing) => {
    const site = await open(failing)
    const { remove } = factorsOf(site, site.tab)
    const phone = await waiting(site)
    await enterCode(phone, await appCode(site.secret))
    return {
      act: () => remove(site.appId),
      async done() {
        expect(await phone.session()).toBeNull()
        expect(await failing.stored.listFactors(site.userId)).toEqual([])
        await pass(1)
        const tab = site.open()
        await tab.signIn('op', ADA)
        expect(await tab.session()).not.toBeNull()
      },
    }
  })
})
