/** docs/guides/sveltekit.md: the files of the guide in a folder, in the development server, with Chromium. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { start, waitForServer } from '../../tools/run.mjs'
import { SECRET } from '../config.ts'
import { findBlocks } from '../package/snippets.ts'
import { findBrowser, findFramework } from '../services.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = join(ROOT, 'docs/guides/sveltekit.md')
const application = await findFramework('sveltekit')
const launchOptions = await findBrowser()

/** Writes the blocks of the first two sections; the text before a block names its file. */
function writeGuide(folder: string): string[] {
  const text = readFileSync(GUIDE, 'utf8').split('## Sign in with a form')[0] ?? ''
  const lines = text.split('\n')
  return findBlocks('guide', text).flatMap(({ line, code }) => {
    const before =
      lines
        .slice(0, line - 2)
        .join('\n')
        .split('```')
        .at(-1) ?? ''
    const file = [...before.matchAll(/`((?:src|vite)[\w./+]+)`/g)].at(-1)?.[1]
    if (!file) return []
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
    return [file]
  })
}

test.skipIf(!application || !launchOptions)(
  'the SvelteKit guide leads to a signed-in user, a protected page, and a sign-out',
  async () => {
    // Below the application, whose packages it uses.
    const folder = join(application ?? '', '.sites/guide')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    expect(writeGuide(folder)).toEqual([
      'src/app.html',
      'vite.config.js',
      'src/auth.server.js',
      'src/hooks.server.js',
      'src/routes/+layout.server.js',
      'src/routes/+layout.svelte',
      'src/routes/+page.svelte',
      'src/routes/account/+page.server.js',
    ])
    const account = '<script>let { data } = $props()</script>\n<p>Account of {data.email}</p>\n'
    writeFileSync(join(folder, 'src/routes/account/+page.svelte'), account)
    writeFileSync(join(folder, '.env.local'), `AUTH_SECRET=${SECRET}\n`)
    const dependencies = { 'lib-auth': '*', '@sveltejs/kit': '*' }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
    const installed = join(folder, 'node_modules/lib-auth')
    for (const each of ['package.json', 'dist'])
      cpSync(join(ROOT, each), join(installed, each), { recursive: true })

    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const vite = join(application ?? '', 'node_modules/vite/bin/vite.js')
    const args = [vite, 'dev', '--host', '127.0.0.1', '--port', port, '--strictPort']
    const server = start(process.execPath, args, { cwd: folder, env: { NODE_ENV: 'development' } })
    onTestFinished(async () => server.stop())
    await waitForServer(url, server)
    const browser = await chromium.launch(launchOptions ?? {})
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${url}/account`)
    expect(new URL(page.url()).pathname).toBe('/auth/signin')
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[type=email]').fill('ada@example.com')
    await page.locator('button').first().click()
    await page.waitForURL(/verify-request/)
    const link = /Magic link for ada@example\.com: (\S+)/.exec(server.output())?.[1] ?? ''
    await page.goto(link, { waitUntil: 'networkidle' })
    await page.getByText('Hello, ada@example.com').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Account of ada@example.com').waitFor()
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
)
