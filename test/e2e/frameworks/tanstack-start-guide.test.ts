/** docs/guides/tanstack-start.md, followed word for word in an empty folder with the packed package. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { openPage } from '../../package/open-page.ts'
import { findBrowser, findRuntime } from '../../services.ts'
import { followGuide, GUIDE_TIMEOUT, openBrowser, signInByEmail } from './guide.ts'

const launchOptions = await findBrowser()
const node = (await findRuntime('node-24')) ?? ''

test.skipIf(!launchOptions || !node)(
  'the TanStack Start guide leads to sign-ins and a protected page, in development and in production',
  { timeout: GUIDE_TIMEOUT },
  async () => {
    const browser = await openBrowser(launchOptions ?? {})

    const signInWithGitHub = async (url: string) => {
      const page = await openPage(browser, `${url}/account`)
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByText('This is for ada@example.com alone.').waitFor()
      await page.goto(url)
      await page.getByText('Hello, Ada Lovelace').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
    }

    const app = await followGuide('tanstack-start', {
      framework: 'tanstack-start',
      node,
      // In development with each kind of provider, and in production.
      visits: [signInByEmail(browser), signInWithGitHub, signInWithGitHub],
    })
    const compiler = join(app.folder, 'node_modules/typescript/bin/tsc')
    expect(await run(node, [compiler, '-p', '.'], { cwd: app.folder })).toBe('')
    await followDevProvider(app, app.folder, browser, {
      file: 'src/auth.ts',
      command: 'node --env-file=.env.local node_modules/vite/bin/vite.js dev',
    })
  },
)
