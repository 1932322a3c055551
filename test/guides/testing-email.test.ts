/** docs/testing/email.md: its tests run as tests of this file, the last one in Chromium. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { EmailConfig } from '../../src/core/config/email.ts'
import Lib from '../../src/frameworks/node/index.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { listen } from '../frameworks/servers/listen.ts'
import { findBrowser } from '../services.ts'
import { openGuide } from './guide.ts'

const NAME = 'testing-email'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const guide = openGuide(NAME, 'docs/testing/email.md')
await guide.load('email.test.ts')

const launchOptions = await findBrowser()

test('the transport keeps the mail that Nodemailer would send', async () => {
  const { provider, sent } = await guide.load<{
    provider: EmailConfig
    sent: Record<string, unknown>[]
  }>('transport.ts')
  const config = { adapter: MemoryAdapter(), providers: [provider], secret: SECRET }
  const tab = browser({ ...config, trustHost: true })
  await tab.post('signin/nodemailer', { email: 'transport@example.com' })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    to: [{ address: 'transport@example.com', name: '' }],
    subject: expect.stringContaining('app.test'),
    text: expect.stringContaining('https://app.test/auth/callback/nodemailer?'),
    html: expect.stringContaining('https://app.test/auth/callback/nodemailer?'),
  })
})

/** `test` of Playwright: keeps what it would run. */
const SHIM = `export const runs = []
export const test = (name, run) => void runs.push(run)
`

test.skipIf(!launchOptions)('the end-to-end test signs in', async () => {
  const mails = mkdtempSync(join(tmpdir(), 'lib-auth-mails-'))
  vi.stubEnv('TMPDIR', mails)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(mails, { recursive: true })
  })
  const folder = join(ROOT, '.cache/guides', `worker-${process.env['VITEST_POOL_ID']}`, NAME)
  const shim = join(folder, 'node_modules/@playwright/test')
  mkdirSync(shim, { recursive: true })
  writeFileSync(join(shim, 'package.json'), '{ "type": "module", "main": "index.js" }')
  writeFileSync(join(shim, 'index.js'), SHIM)
  const { e2eMail } = await guide.load<{ e2eMail: EmailConfig }>('e2e-mail.ts')
  await guide.load('magic-link.setup.ts')
  const { runs }: { runs: ((fixtures: { page: Page }) => Promise<void>)[] } = await import(
    join(shim, 'index.js')
  )
  const adapter = MemoryAdapter()
  const lib = Lib({ adapter, providers: [e2eMail], secret: SECRET, trustHost: true })
  const account = async (req: IncomingMessage, res: ServerResponse) => {
    if (await lib.protect(req, res)) res.end('The account')
  }
  const site = await listen((req, res) => lib.handler(req, res, () => void account(req, res)))
  onTestFinished(() => site.stop())
  const chrome = await chromium.launch(launchOptions ?? {})
  onTestFinished(() => chrome.close())
  const context = await chrome.newContext({ baseURL: site.origin })
  expect(runs).toHaveLength(1)
  await runs[0]?.({ page: await context.newPage() })
  expect(await adapter.getUserByEmail('ada@example.com')).not.toBeNull()
})
