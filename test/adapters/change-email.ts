/** A change of the e-mail address on a site with database sessions, over any adapter (acceptance E2). */
import { expect, test } from 'vitest'
import { changeEmail } from '../../src/account.ts'
import type { AccountMail } from '../../src/account.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { signedIn } from '../database.ts'
import { hiddenFields } from '../email.ts'
import { headersOf, userIdOf } from '../passkeys.ts'

const op = await issuer({ algorithm: 'ES256' })

/** A new user with a verified address, who is signed in. */
async function siteOver(adapter: Adapter) {
  const mails: AccountMail[] = []
  const send = (mail: AccountMail) => void mails.push(mail)
  const config = {
    session: { strategy: 'database' },
    account: { send },
    ...(adapter.writeRecord ? {} : { store: MemoryAdapter() }),
  } as const
  const site = await signedIn(op, { adapter, config })
  const { tab, stored } = site
  const sub = crypto.randomUUID()
  const email = `${sub}@example.com`
  const to = `${sub}@new.example`
  const signIn = async (one: Browser) => {
    await one.post('signout')
    await one.signIn('op', { sub, email })
  }
  await signIn(tab)
  const userId = await userIdOf(stored, email)
  await stored.updateUser?.({ id: userId, emailVerified: new Date('2026-01-01') })
  await signIn(tab)
  const emailNow = async () => (await stored.getUser?.(userId))?.email
  const linkTo = (recipient: string) =>
    mails.findLast((mail) => mail.to === recipient)?.url ?? 'https://app.test/none'
  return { ...site, userId, email, to, emailNow, linkTo, mails, signIn }
}

/** Opens a link and presses the button; returns the heading or the Location header. */
async function confirm(tab: Browser, link: string): Promise<string | null> {
  const page = await tab.request(link, { initiator: 'cross-site' })
  const form = hiddenFields(await page.text())
  const action = new URL('/auth/confirm', link).href
  const response = await tab.request(action, { method: 'POST', form })
  const [, heading = null] = /<h1>(.*?)<\/h1>/.exec(await response.text()) ?? []
  return heading ?? response.headers.get('location')
}

const CHANGED = 'The e-mail address has changed'

/** Tests changes of the address. */
export function testEmailChange(adapter: () => Adapter): void {
  test('changes an address once for concurrent confirmations by three configurations, and undoes it', async () => {
    const site = await siteOver(adapter())
    const { config, tab, email, to, emailNow, linkTo, mails } = site
    const phone = site.open()
    await site.signIn(phone)
    await changeEmail(headersOf(tab), config, to)
    expect(await emailNow()).toBe(email)
    // Configurations of their own share nothing but the database.
    const [second, third] = [browser({ ...config }), browser({ ...config })]
    expect(await confirm(second, linkTo(to))).toBe('One more confirmation')
    expect(await emailNow()).toBe(email)
    const last = linkTo(email)
    const outcomes = await Promise.all([tab, second, third].map((one) => confirm(one, last)))
    expect(outcomes).toContain(CHANGED)
    expect(await confirm(third, last)).toBe(CHANGED)
    expect(await emailNow()).toBe(to)
    expect(mails.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
    expect(await phone.session()).toBeNull()
    expect(await tab.session()).not.toBeNull()
    expect(await confirm(second, linkTo(email))).toBe('The change was undone')
    expect(await emailNow()).toBe(email)
    expect(await tab.session()).toBeNull()
  })

  test('gives an address to one of two users who confirm it at the same time', async () => {
    const shared = adapter()
    const one = await siteOver(shared)
    const other = await siteOver(shared)
    const { to } = one
    for (const site of [one, other]) {
      await changeEmail(headersOf(site.tab), site.config, to)
      await confirm(site.tab, site.linkTo(site.email))
    }
    await Promise.all([one, other].map((site) => confirm(site.tab, site.linkTo(to))))
    const emails = await Promise.all([one.emailNow(), other.emailNow()])
    expect(emails.filter((email) => email === to).length).toBeLessThanOrEqual(1)
    await confirm(one.tab, one.linkTo(to))
    const owner = await shared.getUserByEmail?.(to)
    expect([one.userId, other.userId]).toContain(owner?.id)
  })
}
