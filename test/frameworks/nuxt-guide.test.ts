/** docs/guides/nuxt.md: the files of the guide in a folder, in the development server, with Chromium. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { start, waitForServer } from '../../tools/run.mjs'
import { findBlocks } from '../package/snippets.ts'
import { findBrowser, findFramework } from '../services.ts'
import { installPackage } from './application.ts'

const GUIDE = 'docs/guides/nuxt.md'
const application = await findFramework('nuxt')
const launchOptions = await findBrowser()

/** Writes the files of the first two sections. */
function writeGuide(folder: string): string[] {
  const source = fileURLToPath(new URL(`../../${GUIDE}`, import.meta.url))
  const [text = ''] = readFileSync(source, 'utf8').split('## Sign in with a provider')
  return findBlocks(GUIDE, text).flatMap(({ file, code }) => {
    if (file === undefined) return []
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
    return [file]
  })
}

test.skipIf(!application || !launchOptions)(
  'the Nuxt guide leads to a signed-in user, a protected page, and a sign-out',
  async () => {
    // Below the application, whose packages it uses.
    const folder = join(application ?? '', '.sites/guide')
    rmSync(folder, { recursive: true, force: true })
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    expect(writeGuide(folder)).toEqual([
      'nuxt.config.ts',
      'app/app.vue',
      'server/utils/auth.ts',
      'server/routes/auth/[...].ts',
      'server/middleware/session.ts',
      'app/plugins/auth.ts',
      'app/pages/index.vue',
      'server/api/account.ts',
      'app/middleware/signed-in.ts',
      'app/pages/account.vue',
    ])
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    installPackage(folder)

    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const nuxt = join(application ?? '', 'node_modules/nuxt/bin/nuxt.mjs')
    const args = [nuxt, 'dev', '--host', '127.0.0.1', '--port', port]
    // With `TEST`, which Vitest sets, Nuxt prints warnings only.
    const env = { NODE_ENV: 'development', NUXT_TELEMETRY_DISABLED: '1', TEST: undefined }
    const server = start(process.execPath, args, { cwd: folder, env })
    onTestFinished(() => server.stop())
    await waitForServer(url, server)
    expect(
      (await fetch(`${url}/api/account`, { headers: { 'sec-fetch-dest': 'empty' } })).status,
    ).toBe(401)

    const browser = await chromium.launch(launchOptions ?? {})
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const open = (path: string) => page.goto(path, { waitUntil: 'networkidle' })
    await open(`${url}/account`)
    expect(page.url()).toBe(`${url}/auth/signin?callbackUrl=%2Faccount`)
    await open(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[type=email]').fill('ada@example.com')
    await page.locator('button').first().click()
    await page.waitForURL(/verify-request/)
    // Nuxt runs the server in a worker, whose output arrives later than its response.
    const link = await vi.waitUntil(
      () => /Magic link for ada@example\.com: (\S+)/.exec(server.output())?.[1],
    )
    await open(link)
    await page.getByText('Hello, ada@example.com').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Account of ada@example.com').waitFor()
    await open(`${url}/account`)
    await page.getByText('Account of ada@example.com').waitFor()
    await open(url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
)
