/** docs/guides/react-router.md, followed word for word in an empty folder with the packed package. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { openPage } from '../../package/open-page.ts'
import { findBrowser } from '../../services.ts'
import { followGuide, GUIDE_TIMEOUT, openBrowser, signInByEmail } from './guide.ts'

const launchOptions = await findBrowser()

test.skipIf(!launchOptions)(
  'the React Router guide leads to sign-ins and a protected page, in development and in production',
  { timeout: GUIDE_TIMEOUT },
  async () => {
    const browser = await openBrowser(launchOptions ?? {})

    const signInWithGitHub = async (url: string) => {
      const page = await openPage(browser, url)
      await page.waitForLoadState('networkidle')
      await page.getByRole('link', { name: 'Your account' }).click()
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByText('This is for Ada Lovelace alone.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/account')
      await page.goto(`${url}/profile`)
      await page.getByText('Hello, Ada Lovelace').waitFor()
      await page.goto(url, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await page.goto(`${url}/profile`)
      await page.getByText('Hello, stranger').waitFor()
    }

    const app = await followGuide('react-router', {
      framework: 'react-router',
      // In development with each kind of provider, and in production.
      visits: [signInByEmail(browser), signInWithGitHub, signInWithGitHub],
    })
    const compiler = join(app.folder, 'node_modules/typescript/bin/tsc')
    expect(await run(process.execPath, [compiler, '-p', '.'], { cwd: app.folder })).toBe('')
    await followDevProvider(app, app.folder, browser, {
      file: 'app/auth.server.ts',
      command: 'npx react-router dev',
    })
  },
)
