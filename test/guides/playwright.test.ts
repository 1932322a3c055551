/** docs/guides/playwright.md, with the functions of Playwright that it uses. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { printedProvider, startDevProvider } from '../dev-provider.ts'
import Lib from '../../src/frameworks/node/index.ts'
import { findBrowser } from '../services.ts'
import { listen } from '../frameworks/servers/listen.ts'
import { SECRET } from '../config.ts'
import { openGuide } from './guide.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STATE = '.playwright/ada.json'

const launchOptions = await findBrowser()

type Run = (fixtures: { page: Page }) => Promise<void>

/** `test` of Playwright: keeps what it would run. */
const SHIM = `export const runs = []
export const test = (name, run) => void runs.push(run)
`

describe.skipIf(!launchOptions)('the tests of the guide', () => {
  const guide = openGuide('playwright')
  const ends: (() => unknown)[] = [() => rmSync(join(ROOT, '.playwright'), { recursive: true })]
  let browser: Browser
  let runs: readonly Run[]
  let baseURL: string

  beforeAll(async () => {
    const { providers } = await guide.load<{ providers: readonly object[] }>('providers.ts')
    expect(providers).toHaveLength(1)
    const program = await startDevProvider(join(ROOT, 'dist/cli/index.js'))
    ends.push(() => program.stop())
    const provider = printedProvider(program.output())
    const lib = Lib({ providers: [provider], secret: SECRET, trustHost: true })
    const account = async (req: IncomingMessage, res: ServerResponse) => {
      if (!(await lib.protect(req, res))) return
      res.setHeader('content-type', 'text/html')
      res.end(`<p>Hello, ${(await lib.auth(req, res))?.user?.name}</p>`)
    }
    const site = await listen((req, res) => lib.handler(req, res, () => void account(req, res)))
    ends.push(site.stop)
    baseURL = site.origin
    browser = await chromium.launch(launchOptions ?? {})
    ends.push(() => browser.close())
    const folder = join(ROOT, '.cache/guides', `worker-${process.env['VITEST_POOL_ID']}`)
    const shim = join(folder, 'playwright/node_modules/@playwright/test')
    mkdirSync(shim, { recursive: true })
    writeFileSync(join(shim, 'package.json'), '{ "type": "module", "main": "index.js" }')
    writeFileSync(join(shim, 'index.js'), SHIM)
    for (const file of ['sign-in.setup.ts', 'account.spec.ts']) await guide.load(file)
    ;({ runs } = await import(join(shim, 'index.js')))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
    vi.unstubAllEnvs()
  })

  test('sign in once, and every other test starts with this session', async () => {
    expect(runs).toHaveLength(2)
    const [signIn, account] = runs
    const first = await browser.newContext({ baseURL })
    await signIn?.({ page: await first.newPage() })
    const second = await browser.newContext({ baseURL, storageState: STATE })
    await account?.({ page: await second.newPage() })
  })
})
