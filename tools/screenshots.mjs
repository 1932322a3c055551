// node tools/screenshots.mjs: takes the screenshots of the README (docs/images), in light and dark: the sign-in page of
// an application with providers that readers know, and the demo.
import { createServer } from 'node:http'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { APPS, buildApp, startDemo } from './demo-app.mjs'
import { run } from './run.mjs'
import { chromiumOptions } from './services.mjs'

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url))

const secret = 'a secret of the demo for the screenshots'

/** Maximum bytes of a screenshot: every visitor of the README downloads two of them. */
const LIMIT = 60_000

/** Signs in at the OpenID provider of the demo. */
async function signIn(page, url) {
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in with the demo provider' }).click()
  await page.getByRole('button', { name: 'Continue as Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
}

async function takeScreenshot(page, name) {
  const path = join(FOLDER, `${name}.png`)
  await page.screenshot({ path })
  const { size } = statSync(path)
  if (size > LIMIT) throw new Error(`${name}.png has ${size} bytes; the limit is ${LIMIT}.`)
  console.log(`docs/images/${name}.png: ${size} bytes`)
}

/** Starts an application that has only the built-in pages. */
async function startApplication() {
  // Built by this script.
  const [Lib, Memory, GitHub, Google, Microsoft, Passkey, Nodemailer] = await Promise.all([
    import('lib-auth/node'),
    import('lib-auth/adapters/memory'),
    import('lib-auth/providers/github'),
    import('lib-auth/providers/google'),
    import('lib-auth/providers/microsoft-entra-id'),
    import('lib-auth/providers/passkey'),
    import('lib-auth/providers/nodemailer'),
  ])
  const client = { clientId: 'acme', clientSecret: 'acme' }
  const { handler } = Lib.default({
    adapter: Memory.default(),
    secret,
    trustHost: true,
    theme: { name: 'Acme' },
    experimental: { enableWebAuthn: true },
    providers: [
      GitHub.default(client),
      Google.default(client),
      Microsoft.default({
        ...client,
        name: 'Microsoft',
        issuer: 'https://login.microsoftonline.com/acme/v2.0',
      }),
      Passkey.default,
      Nodemailer.default({ server: 'smtp://localhost', from: 'Acme <no-reply@example.com>' }),
    ],
  })
  const server = createServer((req, res) => handler(req, res))
  await new Promise((resolve) => server.listen(0, 'localhost', resolve))
  return { server, url: `http://localhost:${server.address().port}` }
}

async function takeScreenshots(browser, url, applicationUrl) {
  const viewport = { width: 480, height: 690 }
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1 })
  const page = await context.newPage()
  const inBothSchemes = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      // With motion, the screenshot would show a colour in transition.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await takeScreenshot(page, `${name}-${colorScheme}`)
    }
  }
  await page.goto(`${applicationUrl}/auth/signin`)
  await inBothSchemes('sign-in')
  await signIn(page, url)
  await inBothSchemes('demo')
}

const options = await chromiumOptions()
if (!options) throw new Error('Chromium is missing. Install it, or set CHROME_PATH.')
mkdirSync(FOLDER, { recursive: true })
await run(process.execPath, ['tools/build.mjs'])
await buildApp()
const data = mkdtempSync(join(tmpdir(), 'lib-auth-pictures-'))
const demo = await startDemo({ app: APPS.app, databaseFile: join(data, 'demo.db'), secret })
const application = await startApplication()
const browser = await chromium.launch(options)
try {
  await takeScreenshots(browser, demo.url, application.url)
} finally {
  await browser.close()
  application.server.close()
  await demo.stop()
  rmSync(data, { recursive: true })
}
