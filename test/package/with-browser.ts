/** An empty folder and a browser for the tests that follow a guide. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, LaunchOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** Starts a browser before the tests of this block; the folder is removed after them. */
export function withBrowser(
  name: string,
  launchOptions: LaunchOptions | null,
): { readonly folder: string; readonly browser: () => Browser } {
  const folder = mkdtempSync(join(tmpdir(), `lib-auth-${name}-`))
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions ?? {})
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    browser() {
      if (!browser) throw new Error('The browser is started before the first test.')
      return browser
    },
  }
}
