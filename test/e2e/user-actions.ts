/** Actions of users in the demo, and expectations about its pages. */
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import type { Demo } from './demo.ts'

/** The heading of the page. */
export function heading(page: Page): Promise<string> {
  return page.getByRole('heading', { level: 1 }).innerText()
}

/** Waits for this heading. */
export function seeHeading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Waits for this text in the page header. */
export function seeHeader(page: Page, text: string): Promise<void> {
  return page.getByRole('banner').getByText(text, { exact: true }).waitFor()
}

/** Path and query of the page. */
export function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** A button, by its text. */
export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true })
}

/** Follows a link by client-side navigation. Next.js reports an error for a page that is left while it is loading. */
export async function follow(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name, exact: true })
  await link.waitFor()
  await page.waitForLoadState()
  await link.click()
}

/** Signs in with the provider, which accepts any user name. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByLabel('Any user name').fill(name)
  await button(page, 'Sign in').click()
  await button(page, 'Continue').click()
}

/** Fills in user name and password, on the sign-in page or in a form of the application. */
export async function typePassword(page: Page, username: string, password: string): Promise<void> {
  const form = page.locator('form', { has: page.getByLabel('Password', { exact: true }) })
  await form.waitFor()
  const field = form.getByLabel('User name')
  // The App Router example has `Password`, whose users sign in with their address.
  if (await field.count()) await field.fill(username)
  else await form.getByLabel('E-mail address').fill(`${username}@example.com`)
  await form.getByLabel('Password', { exact: true }).fill(password)
}

/** Opens the form for a password on the sign-in page, unless it is open. */
export async function openPasswordForm(page: Page): Promise<void> {
  const closed = page.locator('details:not([open]) > summary', { hasText: 'Use a password' })
  if (await closed.isVisible()) await closed.click()
}

/** The button below the password, also where its form shares the field for an address. */
export function passwordButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Sign in(?: with the password)?$/ })
}

/** Submits a password on the sign-in page. */
export async function signInWithPassword(page: Page, password: string): Promise<void> {
  await openPasswordForm(page)
  await typePassword(page, 'grace', password)
  await passwordButton(page).click()
}

/** Opens a page as an authenticated user. */
export async function openAsGrace({ open }: Demo, path: string): Promise<Page> {
  const page = await open(`/api/auth/signin?${new URLSearchParams({ callbackUrl: path })}`)
  await signInWithPassword(page, 'correct horse')
  await page.waitForURL(`**${path}`)
  return page
}

/** Opens a page in another browser with the same cookies: its tabs do not receive messages from the first. */
export async function openCopy(demo: Demo, of: Page, path: string): Promise<Page> {
  const copy = await demo.open('/')
  await copy.context().addCookies(await of.context().cookies())
  await copy.goto(demo.url() + path)
  return copy
}

/** Requests a magic link on the sign-in page. */
export async function askForLink(page: Page, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(address)
  await button(page, 'Continue with e-mail').click()
  await seeHeading(page, 'Check your e-mail')
}

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Path and query of the link in the newest mail for an address, or the newest with such a subject. */
export async function readLink({ inbox }: Demo, address: string, subject = /./): Promise<string> {
  const mails: Mail[] = await (await fetch(inbox())).json()
  const mail = mails.find((each) => each.to === address && subject.test(each.subject))
  const [link] = /https?:\S+/.exec(mail?.text ?? '') ?? []
  expect(link, `a link for ${address}`).toBeDefined()
  const { pathname, search } = new URL(link ?? '')
  return pathname + search
}

/** Waits for the sign-in page with this return URL. */
export async function seeSignIn(page: Page, path: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: /^Sign in to / }).waitFor()
  const { pathname, searchParams } = new URL(page.url())
  expect(pathname).toBe('/api/auth/signin')
  expect(new URL(searchParams.get('callbackUrl') ?? '', page.url()).pathname).toBe(path)
}

/** Records every text that the pages of this tab show from now on. */
export async function recordTexts(page: Page): Promise<string[]> {
  const texts: string[] = []
  await page.exposeFunction('recordText', (text: string) => texts.push(text))
  const watch = () => {
    const record = () => {
      if (document.body) void Reflect.get(window, 'recordText')(document.body.innerText)
    }
    const observer = new MutationObserver(record)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    // A page from the back-forward cache causes no mutation.
    window.addEventListener('pageshow', record)
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return texts
}

/** Opens the form of a new user on the sign-in page, unless it is open. */
export async function openAccountForm(page: Page): Promise<void> {
  const details = page.locator('details.passkey', { hasText: 'Create an account' })
  await details.locator('summary').waitFor()
  if (!(await details.evaluate((each: HTMLDetailsElement) => each.open)))
    await details.locator('summary').click()
}
