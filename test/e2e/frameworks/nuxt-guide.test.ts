/** docs/guides/nuxt.md, followed word for word in an empty folder with the packed package. */
import { expect, test } from 'vitest'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { openPage } from '../../package/open-page.ts'
import { findBrowser } from '../../services.ts'
import { followGuide, GUIDE_TIMEOUT, openBrowser, signInByEmail } from './guide.ts'

const launchOptions = await findBrowser()

test.skipIf(!launchOptions)(
  'the Nuxt guide leads to sign-ins and a protected page, in development and in production',
  { timeout: GUIDE_TIMEOUT },
  async () => {
    const browser = await openBrowser(launchOptions ?? {})

    const signInWithGitHub = async (url: string) => {
      const headers = { 'sec-fetch-dest': 'empty' }
      expect((await fetch(`${url}/api/account`, { headers })).status).toBe(401)
      const page = await openPage(browser, `${url}/account`)
      expect(page.url()).toBe(`${url}/auth/signin?callbackUrl=%2Faccount`)
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByText('Account of ada@example.com').waitFor()
      await page.goto(url, { waitUntil: 'networkidle' })
      await page.getByText('Hello, Ada Lovelace').waitFor()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('Account of ada@example.com').waitFor()
    }

    const app = await followGuide('nuxt', {
      framework: 'nuxt',
      // In development with each kind of provider, and in production.
      visits: [signInByEmail(browser), signInWithGitHub, signInWithGitHub],
    })
    await followDevProvider(app, app.folder, browser, {
      file: 'server/utils/auth.ts',
      command: 'npx nuxt dev --dotenv .env.local',
    })
  },
)
