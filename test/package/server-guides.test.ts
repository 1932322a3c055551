/** The quick starts of servers, followed word for word in an empty folder with the packed package. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findBrowser } from '../services.ts'
import { follow, pack } from './follow.ts'

const launchOptions = await findBrowser()

describe.skipIf(!launchOptions)('following the quick start of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-servers-'))
  let tarball: string
  let browser: Browser
  beforeAll(async () => {
    tarball = await pack(folder)
    browser = await chromium.launch(launchOptions ?? {})
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  test.each(['express', 'fastify', 'hono', 'node'])(
    '%s leads to a site on which a user signs in and out',
    { timeout: 180_000 },
    async (name) => {
      const own = mkdtempSync(join(folder, `${name}-`))
      const app = await follow(`docs/guides/${name}.md`, { folder: own, tarball })
      onTestFinished(async () => void (await app.stop()))
      const page = await browser.newPage()
      await page.goto(`${app.url}/account`)
      await page.getByLabel('E-mail').fill('ada@example.com')
      await page.keyboard.press('Enter')
      await page.getByText('ada@example.com').first().waitFor()
      const link = await vi.waitFor(() => {
        const [, url] = /Magic link for ada@example\.com: (\S+)/.exec(app.output()) ?? []
        expect(url).toBeDefined()
        return String(url)
      })
      await page.goto(link)
      expect(new URL(page.url()).pathname).toBe('/account')
      expect(await page.locator('body').innerText()).toContain('"email":"ada@example.com"')
      await page.goto(app.url)
      await page.getByText('You are signed in.').waitFor()
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.goto(app.url)
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
    },
  )
})
