/** The built-in pages after too many attempts, and of codes that cannot be used, in Chromium. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import { SECRET, silentLog, TYPED } from '../config.ts'
import { mailProvider, wrongCode } from '../email.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import { findBrowser } from '../services.ts'
import { LOOKS, measure, saveScreenshot } from './appearance-suite.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'

const launchOptions = await findBrowser()
const mails: VerificationRequest[] = []

const password = Credentials({
  credentials: { username: { label: 'User name' }, password: { type: 'password' } },
  authorize: () => null,
})
const mail = mailProvider(mails, { method: 'code' })
const github = GitHub({ clientId: 'id', clientSecret: 'secret' })

function configWith(providers: NonNullable<AuthConfig['providers']>): AuthConfig {
  return {
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    providers,
    secret: SECRET,
    trustHost: true,
    logger: silentLog().logger,
    protection: { limits: { 'password.account': { burst: 1, per: 900 } } },
  }
}

/** An adapter whose database does not respond. */
function outOfOrder() {
  const getUserByEmail = () => Promise.reject(new Error('connection refused'))
  return { ...MemoryAdapter(), getUserByEmail }
}

const code = (page: Page) => page.locator('input[name=code]')
const submit = (page: Page) => page.locator('button.primary').click()

describe.skipIf(!launchOptions)('the built-in pages', () => {
  let site: PasskeySite
  let config = configWith([password])
  beforeAll(async () => {
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  afterAll(() => site?.stop())

  /** Guesses a password until the limit is exhausted. */
  async function exhaust(page: Page): Promise<void> {
    for (const error of ['CredentialsSignin', 'TooManyAttempts']) {
      const summary = page.locator('details:not([open]) > summary')
      if (await summary.isVisible()) await summary.click()
      await page.getByLabel('User name').fill(TYPED.username)
      await page.getByLabel('password').fill('wrong')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(new RegExp(`error=${error}`))
    }
  }

  async function requestCode(options: BrowserContextOptions = {}): Promise<Page> {
    config = configWith([mail])
    const page = await site.open(options)
    await page.locator('input[type=email]').fill('ada@example.com')
    await submit(page)
    await page.waitForURL(/verify-request/)
    return page
  }

  async function enterWrong(page: Page, times: number): Promise<void> {
    const sent = mails.at(-1)?.code ?? ''
    for (let at = 1; at <= times; at++) {
      await code(page).fill(wrongCode(sent, at))
      // The URL is the same after each of them.
      const loaded = page.waitForEvent('load')
      await submit(page)
      await loaded
      expect(page.url()).toContain('error=Verification')
    }
  }

  const STATES: Readonly<Record<string, (options: BrowserContextOptions) => Promise<Page>>> = {
    'limited, password only': async (options) => {
      config = configWith([password])
      const page = await site.open(options)
      await exhaust(page)
      return page
    },
    'limited, other methods': async (options) => {
      config = configWith([github, mail, password])
      const page = await site.open(options)
      await exhaust(page)
      return page
    },
    'code, new': (options) => requestCode(options),
    'code, wrong': async (options) => {
      const page = await requestCode(options)
      await enterWrong(page, 1)
      return page
    },
    'code, five wrong': async (options) => {
      const page = await requestCode(options)
      await enterWrong(page, 5)
      return page
    },
    'code, expired': async (options) => {
      const page = await requestCode(options)
      await page.context().clearCookies({ name: /^lib\.state/ })
      await enterWrong(page, 1)
      return page
    },
    'code, other browser': async (options) => {
      config = configWith([mail])
      const page = await site.open(options)
      await page.goto(
        `${site.url()}/auth/verify-request?provider=email&type=email&error=Verification`,
      )
      return page
    },
    'mail, limited': async (options) => {
      const page = await requestCode(options)
      for (let at = 0; at < 3; at++) {
        const loaded = page.waitForEvent('load')
        await page.getByRole('button', { name: 'Send it again' }).click()
        await loaded
      }
      return page
    },
    'error, reference': async (options) => {
      config = { ...configWith([mail]), adapter: outOfOrder() }
      const page = await site.open(options)
      await page.locator('input[type=email]').fill('ada@example.com')
      await submit(page)
      await page.waitForURL(/error/)
      return page
    },
  }

  test('after too many attempts keep the user name, and read the message out with the field', async () => {
    config = configWith([github, mail, password])
    const page = await site.open()
    await exhaust(page)
    const name = page.getByLabel('User name')
    expect(await name.inputValue()).toBe(TYPED.username)
    expect(await page.getByLabel('password').inputValue()).toBe('')
    await expect.poll(() => name.evaluate((each) => each === document.activeElement)).toBe(true)
    const described = await name.getAttribute('aria-describedby')
    expect(await page.locator(`#${described}`).innerText()).toBe(
      'Too many attempts. Try again in 15 minutes, or choose another method.',
    )
    expect(await page.getByRole('alert').getAttribute('id')).toBe(described)
    await page.reload()
    expect(await name.inputValue()).toBe('')
    await page.context().close()
  })

  describe.each(Object.entries(STATES))('%s', (name, open) => {
    test.each(LOOKS)('is readable in $colorScheme colours on $screen', async (look) => {
      const page = await open({ colorScheme: look.colorScheme, viewport: look.size })
      await saveScreenshot(page, name, look.colorScheme, look.screen)
      expect((await page.evaluate(measure)).faults).toEqual([])
      await page.context().close()
    })
  })
})
