/** The guides for newcomers, followed word for word in an empty folder with the packed package. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../tools/databases.mjs'
import { findBrowser, findPostgres } from '../services.ts'
import { followDevProvider } from './dev-provider-path.ts'
import { follow } from './follow.ts'
import type { Followed } from './follow.ts'
import { openPage } from './open-page.ts'
import { withBrowser } from './with-browser.ts'

/** The quick starts, and the further page that each of them creates. */
const QUICK_STARTS = [
  {
    router: 'App Router',
    document: 'docs/guides/quick-start-next.md',
    page: { path: '/profile', signedIn: 'Hello, Ada Lovelace', signedOut: 'Hello, stranger' },
  },
  {
    router: 'Pages Router',
    document: 'docs/guides/quick-start-next-pages.md',
    page: {
      path: '/api/me',
      signedIn: '{"name":"Ada Lovelace"}',
      signedOut: '{"error":"Sign in first."}',
    },
  },
]

const launchOptions = await findBrowser()
const hasPostgres = (await findPostgres()) !== null

/** Time for an installation, a build and two servers, in parallel with other tests. */
const GUIDE_TIMEOUT = 240_000

describe.skipIf(!launchOptions)('following a document', () => {
  const { folder, browser } = withBrowser('documents', launchOptions)

  const open = (url: string) => openPage(browser(), url)

  const text = (page: Page) => page.locator('body').innerText()

  describe.each(QUICK_STARTS)(
    'quick start with the $router',
    ({ router, document, page: furtherPage }) => {
      const own = mkdtempSync(join(folder, 'app-'))
      let app: Followed
      beforeAll(async () => {
        app = await follow(document, { folder: own })
      }, GUIDE_TIMEOUT)
      afterAll(() => app?.stop())

      test('leads to a page with a sign-in button, in development and in production', () => {
        expect(app.pages).toHaveLength(2)
        for (const page of app.pages) expect(page).toContain('Sign in with GitHub')
      })

      test('signs in with GitHub, greets the user by name, and signs out', async () => {
        const page = await open(app.url)
        await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
        await page.getByText('Hello, Ada Lovelace').waitFor()
        await page.goto(app.url + furtherPage.path)
        expect(await text(page)).toBe(furtherPage.signedIn)
        await page.goto(app.url)
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor()
        await page.goto(app.url + furtherPage.path)
        expect(await text(page)).toBe(furtherPage.signedOut)
      })

      test('the page for signed-in users redirects to the sign-in page and back', async () => {
        const page = await open(`${app.url}/account`)
        await page.getByRole('button', { name: 'Continue with GitHub' }).click()
        await page.getByText('This is for Ada Lovelace alone.').waitFor()
        expect(new URL(page.url()).pathname).toBe('/account')
      })

      test('the proxy responds with 401 to a client that accepts JSON', async () => {
        const headers = { accept: 'application/json' }
        const response = await fetch(`${app.url}/account`, { headers, redirect: 'manual' })
        expect(response.status).toBe(401)
      })

      // Builds pages in development, and starts the application again.
      test(
        'signs in with the provider of lib-auth dev-provider',
        { timeout: 180_000 },
        async () => {
          const path = { file: 'auth.ts', command: 'npx next dev', basePath: '/api/auth' }
          const before = readFileSync(join(own, path.file), 'utf8')
          await followDevProvider(app, own, browser(), path)
          // The next guide begins with the provider of the quick start.
          writeFileSync(join(own, path.file), before)
        },
      )

      if (router === 'App Router')
        describe.skipIf(!hasPostgres)('followed by the database guide', () => {
          let server: Awaited<ReturnType<typeof startPostgres>>
          let withDatabase: Followed
          beforeAll(async () => {
            await app.stop()
            server = await startPostgres()
            const substitutions = { 'postgres://localhost/app': server.url }
            const place = { folder: own, substitutions, until: '## MySQL and MariaDB' }
            withDatabase = await follow('docs/databases/kysely.md', place)
          }, GUIDE_TIMEOUT)
          afterAll(async () => {
            await withDatabase?.stop()
            await server?.end()
          })

          test('stores the user, the account and the session of a sign-in, and deletes the session on sign-out', async () => {
            const pool = new Pool({ connectionString: server.url })
            onTestFinished(() => pool.end())
            const read = (statement: string) => pool.query(statement).then(({ rows }) => rows)
            const page = await open(withDatabase.url)
            await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
            await page.getByText('Hello, Ada Lovelace').waitFor()
            expect(await read('select name, email from users')).toEqual([
              { name: 'Ada Lovelace', email: 'ada@example.com' },
            ])
            expect(await read('select provider from accounts')).toEqual([{ provider: 'github' }])
            expect(await read('select * from sessions')).toHaveLength(1)
            await page.getByRole('button', { name: 'Sign out' }).click()
            await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor()
            expect(await read('select * from sessions')).toEqual([])
          })
        })
    },
  )
})
