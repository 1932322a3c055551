/** Sign-in with a code from a mail, on the built-in pages in Chromium, over SMTP. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { french } from '../../examples/messages/french.ts'
import { german } from '../../examples/messages/german.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { EmailMethod } from '../../src/core/config/email.ts'
import type { AuthConfig } from '../../src/index.ts'
import Nodemailer from '../../src/providers/nodemailer.ts'
import { SECRET, silentLog } from '../config.ts'
import { wrongCode } from '../email.ts'
import { mailServer } from '../mail-server.ts'
import { findBrowser } from '../services.ts'
import { LOOKS, measure } from './appearance-suite.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'

const launchOptions = await findBrowser()
const server = await mailServer()
afterAll(() => server.stop())

function configWith(method: EmailMethod, more: Partial<AuthConfig> = {}): AuthConfig {
  return {
    adapter: MemoryAdapter(),
    basePath: '/auth',
    providers: [Nodemailer({ server: server.url, method })],
    secret: SECRET,
    trustHost: true,
    logger: silentLog().logger,
    ...more,
  }
}

const field = (page: Page) => page.locator('input[name=code]')
/** The field, once the browser has focused it, which it does after the page has loaded. */
const focused = (page: Page) => page.locator('input[name=code]:focus')
const submit = (page: Page) => page.locator('button.primary').click()

/** The code in the newest mail. */
function sentCode(): string {
  const [, code] = /^Code: (\d{6})$/m.exec(server.mails.at(-1)?.text ?? '') ?? []
  if (code === undefined) throw new Error('The newest mail has no code.')
  return code
}

describe.skipIf(!launchOptions)('the page for a code', () => {
  let site: PasskeySite
  let config = configWith('code')
  beforeAll(async () => {
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  afterAll(() => site?.stop())

  /** Requests a code for an address. */
  async function request(method: EmailMethod, options: BrowserContextOptions = {}, more = {}) {
    config = configWith(method, more)
    const page = await site.open(options)
    await page.locator('input[type=email]').fill('ada@example.com')
    await submit(page)
    await page.waitForURL(/verify-request/)
    return page
  }

  test('shows all six digits on a narrow screen in text of twice the size', async () => {
    const page = await request('code', { viewport: { width: 320, height: 640 } })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await field(page).fill('123456')
    const hidden = await field(page).evaluate((each) => each.scrollWidth - each.clientWidth)
    expect(hidden).toBeLessThanOrEqual(0)
  })

  test('signs in with a code that is typed, after one that is wrong', async () => {
    const page = await request('code')
    const code = sentCode()
    await focused(page).waitFor()
    const attributes = ['type', 'inputmode', 'autocomplete', 'maxlength']
    const given = await Promise.all(attributes.map((name) => field(page).getAttribute(name)))
    expect(given).toEqual(['text', 'numeric', 'one-time-code', null])
    await page.keyboard.type(wrongCode(code))
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('The code is wrong or has expired')
    const described = await field(page).getAttribute('aria-describedby')
    expect(await page.locator(`#${described}`).innerText()).toContain('The code is wrong')
    expect(await field(page).getAttribute('aria-invalid')).toBe('true')
    expect(await field(page).inputValue()).toBe('')
    await focused(page).waitFor()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await page.context().close()
  })

  test('has its links in one line on a phone', async () => {
    const page = await request('code', { viewport: { width: 360, height: 640 } })
    const links = await page.locator('.actions .link').all()
    const boxes = await Promise.all(links.map((link) => link.boundingBox()))
    expect(boxes).toHaveLength(2)
    expect(boxes[0]?.y).toBe(boxes[1]?.y)
    await page.context().close()
  })

  test('accepts a code that is pasted with spaces or dashes, and rejects other text', async () => {
    const page = await request('code', { permissions: ['clipboard-read', 'clipboard-write'] })
    const code = sentCode()
    for (const odd of ['12345', '1234567', 'abcdef']) {
      await field(page).fill(odd)
      await submit(page)
      expect(await field(page).evaluate((each: HTMLInputElement) => each.validity.valid)).toBe(
        false,
      )
    }
    await field(page).fill('')
    const pasted = ` ${code.slice(0, 3)}\u00a0\u2013 ${code.slice(3)} `
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted)
    await field(page).press('Control+V')
    expect((await field(page).inputValue()).trim()).toHaveLength(9)
    await submit(page)
    await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await page.context().close()
  })

  test('offers another code after the fifth wrong one', async () => {
    const page = await request('code')
    const code = sentCode()
    for (let at = 1; at <= 5; at++) {
      await field(page).fill(wrongCode(code, at))
      // The URL is the same after each of them.
      const loaded = page.waitForEvent('load')
      await submit(page)
      await loaded
      expect(page.url()).toContain('error=Verification')
    }
    expect(await field(page).count()).toBe(0)
    expect(await page.getByRole('alert').innerText()).toContain('cannot be used any more')
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await field(page).waitFor()
    await field(page).fill(sentCode())
    await submit(page)
    await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await page.context().close()
  })

  test('is shown next to a link, which signs in, too', async () => {
    const page = await request('both')
    expect(await page.locator('.sub').innerText()).toContain('Open the link, or enter the code.')
    const [, link = ''] = /(http\S+)/.exec(server.mails.at(-1)?.text ?? '') ?? []
    await page.goto(link)
    await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
    await page.context().close()
  })

  test.each([
    ['German', german, 'Der Code ist falsch'],
    ['French', french, 'Le code est incorrect'],
  ])('has %s texts', async (_name, messages, error) => {
    const page = await request('both', {}, { theme: { messages } })
    expect(await field(page).getAttribute('title')).toContain('6')
    await field(page).fill(wrongCode(sentCode()))
    await submit(page)
    expect(await page.getByRole('alert').innerText()).toContain(error)
    await page.context().close()
  })

  test.each(LOOKS)('is readable in $colorScheme colours on $screen', async (look) => {
    const { colorScheme, size } = look
    const page = await request('both', { colorScheme, viewport: size })
    const messages: string[] = []
    page.on('console', (message) => void messages.push(message.text()))
    const save = async (name: string) => {
      const folder = process.env['SCREENSHOTS']
      const path = `${folder}/code-${name}-${colorScheme}-${look.screen}.png`
      if (folder) await page.screenshot({ path, fullPage: true })
    }
    await page.reload()
    await save('empty')
    expect((await page.evaluate(measure)).faults).toEqual([])
    await field(page).fill(wrongCode(sentCode()))
    await submit(page)
    await page.getByRole('alert').waitFor()
    await save('wrong')
    expect((await page.evaluate(measure)).faults).toEqual([])
    expect(messages).toEqual([])
    await page.context().close()
  })
})
