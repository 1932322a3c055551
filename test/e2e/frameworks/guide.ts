/** Follows the quick start of a framework in an empty folder with the packed package, and opens its site in Chromium. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, LaunchOptions, Page } from 'playwright-core'
import { expect, onTestFinished, vi } from 'vitest'
import { follow } from '../../package/follow.ts'
import type { FollowOptions, Followed } from '../../package/follow.ts'
import { visitDespiteReloads } from '../../package/reload.ts'

/** Time for the installation of a framework, and its builds. */
export const GUIDE_TIMEOUT = 600_000

/** What is done with a site in pages of its own; `output` returns what the server has printed. */
type Visit = NonNullable<FollowOptions['visit']>

/**
 * Follows `docs/guides/<guide>.md` until the test ends. `framework` names the application of this folder that has the
 * versions of the packages, and `visits` are those after each start of a server.
 *
 * @returns also the folder of the application
 */
export async function followGuide(
  guide: string,
  options: Omit<FollowOptions, 'folder' | 'visit'> & {
    readonly framework: string
    readonly visits?: readonly Visit[]
  },
): Promise<Followed & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), `lib-auth-${guide}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = mkdtempSync(join(folder, 'app-'))
  const visits = [...(options.visits ?? [])]
  const visit: Visit = async (url, output) => {
    const next = visits.shift()
    await visitDespiteReloads(output, async () => next?.(url, output))
  }
  const app = await follow(`docs/guides/${guide}.md`, { ...options, visit, folder: own })
  onTestFinished(async () => void (await app.stop()))
  expect(visits).toEqual([])
  return { ...app, folder: own }
}

/** Starts Chromium until the test ends. */
export async function openBrowser(launchOptions: LaunchOptions) {
  const browser = await chromium.launch(launchOptions)
  onTestFinished(() => browser.close())
  return browser
}

/** Requests a magic link on the sign-in page for `ada@example.com`, and opens the one that the server prints. */
export async function signInByPrintedLink(page: Page, output: () => string): Promise<void> {
  await page.locator('input[type=email]').fill('ada@example.com')
  await page.keyboard.press('Enter')
  await page.waitForURL(/verify-request/)
  // A server that runs in a worker prints later than it responds.
  const link = await vi.waitFor(
    () => {
      const found = [...output().matchAll(/Magic link for ada@example\.com: (\S+)/g)].at(-1)?.[1]
      expect(found).toBeDefined()
      return String(found)
    },
    { timeout: 60_000 },
  )
  await page.goto(link, { waitUntil: 'networkidle' })
}

/** A visit that signs in by e-mail, and out again; `role` is that of what leads to the sign-in page. */
export function signInByEmail(browser: Browser, role: 'button' | 'link' = 'button'): Visit {
  return async (url, output) => {
    const page = await browser.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    const signIn = page.getByRole(role, { name: 'Sign in' })
    await signIn.click()
    await signInByPrintedLink(page, output)
    await page.getByText('Hello, ada@example.com').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn.waitFor()
  }
}
