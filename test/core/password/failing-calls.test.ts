/** Sign-up, reset, change and removal of a password while each call of the adapter fails. */
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { change, Password, remove } from '../../../src/password.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { followLink, mailProvider, requestLink } from '../../email.ts'
import { testFlow } from '../../failing-calls.ts'
import type { FailingAdapter } from '../../failing-calls.ts'
import { pass, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { ADA, cheapHash, enter, mailedSite, RIGHT, STRATEGIES } from './password-site.ts'
import type { MailedSite } from './password-site.ts'

const NEW = 'a pound of purple plums'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

function linkIn({ mails }: MailedSite): string {
  return mails.at(-1)?.url ?? ''
}

function tokenIn(site: MailedSite): string {
  return new URL(linkIn(site)).searchParams.get('token') ?? ''
}

/** Limits count in this process, over all sites. */
const MANY = { burst: 10_000, per: 60 }
const PROTECTION = { limits: { mail: MANY, 'password.account': MANY } }

const click = (tab: Browser, link: string) => tab.request(link, { initiator: 'cross-site' })

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  const siteOver = (
    { adapter }: FailingAdapter,
    providers: AuthConfig['providers'] = [Password()],
  ) => mailedSite(strategy, { adapter, config: { providers, protection: PROTECTION } })

  /** Checks which of the old and the new password signs in. */
  async function expectValid(site: MailedSite, expected: 'old' | 'new' | 'none') {
    await pass(1)
    const valid = await site.accepted([RIGHT, NEW])
    expect(valid).toEqual([expected === 'old', expected === 'new'])
  }

  testFlow('a visitor signs up', async (failing) => {
    const site = siteOver(failing)
    const tab = site.open()
    return {
      act: () => tab.post('password/sign-up', { email: ADA, password: RIGHT }),
      failed: async () => expect(await tab.session()).toBeNull(),
      async done() {
        expect(await failing.stored.getUserByEmail(ADA)).toBeNull()
        await click(tab, linkIn(site))
        expect(await tab.session()).not.toBeNull()
        await expectValid(site, 'old')
      },
    }
  })

  testFlow('the link of a sign-up creates the user', async (failing) => {
    const site = siteOver(failing)
    const tab = site.open()
    await tab.post('password/sign-up', { email: ADA, password: RIGHT })
    const open = () => click(tab, linkIn(site))
    return {
      act: open,
      failed: async () => expect(await tab.session()).toBeNull(),
      async again() {
        const response = await open()
        // The user exists already, and the page of the link says that it was used.
        return response.status === 403 ? enter(tab) : response
      },
      async done() {
        expect(await tab.session()).not.toBeNull()
        const user = await failing.stored.getUserByEmail(ADA)
        expect(user?.emailVerified).toBeInstanceOf(Date)
        await expectValid(site, 'old')
      },
    }
  })

  testFlow('a user requests a reset', async (failing) => {
    const site = siteOver(failing)
    await site.createUser()
    const tab = site.open()
    return {
      act: () => tab.post('password/forgot', { email: ADA }),
      failed: () => expectValid(site, 'old'),
      async done() {
        await tab.post('password/reset', { token: tokenIn(site), password: NEW })
        await expectValid(site, 'new')
      },
    }
  })

  for (const emailVerified of [new Date(0), null])
    testFlow(
      `${emailVerified ? 'a' : 'an un'}verified user resets the password`,
      async (failing) => {
        const site = siteOver(failing)
        await site.createUser(ADA, { emailVerified })
        const [phone, tab] = [site.open(), site.open()]
        await enter(phone)
        await tab.post('password/forgot', { email: ADA })
        const reset = () => tab.post('password/reset', { token: tokenIn(site), password: NEW })
        return {
          act: reset,
          async again() {
            const response = await reset()
            if (response.status !== 403) return response
            await tab.post('password/forgot', { email: ADA })
            return reset()
          },
          async done() {
            expect([await tab.session(), await phone.session()]).toEqual([null, null])
            await expectValid(site, 'new')
          },
        }
      },
    )

  testFlow('a user changes the password', async (failing) => {
    const site = siteOver(failing)
    await site.createUser()
    const [phone, tab] = [site.open(), site.open()]
    for (const each of [phone, tab]) await enter(each)
    return {
      act: () => tab.post('password/change', { current: RIGHT, password: NEW }),
      failed: () => expectValid(site, 'old'),
      async done() {
        expect(await tab.session()).not.toBeNull()
        expect(await phone.session()).toBeNull()
        await expectValid(site, 'new')
      },
    }
  })

  /** Ada has signed in with a magic link, in two browsers. */
  async function linkSite(failing: FailingAdapter, hash: string | null) {
    const links: VerificationRequest[] = []
    const site = siteOver(failing, [Password(), mailProvider(links)])
    const id = await site.createUser(ADA, { hash })
    const [phone, tab] = [site.open(), site.open()]
    const signIn = async (each: Browser) =>
      followLink(each, await requestLink(each, { mails: links }))
    for (const each of [phone, tab]) await signIn(each)
    return { ...site, id, phone, tab, signIn }
  }

  testFlow('a user sets the first password', async (failing) => {
    const site = await linkSite(failing, null)
    const { tab, phone, config } = site
    return {
      act: () => valueOf(tab, change(requestOf(tab), config, { password: NEW })),
      failed: () => expectValid(site, 'none'),
      async done() {
        expect(await tab.session()).not.toBeNull()
        expect(await phone.session()).toBeNull()
        await expectValid(site, 'new')
      },
    }
  })

  testFlow('a user removes the password', async (failing) => {
    const site = await linkSite(failing, cheapHash(RIGHT))
    const { tab, phone, config, id, signIn } = site
    return {
      act: () => valueOf(tab, remove(requestOf(tab), config)),
      async done() {
        expect(await failing.stored.getPassword(id)).toBeNull()
        expect(await tab.session()).not.toBeNull()
        expect(await phone.session()).toBeNull()
        await pass(1)
        await signIn(phone)
        expect(await phone.session()).not.toBeNull()
      },
    }
  })
})
