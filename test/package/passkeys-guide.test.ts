/** docs/guides/passkeys.md, followed word for word in an empty folder with the packed package. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findBrowser } from '../services.ts'
import { follow } from './follow.ts'
import type { Followed } from './follow.ts'
import { withBrowser } from './with-browser.ts'

const launchOptions = await findBrowser()

/** Time for an installation and a server, in parallel with other tests. */
const GUIDE_TIMEOUT = 240_000
/** Time for a page, which Next.js compiles when it is requested for the first time. */
const PAGE_TIMEOUT = 60_000

describe.skipIf(!launchOptions)(
  'following the guide to passkeys',
  { timeout: GUIDE_TIMEOUT },
  () => {
    const { folder, browser } = withBrowser('passkeys', launchOptions)
    let app: Followed
    beforeAll(async () => {
      const own = mkdtempSync(join(folder, 'app-'))
      app = await follow('docs/guides/passkeys.md', { folder: own })
    }, GUIDE_TIMEOUT)
    afterAll(() => app?.stop())

    /** Opens a browser of a new visitor, with an authenticator that consents to every request. */
    async function open(): Promise<Page> {
      const context = await browser().newContext()
      onTestFinished(() => context.close())
      context.setDefaultTimeout(PAGE_TIMEOUT)
      const page = await context.newPage()
      await addAuthenticator(page, 'internal')
      await page.goto(app.url)
      return page
    }

    async function addAuthenticator(page: Page, transport: 'internal' | 'usb'): Promise<void> {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    }

    const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click()

    async function signUp(page: Page, email: string): Promise<void> {
      await press(page, 'Sign in')
      await page.getByText('Create an account').click()
      await page.getByRole('textbox').fill(email)
      await press(page, 'Create a passkey')
      await page.getByText(`Hello, ${email}`).waitFor()
    }

    /** Waits until the page lists passkeys with these names. */
    async function seeNames(page: Page, expected: readonly string[]): Promise<void> {
      const inputs = page.getByLabel('Name')
      const names = () => inputs.evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')))
      await expect.poll(names, { timeout: PAGE_TIMEOUT }).toEqual(expected)
    }

    test('leads to a page with a sign-in button', () => {
      expect(app.pages).toHaveLength(1)
      expect(app.pages[0]).toContain('Sign in')
    })

    test('signs a new user up with a passkey, and in again without the address', async () => {
      const page = await open()
      await signUp(page, 'ada@example.com')
      await press(page, 'Sign out')
      // The authenticator consents to the request of the autofill list at once.
      await press(page, 'Sign in')
      await page.getByText('Hello, ada@example.com').waitFor()
    })

    test('adds, renames and removes passkeys, and keeps the last one', async () => {
      const page = await open()
      await signUp(page, 'grace@example.com')
      await page.getByRole('link', { name: 'Your passkeys' }).click()
      await page.getByLabel('Name').waitFor()
      // Before the page has loaded what it needs, React ignores clicks on buttons that need the browser.
      await page.waitForLoadState('networkidle')
      await page.getByLabel('Name').fill('Laptop')
      await press(page, 'Rename')
      await seeNames(page, ['Laptop'])
      await press(page, 'Remove')
      await page.getByText('Add another passkey before you remove this one.').waitFor()
      await addAuthenticator(page, 'usb')
      await press(page, 'Add a passkey')
      await seeNames(page, ['Laptop', ''])
      await press(page, 'Remove')
      await seeNames(page, [''])
    })
  },
)
