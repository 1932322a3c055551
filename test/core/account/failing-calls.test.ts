/** Changes of an account while each call of the adapter fails. */
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { cancelEmail, changeEmail, pendingEmail } from '../../../src/account.ts'
import type { AccountMail } from '../../../src/account.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { hiddenFields } from '../../email.ts'
import { testFlow } from '../../failing-calls.ts'
import type { FailingAdapter } from '../../failing-calls.ts'
import { pass, stopClock } from '../../sessions.ts'
import { accountSite, actions, requestOf, valueOf } from './account-site.ts'

const NEW = 'ada@new.example'
const OLD = 'ada@example.com'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

/** Opens the page of a link, and presses its button. */
async function confirm(tab: Browser, url: string): Promise<Response> {
  const page = await tab.request(url, { initiator: 'cross-site' })
  if (page.status !== 200) return page
  const html = await page.text()
  const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? []
  return tab.request(action, { method: 'POST', form: hiddenFields(html) })
}

describe.each(['jwt', 'database'] as const)('with the strategy %s', (strategy) => {
  /** Ada has signed in with a verified address, in two browsers. */
  async function siteOver({ adapter, stored }: FailingAdapter) {
    const mails: AccountMail[] = []
    const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
    const many = { burst: 10_000, per: 60 }
    const site = await accountSite({
      adapter,
      config: {
        session,
        account: { send: (mail) => void mails.push(mail) },
        // Limits count in this process, over all sites.
        protection: { limits: { mail: many, emailChange: many } },
      },
    })
    const { tab, userId, config } = site
    await stored.updateUser({ id: userId, emailVerified: new Date(0) })
    await pass(1)
    const phone = site.open()
    for (const each of [tab, phone]) await each.signIn('op')
    return {
      ...site,
      phone,
      mails,
      user: () => stored.getUser(userId),
      linkOf: (to: string) => mails.findLast((mail) => mail.to === to)?.url ?? '',
      change: () => valueOf(tab, changeEmail(requestOf(tab), config, NEW)),
      pending: () => valueOf(tab, pendingEmail(requestOf(tab), config)),
    }
  }

  type Site = Awaited<ReturnType<typeof siteOver>>

  const press = ({ tab, linkOf }: Site, to: string) => confirm(tab, linkOf(to))

  async function expectAddress({ user }: Site, email: string) {
    expect((await user())?.email).toBe(email)
    expect((await user())?.emailVerified).toBeInstanceOf(Date)
  }

  async function expectChanged(site: Site) {
    await expectAddress(site, NEW)
    expect(await site.tab.session()).not.toBeNull()
    expect(await site.phone.session()).toBeNull()
    // The former mailbox can undo it.
    await press(site, OLD)
    await expectAddress(site, OLD)
  }

  testFlow('a user requests a change of the address', async (failing) => {
    const site = await siteOver(failing)
    return {
      act: site.change,
      failed: () => expectAddress(site, OLD),
      async done() {
        await press(site, NEW)
        await expectAddress(site, OLD)
        await press(site, OLD)
        await expectChanged(site)
      },
    }
  })

  for (const [name, first, second] of [
    ['new', NEW, OLD],
    ['current', OLD, NEW],
  ] as const) {
    testFlow(`the ${name} mailbox confirms first`, async (failing) => {
      const site = await siteOver(failing)
      await site.change()
      return {
        act: () => press(site, first),
        failed: () => expectAddress(site, OLD),
        async done() {
          await expectAddress(site, OLD)
          await press(site, second)
          await expectChanged(site)
        },
      }
    })

    testFlow(`the ${name} mailbox confirms last`, async (failing) => {
      const site = await siteOver(failing)
      await site.change()
      await press(site, second)
      return { act: () => press(site, first), done: () => expectChanged(site) }
    })
  }

  testFlow('a user cancels the change', async (failing) => {
    const site = await siteOver(failing)
    const { tab, config, linkOf, pending } = site
    await site.change()
    await press(site, NEW)
    return {
      act: () => valueOf(tab, cancelEmail(requestOf(tab), config)),
      async done() {
        expect(await pending()).toBeNull()
        await confirm(tab, linkOf(OLD))
        await expectAddress(site, OLD)
      },
    }
  })

  testFlow('the former mailbox undoes the change', async (failing) => {
    const site = await siteOver(failing)
    const { tab, phone } = site
    await site.change()
    await press(site, NEW)
    await press(site, OLD)
    await pass(1)
    await phone.signIn('op')
    return {
      act: () => press(site, OLD),
      async done() {
        await expectAddress(site, OLD)
        expect([await tab.session(), await phone.session()]).toEqual([null, null])
      },
    }
  })

  testFlow('a user unlinks an account', async (failing) => {
    const site = await siteOver(failing)
    const { tab, userId } = site
    const { stored } = failing
    const { list, link, unlink } = actions(site)
    await link('other')
    const [key] = (await list()) ?? []
    if (!key) throw new Error('The user has no account.')
    return {
      act: () => unlink(key),
      failed: async () => expect(await stored.listAccounts(userId)).not.toEqual([]),
      async done() {
        expect(await stored.getUserByAccount(key)).toBeNull()
        expect(await stored.listAccounts(userId)).toHaveLength(1)
        expect(await tab.session()).not.toBeNull()
      },
    }
  })

  testFlow('a user deletes themselves', async (failing) => {
    const site = await siteOver(failing)
    const { tab, phone, user, userId } = site
    const { stored } = failing
    const { remove } = actions(site)
    return {
      act: remove,
      failed: async () => expect(await user()).not.toBeNull(),
      async again() {
        // The sessions may have ended.
        if ((await tab.session()) === null) await tab.signIn('op')
        return remove()
      },
      async done() {
        expect(await user()).toBeNull()
        expect(await stored.listAccounts(userId)).toEqual([])
        expect([await tab.session(), await phone.session()]).toEqual([null, null])
      },
    }
  })
})
