/** What a person does with the demo, and sees. */
import { expect, test } from 'vitest'
import { askForLink, findLink, heading, signInAtProvider, signInWithPassword } from './demo.ts'
import type { Demo } from './demo.ts'

/** Sign-in by e-mail, then a page that needs it, then out: a little of everything. */
export function shortSuite({ url, open }: Demo): void {
  test('signs in with a link that came by mail, opens the protected page, and signs out', async () => {
    const page = await open('/protected')
    await askForLink(page, 'Edith@Example.com')
    const link = await findLink(page, 'edith@example.com')
    await link.click()
    await page.getByRole('heading', { name: 'For signed-in people only' }).waitFor()
    expect(page.url()).toBe(`${url()}/protected`)
    expect(await page.getByRole('strong').innerText()).toBe('edith@example.com')

    await page.goto(url())
    expect(await heading(page)).toBe('Hello, edith@example.com')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.goto(`${url()}/protected`)
    expect(new URL(page.url()).pathname).toBe('/api/auth/signin')
  })
}

/** What only sessions on the server can do. */
function databaseSuite({ open }: Demo): void {
  test('signs out whoever has a copy of the cookie', async () => {
    const page = await open('/api/auth/signin')
    await signInWithPassword(page, 'correct horse')
    await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor()
    const copy = await open('/')
    await copy.context().addCookies(await page.context().cookies())
    await copy.reload()
    expect(await heading(copy)).toBe('Hello, Grace Hopper')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await copy.reload()
    expect(await heading(copy)).toBe('You are not signed in')
  })
}

/** Everything. */
export function fullSuite(demo: Demo): void {
  const { sessions, url, open } = demo
  shortSuite(demo)
  if (sessions === 'database') databaseSuite(demo)

  test('signs in at the provider, shows the session everywhere, and signs out', async () => {
    const page = await open('/')
    expect(await heading(page)).toBe('You are not signed in')
    await page.getByRole('button', { name: 'Sign in with the demo provider' }).click()
    await signInAtProvider(page, 'ada')
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
    expect(page.url()).toBe(`${url()}/`)
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['ada at provider demo'])

    await page.getByRole('link', { name: 'Client page' }).click()
    await page.getByText('This page asked for the session in the browser.').waitFor()
    expect(await heading(page)).toBe('Hello, Ada Lovelace')

    await page.getByRole('link', { name: 'Protected page' }).click()
    await page.getByRole('heading', { name: 'For signed-in people only' }).waitFor()
    expect(await page.getByRole('strong').innerText()).toBe('Ada Lovelace')

    await page.getByRole('link', { name: 'Server page' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.goto(`${url()}/protected`)
    expect(new URL(page.url()).pathname).toBe('/api/auth/signin')
  })

  test('asks for a sign-in before the protected page, and comes back to it', async () => {
    const page = await open('/protected?from=here')
    expect(await heading(page)).toBe('Sign in')
    await page.getByRole('button', { name: 'Sign in with Demo provider' }).click()
    await signInAtProvider(page, 'alan')
    await page.getByRole('heading', { name: 'For signed-in people only' }).waitFor()
    expect(page.url()).toBe(`${url()}/protected?from=here`)
    expect(await page.getByRole('strong').innerText()).toBe('Alan Turing')
  })

  test('says that a password is wrong, and lets the right one in', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await signInWithPassword(page, 'wrong')
    expect(await page.getByRole('alert').innerText()).toContain('Sign-in failed.')
    expect(new URL(page.url()).searchParams.get('code')).toBe('credentials')
    await signInWithPassword(page, 'correct horse')
    await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor()
    expect(page.url()).toBe(`${url()}/client`)
  })

  test('lets nobody in by mail twice with one link, and asks in another browser', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await askForLink(page, 'betty@example.com')
    const link = await findLink(page, 'betty@example.com')
    const address = new URL((await link.getAttribute('href')) ?? '')

    const elsewhere = await open(address.pathname + address.search)
    expect(await heading(elsewhere)).toBe(`Sign in to ${address.host}`)
    expect(await elsewhere.getByRole('strong').innerText()).toBe('betty@example.com')
    await elsewhere.getByRole('button', { name: 'Sign in' }).click()
    await elsewhere.getByRole('heading', { name: 'Hello, betty@example.com' }).waitFor()
    expect(elsewhere.url()).toBe(`${url()}/client`)

    await link.click()
    await page.waitForURL('**/api/auth/error?error=Verification')
    await page.goto(url())
    expect(await heading(page)).toBe('You are not signed in')
  })

  test('links an account to whoever is signed in, who can sign in with it from then on', async () => {
    const page = await open('/api/auth/signin')
    await askForLink(page, 'dorothy@example.com')
    await (await findLink(page, 'dorothy@example.com')).click()
    await page.getByText('None yet.').waitFor()
    await page.getByRole('button', { name: 'Link an account of the demo provider' }).click()
    await signInAtProvider(page, 'vaughan')
    await page.getByRole('listitem').waitFor()
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['vaughan at provider demo'])
    expect(await heading(page)).toBe('Hello, dorothy@example.com')

    const other = await open('/')
    await other.getByRole('button', { name: 'Sign in with the demo provider' }).click()
    await signInAtProvider(other, 'vaughan')
    await other.getByRole('heading', { name: 'Hello, dorothy@example.com' }).waitFor()
  })

  test('changes the name by update, for the browser, for the server, and for the next sign-in', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await askForLink(page, 'amazing@example.com')
    await (await findLink(page, 'amazing@example.com')).click()
    await page.getByLabel('Change your name').fill('Amazing Grace')
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByRole('heading', { name: 'Hello, Amazing Grace' }).waitFor()
    await page.goto(url())
    expect(await heading(page)).toBe('Hello, Amazing Grace')

    const other = await open('/api/auth/signin')
    await askForLink(other, 'amazing@example.com')
    await (await findLink(other, 'amazing@example.com')).click()
    await other.getByRole('heading', { name: 'Hello, Amazing Grace' }).waitFor()
  })

  test('signs out in the browser', async () => {
    const page = await open('/api/auth/signin?callbackUrl=%2Fclient')
    await signInWithPassword(page, 'correct horse')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    expect(page.url()).toBe(`${url()}/`)
  })

  test('shows its own pages without a word in the console of the browser', async () => {
    const page = await open('/')
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const confirm = 'callback/nodemailer?token=unknown&email=someone%40example.com'
    for (const path of ['signin', 'signout', 'error', 'verify-request', confirm])
      await page.goto(`${url()}/api/auth/${path}`)
    expect(await heading(page)).toBe(`Sign in to ${new URL(url()).host}`)
    await page.goto(`${url()}/mail`)
    expect(await heading(page)).toBe('Mail')
    expect(complaints).toEqual([])
  })
}
