/** The documentation site, as it is built and served: links, accessibility, content security policy, search. */
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
  '/errors/',
  '/errors/invalidcheck/',
  '/providers/',
  '/providers/microsoft-entra-id/',
  '/api/react/',
  '/404.html',
]

/** Pages with most elements of a layout, and not many of them. */
const SHORT = ['/', '/start/next/', '/errors/invalidcheck/']

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
] as const

const launchOptions = await findBrowser()
const isInstalled = (await findSite()) !== null
const pages = readPages()
const routes = new Set(['/', ...pages.map(({ route }) => `/${route}/`)])

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
    for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.html'))
        documents.set(
          `/${file.replace(/index\.html$/, '')}`,
          readFileSync(join(FOLDER, file), 'utf8'),
        )
    site = await serveFolder(FOLDER)
  })
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
    expect(new Set(documents.keys())).toEqual(new Set([...routes, '/404.html']))
    const sitemap = readFileSync(join(FOLDER, 'sitemap-0.xml'), 'utf8')
    const listed = attributes(sitemap, /<loc>([^<]+)<\/loc>/g)
    expect(new Set(listed.map((url) => url.replace(ORIGIN, '')))).toEqual(routes)
    const index = readFileSync(join(FOLDER, 'llms.txt'), 'utf8')
    const described = attributes(index, /^- \[.+?\]\((\/.+?)\.md\)/gm)
    expect(new Set(['/', ...described.map((path) => `${path}/`)])).toEqual(routes)
  })

  test('has each page as Markdown, and the guides in one file', () => {
    const full = readFileSync(join(FOLDER, 'llms-full.txt'), 'utf8')
    for (const { route, title, kind, group } of pages) {
      const markdown = readFileSync(join(FOLDER, `${route}.md`), 'utf8')
      expect(markdown.startsWith(`# ${title}\n`), route).toBe(true)
      if (kind === 'tutorial' || group === 'Migration')
        expect(full.includes(markdown), route).toBe(true)
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
    const dead = links.filter(({ url }) => {
      // The canonical link of a page, and the sitemap.
      if (url.origin === ORIGIN)
        return !routes.has(url.pathname) && !['/404/', '/sitemap-index.xml'].includes(url.pathname)
      if (url.origin !== site.url) return false
      const path = decodeURIComponent(url.pathname)
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

  test.each([
    { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 }, paths: LAYOUTS },
    // The same markup with other colours, and with another navigation.
    { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 }, paths: SHORT },
    { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 800 }, paths: SHORT },
  ] as const)(
    'is accessible, and keeps its policy: $name',
    { timeout: 120_000 },
    async ({ name, paths, ...options }) => {
      const { page, faults } = await open('/', options)
      for (const path of paths) {
        await page.goto(site.url + path)
        await saveScreenshot(page, `${name} ${path}`)
        await page.evaluate(axeSource)
        const { violations } = await page.evaluate<AxeResults>('axe.run()')
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html }) => `${id}: ${html}`),
        )
        expect(found, `${path} ${name}`).toEqual([])
      }
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
      await page.getByText(new RegExp(`\\d+ results? for ${query}$`)).waitFor()
      const results = page.locator('.pagefind-ui__result')
      const titles = [0, 1, 2].map((at) =>
        results.nth(at).locator('.pagefind-ui__result-title a').first(),
      )
      const first = await Promise.all(titles.map((title) => title.getAttribute('href')))
      if (query === 'refresh token') await saveScreenshot(page, 'search')
      if (!first.includes(expected)) missed.push(`${query}: ${first.join(' ')}`)
    }
    expect(missed).toEqual([])
    expect(faults).toEqual([])
  })

  test('can be read and navigated without scripts', async () => {
    const { page } = await open('/start/next/', { javaScriptEnabled: false })
    await page.getByRole('heading', { level: 1, name: 'Quick start: Next.js App Router' }).waitFor()
    await page.getByRole('link', { name: 'View as Markdown' }).click()
    expect(page.url()).toBe(`${site.url}/start/next.md`)
  })

  test('copies a page as Markdown', async () => {
    const { page } = await open('/start/hono/', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(readFileSync(join(FOLDER, 'start/hono.md'), 'utf8'))
  })
})

/** Saves a screenshot if SCREENSHOTS is set. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `site ${name}`.replace(/\W+/g, '-') + '.png') })
}
