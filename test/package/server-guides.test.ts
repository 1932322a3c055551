/** The quick starts of servers, followed word for word in an empty folder with the packed package. */
import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { findBrowser } from '../services.ts'
import { followDevProvider } from './dev-provider-path.ts'
import { follow } from './follow.ts'
import { withBrowser } from './with-browser.ts'

const launchOptions = await findBrowser()

describe.skipIf(!launchOptions)('following the quick start of', () => {
  const { folder, browser } = withBrowser('servers', launchOptions)

  // npm waits for the registry, and the browser for the site.
  test.concurrent.for([
    'docs/guides/express.md',
    'docs/guides/fastify.md',
    'docs/guides/hono.md',
    'docs/guides/node.md',
  ])(
    '%s leads to a site on which a user signs in and out',
    { timeout: 180_000 },
    async (document, { onTestFinished }) => {
      const own = mkdtempSync(join(folder, `${basename(document, '.md')}-`))
      const app = await follow(document, { folder: own })
      onTestFinished(async () => void (await app.stop()))
      const page = await browser().newPage()
      await page.goto(`${app.url}/account`)
      await page.getByLabel('E-mail').fill('ada@example.com')
      await page.keyboard.press('Enter')
      await page.getByText('ada@example.com').first().waitFor()
      const link = await vi.waitFor(
        () => {
          const [, url] = /Magic link for ada@example\.com: (\S+)/.exec(app.output()) ?? []
          expect(url).toBeDefined()
          return String(url)
        },
        { timeout: 60_000 },
      )
      await page.goto(link)
      expect(new URL(page.url()).pathname).toBe('/account')
      expect(await page.locator('body').innerText()).toContain('"email":"ada@example.com"')
      await page.goto(app.url)
      await page.getByText('You are signed in.').waitFor()
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.goto(app.url)
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      const command = 'node --env-file=.env.local server.mjs'
      await followDevProvider(app, own, browser(), { file: 'auth.mjs', command })
    },
  )
})
