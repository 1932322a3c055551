/** The examples for servers and frameworks, as `npm run demo -- <name>` starts them, in Chromium. */
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, LaunchOptions, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServerDemo } from '../../tools/demo-server.mjs'
import { appCode } from '../core/factors/app-code.ts'
import { LOOKS, expectGoodLooks, measure, saveScreenshot } from './appearance-suite.ts'
import { changeWithoutScript, walkAccount } from './example-account.ts'
import { testDevicesAndPasskey } from './sveltekit-account.ts'
import {
  addressOf,
  button,
  follow,
  seeHeading,
  signInAtProvider,
  signInWithPassword,
  typePassword,
} from './user-actions.ts'

type Started = Awaited<ReturnType<typeof startServerDemo>>

/** Pages of the example and of the library, by who sees them. */
const PAGES = {
  'signed out': ['/', '/client', '/auth/signin'],
  Grace: ['/', '/client', '/protected', '/auth/signout'],
}

/** Examples with an account page. */
const WITH_ACCOUNT: ReadonlySet<string> = new Set(['express', 'sveltekit'])

/** Examples whose account page has passkeys, the password and the e-mail address as well. */
const WITH_WHOLE_ACCOUNT: ReadonlySet<string> = new Set(['express', 'sveltekit'])

interface Example {
  readonly name: string
  readonly title: string
  /** Of the page that is shown after a wrong password. */
  readonly statusOfRejection: number
  /** Builds it. */
  readonly prepare?: () => Promise<void>
  /** The program that runs it. @default this Node.js */
  readonly node?: string
}

/** Tests of one example. */
export function exampleSuite(example: Example, launchOptions: LaunchOptions): void {
  const { name, title, statusOfRejection, prepare, node } = example
  let demo: Started
  let browser: Browser
  let contexts: BrowserContext[] = []
  const errors: string[] = []
  beforeAll(async () => {
    await prepare?.()
    demo = await startServerDemo(name, { node })
    browser = await chromium.launch(launchOptions)
  }, 600_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })
  afterEach(async () => {
    await Promise.all(contexts.map((each) => each.close()))
    contexts = []
    expect(errors.splice(0)).toEqual([])
  })

  async function open(path: string, tabOf?: Page): Promise<Page> {
    const context = tabOf?.context() ?? (await browser.newContext())
    if (!tabOf) {
      context.setDefaultTimeout(60_000)
      context.on('weberror', (error) => errors.push(error.error().message))
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
      })
      contexts.push(context)
    }
    const page = await context.newPage()
    // Scripts of frameworks have started when they have loaded what they need.
    await page.goto(demo.url + path, { waitUntil: 'networkidle' })
    return page
  }

  async function openAsGrace(): Promise<Page> {
    const page = await open('/')
    await button(page, 'Sign in with a password').click()
    await seeHeading(page, 'Hello, Grace Hopper')
    return page
  }

  test('signs in with the provider, shows the user on each page, and signs out', async () => {
    const page = await open('/')
    await seeHeading(page, 'You are not signed in')
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'ada')
    await seeHeading(page, 'Hello, Ada Lovelace')
    expect(page.url()).toBe(`${demo.url}/`)
    await follow(page, 'Protected page')
    await page.getByText('You are Ada Lovelace.').waitFor()
    await follow(page, 'Client page')
    await seeHeading(page, 'Hello, Ada Lovelace')
    await follow(page, 'Server page')
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    // React Router cannot hydrate a page whose URL has changed since: its scripts have to start first.
    await page.waitForLoadState('networkidle')
    await page.goBack()
    await page.reload()
    await seeHeading(page, 'You are not signed in')
  })

  test('shows the error of a wrong password, and signs in with the right one', async () => {
    const page = await open('/')
    await typePassword(page, 'grace', 'wrong')
    await button(page, 'Sign in with a password').click()
    await page.getByRole('alert').getByText('or password is wrong.').waitFor()
    // What Chromium writes to the console about a page with such a status.
    const logged = statusOfRejection < 400 ? [] : [`status of ${statusOfRejection}`]
    expect(errors.splice(0)).toEqual(logged.map((text) => expect.stringContaining(text)))
    await typePassword(page, 'grace', 'correct horse')
    await button(page, 'Sign in with a password').click()
    await seeHeading(page, 'Hello, Grace Hopper')
  })

  test('shows that there were too many attempts, in its own form', async () => {
    const page = await open('/')
    const guess = async (): Promise<Request> => {
      await typePassword(page, 'mallory', 'wrong')
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await button(page, 'Sign in with a password').click()
      const response = await answered
      await page.waitForLoadState('networkidle')
      return response.request()
    }
    const sent = await guess()
    const { cookie: _cookie, ...headers } = await sent.allHeaders()
    // Nine guesses more without the page, which would load for each of them.
    for (let attempt = 0; attempt < 9; attempt++)
      await page.request.fetch(sent, { headers, maxRedirects: 0 })
    await guess()
    const limit = 'Too many attempts. Try again later.'
    await page.getByRole('alert').getByText(limit).waitFor()
    for (const text of errors.splice(0)) expect(text).toMatch(/status of (?:40[01]|429)/)
  })

  test('redirects from the protected page to the sign-in page, and back', async () => {
    const page = await open('/protected')
    expect(addressOf(page)).toContain('/auth/signin?callbackUrl=')
    await signInWithPassword(page, 'correct horse')
    await seeHeading(page, 'For signed-in users only')
    expect(addressOf(page)).toBe('/protected')
  })

  test('the script of the client page signs out, and other tabs show it when they become visible', async () => {
    const page = await openAsGrace()
    await page.goto(`${demo.url}/client`)
    await seeHeading(page, 'Hello, Grace Hopper')
    const other = await open('/client', page)
    await button(other, 'Sign out').click()
    await seeHeading(other, 'You are not signed in')
    expect(addressOf(other)).toBe('/')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await seeHeading(page, 'You are not signed in')
    await expect.poll(() => button(page, 'Sign out').isVisible()).toBe(false)
  })

  test.skipIf(!WITH_ACCOUNT.has(name))(
    'a user adds an app on the account page, confirms who they are with it, and deletes the account',
    async () => {
      const page = await open('/')
      await button(page, 'Sign in with the demo provider').click()
      await signInAtProvider(page, 'walt')
      await follow(page, 'Your account')
      await seeHeading(page, 'Your account')
      await expectGoodLooks(page, `${title} account`)
      await button(page, 'Add an authenticator app').click()
      const code = page.getByLabel('Code', { exact: true })
      const secret = await page.locator('.note code').innerText()
      await code.fill('000000')
      await button(page, 'Confirm the code').click()
      await page.getByRole('alert').getByText('The code is wrong.').waitFor()
      expect(await page.locator('.note code').innerText()).toBe(secret)
      await expectGoodLooks(page, `${title} QR code`)
      await code.fill(await appCode(secret))
      await button(page, 'Confirm the code').click()
      await page.locator('.codes li').first().waitFor()
      expect(await page.locator('.codes li').count()).toBe(10)
      await page.getByRole('link', { name: 'I have stored them' }).click()

      await button(page, 'Turn off').click()
      await seeHeading(page, 'Confirm that it is you')
      await button(page, 'Continue with Demo provider').click()
      await signInAtProvider(page, 'walt')
      await page.getByLabel('Code').fill(await appCode(secret, 1))
      await button(page, 'Continue').click()
      await page.getByRole('status').getByText('Press the button again.').waitFor()
      await button(page, 'Unlink').click()
      await page.getByRole('alert').getByText('You could not sign in without it.').waitFor()
      await button(page, 'Turn off').click()
      await page.getByRole('status').getByText('The app is turned off.').waitFor()
      await button(page, 'Delete my account').click()
      await seeHeading(page, 'You are not signed in')
    },
  )

  test.skipIf(!WITH_WHOLE_ACCOUNT.has(name))(
    'a user presses every button of the account page',
    async () => {
      const page = await open('/')
      await walkAccount({ page, url: demo.url, title })
      // Of the options of a passkey, which need both steps.
      for (const text of errors.splice(0)) expect(text).toMatch(/status of 401|webauthn-options/)
    },
  )

  test.skipIf(!WITH_WHOLE_ACCOUNT.has(name))(
    'a user changes the account without a script',
    async () => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(demo.url)
      await changeWithoutScript({ page, url: demo.url, title })
    },
  )

  test.skipIf(name !== 'sveltekit')(
    'a user ends the sessions of other devices, and signs in with a passkey on the home page',
    async () => {
      const page = await open('/')
      await testDevicesAndPasskey({ page, url: demo.url, title }, await open('/'))
    },
  )

  test.each(LOOKS)(
    'the pages are readable in $colorScheme colours on $screen, and nothing is cut off',
    async ({ colorScheme, screen, size }) => {
      for (const [who, paths] of Object.entries(PAGES)) {
        const page = who === 'Grace' ? await openAsGrace() : await open('/')
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        for (const path of paths) {
          await page.goto(demo.url + path)
          if (path === '/client')
            await seeHeading(
              page,
              who === 'Grace' ? 'Hello, Grace Hopper' : 'You are not signed in',
            )
          const { texts, luminance, faults } = await page.evaluate(measure)
          await saveScreenshot(page, title, colorScheme, screen, who, path)
          expect(faults, path).toEqual([])
          expect(texts, path).toBeGreaterThan(2)
          if (colorScheme === 'dark') expect(luminance, path).toBeLessThan(0.05)
          else expect(luminance, path).toBeGreaterThan(0.8)
        }
      }
    },
  )
}
