/** The documentation site, as it is built and served: links, accessibility, content security policy, search. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { source as axeSource } from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SITE } from '../../tools/separate-installs.mjs'
import { buildSite } from '../../tools/site.mjs'
import { readPages } from '../../tools/site-pages.mjs'
import { withBrowser } from '../package/with-browser.ts'
import { findBrowser, findSite } from '../services.ts'
import { serveFolder } from './serve.ts'

const FOLDER = join(SITE, 'dist')
const ORIGIN = 'https://docs.test'

/** One page of each layout, and those with the widest tables and the longest words. */
const LAYOUTS = [
  '/',
  '/start/next/',
  '/reference/configuration/',
  '/reference/callbacks/',
  '/reference/cookies/',
  '/errors/',
  '/errors/invalidcheck/',
  '/providers/',
  '/providers/microsoft-entra-id/',
  '/api/react/',
  '/404.html',
  '/next/',
  '/next/guides/roles/',
]

/** Pages with most elements of a layout, and not many of them. */
const SHORT = ['/', '/start/next/', '/errors/invalidcheck/', '/next/start/hono/']

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

/** The same markup with other colours, and with another navigation. */
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: DESKTOP },
  { name: 'dark', colorScheme: 'dark', viewport: DESKTOP },
  { name: 'phone', colorScheme: 'light', viewport: PHONE },
] as const

/** What readers search for, and the page that must be among the first three results. */
const QUERIES = [
  ['UntrustedHost', '/errors/untrustedhost/'],
  ['InvalidCheck', '/errors/invalidcheck/'],
  ['refresh token', '/guides/access-tokens/'],
  ['next-auth migrate', '/migrate/next-auth-v5/'],
  ['magic link', '/guides/email/'],
  ['passkeys', '/guides/passkeys/'],
  ['roles', '/guides/roles/'],
  ['reverse proxy', '/deploy/reverse-proxy/'],
  ['vitest', '/testing/'],
  ['sveltekit', '/start/sveltekit/'],
  ['google', '/providers/google/'],
  ['redirect loop', '/troubleshooting/redirect-loop/'],
  ['environment variables', '/reference/environment/'],
  ['cookie names', '/reference/cookies/'],
  ['upgrade', '/upgrade/'],
  ['rbac', '/guides/roles/'],
  ['typescript session user id', '/troubleshooting/types/'],
  ['custom login page', '/guides/sign-in-page/'],
  ['login with username password', '/guides/credentials/'],
  ['logout all devices', '/guides/sign-out-everywhere/'],
  ['allowlist', '/guides/invite-only/'],
  ['disable registration', '/guides/invite-only/'],
  ['multi-tenant', '/guides/multi-tenant/'],
  ['playwright login', '/testing/playwright/'],
  ['deploy production', '/deploy/'],
  ['brute force', '/guides/rate-limits/'],
  ['webauthn', '/guides/passkeys/'],
  ['forgot password', '/guides/passwords/'],
  ['2fa', '/guides/second-factor/'],
  ['totp', '/guides/second-factor/'],
] as const

const launchOptions = await findBrowser()
const isInstalled = (await findSite()) !== null
const pages = readPages()
const routes = new Set(['/', ...pages.map(({ route }) => `/${route}/`)])

/** What the development version has in these tests: a page that is not released, and the former route of another. */
const UNRELEASED = 'guides/roles'
const RENAMED = { 'guides/former': 'guides/email' }
const FORMER = '/next/guides/former/'

/** Builds the development version. */
function buildNext(): Promise<void> {
  const released = pages.map(({ route }) => route).filter((route) => route !== UNRELEASED)
  return buildSite({ url: ORIGIN, base: '/next/', redirects: RENAMED, released })
}

const inNext = (path: string) => `/next${path}`

const NOTICE = /This page describes the development version\. [^<]*<a href="([^"]+)"/g

/** Each HTML file, by its path on the site. */
const documents = new Map<string, string>()

const attributes = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = '']) =>
    value.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
  )

describe.skipIf(!isInstalled || !launchOptions)('the documentation site', () => {
  const { browser } = withBrowser('docs', launchOptions)
  let site: Awaited<ReturnType<typeof serveFolder>>

  beforeAll(async () => {
    await buildSite({ url: ORIGIN })
    await buildNext()
    for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.html'))
        documents.set(
          `/${file.replace(/index\.html$/, '')}`,
          readFileSync(join(FOLDER, file), 'utf8'),
        )
    site = await serveFolder(FOLDER)
  }, 600_000)
  afterAll(() => site.stop())

  /** Opens a page that reports violations of its policy, requests to other hosts, and errors. */
  async function open(
    path: string,
    options: Parameters<ReturnType<typeof browser>['newContext']>[0] = {},
  ) {
    const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const faults: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${site.url}/`)) faults.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(site.url + path)
    return { page, faults }
  }

  test('consists of the pages of the manifest, which the sitemap and llms.txt list, too', () => {
    const paths = [...routes, '/404.html']
    expect(new Set(documents.keys())).toEqual(new Set([...paths, ...paths.map(inNext), FORMER]))
    const sitemap = readFileSync(join(FOLDER, 'sitemap-0.xml'), 'utf8')
    const listed = attributes(sitemap, /<loc>([^<]+)<\/loc>/g)
    expect(new Set(listed.map((url) => url.replace(ORIGIN, '')))).toEqual(routes)
    const index = readFileSync(join(FOLDER, 'llms.txt'), 'utf8')
    const described = attributes(index, /^- \[.+?\]\((\/.+?)\.md\)/gm)
    expect(new Set(['/', ...described.map((path) => `${path}/`)])).toEqual(routes)
  })

  test('the development version has the same pages below its path, but no sitemap', () => {
    const index = readFileSync(join(FOLDER, 'next/llms.txt'), 'utf8')
    const described = attributes(index, /^- \[.+?\]\((\/.+?)\.md\)/gm)
    expect(new Set(['/next/', ...described.map((path) => `${path}/`)])).toEqual(
      new Set([...routes].map(inNext)),
    )
    const markdown = readFileSync(join(FOLDER, 'next/start/hono.md'), 'utf8')
    expect(markdown).toContain('](/next/')
    expect(markdown).not.toMatch(/\]\(\/(?!next\/)|\/blob\/v/)
    expect(existsSync(join(FOLDER, 'next/sitemap-index.xml'))).toBe(false)
  })

  test('search engines find the latest release only', () => {
    for (const route of routes) {
      const robots = /<meta name="robots" content="noindex"/
      const next = documents.get(inNext(route)) ?? ''
      expect(next, route).toMatch(robots)
      expect(documents.get(route), route).not.toMatch(robots)
      const canonical = [route, inNext(route)].map((path) =>
        attributes(documents.get(path) ?? '', /<link rel="canonical" href="([^"]+)"/g),
      )
      const latest = route === `/${UNRELEASED}/` ? [] : [ORIGIN + route]
      expect(canonical, route).toEqual([[ORIGIN + route], latest])
    }
  })

  test('each page of the development version links that of the latest release', () => {
    for (const route of routes) {
      const [latest] = attributes(documents.get(inNext(route)) ?? '', NOTICE)
      expect(latest, route).toBe(route === `/${UNRELEASED}/` ? '/' : route)
      expect(documents.get(route), route).not.toMatch(NOTICE)
    }
  })

  test('has each page as Markdown, and the guides in one file', () => {
    const full = readFileSync(join(FOLDER, 'llms-full.txt'), 'utf8')
    for (const { route, title, kind, group } of pages) {
      const markdown = readFileSync(join(FOLDER, `${route}.md`), 'utf8')
      expect(markdown.startsWith(`# ${title}\n`), route).toBe(true)
      if (kind !== 'tutorial' && group !== 'Migration') continue
      expect(full.includes(`# ${title}\n\nPage: /${route}/\n`), route).toBe(true)
      for (const [block, indent = ''] of markdown.matchAll(/^( *)```[^]*?^\1```$/gm))
        expect(full.includes(block.replace(new RegExp(`^${indent}`, 'gm'), '')), route).toBe(true)
    }
  })

  test('has no link to a page, heading or file that does not exist', () => {
    const anchors = new Map(
      [...documents].map(([path, html]) => [
        path,
        new Set(attributes(html, /<[^<>]+? id="([^"]+)"/g)),
      ]),
    )
    const links = [...documents].flatMap(([path, html]) =>
      attributes(html, /<(?:a|link|script|img|source)\b[^<>]*? (?:href|src|srcset)="([^"]*)"/g).map(
        (link) => ({ path, link, url: new URL(link, site.url + path) }),
      ),
    )
    expect(links.length).toBeGreaterThan(10_000)
    const dead = links.filter(({ path: from, url }) => {
      // The canonical link of a page, and the sitemap.
      if (url.origin === ORIGIN)
        return !routes.has(url.pathname) && !['/404/', '/sitemap-index.xml'].includes(url.pathname)
      if (url.origin !== site.url) return false
      const path = decodeURIComponent(url.pathname)
      // The development version links itself, but for its notice and its menu.
      if (from.startsWith('/next/') && !path.startsWith('/next/'))
        return path !== '/' && inNext(path) !== from
      const ids = anchors.get(path)
      if (!ids) return path.endsWith('/') || !existsSync(join(FOLDER, path))
      return url.hash !== '' && !ids.has(decodeURIComponent(url.hash.slice(1)))
    })
    expect(dead.map(({ path, link }) => `${path}: ${link}`)).toEqual([])
  })

  test('allows no inline script or style but its own, and nothing of another host', () => {
    for (const [path, html] of documents) {
      const [policy = ''] = attributes(
        html,
        /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/g,
      )
      expect(policy, path).toMatch(/^default-src 'self'; script-src 'self' /)
      expect(policy, path).not.toMatch(/'unsafe-|https?:|\*/)
    }
  })

  /** What axe finds on the page. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axeSource)
    const found = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }

  test.each(VIEWS)(
    'is accessible, and keeps its policy: $name',
    { timeout: 120_000 },
    async ({ name, ...options }) => {
      const { page, faults } = await open('/', options)
      for (const path of name === 'light' ? LAYOUTS : SHORT) {
        await page.goto(site.url + path)
        await saveScreenshot(page, `${name} ${path}`)
        expect(await violations(page), `${path} ${name}`).toEqual([])
      }
      expect(faults).toEqual([])
    },
  )

  test.each(VIEWS)(
    'has accessible pages about all errors: $name',
    { timeout: 240_000 },
    async ({ name: _name, ...options }) => {
      const errors = [...routes].filter((path) => path.startsWith('/errors/'))
      expect(errors.length).toBeGreaterThan(40)
      const { page, faults } = await open('/', options)
      const found: string[] = []
      for (const path of errors) {
        await page.goto(site.url + path)
        for (const each of await violations(page)) found.push(`${path} ${each}`)
      }
      expect(found).toEqual([])
      expect(faults).toEqual([])
    },
  )

  test('does not scroll sideways on a narrow screen', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 800 } })
    for (const path of LAYOUTS) {
      await page.goto(site.url + path)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(320)
    }
  })

  test('finds the page that the reader means among the first three results', async () => {
    const { page, faults } = await open('/start/')
    await page.getByRole('button', { name: 'Search' }).click()
    const field = page.locator('.pagefind-ui__search-input')
    const missed: string[] = []
    for (const [query, expected] of QUERIES) {
      await field.fill(query)
      const summary = page.getByText(new RegExp(`\\d+ results? for ${query}$`))
      const count = Number.parseInt(await summary.innerText(), 10)
      const results = page.locator('.pagefind-ui__result')
      const titles = [0, 1, 2]
        .slice(0, count)
        .map((at) => results.nth(at).locator('.pagefind-ui__result-title a').first())
      const first = await Promise.all(titles.map((title) => title.getAttribute('href')))
      if (query === 'refresh token') await saveScreenshot(page, 'search')
      if (!first.includes(expected)) missed.push(`${query}: ${first.join(' ')}`)
    }
    expect(missed).toEqual([])
    expect(faults).toEqual([])
  })

  test('finds pages of the development version in it', async () => {
    const { page, faults } = await open('/next/start/')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('.pagefind-ui__search-input').fill('UntrustedHost')
    await page.locator('.pagefind-ui__result-title a').first().click()
    await page.waitForURL(`${site.url}/next/errors/untrustedhost/**`)
    await page.getByRole('link', { name: 'View as Markdown' }).click()
    expect(page.url()).toBe(`${site.url}/next/errors/untrustedhost.md`)
    expect(faults).toEqual([])
  })

  test('leads from the development version to the latest release, and from a former route to its page, without scripts', async () => {
    const { page, faults } = await open('/next/start/hono/', { javaScriptEnabled: false })
    await saveScreenshot(page, 'notice')
    await page.getByRole('link', { name: 'Read the page of the latest release' }).click()
    expect(page.url()).toBe(`${site.url}/start/hono/`)
    await page.getByText('Version: latest').filter({ visible: true }).click()
    await page.getByRole('link', { name: 'next', exact: true }).click()
    expect(page.url()).toBe(`${site.url}/next/start/hono/`)
    await page.goto(site.url + FORMER)
    await page.waitForURL(`${site.url}/next/guides/email/`)
    expect(faults).toEqual([])
  })

  test.each(VIEWS)('has an accessible menu of versions: $name', async ({ name, ...options }) => {
    const isPhone = name === 'phone'
    const narrow = { width: 320, height: 800 }
    const viewport = isPhone ? narrow : options.viewport
    const { page, faults } = await open('/next/start/hono/', { ...options, viewport })
    if (isPhone) await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.getByText('Version: next').filter({ visible: true }).press('Enter')
    const latest = page.getByRole('link', { name: 'latest', exact: true })
    await latest.scrollIntoViewIfNeeded()
    await saveScreenshot(page, `${name} versions`)
    const box = await latest.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(viewport.width)
    expect(await violations(page)).toEqual([])
    await latest.press('Enter')
    await page.waitForURL(`${site.url}/start/hono/`)
    expect(faults).toEqual([])
  })

  test('can be read and navigated without scripts', async () => {
    const { page } = await open('/start/next/', { javaScriptEnabled: false })
    await page.getByRole('heading', { level: 1, name: 'Quick start: Next.js App Router' }).waitFor()
    await page.getByRole('link', { name: 'View as Markdown' }).click()
    expect(page.url()).toBe(`${site.url}/start/next.md`)
  })

  describe('with a keyboard', () => {
    const clipboard = ['clipboard-read', 'clipboard-write']

    test('the first key shows the link that skips the navigation', async () => {
      const { page } = await open('/start/next/')
      await page.keyboard.press('Tab')
      expect(await readFocus(page)).toMatchObject({
        text: 'Skip to content',
        hasOutline: true,
        isInView: true,
      })
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await readFocus(page)).toMatchObject({ text: 'View as Markdown', isInMain: true })
    })

    test('Ctrl+K opens the search, Escape closes it, and the focus returns', async () => {
      const { page } = await open('/start/')
      await pressUntil(page, 'Tab', 'Source')
      await page.keyboard.press('Control+k')
      const field = page.locator('.pagefind-ui__search-input')
      await field.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'hidden' })
      expect((await readFocus(page)).text).toBe('Source')
    })

    test('finds a page, and opens it, in a browser that is never idle', async () => {
      const { page } = await open('/404.html')
      await page.addInitScript(`{
        const whenIdle = window.requestIdleCallback
        window.requestIdleCallback = (work, { timeout } = {}) => timeout && whenIdle(work, { timeout })
      }`)
      await page.goto(`${site.url}/start/`)
      await page.keyboard.press('Control+k')
      await page.locator('.pagefind-ui__search-input:focus').waitFor()
      await page.keyboard.type('UntrustedHost')
      await page.getByText(/\d+ results? for UntrustedHost$/).waitFor()
      await pressUntil(page, 'Tab', 'UntrustedHost')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${site.url}/errors/untrustedhost/**`)
    })

    test('focuses the search field also if the dialog was opened before it was loaded', async () => {
      const { page } = await open('/404.html')
      let load = () => {}
      const isOpen = new Promise<void>((resolve) => (load = resolve))
      await page.route('**/_astro/ui-core*', async (route) => {
        await isOpen
        await route.continue()
      })
      await page.goto(`${site.url}/start/`)
      await page.keyboard.press('Control+k')
      await page.locator('dialog[open]').waitFor()
      expect(await page.locator('.pagefind-ui__search-input').count()).toBe(0)
      load()
      await page.locator('.pagefind-ui__search-input:focus').waitFor()
    })

    test('opens and closes the menu of a phone, which tells its state', async () => {
      const { page } = await open('/start/next/', { viewport: PHONE })
      expect(await pressUntil(page, 'Tab', 'Menu')).toMatchObject({ isExpanded: false })
      await page.keyboard.press('Enter')
      await expect.poll(() => readFocus(page)).toMatchObject({ text: 'Menu', isExpanded: true })
      await page.keyboard.press('Tab')
      expect(await readFocus(page)).toMatchObject({ text: 'Tutorials', isInView: true })
      await page.keyboard.press('Escape')
      await expect.poll(() => readFocus(page)).toMatchObject({ text: 'Menu', isExpanded: false })
    })

    test.each(VIEWS)('shows what has the focus: $name', async ({ name, ...options }) => {
      const { page } = await open('/', options)
      for (const path of SHORT) {
        await page.goto(site.url + path)
        let stops = 0
        for (; stops < 40; stops++) {
          await page.keyboard.press('Tab')
          const focus = await readFocus(page)
          if (focus.isOutside) break
          expect({ path, name, ...focus }).toMatchObject({ hasOutline: true, isInView: true })
        }
        expect(stops).toBeGreaterThan(5)
      }
    })

    test('copies code', async () => {
      const { page } = await open('/start/next/', { permissions: clipboard })
      const button = page.locator('.expressive-code button').first()
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Copied!').first().waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      const code = await page.locator('.expressive-code pre').first().innerText()
      expect(copied.trim()).toBe(code.trim())
    })
  })

  test('copies a page as Markdown', async () => {
    const { page } = await open('/start/hono/', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Copy as Markdown' }).press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(readFileSync(join(FOLDER, 'start/hono.md'), 'utf8'))
  })

  // The last one: the server has no files meanwhile.
  test('has the same bytes when it is built again', { timeout: 600_000 }, async () => {
    const before = hashFiles(FOLDER)
    await buildNext()
    const after = hashFiles(FOLDER)
    expect([...after].filter(([file, hash]) => before.get(file) !== hash)).toEqual([])
    expect(after.size).toBe(before.size)
  })
})

function hashFiles(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  return new Map(files.map((file) => [file, hash(file)]))
}

/** The element with the focus, and whether the reader can see that it has it. */
interface Focus {
  readonly text: string
  /** Of the browser around the page, after its last element. */
  readonly isOutside: boolean
  readonly isInMain: boolean
  readonly isExpanded: boolean
  readonly hasOutline: boolean
  /** Nothing covers its first line. */
  readonly isInView: boolean
}

function readFocus(page: Page): Promise<Focus> {
  return page.evaluate<Focus>(`(() => {
    const element = document.activeElement
    const style = getComputedStyle(element)
    const [box = element.getBoundingClientRect()] = element.getClientRects()
    const top = Math.max(box.top, 0)
    const middle = (top + Math.min(box.bottom, innerHeight)) / 2
    const hit = document.elementFromPoint(box.left + Math.min(box.width, innerWidth) / 2, middle)
    return {
      text: (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60),
      isOutside: element === document.body,
      isInMain: element.closest('main') !== null,
      isExpanded: element.getAttribute('aria-expanded') === 'true',
      hasOutline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
      isInView: hit !== null && (element.contains(hit) || hit.contains(element)) && middle < innerHeight,
    }
  })()`)
}

/** Presses a key until an element with this text has the focus. */
async function pressUntil(page: Page, key: string, text: string): Promise<Focus> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press(key)
    const focus = await readFocus(page)
    if (focus.text === text) return focus
    passed.push(focus.text)
  }
  throw new Error(`${key} does not reach ${text}, but: ${passed.join(', ')}.`)
}

/** Saves a screenshot if SCREENSHOTS is set. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `site ${name}`.replace(/\W+/g, '-') + '.png') })
}
