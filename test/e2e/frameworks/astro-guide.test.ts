/** docs/guides/astro.md, followed word for word in an empty folder with the packed package. */
import { expect, test } from 'vitest'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { openPage } from '../../package/open-page.ts'
import { findBrowser } from '../../services.ts'
import { followGuide, GUIDE_TIMEOUT, openBrowser, signInByEmail } from './guide.ts'

const launchOptions = await findBrowser()

test.skipIf(!launchOptions)(
  'the Astro guide leads to sign-ins and a protected page, in development and in production',
  { timeout: GUIDE_TIMEOUT },
  async () => {
    const browser = await openBrowser(launchOptions ?? {})

    const signInWithGitHub = async (url: string) => {
      const page = await openPage(browser, url)
      const signIn = page.getByRole('link', { name: 'Sign in' })
      await signIn.click()
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByText('Hello, Ada Lovelace').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn.waitFor()
    }

    const app = await followGuide('astro', {
      framework: 'astro',
      // In development with each kind of provider, and in production.
      visits: [signInByEmail(browser, 'link'), signInWithGitHub, signInWithGitHub],
      substitutions: {
        "{ hostname: 'your.site', protocol: 'https' }": "{ hostname: 'localhost' }",
      },
    })

    const page = await openPage(browser, `${app.url}/account`)
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.getByText('This is for Ada Lovelace alone.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
    await followDevProvider(app, app.folder, browser, {
      file: 'src/auth.ts',
      command: 'node --env-file=.env.local node_modules/astro/astro.js dev',
    })
  },
)
