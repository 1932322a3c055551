/** docs/guides/react-router.md, followed in a folder inside `react-router`, whose packages it finds. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { run, start, waitForServer } from '../../tools/run.mjs'
import { SECRET } from '../config.ts'
import { openPage } from '../package/open-page.ts'
import { findBlocks } from '../package/snippets.ts'
import type { Block } from '../package/snippets.ts'
import { findBrowser, findFramework } from '../services.ts'
import { installPackage } from './application.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = 'docs/guides/react-router.md'

const parent = (await findFramework('react-router')) ?? ''
const launchOptions = await findBrowser()
const folder = join(parent, '.guide')
const blocks = findBlocks(DOCUMENT, readFileSync(join(ROOT, DOCUMENT), 'utf8'))

function write({ file = '', code }: Block): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), `${code}\n`)
}

/** Runs a command of the guide, in which `npx` finds the program of a package. */
function commandOf(line: string): string[] {
  expect(blocks.flatMap(({ code }) => code.split('\n'))).toContain(line)
  const [program = '', ...args] = line.replace(/^.*npx /, '').split(' ')
  return [join(parent, 'node_modules/.bin', program), ...args]
}

describe.skipIf(!parent || !launchOptions)('the quick start with React Router', () => {
  const site = { url: '', stop: async (): Promise<void> => undefined }
  let browser: Browser

  const serve = async (line: string, ...args: string[]) => {
    await site.stop()
    const port = await freePort()
    site.url = `http://localhost:${port}`
    const env = {
      NODE_ENV: undefined,
      PORT: String(port),
      AUTH_URL: site.url,
      AUTH_SECRET: SECRET,
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'secret',
      NODE_OPTIONS: `--import=${new URL('../package/github.mjs', import.meta.url).href}`,
    }
    const words = args.map((each) => each.replace('PORT', String(port)))
    const server = start(process.execPath, [...commandOf(line), ...words], { cwd: folder, env })
    site.stop = () => server.stop()
    await waitForServer(site.url, server)
  }

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    installPackage(folder)
    // What the commands of npm in the guide write.
    cpSync(join(parent, 'package.json'), join(folder, 'package.json'))
    const files = blocks.filter(({ file }) => file !== undefined && file !== '.env.local')
    for (const block of files.toReversed()) write(block)
    browser = await chromium.launch(launchOptions ?? {})
  })

  afterAll(async () => {
    await browser?.close()
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = (path: string) => openPage(browser, site.url + path)

  test('leads to a page with a sign-in button, in development', async () => {
    await serve('npx react-router dev', '--port', 'PORT')
    expect(await (await fetch(site.url)).text()).toContain('Sign in with GitHub')
  })

  test('leads to an application that compiles and builds', async () => {
    await site.stop()
    await run(process.execPath, commandOf('npx react-router build'), { cwd: folder })
    const tsc = join(parent, 'node_modules/typescript/bin/tsc')
    expect(await run(process.execPath, [tsc, '-p', '.'], { cwd: folder })).toBe('')
    await serve('AUTH_URL=https://your.site npx react-router-serve ./build/server/index.js')
  })

  test('signs in with GitHub by a form of the router, greets the user, and signs out', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
    await page.getByText('Hello, Ada Lovelace').waitFor()
    await page.goto(`${site.url}/profile`)
    await page.getByText('Hello, Ada Lovelace').waitFor()
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor()
    await page.goto(`${site.url}/profile`)
    await page.getByText('Hello, stranger').waitFor()
  })

  test('a link of the router to a protected page leads to the sign-in page and back', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.getByText('This is for Ada Lovelace alone.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
  })
})
