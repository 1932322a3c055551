/** `lib-auth/svelte` in Chromium, in the application of `sveltekit.test.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { LaunchOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { opener, signIn } from '../../frameworks/conformance/site.ts'
import type { OpenSite, StartSite } from '../../frameworks/conformance/site.ts'

/** Tests the page `/client`, whose layout calls `setSession`. `client` is the folder of the files for browsers. */
export function clientTests(start: StartSite, launchOptions: LaunchOptions, client: string): void {
  const open = opener(start)
  let site: OpenSite
  let browser: Awaited<ReturnType<typeof chromium.launch>>
  beforeAll(async () => {
    site = await open()
    browser = await chromium.launch(launchOptions)
  })
  afterAll(() => browser.close())

  /** A browser without cookies; `tab` opens the page and waits until it is hydrated. */
  async function visitor() {
    const context = await browser.newContext({ baseURL: site.origin })
    const requests: string[] = []
    context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/auth/')) requests.push(pathname)
    })
    const tab = async (path = '/client'): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(path)
      await page.waitForSelector('#in')
      return page
    }
    return { context, requests, tab }
  }

  const shown = async (page: Page, text: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('#session')?.textContent === wanted,
      text,
    )

  describe('lib-auth/svelte', () => {
    test('a page with the session of the server sends no request', async () => {
      const { context, requests, tab } = await visitor()
      const page = await tab()
      await shown(page, 'unauthenticated: no user')
      expect(await page.textContent('#store')).toBe('unauthenticated')
      await page.click('#invalidate')
      await page.waitForLoadState('networkidle')
      expect(requests).toEqual([])
      await context.close()
    })

    test('a page without it sends one request', async () => {
      const { context, requests, tab } = await visitor()
      const page = await tab('/client?late')
      await shown(page, 'unauthenticated: no user')
      expect(requests).toEqual(['/auth/session'])
      await context.close()
    })

    test('a sign-in and a sign-out in one tab are visible in another', async () => {
      const { context, tab } = await visitor()
      const [first, second] = [await tab(), await tab()]
      await first.click('#in')
      await shown(first, 'authenticated: User ada')
      await shown(second, 'authenticated: User ada')
      expect(await second.textContent('#store')).toBe('authenticated')
      await second.click('#out')
      await shown(second, 'unauthenticated: no user')
      await shown(first, 'unauthenticated: no user')
      await context.close()
    })

    test('concurrent renderings on the server share no session', async () => {
      const users = ['ada', 'bob', 'cleo'].map((name) => ({ name, user: site.user() }))
      await Promise.all(users.map(async ({ name, user }) => signIn(user, name)))
      const pages = await Promise.all(
        users.map(async ({ name, user }) => [name, (await user.send('/client')).body]),
      )
      for (const [name, body] of pages) expect(body).toContain(`authenticated: User ${name}</p>`)
    })

    test('the files for browsers contain no code of the server', () => {
      const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
      const code = files
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFileSync(join(client, file), 'utf8'))
        .join('\n')
      expect(code).toContain('useSession needs setSession')
      expect(code).not.toMatch(/AUTH_SECRET|code_verifier|oauth4webapi/)
    })
  })
}
