/** docs/guides/react-router.md, followed word for word in an empty folder with the packed package. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { openPage } from '../../package/open-page.ts'
import { findBrowser } from '../../services.ts'
import { clickTo, followGuide, GUIDE_TIMEOUT, openBrowser, signInByEmail } from './guide.ts'

const launchOptions = await findBrowser()

test.skipIf(!launchOptions)(
  'the React Router guide leads to sign-ins and a protected page, in development and in production',
  { timeout: GUIDE_TIMEOUT },
  async () => {
    const browser = await openBrowser(launchOptions ?? {})

    const signInWithGitHub = async (url: string) => {
      const page = await openPage(browser, url)
      const provider = page.getByRole('button', { name: 'Continue with GitHub' })
      await clickTo(page.getByRole('link', { name: 'Your account' }), provider)
      await provider.click()
      await page.getByText('This is for Ada Lovelace alone.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/account')
      await page.goto(`${url}/profile`)
      await page.getByText('Hello, Ada Lovelace').waitFor()
      await page.goto(url, { waitUntil: 'networkidle' })
      const signIn = page.getByRole('button', { name: 'Sign in' })
      await clickTo(page.getByRole('button', { name: 'Sign out' }), signIn)
      await page.goto(`${url}/profile`)
      await page.getByText('Hello, stranger').waitFor()
    }

    // In development with each kind of provider, and in production.
    const visits = [signInByEmail(browser), signInWithGitHub, signInWithGitHub]
    const app = await followGuide('react-router', {
      framework: 'react-router',
      visit: async (url, output) => visits.shift()?.(url, output),
    })
    expect(visits).toEqual([])
    const compiler = join(app.folder, 'node_modules/typescript/bin/tsc')
    expect(await run(process.execPath, [compiler, '-p', '.'], { cwd: app.folder })).toBe('')
    await followDevProvider(app, app.folder, browser, {
      file: 'app/auth.server.ts',
      command: 'npx react-router dev',
    })
  },
)
