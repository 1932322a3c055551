/** The demo, built and started for tests, and what people do in it again and again. */
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP, buildApp, startDemo } from '../../tools/demo-app.mjs'
import { findBrowser } from '../services.ts'

/** Where sessions are kept. */
export type Sessions = 'jwt' | 'database'

/** What tests work with. */
export interface Demo {
  readonly sessions: Sessions
  /** Folder of the application; known when a test runs. */
  readonly folder: () => string
  /** Origin of the application; known when a test runs. */
  readonly url: () => string
  /** Opens a page in a browser that knows nothing yet. */
  readonly open: (path: string) => Promise<Page>
}

/** Which Next.js runs the demo, and what is tried with sessions of either kind. */
export interface DemoApp {
  readonly name: string
  /** Makes the application; returns its folder. @default the example itself */
  readonly make?: () => string
  /** @default the Next.js of this repository */
  readonly next?: string
  /** `dev`: without a build, as it is changed. @default 'start' */
  readonly command?: 'start' | 'dev'
  readonly suites: Partial<Record<Sessions, (demo: Demo) => void>>
}

type Started = Awaited<ReturnType<typeof startDemo>>

const launchOptions = await findBrowser()

const SESSIONS: readonly Sessions[] = ['jwt', 'database']

/** Builds the application once, and runs the tests for each kind of sessions. */
export function describeDemo({ name, make, next, command = 'start', suites }: DemoApp): void {
  describe.skipIf(!launchOptions)(`the demo on ${name}`, () => {
    let app = APP
    let built = ''
    let browser: Browser
    beforeAll(async () => {
      if (make) app = make()
      if (command === 'start') built = await buildApp(app, next)
      browser = await chromium.launch(launchOptions ?? {})
    }, 240_000)
    afterAll(() => browser?.close())

    if (command === 'start')
      test('is built without a warning', () => {
        expect(built).toContain('Compiled successfully')
        expect(built).not.toMatch(/warn/i)
      })

    for (const sessions of SESSIONS) {
      const suite = suites[sessions]
      if (!suite) continue
      // What has no build is built while people wait.
      const timeout = command === 'dev' ? 90_000 : 20_000
      describe(`with sessions of the kind ${sessions}`, { timeout }, () => {
        let started: Started
        beforeAll(async () => {
          started = await startDemo({ app, next, sessions, command })
        }, 90_000)
        afterAll(() => started?.stop())
        const open = async (path: string): Promise<Page> => {
          const context = await browser.newContext()
          const page = await context.newPage()
          await page.goto(started.url + path)
          return page
        }
        suite({ sessions, folder: () => app, url: () => started.url, open })
      })
    }
  })
}

/** What the page says first. */
export function heading(page: Page): Promise<string> {
  return page.getByRole('heading', { level: 1 }).innerText()
}

/** Signs in at the provider, which takes any name and any password. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Types in a password on the sign-in page. */
export async function signInWithPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('User name').fill('grace')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in with Credentials' }).click()
}

/** Asks for a link on the sign-in page. */
export async function askForLink(page: Page, address: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(address)
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
}

/** The newest sign-in link for an address, on the page that shows mail. */
export async function findLink(page: Page, address: string) {
  await page.getByRole('link', { name: 'localhost' }).click()
  await page.getByRole('link', { name: 'Mail' }).click()
  const mail = page.getByRole('article').filter({ hasText: address }).first()
  return mail.getByRole('link', { name: 'Sign-in link' })
}
