/**
 * Appearance of the pages: text is readable, and nothing is cut off. With SCREENSHOTS=<folder> in the
 * environment, a screenshot of each is saved there.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { source as axeSource } from 'axe-core'
import type { AxeResults } from 'axe-core'
import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import { askForLink, button, openAsGrace, seeHeading } from './user-actions.ts'

/** Measurements of a page. */
interface Appearance {
  /** Number of measured texts. */
  readonly texts: number
  /** Of the page itself, from 0 to 1 (WCAG 2.2, relative luminance). */
  readonly luminance: number
  /** Texts with too little contrast (WCAG 2.2 §1.4.3) or outside the screen (§1.4.10). */
  readonly faults: readonly string[]
}

/** Measures a page; runs in it. */
export function measure(): Appearance {
  type Color = readonly [red: number, green: number, blue: number, alpha: number]
  const faults: string[] = []
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

  /** Parses any CSS colour. */
  function parse(color: string): Color {
    if (!canvas) throw new Error('There is no canvas.')
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  function over([r, g, b, alpha]: Color, [red, green, blue]: Color): Color {
    const mix = (top: number, below: number) => top * alpha + below * (1 - alpha)
    return [mix(r, red), mix(g, green), mix(b, blue), 1]
  }
  function luminance([red, green, blue]: Color): number {
    const light = (value: number) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }
    return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
  }
  function contrast(one: Color, other: Color): number {
    const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  /** The background colour of the canvas. */
  function blank(): Color {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'Canvas'
    const color = parse(getComputedStyle(probe).color)
    probe.remove()
    return color
  }
  const name = (element: Element) => `<${element.localName}> ${element.textContent.slice(0, 40)}`

  function background(element: Element | null): Color {
    if (!element) return blank()
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
    // Their contrast cannot be computed from colours alone.
    if (backgroundImage !== 'none' || opacity !== '1')
      faults.push(`${name(element)}: an image or opacity, which the test cannot measure`)
    const color = parse(backgroundColor)
    return color[3] === 1 ? color : over(color, background(element.parentElement))
  }
  let texts = 0
  function measureText(element: Element, color: string, text: string): void {
    texts++
    const behind = background(element)
    const ratio = contrast(over(parse(color), behind), behind)
    if (ratio < 4.5)
      faults.push(`${name(element)}: "${text}" has a contrast of ${ratio.toFixed(2)}`)
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode
    const text = textContent?.trim() ?? ''
    if (text && element?.checkVisibility())
      measureText(element, getComputedStyle(element).color, text)
  }
  for (const field of document.querySelectorAll('input')) {
    if (!field.checkVisibility()) continue
    measureText(field, getComputedStyle(field).color, 'typed text')
    if (field.placeholder)
      measureText(field, getComputedStyle(field, '::placeholder').color, field.placeholder)
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`${scrollWidth} wide on a screen of ${clientWidth}`)
  for (const element of document.body.querySelectorAll('*')) {
    const { left, right, width } = element.getBoundingClientRect()
    const isCut = left < -0.5 || right > clientWidth + 0.5
    if (width > 0 && isCut && element.checkVisibility())
      faults.push(`${name(element)}: from ${left} to ${right} on a screen of ${clientWidth}`)
  }
  return { texts, luminance: luminance(background(document.body)), faults }
}

const SCREENS = {
  'a wide screen': { width: 1280, height: 800 },
  'a narrow screen': { width: 320, height: 640 },
}

export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.entries(SCREENS).map(([screen, size]) => ({ colorScheme, screen, size })),
)

/** The signed-out pages of the library and the example. */
const SIGNED_OUT = [
  '/',
  '/client',
  '/mail',
  '/api/auth/signin',
  '/api/auth/signin?error=CredentialsSignin',
  '/api/auth/error?error=Configuration',
  '/api/auth/error?error=AccessDenied',
  '/api/auth/verify-request',
  '/api/auth/signout',
  '/api/auth/password/sign-up',
  '/api/auth/password/forgot',
  '/api/auth/password/done?review=1',
]

const SIGNED_IN = [
  '/',
  '/client',
  '/protected',
  '/account',
  '/account?notice=device',
  '/account?notice=failed',
  '/account?notice=confirmed',
  '/api/auth/signin',
  '/api/auth/signout',
  '/api/auth/step-up',
  '/api/auth/password/change',
  '/api/auth/password/methods',
]

/** Saves a screenshot if SCREENSHOTS is set. */
export async function saveScreenshot(page: Page, ...words: string[]): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const file = words.join(' ').replace(/\W+/g, '-')
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
}

/** Violations of WCAG 2.2 level AA and of best practices that axe finds in the page. */
async function runAxe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  )
}

/** The page as it is, with its state: in every colour scheme, on every screen, with text of twice the size, and with axe. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  for (const { colorScheme, screen, size } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    for (const fontSize of ['100%', '200%']) {
      if (fontSize === '200%' && screen === 'a narrow screen') continue
      await page.evaluate((value) => {
        document.documentElement.style.fontSize = value
      }, fontSize)
      const { faults } = await page.evaluate(measure)
      await saveScreenshot(page, colorScheme, screen, fontSize, name)
      expect(faults, `${name}, ${colorScheme}, ${screen}, ${fontSize}`).toEqual([])
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    if (screen === 'a wide screen') expect(await runAxe(page), name).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
}

/** In every colour scheme, on every screen. */
export function appearanceSuite(demo: Demo): void {
  // Many pages: a loaded machine needs longer than for another test.
  const options = { timeout: 180_000 }
  describe.each(LOOKS)('in $colorScheme colours on $screen', options, (look) => {
    const { colorScheme, screen, size } = look
    /** Measures the page that is open. */
    async function expectReadablePage(page: Page, who: string, path: string): Promise<void> {
      const { texts, luminance, faults } = await page.evaluate(measure)
      await saveScreenshot(page, colorScheme, screen, who, path)
      expect(faults, path).toEqual([])
      // The other looks are of the same markup.
      if (colorScheme === 'light' && screen === 'a wide screen')
        expect(await runAxe(page), path).toEqual([])
      expect(texts, path).toBeGreaterThan(2)
      if (colorScheme === 'dark') expect(luminance, path).toBeLessThan(0.05)
      else expect(luminance, path).toBeGreaterThan(0.8)
    }

    async function expectReadable(
      page: Page,
      who: string,
      paths: readonly string[],
    ): Promise<void> {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      for (const path of paths) {
        await page.goto(demo.url() + path)
        await expectReadablePage(page, who, path)
      }
    }

    test('the signed-out pages are readable, and nothing is cut off', async () => {
      // Statuses of the error pages.
      demo.accept(/status of (?:403|500)/)
      const page = await demo.open('/api/auth/signin')
      await askForLink(page, 'ada@example.com')
      await expectReadable(page, 'signed out', SIGNED_OUT)
    })

    test('the pages of the provider are readable, and nothing is cut off', async () => {
      const page = await demo.open('/')
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      await button(page, 'Sign in with the demo provider').click()
      await seeHeading(page, 'Sign in to the demo provider')
      await expectReadablePage(page, 'provider', 'sign-in')
      await button(page, 'Continue as Ada Lovelace').click()
      await seeHeading(page, 'Allow demo to sign you in?')
      await expectReadablePage(page, 'provider', 'consent')
      await button(page, 'Continue').click()
      await seeHeading(page, 'Hello, Ada Lovelace')
      await page.goto(`${demo.url()}/account`)
      if (demo.router === 'app') {
        await expectReadablePage(page, 'Ada', 'account')
        await button(page, 'Sign out at the provider, too').click()
        await seeHeading(page, 'Sign out of the demo provider, too?')
        await expectReadablePage(page, 'provider', 'sign-out')
      }
    })

    test('the signed-in pages are readable, and nothing is cut off', async () => {
      await expectReadable(await openAsGrace(demo, '/'), 'Grace', SIGNED_IN)
    })
  })
}
