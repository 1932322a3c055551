/** docs/guides/tanstack-start.md, followed in a folder inside the application, whose packages it finds. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { run, start, waitForServer } from '../../tools/run.mjs'
import { SECRET } from '../config.ts'
import { findBlocks } from '../package/snippets.ts'
import { findBrowser, findFramework, findRuntime } from '../services.ts'
import { installPackage } from './application.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = 'docs/guides/tanstack-start.md'

const parent = (await findFramework('tanstack-start')) ?? ''
const node = (await findRuntime('node-24')) ?? ''
const launchOptions = await findBrowser()
const folder = join(parent, '.guide')
const blocks = findBlocks(DOCUMENT, readFileSync(join(ROOT, DOCUMENT), 'utf8'))
const vite = join(parent, 'node_modules/vite/bin/vite.js')

describe.skipIf(!parent || !node || !launchOptions)('the quick start with TanStack Start', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    installPackage(folder)
    // What the commands of npm in the guide write.
    cpSync(join(parent, 'package.json'), join(folder, 'package.json'))
    for (const { file, code } of blocks) {
      if (file === undefined) continue
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), `${code}\n`)
    }
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('leads to an application that builds and compiles', async () => {
    await run(node, [vite, 'build'], { cwd: folder, env: { NODE_ENV: 'production' } })
    const compiler = join(parent, 'node_modules/typescript/bin/tsc')
    expect(await run(node, [compiler, '-p', '.'], { cwd: folder })).toBe('')
  })

  test('signs in with a printed magic link, shows the protected page, and signs out', async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const env = { NODE_ENV: undefined, AUTH_SECRET: SECRET }
    const server = start(node, [vite, 'dev', '--port', String(port)], { cwd: folder, env })
    const browser = await chromium.launch(launchOptions ?? {})
    try {
      await waitForServer(url, server)
      const page = await browser.newPage()
      await page.goto(`${url}/account`)
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.locator('input[type=email]').fill('ada@example.com')
      await page.locator('button').first().click()
      await page.waitForURL(/verify-request/)
      const link = /Magic link for ada@example\.com: (\S+)/.exec(server.output())?.[1] ?? ''
      await page.goto(link)
      await page.getByText('Hello, ada@example.com').waitFor()
      await page.goto(`${url}/account`)
      await page.getByText('This is for ada@example.com alone.').waitFor()
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    } finally {
      await browser.close()
      await server.stop()
    }
  })
})
