/** The form of the sign-in page for a mail and for a password, in Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { SECRET, silentLog } from '../config.ts'
import { mailProvider } from '../email.ts'
import { findBrowser } from '../services.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()
const ADA = 'ada@example.com'
const mails: VerificationRequest[] = []
const received: unknown[] = []

const password = Credentials({
  credentials: { email: {}, password: { label: 'Password', required: true } },
  authorize({ email, password: typed }) {
    received.push({ email, typed })
    return typed === 'correct' ? { id: '1', email: String(email) } : null
  },
})

const config: AuthConfig = {
  adapter: MemoryAdapter(),
  session: { strategy: 'jwt' },
  basePath: '/auth',
  providers: [password, mailProvider(mails)],
  secret: SECRET,
  trustHost: true,
  logger: silentLog().logger,
  protection: 'off',
}

describe.skipIf(!launchOptions).each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  let site: PasskeySite
  let page: Page
  beforeAll(async () => {
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  beforeEach(async () => {
    mails.length = 0
    received.length = 0
    page = await site.open({ javaScriptEnabled })
    await page.getByLabel('E-mail address').fill(ADA)
  })
  afterAll(() => site?.stop())

  async function typePassword(typed: string): Promise<void> {
    await page.getByText('Use a password', { exact: true }).click()
    await page.getByLabel('Password').fill(typed)
  }

  test('sends a mail with the Enter key and with the button', async () => {
    await page.getByLabel('E-mail address').press('Enter')
    await seeHeading(page, 'Check your e-mail')
    await page.goto(`${site.url()}/auth/signin`)
    await page.getByLabel('E-mail address').fill(ADA)
    await button(page, 'Continue with e-mail').click()
    await seeHeading(page, 'Check your e-mail')
    expect(mails.map(({ identifier }) => identifier)).toEqual([ADA, ADA])
    expect(received).toEqual([])
  })

  test.each(['Enter', 'button'])('signs in with a password: %s', async (key) => {
    await typePassword('correct')
    if (key === 'Enter') await page.getByLabel('Password').press('Enter')
    else await button(page, 'Sign in with the password').click()
    await seeHeading(page, ADA)
    expect(received).toEqual([{ email: ADA, typed: 'correct' }])
    expect(mails).toEqual([])
  })

  test('sends a mail with its button although a password was typed', async () => {
    await typePassword('correct')
    await button(page, 'Continue with e-mail').click()
    await seeHeading(page, 'Check your e-mail')
    expect(received).toEqual([])
    expect(mails).toHaveLength(1)
  })

  test('reports a wrong password at its field, from which the next try is sent', async () => {
    await typePassword('wrong')
    await page.getByLabel('Password').press('Enter')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(ADA)
    await page.locator('input[name=password]:focus').waitFor()
    await page.keyboard.type('correct')
    await page.keyboard.press('Enter')
    await seeHeading(page, ADA)
  })

  test('asks for the address before a password is sent', async () => {
    await page.getByLabel('E-mail address').fill('')
    await typePassword('correct')
    await page.getByLabel('Password').press('Enter')
    const field = page.getByLabel('E-mail address')
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false)
    expect(received).toEqual([])
  })
})
