import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import {
  click,
  confirm,
  enterCode,
  followLink,
  linkIn,
  locationOf,
  mailSite,
  requestCode,
  SPENT,
  wrongCode,
  WRONG,
} from '../email.ts'
import type { MailSiteOptions } from '../email.ts'

const HOME = 'https://app.test'

function bothSite(options: MailSiteOptions = {}) {
  return mailSite({}, { ...options, provider: { method: 'both' } })
}

describe('a mail with a link and a code', () => {
  const WITHOUT: MailSiteOptions = { methods: { deleteVerificationTokens: undefined } }

  test.each([
    ['with', {}],
    ['without', WITHOUT],
  ])('signs in once, %s deleteVerificationTokens', async (_name, options) => {
    for (const first of ['link', 'code']) {
      const site = bothSite(options)
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const code = await requestCode(tab, site)
      const link = linkIn(site.mails)
      const uses = {
        link: async () => locationOf(await followLink(phone, link)),
        code: async () => locationOf(await enterCode(tab, code)),
      }
      if (first === 'link') expect([await uses.link(), await uses.code()]).toEqual([HOME, WRONG])
      else expect([await uses.code(), await uses.link()]).toEqual([HOME, SPENT])
    }
  })

  test('opens without confirmation in the browser that requested it', async () => {
    const site = bothSite()
    const tab = browser(site.config)
    await requestCode(tab, site)
    expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(HOME)
    const link = await requestCode(tab, site).then(() => linkIn(site.mails))
    const phone = browser(site.config)
    const page = await click(phone, link)
    expect(page.status).toBe(200)
    expect(locationOf(await confirm(phone, page))).toBe(HOME)
  })

  test('has a link that is valid after a wrong code', async () => {
    const site = bothSite(WITHOUT)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (let at = 1; at <= 5; at++) await enterCode(tab, wrongCode(code, at))
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(HOME)
  })

  test('signs in once if both are used at the same time', async () => {
    for (let run = 0; run < 10; run++) {
      const site = bothSite(WITHOUT)
      const tab = browser(site.config)
      const code = await requestCode(tab, site)
      const csrfToken = await tab.csrfToken()
      const form = { csrfToken, code }
      const answers = await Promise.all([
        tab.request('callback/email', { method: 'POST', form }),
        click(tab, linkIn(site.mails)),
      ])
      expect(answers.map(locationOf).filter((each) => each === HOME)).toHaveLength(1)
    }
  })
})
