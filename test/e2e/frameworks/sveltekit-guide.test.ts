/** docs/guides/sveltekit.md, followed word for word in an empty folder with the packed package. */
import { expect, test, vi } from 'vitest'
import { followDevProvider } from '../../package/dev-provider-path.ts'
import { visitDespiteReloads } from '../../package/reload.ts'
import { findBrowser, findRuntime } from '../../services.ts'
import { followGuide, GUIDE_TIMEOUT, openBrowser, signInByPrintedLink } from './guide.ts'

const launchOptions = await findBrowser()
const node24 = await findRuntime('node-24')

test.skipIf(!launchOptions || !node24).each([
  { framework: 'sveltekit', node: process.execPath },
  { framework: 'sveltekit-3', node: node24 ?? '' },
])(
  'the SvelteKit guide leads to a signed-in user, a protected page, and a sign-out: $framework',
  { timeout: GUIDE_TIMEOUT },
  async (versions) => {
    const browser = await openBrowser(launchOptions ?? {})

    const until = '## Sign in with a form'
    const app = await followGuide('sveltekit', { ...versions, until })
    await visitDespiteReloads(app.output, async () => {
      const page = await browser.newPage()
      const open = (path: string) => page.goto(app.url + path, { waitUntil: 'networkidle' })
      // The page was written while the server runs, which notices it a moment later.
      const redirected = async () => {
        await open('/account')
        expect(new URL(page.url()).pathname).toBe('/auth/signin')
      }
      await vi.waitFor(redirected, { timeout: 60_000 })
      await open('/')
      const signIn = page.getByRole('button', { name: 'Sign in' })
      await signIn.click()
      await signInByPrintedLink(page, app.output)
      await page.getByText('Hello, ada@example.com').waitFor()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('Account of ada@example.com').waitFor()
      await open('/account')
      await page.getByText('Account of ada@example.com').waitFor()
      await open('/')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn.waitFor()
    })
    await followDevProvider(app, app.folder, browser, {
      file: 'src/auth.server.js',
      command: 'npx vite dev',
    })
  },
)
