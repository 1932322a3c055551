/** One user presses every button of the account page of an example whose page `/mail` shows the sent mails. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { appCode } from '../core/factors/app-code.ts'
import { expectGoodLooks } from './appearance-suite.ts'
import { connectAuthenticator } from './authenticator.ts'
import { button, passwordButton, seeHeading, signInAtProvider } from './user-actions.ts'

export const ADDRESS = 'wanda@example.com'
const NEW_ADDRESS = 'wanda@example.org'
export const PASSWORD = 'violet umbrella'
const NEW_PASSWORD = 'amber umbrella'

/** A tab, and the origin and the name of the example. */
export interface AccountVisit {
  readonly page: Page
  readonly url: string
  readonly title: string
}

const see = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

const seeProblem = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()

/** Opens the link of the newest mail to an address, or of the newest with such a subject. */
async function openMail({ page, url }: AccountVisit, to: string, subject = /./): Promise<void> {
  await page.goto(`${url}/mail`)
  const mails = page.getByRole('article').filter({ hasText: `To ${to}` })
  const mail = mails.filter({ has: page.getByRole('heading', { name: subject }) }).first()
  await mail.getByRole('link', { name: 'Open the link' }).click()
}

/** Creates the account on the built-in page. */
export async function signUp(visit: AccountVisit): Promise<void> {
  const { page, url } = visit
  await page.goto(`${url}/auth/password/sign-up`)
  await page.getByLabel('E-mail address').fill(ADDRESS)
  await page.getByLabel('New password').fill(PASSWORD)
  await button(page, 'Create the account').click()
  await seeHeading(page, 'Check your e-mail')
  await openMail(visit, ADDRESS)
  await seeHeading(page, `Hello, ${ADDRESS}`)
}

async function changePassword({ page, title }: AccountVisit): Promise<void> {
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(next)
    await button(page, 'Change the password').click()
  }
  await change(PASSWORD, 'password1234')
  await seeProblem(page, 'Many people use this password.')
  await expectGoodLooks(page, `${title} rejected password`)
  await change(NEW_PASSWORD, NEW_PASSWORD)
  await seeProblem(page, 'The current password is wrong.')
  await change(PASSWORD, NEW_PASSWORD)
  await see(page, 'The password is saved.')
  await button(page, 'Remove the password').click()
  await seeProblem(page, 'You could not sign in without it.')
}

/** Returns the key. */
async function addApp({ page, url }: AccountVisit): Promise<string> {
  await button(page, 'Add an authenticator app').click()
  const secret = await page.locator('.note code').innerText()
  await page.getByLabel('Code', { exact: true }).fill(await appCode(secret))
  await button(page, 'Confirm the code').click()
  await page.locator('.codes li').first().waitFor()
  await page.goto(`${url}/account`)
  return secret
}

/** The session has one step: the first change of a form, and that of the script, lead to the page for both. */
async function addPasskey({ page, url, title }: AccountVisit, secret: string): Promise<void> {
  await button(page, 'Remove the password').click()
  await seeHeading(page, 'Confirm that it is you')
  await page.goto(`${url}/account`)
  await button(page, 'Add a passkey').click()
  await seeHeading(page, 'Confirm that it is you')
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await passwordButton(page).click()
  await page.getByLabel('Code').fill(await appCode(secret, 1))
  await button(page, 'Continue').click()
  await see(page, 'Press the button again.')
  await button(page, 'Add a passkey').click()
  await see(page, 'The passkey is added.')
  await page.getByLabel('Name of the passkey').fill('Laptop <1>')
  await button(page, 'Rename').click()
  await see(page, 'The passkey is renamed.')
  expect(await page.getByLabel('Name of the passkey').inputValue()).toBe('Laptop <1>')
  await expectGoodLooks(page, `${title} passkeys`)
}

async function changeAddress(visit: AccountVisit): Promise<void> {
  const { page, url, title } = visit
  const request = async (to: string) => {
    await page.getByLabel('New e-mail address').fill(to)
    await button(page, 'Change the e-mail address').click()
  }
  await request(ADDRESS)
  await seeProblem(page, 'Enter a new address')
  expect(await page.getByLabel('New e-mail address').inputValue()).toBe(ADDRESS)
  await request('mistyped@example.org')
  await see(page, 'The links are on their way.')
  await button(page, 'Cancel the change').click()
  await see(page, 'cancelled')
  await request(NEW_ADDRESS)
  await see(page, 'The links are on their way.')
  await expectGoodLooks(page, `${title} waiting address`)
  await button(page, 'Send the links again').click()
  await see(page, 'The links were sent again.')
  for (const [address, heading] of [
    [ADDRESS, 'One more confirmation'],
    [NEW_ADDRESS, 'The e-mail address has changed'],
  ] as const) {
    await openMail(visit, address, /Confirm/)
    await button(page, 'Confirm').click()
    await seeHeading(page, heading)
  }
  await page.goto(`${url}/account`)
  await page.getByText(NEW_ADDRESS, { exact: true }).waitFor()
}

/** All buttons, the last of which deletes the account. */
export async function walkAccount(visit: AccountVisit): Promise<void> {
  const { page, url } = visit
  await connectAuthenticator(page)
  await signUp(visit)
  await page.goto(`${url}/account`)
  await changePassword(visit)
  const secret = await addApp(visit)
  await addPasskey(visit, secret)
  await changeAddress(visit)

  await button(page, 'Create new recovery codes').click()
  await page.locator('.codes li').first().waitFor()
  await page.getByRole('link', { name: 'I have stored them' }).click()
  await page.getByText('10 of 10 recovery codes left.').waitFor()
  await button(page, 'Remove the password').click()
  await see(page, 'The password is removed.')
  await button(page, 'Remove').click()
  await seeProblem(page, 'You could not sign in without it.')
  await button(page, 'Link an account of the demo provider').click()
  await signInAtProvider(page, 'wally')
  await see(page, 'The account is linked.')
  await button(page, 'Remove').click()
  await see(page, 'The passkey is removed.')
  await page.getByLabel('New password').fill(PASSWORD)
  await button(page, 'Set a password').click()
  await see(page, 'The password is saved.')
  await button(page, 'Unlink').click()
  await see(page, 'The account is unlinked.')
  await button(page, 'Turn off').click()
  await see(page, 'The app is turned off.')
  await button(page, 'Delete my account').click()
  await seeHeading(page, 'You are not signed in')
}

/** Forms work without a script; only a script creates a passkey. */
export async function changeWithoutScript({ page, url }: AccountVisit): Promise<void> {
  await button(page, 'Sign in with the demo provider').click()
  await signInAtProvider(page, 'wilma')
  await page.goto(`${url}/account`)
  expect(await button(page, 'Add a passkey').count()).toBe(0)
  await page.getByLabel('New password').fill('password1234')
  await button(page, 'Set a password').click()
  await seeProblem(page, 'Many people use this password.')
  await page.getByLabel('New password').fill(PASSWORD)
  await button(page, 'Set a password').click()
  await see(page, 'The password is saved.')
  await page.getByLabel('New e-mail address').fill('wilma@example.org')
  await button(page, 'Change the e-mail address').click()
  await see(page, 'The links are on their way.')
  await button(page, 'Delete my account').click()
  await seeHeading(page, 'You are not signed in')
}
