/** The box "Keep me signed in" of the sign-in page, in Chromium. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import { SECRET, silentLog } from '../config.ts'
import { mailProvider } from '../email.ts'
import { findBrowser } from '../services.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()
const folder = process.env['SCREENSHOTS']

const password = Credentials({
  name: 'a password',
  credentials: { user: { label: 'User name' }, password: { type: 'password', label: 'Password' } },
  authorize: () => ({ id: '1', email: 'grace@example.com' }),
})
const second = Credentials({
  id: 'staff',
  name: 'the staff card',
  credentials: { card: { label: 'Card' } },
  authorize: () => ({ id: '2', email: 'staff@example.com' }),
})
const guest = Credentials({
  id: 'guest',
  name: 'Guest',
  credentials: { tenant: { type: 'hidden', value: 'acme' } },
  authorize: () => ({ id: '3', email: 'guest@example.com' }),
})
const github = GitHub({ clientId: 'client', clientSecret: 'secret' })
const mail = mailProvider([])

const choices: (boolean | undefined)[] = []

function configOf(providers: AuthConfig['providers']): AuthConfig {
  return {
    ...(providers?.includes(mail) && { adapter: MemoryAdapter() }),
    session: {
      strategy: 'jwt',
      lifetime({ remember }) {
        choices.push(remember)
        return {}
      },
    },
    basePath: '/auth',
    providers: providers ?? [],
    secret: SECRET,
    trustHost: true,
    logger: silentLog().logger,
    protection: 'off',
    theme: { brandColor: '#0f766e' },
  }
}

let config = configOf([password])

async function cookieExpires(page: Page): Promise<number | undefined> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name.includes('session-token'))?.expires
}

/** The box of the page; without a script, a closed form has another one. */
function boxOf(page: Page): Locator {
  return page.getByLabel('Keep me signed in').first()
}

/** Saves a picture in light and dark, and of a narrow screen. */
async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1000, 320]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 760 })
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
    }
}

describe.skipIf(!launchOptions).each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  let site: PasskeySite
  beforeAll(async () => {
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  afterAll(() => site?.stop())

  async function open(providers: AuthConfig['providers']): Promise<Page> {
    config = configOf(providers)
    choices.length = 0
    return site.open({ javaScriptEnabled })
  }

  /** The body that the page sends for GitHub. */
  async function sentToProvider(page: Page, press: () => Promise<void>): Promise<URLSearchParams> {
    await page.route(/github\.com/, (route) => route.fulfill({ body: 'GitHub' }))
    const [request] = await Promise.all([page.waitForRequest(/signin\/github/), press()])
    return new URLSearchParams(request.postData() ?? '')
  }

  test.each([true, false])('applies to the form of the page, checked: %s', async (isChecked) => {
    const page = await open([github, password, second, guest])
    await picture(page, 'form')
    const box = boxOf(page)
    expect(await box.isChecked()).toBe(true)
    if (!isChecked) await box.uncheck()
    await page.getByLabel('User name').fill('grace')
    await page.getByLabel('Password').fill('x')
    // Not the button of GitHub, which is the first of the page.
    await page.getByLabel('Password').press('Enter')
    await seeHeading(page, 'grace@example.com')
    expect(choices).toEqual([isChecked])
    expect(await cookieExpires(page)).toEqual(isChecked ? expect.any(Number) : -1)
    if (isChecked) expect(await cookieExpires(page)).toBeGreaterThan(0)
  })

  test.each([true, false])('applies to a button above a form, checked: %s', async (isChecked) => {
    const page = await open([github, mail, password])
    await picture(page, 'mail')
    if (!isChecked) await boxOf(page).uncheck()
    const sent = await sentToProvider(page, () => button(page, 'Continue with GitHub').click())
    expect(sent.get('rememberShown')).toBe('true')
    expect(sent.get('remember')).toBe(isChecked ? 'true' : null)
  })

  test('applies to buttons without a form', async () => {
    const page = await open([github])
    await picture(page, 'buttons')
    const sent = await sentToProvider(page, () => button(page, 'Continue with GitHub').click())
    expect(sent.get('remember')).toBe('true')
  })

  test.each([true, false])('applies to a form that is closed, checked: %s', async (isChecked) => {
    const page = await open([password, second])
    await page.getByText('Continue with the staff card').click()
    await picture(page, 'closed')
    const boxes = page.getByLabel('Keep me signed in')
    // Without a script, that form has a box of its own.
    expect(await boxes.count()).toBe(javaScriptEnabled ? 1 : 2)
    if (!isChecked) await boxes.last().uncheck()
    await page.getByLabel('Card').fill('7')
    await page.locator('details').getByRole('button', { name: 'Sign in' }).click()
    await seeHeading(page, 'staff@example.com')
    expect(choices).toEqual([isChecked])
  })

  test('applies to a guest with a script; without one, the session of a guest is short', async () => {
    const page = await open([github, guest])
    await button(page, 'Continue as Guest').click()
    await seeHeading(page, 'guest@example.com')
    expect(choices).toEqual([javaScriptEnabled])
  })
})
