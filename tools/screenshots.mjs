// node tools/screenshots.mjs: takes the screenshots of the README (docs/images) from the demo, in light and dark.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { APPS, buildApp, startDemo } from './demo-app.mjs'
import { run } from './run.mjs'
import { chromiumOptions } from './services.mjs'

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url))

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

async function takeScreenshots(browser, url) {
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
  await page.goto(`${url}/api/auth/signin`)
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
const secret = 'a secret of the demo for the screenshots'
const demo = await startDemo({ app: APPS.app, databaseFile: join(data, 'demo.db'), secret })
const browser = await chromium.launch(options)
try {
  await takeScreenshots(browser, demo.url)
} finally {
  await browser.close()
  await demo.stop()
  rmSync(data, { recursive: true })
}
