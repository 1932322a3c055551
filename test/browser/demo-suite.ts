/** What a person does with the demo, and sees. */
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, startDemo } from '../../tools/demo-app.mjs'
import { findBrowser } from '../services.ts'

/** Where the application is, and which Next.js runs it. */
export interface DemoApp {
  readonly name: string
  readonly app?: string
  readonly next?: string
}

type Demo = Awaited<ReturnType<typeof startDemo>>

const launchOptions = await findBrowser()

async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

export function describeDemo({ name, app, next }: DemoApp): void {
  describe.skipIf(!launchOptions)(`the demo on ${name}`, () => {
    let demo: Demo
    let browser: Browser
    const open = async (path: string): Promise<Page> => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(demo.url + path)
      return page
    }
    const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

    beforeAll(async () => {
      await buildApp(app, next)
      demo = await startDemo({ app, next })
      browser = await chromium.launch(launchOptions ?? {})
    }, 120_000)
    afterAll(async () => {
      await browser?.close()
      await demo?.stop()
    })

    test('signs in at the provider, shows the session everywhere, and signs out', async () => {
      const page = await open('/')
      expect(await heading(page)).toBe('You are not signed in')
      await page.getByRole('button', { name: 'Sign in with the demo provider' }).click()
      await signInAtProvider(page, 'ada')
      await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/`)

      await page.getByRole('link', { name: 'Client page' }).click()
      await page.getByText('This page asked for the session in the browser.').waitFor()
      expect(await heading(page)).toBe('Hello, Ada Lovelace')

      await page.getByRole('link', { name: 'Protected page' }).click()
      await page.getByRole('heading', { name: 'For signed-in people only' }).waitFor()
      expect(await page.getByRole('strong').innerText()).toBe('Ada Lovelace')

      await page.getByRole('link', { name: 'Server page' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
      await page.goto(`${demo.url}/protected`)
      expect(new URL(page.url()).pathname).toBe('/api/auth/signin')
    })

    test('asks for a sign-in before the protected page, and comes back to it', async () => {
      const page = await open('/protected?from=here')
      expect(await heading(page)).toBe('Sign in')
      await page.getByRole('button', { name: 'Sign in with Demo provider' }).click()
      await signInAtProvider(page, 'alan')
      await page.getByRole('heading', { name: 'For signed-in people only' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/protected?from=here`)
      expect(await page.getByRole('strong').innerText()).toBe('Alan Turing')
    })

    test('says that a password is wrong, and lets the right one in', async () => {
      const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
      const submit = page.getByRole('button', { name: 'Sign in with Credentials' })
      await page.getByLabel('User name').fill('grace')
      await page.getByLabel('Password').fill('wrong')
      await submit.click()
      expect(await page.getByRole('alert').innerText()).toContain('Sign-in failed.')
      expect(new URL(page.url()).searchParams.get('code')).toBe('credentials')
      await page.getByLabel('User name').fill('grace')
      await page.getByLabel('Password').fill('correct horse')
      await submit.click()
      await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/client`)
    })

    test('changes the name by update, for the browser and for the server', async () => {
      const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
      await page.getByLabel('User name').fill('grace')
      await page.getByLabel('Password').fill('correct horse')
      await page.getByRole('button', { name: 'Sign in with Credentials' }).click()
      await page.getByLabel('Change your name for this session').fill('Amazing Grace')
      await page.getByRole('button', { name: 'Update' }).click()
      await page.getByRole('heading', { name: 'Hello, Amazing Grace' }).waitFor()
      await page.goto(demo.url)
      expect(await heading(page)).toBe('Hello, Amazing Grace')
    })

    test('signs out in the browser', async () => {
      const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
      await page.getByLabel('User name').fill('grace')
      await page.getByLabel('Password').fill('correct horse')
      await page.getByRole('button', { name: 'Sign in with Credentials' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
      expect(page.url()).toBe(`${demo.url}/`)
    })

    test('shows its own pages without a word in the console of the browser', async () => {
      const page = await open('/')
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      for (const path of ['signin', 'signout', 'error'])
        await page.goto(`${demo.url}/api/auth/${path}`)
      expect(complaints).toEqual([])
    })
  })
}
