/** Session changes while pages are open. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import {
  askForLink,
  button,
  follow,
  heading,
  openAsGrace,
  openCopy,
  readLink,
  recordTexts,
  seeHeader,
  seeHeading,
  seeSignIn,
} from './user-actions.ts'

/** Console error for a prefetch that the proxy rejects. */
const UNAUTHORIZED = /status of 401/

/** In the App Router example, the first page signs out in a server action, the second one in the browser. */
const SIGN_OUT_PAGES = [
  { path: '/', name: 'Server page' },
  { path: '/client', name: 'Client page' },
]

/** The content of each page for an unauthenticated user. */
const SIGNED_OUT: Readonly<Record<string, string>> = {
  '/': 'You are not signed in',
  '/client': 'You are not signed in',
  '/api/auth/signin': 'Sign in',
}

/** Navigates back until a public page is shown; returns its query. */
async function goBack(page: Page): Promise<string> {
  await page.goBack()
  const where = async () => {
    const title = await heading(page).catch(() => '')
    return [new URL(page.url()).pathname, title.replace(/^Sign in to .*/, 'Sign in')]
  }
  await expect
    .poll(async () =>
      Object.entries(SIGNED_OUT)
        .map(String)
        .includes(String(await where())),
    )
    .toBe(true)
  return new URL(page.url()).search
}

/** Sign-out in every tab. */
export function signOutSuite(demo: Demo): void {
  const { url, open, accept } = demo

  test.for(SIGN_OUT_PAGES)(
    'signing out on the $name signs out every other tab',
    async ({ path }) => {
      accept(UNAUTHORIZED)
      const page = await openAsGrace(demo, path)
      const others = new Map<string, Page>()
      for (const other of ['/', '/client', '/account', '/protected']) {
        const tab = await open(other, page.context())
        await seeHeader(tab, 'Signed in as Grace Hopper')
        others.set(other, tab)
      }
      await button(page, 'Sign out').click()
      await seeHeading(page, 'You are not signed in')
      for (const [other, tab] of others) {
        if (SIGNED_OUT[other]) {
          await seeHeading(tab, SIGNED_OUT[other])
          await seeHeader(tab, 'Signed out')
        } else await seeSignIn(tab, other)
      }
    },
  )

  test.for(SIGN_OUT_PAGES)(
    'after signing out on the $name, the back button shows no private data',
    async ({ name }) => {
      accept(UNAUTHORIZED)
      const navigations = {
        clientSide: (page: Page, to: string) => follow(page, to),
        fullLoad: async (page: Page, to: string) => {
          const href = await page.getByRole('link', { name: to, exact: true }).getAttribute('href')
          await page.goto(url() + href)
        },
      }
      for (const go of Object.values(navigations)) {
        const page = await openAsGrace(demo, '/')
        const texts = await recordTexts(page)
        await go(page, 'Account')
        await seeHeading(page, 'Your account')
        await go(page, 'Protected page')
        await seeHeading(page, 'For signed-in users only')
        await go(page, name)
        await seeHeading(page, 'Hello, Grace Hopper')
        expect(texts.join()).toContain('Grace Hopper')
        await button(page, 'Sign out').click()
        await seeHeading(page, 'You are not signed in')
        texts.length = 0
        const queries: string[] = []
        for (let step = 0; step < 4; step++) queries.push(await goBack(page))
        expect(texts.join()).toContain('Sign in')
        expect(texts.join()).not.toContain('Grace Hopper')
        expect(queries.join()).toMatch(/callbackUrl=[^,]*protected.*callbackUrl=[^,]*account/)
      }
    },
  )

  test('a link to a protected page redirects to the sign-in page, and from there to the page', async () => {
    accept(UNAUTHORIZED)
    const page = await open('/client')
    await seeHeading(page, 'You are not signed in')
    await follow(page, 'Protected page')
    await seeSignIn(page, '/protected')
    await page.goBack()
    await seeHeading(page, 'You are not signed in')
    await follow(page, 'Account')
    await seeSignIn(page, '/account')
  })
}

/** Opens the client page as a user whose name no other test uses. */
async function openAsNewUser(demo: Demo, address: string): Promise<Page> {
  const page = await demo.open('/api/auth/signin?callbackUrl=%2Fclient')
  await askForLink(page, address)
  await page.goto(demo.url() + (await readLink(demo, address)))
  await seeHeading(page, `Hello, ${address}`)
  return page
}

/** Changing the session. */
export function updateSuite(demo: Demo): void {
  const { url, open } = demo

  test('a name that is changed in the browser is shown everywhere, and at the next sign-in', async () => {
    const page = await openAsNewUser(demo, 'amazing@example.com')
    await page.getByLabel('Change your name').fill('Amazing Grace')
    await button(page, 'Update in the browser').click()
    await seeHeading(page, 'Hello, Amazing Grace')
    await seeHeader(page, 'Signed in as Amazing Grace')
    await follow(page, 'Server page')
    await page.getByText('This page was rendered on the server').waitFor()
    expect(await heading(page)).toBe('Hello, Amazing Grace')

    const other = await open('/api/auth/signin')
    await askForLink(other, 'amazing@example.com')
    await other.goto(url() + (await readLink(demo, 'amazing@example.com')))
    await seeHeading(other, 'Hello, Amazing Grace')
  })
}

/** Tests of the App Router only. */
export function actionSuite(demo: Demo): void {
  test('a name that is changed in a server action is shown in the browser, by the server, and in other tabs', async () => {
    const page = await openAsNewUser(demo, 'katherine@example.com')
    const other = await demo.open('/', page.context())
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    await page.getByLabel('Change your name').fill('Katherine Johnson')
    await button(page, 'Update in an action').click()
    await seeHeading(page, 'Hello, Katherine Johnson')
    await seeHeader(page, 'Signed in as Katherine Johnson')
    await seeHeading(other, 'Hello, Katherine Johnson')
    await seeHeader(other, 'Signed in as Katherine Johnson')
    expect(loads).toEqual([])
  })
}

/** Tests of database sessions only. */
export function databaseSuite(demo: Demo): void {
  test('a sign-out revokes copies of the session cookie', async () => {
    const page = await openAsGrace(demo, '/')
    const copy = await openCopy(demo, page, '/')
    expect(await heading(copy)).toBe('Hello, Grace Hopper')
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    await copy.reload()
    expect(await heading(copy)).toBe('You are not signed in')
  })
}

/** The application is stopped and started again. */
export function restartSuite(demo: Demo): void {
  test('keeps users signed in after a restart', async () => {
    const page = await openAsNewUser(demo, 'mary@example.com')
    await page.getByLabel('Change your name').fill('Mary Somerville')
    await button(page, 'Update in the browser').click()
    await seeHeading(page, 'Hello, Mary Somerville')
    // Background requests of the page fail during the restart.
    await page.goto('about:blank')
    await demo.restart()
    await page.goto(`${demo.url()}/account`)
    await seeHeader(page, 'Signed in as Mary Somerville')

    const other = await demo.open('/api/auth/signin')
    await askForLink(other, 'mary@example.com')
    await other.goto(demo.url() + (await readLink(demo, 'mary@example.com')))
    await seeHeading(other, 'Hello, Mary Somerville')
  })
}
