/** Every kind of sign-in, and the pages before and after it. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import {
  addressOf,
  askForLink,
  button,
  follow,
  heading,
  readLink,
  seeHeader,
  seeHeading,
  signInAtProvider,
  signInWithPassword,
  typePassword,
} from './user-actions.ts'

/** One short test of each area. */
export function shortSuite(demo: Demo): void {
  const { url, open } = demo

  test('signs in with a magic link, opens the protected page, and signs out', async () => {
    const page = await open('/protected')
    await askForLink(page, 'Edith@Example.com')
    await page.goto(url() + (await readLink(demo, 'edith@example.com')))
    await seeHeading(page, 'For signed-in users only')
    expect(addressOf(page)).toBe('/protected')
    expect(await page.getByRole('strong').innerText()).toBe('edith@example.com')

    await page.goto(url())
    expect(await heading(page)).toBe('Hello, edith@example.com')
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    await page.goto(`${url()}/protected`)
    expect(new URL(page.url()).pathname).toBe('/api/auth/signin')
  })
}

/** What the home page shows about the session. */
async function facts(page: Page): Promise<Record<string, string>> {
  const names = await page.getByRole('term').allInnerTexts()
  const values = await page.getByRole('definition').allInnerTexts()
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

/** Every sign-in method. */
export function signInSuite(demo: Demo): void {
  const { url, open, accept } = demo

  test('signs in with the provider, shows the session everywhere, and signs out', async () => {
    const page = await open('/')
    expect(await heading(page)).toBe('You are not signed in')
    await seeHeader(page, 'Signed out')
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'ada')
    await seeHeading(page, 'Hello, Ada Lovelace')
    expect(addressOf(page)).toBe('/')
    await seeHeader(page, 'Signed in as Ada Lovelace')

    await follow(page, 'Client page')
    await page.getByText('This page reads the session in the browser.').waitFor()
    expect(await heading(page)).toBe('Hello, Ada Lovelace')
    await follow(page, 'Protected page')
    await seeHeading(page, 'For signed-in users only')
    expect(await page.getByRole('strong').innerText()).toBe('Ada Lovelace')
    await follow(page, 'Account')
    await seeHeading(page, 'Your account')
    expect(await page.getByRole('definition').allInnerTexts()).toEqual([
      'Ada Lovelace',
      'ada@example.com',
    ])

    await follow(page, 'Server page')
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    await seeHeader(page, 'Signed out')
    await page.goto(`${url()}/protected`)
    expect(new URL(page.url()).pathname).toBe('/api/auth/signin')
  })

  test('offers each sign-in method on the home page, and shows which one was used', async () => {
    const provider = await open('/')
    await button(provider, 'Sign in with the demo provider').click()
    await button(provider, 'Continue as Alan Turing').click()
    await button(provider, 'Continue').click()
    await seeHeading(provider, 'Hello, Alan Turing')
    expect(await facts(provider)).toMatchObject({
      User: 'alan@example.com',
      'Last sign-in': 'with the demo provider (OpenID Connect)',
      Stored: expect.stringContaining(demo.sessions === 'jwt' ? 'JWT' : 'database'),
    })

    const password = await open('/')
    await button(password, 'Sign in with a password').click()
    await seeHeading(password, 'Hello, Grace Hopper')
    expect((await facts(password))['Last sign-in']).toBe('with a password')

    const mail = await open('/')
    const form = mail.locator('form', { has: button(mail, 'Send a magic link') })
    await form.getByLabel('E-mail address').fill('joan@example.com')
    await button(mail, 'Send a magic link').click()
    await mail.waitForURL('**/verify-request*')
    await mail.goto(url() + (await readLink(demo, 'joan@example.com')))
    await seeHeading(mail, 'Hello, joan@example.com')
    expect((await facts(mail))['Last sign-in']).toBe('with a magic link')
  })

  test('redirects to the sign-in page and back for a page that the proxy protects', async () => {
    const page = await open('/protected?from=here')
    expect(await heading(page)).toMatch(/^Sign in to /)
    await button(page, 'Continue with Demo provider').click()
    await signInAtProvider(page, 'alan')
    await seeHeading(page, 'For signed-in users only')
    expect(addressOf(page)).toBe('/protected?from=here')
    expect(await page.getByRole('strong').innerText()).toBe('Alan Turing')
  })

  test('redirects to the sign-in page and back for a page that protects itself', async () => {
    const page = await open('/account')
    expect(await heading(page)).toMatch(/^Sign in to /)
    await signInWithPassword(page, 'correct horse')
    await seeHeading(page, 'Your account')
    expect(addressOf(page)).toBe('/account')
  })

  test('reports a wrong password, and signs in with the correct one', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await signInWithPassword(page, 'wrong')
    expect(await page.getByRole('alert').innerText()).toContain('password is wrong.')
    expect(new URL(page.url()).searchParams.get('code')).toBe('credentials')
    await signInWithPassword(page, 'correct horse')
    await seeHeading(page, 'Hello, Grace Hopper')
    expect(addressOf(page)).toBe('/client')
  })

  test('shows the error of a sign-in in a form of the application, then signs in', async () => {
    const page = await open('/client')
    await seeHeading(page, 'You are not signed in')
    const submit = button(page, 'Sign in with a password')
    const answers = {
      app: [['grace', 'wrong', 'E-mail address or password is wrong.']],
      pages: [
        ['grace', 'wrong', 'User name or password is wrong.'],
        ['charles', 'correct horse', 'This account is locked.'],
      ],
    } as const
    for (const [username, password, answer] of answers[demo.router]) {
      await typePassword(page, username, password)
      await submit.click()
      await page.getByText(answer, { exact: true }).waitFor()
      expect(addressOf(page)).toBe('/client')
      await seeHeader(page, 'Signed out')
    }
    await typePassword(page, 'grace', 'correct horse')
    await submit.click()
    await seeHeading(page, 'Hello, Grace Hopper')
    await seeHeader(page, 'Signed in as Grace Hopper')
    expect(addressOf(page)).toBe('/client')
  })

  test('redeems a magic link once, and asks for confirmation in another browser', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await askForLink(page, 'betty@example.com')
    const link = await readLink(demo, 'betty@example.com')

    const elsewhere = await open(link)
    expect(await heading(elsewhere)).toBe('Sign in to lib-auth demo')
    expect(await elsewhere.getByRole('strong').innerText()).toBe('betty@example.com')
    await button(elsewhere, 'Sign in').click()
    await seeHeading(elsewhere, 'Hello, betty@example.com')
    expect(addressOf(elsewhere)).toBe('/client')

    accept(/status of 403/)
    await page.goto(url() + link)
    expect(addressOf(page)).toBe('/api/auth/error?error=Verification')
    await page.goto(url())
    expect(await heading(page)).toBe('You are not signed in')
  })

  test('shows the built-in pages without messages in the browser console', async () => {
    const page = await open('/')
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    const confirm = `callback/nodemailer?token=${'0'.repeat(64)}&email=someone%40example.com`
    for (const path of ['signin', 'signout', 'error', 'verify-request', confirm])
      await page.goto(`${url()}/api/auth/${path}`)
    expect(await heading(page)).toBe('Sign in to lib-auth demo')
    expect(messages).toEqual([])
  })
}

/** Tests of the App Router example only: linked accounts, and a page that shows mail. */
export function linkingSuite(demo: Demo): void {
  const { open } = demo

  test('links an account to the signed-in user, who can then sign in with it', async () => {
    const page = await open('/api/auth/signin')
    await askForLink(page, 'dorothy@example.com')
    await page.getByRole('link', { name: 'localhost' }).click()
    await follow(page, 'Mail')
    const mail = page.getByRole('article').filter({ hasText: 'dorothy@example.com' }).first()
    await mail.getByRole('link', { name: 'Open the link' }).click()
    await seeHeading(page, 'Hello, dorothy@example.com')
    await follow(page, 'Account')
    await page.getByText('No account of a provider is linked.').waitFor()
    await button(page, 'Link an account of the demo provider').click()
    await signInAtProvider(page, 'vaughan')
    await page.getByRole('status').getByText('The account is linked.').waitFor()
    expect(await button(page, 'Unlink vaughan@example.com').count()).toBe(1)

    const other = await open('/')
    await button(other, 'Sign in with the demo provider').click()
    await signInAtProvider(other, 'vaughan')
    await seeHeading(other, 'Hello, dorothy@example.com')
  })
}

/** Tests of the Pages Router example only: an API route. */
export function apiSuite({ open, url }: Demo): void {
  test('an API route reads the session', async () => {
    const page = await open('/')
    const signedOut = await page.request.get(`${url()}/api/me`)
    expect(signedOut.status()).toBe(401)
    expect(await signedOut.json()).toEqual({ error: 'Sign in first.' })
    await page.goto(`${url()}/api/auth/signin`)
    await signInWithPassword(page, 'correct horse')
    await seeHeading(page, 'Hello, Grace Hopper')
    const signedIn = await page.request.get(`${url()}/api/me`)
    expect(await signedIn.json()).toMatchObject({
      name: 'Grace Hopper',
      email: 'grace@example.com',
    })
  })
}
