/** The sign-in page with eight providers, in Chromium. */
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import Apple from '../../src/providers/apple.ts'
import Discord from '../../src/providers/discord.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import LinkedIn from '../../src/providers/linkedin.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import Slack from '../../src/providers/slack.ts'
import Twitter from '../../src/providers/twitter.ts'
import { SECRET, silentLog } from '../config.ts'
import { findBrowser } from '../services.ts'
import { LOOKS, measure } from './appearance-suite.ts'

const client = { clientId: 'id', clientSecret: 'secret' }
const config = {
  providers: [
    GitHub(client),
    Google(client),
    Apple(client),
    MicrosoftEntraID({ ...client, issuer: 'https://login.microsoftonline.com/common/v2.0' }),
    Discord(client),
    Slack(client),
    Twitter(client),
    LinkedIn(client),
  ],
  secret: SECRET,
  trustHost: true,
  logger: silentLog().logger,
}

const launchOptions = await findBrowser()

describe.skipIf(!launchOptions)('the sign-in page with eight providers', () => {
  let chrome: Browser
  beforeAll(async () => {
    chrome = await chromium.launch(launchOptions ?? {})
  })
  afterAll(async () => {
    await chrome?.close()
  })

  async function open({ colorScheme, size }: (typeof LOOKS)[number]): Promise<Page> {
    const context = await chrome.newContext({ viewport: size, colorScheme })
    await context.route('**/*', async (route) => {
      const response = await Auth(new Request(route.request().url()), config)
      const { status, headers } = response
      const body = await response.text()
      await route.fulfill({ status, headers: Object.fromEntries(headers), body })
    })
    return context.newPage()
  }

  /** With the buttons that open with one click. */
  async function openAll(look: (typeof LOOKS)[number]): Promise<Page> {
    const page = await open(look)
    await page.goto('https://app.test/auth/signin')
    await page.getByText('More ways to sign in').click()
    return page
  }

  describe.each(LOOKS)('in $colorScheme colours on $screen', (look) => {
    test('is readable, and its content security policy allows its styles and icons', async () => {
      const page = await open(look)
      const messages: string[] = []
      page.on('console', (message) => void messages.push(message.text()))
      await page.goto('https://app.test/auth/signin')
      expect((await page.evaluate(measure)).faults).toEqual([])
      expect(messages).toEqual([])
      await page.context().close()
    })

    test('aligns the icons and initials, and shows each in the same size', async () => {
      const page = await openAll(look)
      const boxes = await page
        .locator('button > :first-child')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
      expect(boxes).toHaveLength(8)
      const [{ x }] = boxes
      for (const box of boxes) expect(box).toMatchObject({ x, width: 24, height: 24 })
      await page.context().close()
    })

    test('draws an icon in the colour of its text, and that of Google in four', async () => {
      const page = await openAll(look)
      const fills = (name: string) =>
        page
          .getByRole('button', { name: `Continue with ${name}`, exact: true })
          .evaluate((button) => ({
            text: getComputedStyle(button).color,
            paths: [...button.querySelectorAll('path')].map((path) => getComputedStyle(path).fill),
          }))
      for (const name of ['GitHub', 'Apple', 'Discord', 'Twitter']) {
        const { text, paths } = await fills(name)
        expect(paths).toEqual([text])
      }
      expect(new Set((await fills('Google')).paths).size).toBe(4)
      await page.context().close()
    })
  })
})
