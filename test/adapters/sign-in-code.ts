/** Sign-ins with a code from an e-mail, over any adapter. */
import { expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { enterCode, locationOf, mailProvider, requestCode, wrongCode, WRONG } from '../email.ts'

/** Tests of codes: with either session strategy, codes and tries are exact. */
export function testCodeSignIn(adapter: () => Adapter): void {
  function siteOver() {
    const mails: VerificationRequest[] = []
    const { log, logger } = silentLog()
    const config: AuthConfig = {
      providers: [mailProvider(mails, { method: 'code' })],
      adapter: adapter(),
      session: { strategy: 'database' },
      secret: SECRET,
      // What is exact here is the adapter, and not the limits.
      protection: 'off',
      trustHost: true,
      logger,
    }
    return { config, mails, log, email: `${crypto.randomUUID()}@example.com` }
  }

  test('signs in with a code once, after wrong ones, of parallel requests', async () => {
    const site = siteOver()
    const tab = browser(site.config)
    const code = await requestCode(tab, site, site.email)
    for (let at = 1; at <= 4; at++)
      expect(locationOf(await enterCode(tab, wrongCode(code, at)))).toBe(WRONG)
    const form = { csrfToken: await tab.csrfToken(), code }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tab.request('callback/email', { method: 'POST', form })),
    )
    const rejected = answers.map(locationOf).filter((location) => location === WRONG)
    expect(rejected).toHaveLength(19)
    expect((await tab.session())?.user?.email).toBe(site.email)
  })

  test('rejects a code after five wrong ones, with the cookies of each try', async () => {
    const site = siteOver()
    const [tab, copy] = [browser(site.config), browser(site.config)]
    const code = await requestCode(tab, site, site.email)
    for (let at = 1; at <= 5; at++) {
      for (const { name, value } of tab.cookies.all()) copy.cookies.set(name, value)
      await enterCode(tab, wrongCode(code, at))
    }
    for (const each of [tab, copy]) {
      expect(locationOf(await enterCode(each, code))).toBe(WRONG)
      expect(await each.session()).toBeNull()
    }
  })
}
