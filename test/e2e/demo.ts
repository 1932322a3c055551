/** The demo, built and started for tests in a real browser. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { APPS, buildApp, startDemo } from '../../tools/demo-app.mjs'
import { findBrowser } from '../services.ts'

/** Where sessions are kept. */
export type Sessions = 'jwt' | 'database'

/** Which example it is. */
export type Router = keyof typeof APPS

/** The running demo; available inside tests only. */
export interface Demo {
  readonly router: Router
  readonly sessions: Sessions
  /** Folder of the application. */
  readonly folder: () => string
  /** Origin of the application. */
  readonly url: () => string
  /** URL of the inbox of sent mails. */
  readonly inbox: () => string
  /** Runs a function while the provider is down. */
  readonly withoutProvider: (work: () => Promise<void>) => Promise<void>
  /** Stops the application, and starts it again. */
  readonly restart: () => Promise<void>
  /** Opens a page in a new browser context, or as another tab of one. */
  readonly open: (path: string, browser?: BrowserContext) => Promise<Page>
  /** Allows console errors that match, in this test. */
  readonly accept: (error: RegExp) => void
}

/** Tests that run against one start of the demo. */
export interface Trial {
  readonly sessions: Sessions
  /** How long sessions last, in seconds. @default 30 days */
  readonly sessionSeconds?: number
  readonly suites: readonly ((demo: Demo) => void)[]
}

/** A Next.js release, an example, and the trials with it. */
export interface DemoApp {
  readonly name: string
  readonly router: Router
  /** Makes the application; returns its folder. @default the example itself */
  readonly make?: () => string
  /** @default the Next.js of this repository */
  readonly next?: string
  /** `dev`: the development server. @default 'start' */
  readonly command?: 'start' | 'dev'
  readonly trials: readonly Trial[]
}

type Started = Awaited<ReturnType<typeof startDemo>>

const launchOptions = await findBrowser()

/** Collects errors of browsers in a test. */
function consoleOf() {
  let errors: string[] = []
  let accepted: RegExp[] = []
  return {
    /** Listens to the pages of this origin: other sites log errors of their own. */
    listen(context: BrowserContext, origin: string) {
      context.on('console', (message) => {
        const isOurs = message.location().url.startsWith(origin)
        if (isOurs && message.type() === 'error') errors.push(message.text())
      })
      context.on('weberror', (error) => errors.push(error.error().message))
    },
    accept(error: RegExp) {
      accepted.push(error)
    },
    /** Returns the errors that were not accepted, and resets the record. */
    takeErrors() {
      const unexpected = errors.filter((text) => !accepted.some((error) => error.test(text)))
      errors = []
      accepted = []
      return unexpected
    },
  }
}

/** Builds the application once, and starts it for each trial. */
export function describeDemo(app: DemoApp): void {
  const { name, router, make, next, command = 'start', trials } = app
  describe.skipIf(!launchOptions)(`the demo on ${name}`, () => {
    let folder = APPS[router]
    let built = ''
    let browser: Browser
    beforeAll(async () => {
      if (make) folder = make()
      if (command === 'start') built = await buildApp(folder, next)
      browser = await chromium.launch(launchOptions ?? {})
    }, 240_000)
    afterAll(() => browser?.close())

    if (command === 'start')
      test('is built without a warning', () => {
        expect(built).toContain('Compiled successfully')
        expect(built).not.toMatch(/warn/i)
      })

    for (const { sessions, sessionSeconds, suites } of trials) {
      const timeout = 180_000
      const lasting = sessionSeconds ? ` that last ${sessionSeconds} seconds` : ''
      describe(`with ${sessions} sessions${lasting}`, { timeout }, () => {
        let started: Started
        let contexts: BrowserContext[] = []
        const console = consoleOf()
        let data: string
        beforeAll(async () => {
          data = mkdtempSync(join(tmpdir(), 'lib-auth-demo-'))
          started = await startDemo({
            app: folder,
            next,
            sessions,
            sessionSeconds,
            command,
            databaseFile: join(data, 'demo.db'),
            secret: randomBytes(32).toString('base64url'),
          })
        })
        afterAll(async () => {
          await started?.stop()
          rmSync(data, { recursive: true })
        })
        afterEach(async () => {
          await Promise.all(contexts.map((each) => each.close()))
          contexts = []
          expect(console.takeErrors()).toEqual([])
        })

        async function openBrowser(): Promise<BrowserContext> {
          const context = await browser.newContext()
          // Shorter than the timeout of the test, so that the error names the locator.
          context.setDefaultTimeout(timeout / 3)
          contexts.push(context)
          console.listen(context, started.url)
          return context
        }
        async function open(path: string, context?: BrowserContext): Promise<Page> {
          const page = await (context ?? (await openBrowser())).newPage()
          await page.goto(started.url + path)
          return page
        }
        const demo: Demo = {
          router,
          sessions,
          folder: () => folder,
          url: () => started.url,
          inbox: () => started.inbox,
          restart: () => started.restart(),
          withoutProvider: (work) => started.withoutProvider(work),
          open,
          accept: (error) => console.accept(error),
        }
        for (const suite of suites) suite(demo)
      })
    }
  })
}
