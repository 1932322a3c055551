/** One user presses every button of the account page of the App Router example. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { appCode } from '../core/factors/app-code.ts'
import { expectGoodLooks } from './appearance-suite.ts'
import { connectAuthenticator } from './authenticator.ts'
import type { Demo } from './demo.ts'
import { button, passwordButton, readLink, seeHeading, signInAtProvider } from './user-actions.ts'

const ADDRESS = 'wanda@example.com'
const NEW_ADDRESS = 'wanda@example.org'
const PASSWORD = 'violet umbrella'
const NEW_PASSWORD = 'amber umbrella'

/** Many steps, each of which is short. */
const WALK = { timeout: 180_000 }

const see = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

const seeProblem = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()

/** The built-in pages, and the account page again. */
interface Site {
  readonly page: Page
  readonly openAccount: () => Promise<void>
  readonly signOut: () => Promise<void>
  /** Up to the second step, if there is one. */
  readonly enterPassword: (password: string) => Promise<void>
}

function siteOf(demo: Demo, page: Page): Site {
  return {
    page,
    openAccount: async () => void (await page.goto(`${demo.url()}/account`)),
    async signOut() {
      await button(page, 'Sign out').click()
      await seeHeading(page, 'You are not signed in')
    },
    async enterPassword(password) {
      await page.goto(`${demo.url()}/api/auth/signin?callbackUrl=%2Faccount`)
      await page.locator('summary', { hasText: 'Use a password' }).click()
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(ADDRESS)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await passwordButton(page).click()
    },
  }
}

/** Creates the account on the built-in page. */
async function signUp(demo: Demo, page: Page): Promise<void> {
  await page.goto(`${demo.url()}/api/auth/password/sign-up`)
  await page.getByLabel('E-mail address').fill(ADDRESS)
  await page.getByLabel('New password').fill(PASSWORD)
  await button(page, 'Create the account').click()
  await seeHeading(page, 'Check your e-mail')
  await page.goto(demo.url() + (await readLink(demo, ADDRESS)))
  await seeHeading(page, `Hello, ${ADDRESS}`)
}

async function changePassword({ page }: Site): Promise<void> {
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(next)
    await button(page, 'Change the password').click()
  }
  await change(PASSWORD, 'password1234')
  await seeProblem(page, 'Many people use this password.')
  await change(NEW_PASSWORD, NEW_PASSWORD)
  await seeProblem(page, 'The current password is wrong.')
  await change(PASSWORD, NEW_PASSWORD)
  await see(page, 'The password is saved.')
  expect(await page.getByRole('alert').getByText('password').count()).toBe(0)
}

async function linkAccount({ page }: Site): Promise<void> {
  await button(page, 'Link an account of the demo provider').click()
  await signInAtProvider(page, 'wally')
  await see(page, 'The account is linked.')
}

/** Returns the key and the recovery codes. */
async function addApp({ page, openAccount }: Site) {
  await button(page, 'Add an authenticator app').click()
  const code = page.getByLabel('Code', { exact: true })
  await code.fill('000000')
  const secret = await page.locator('.note code').innerText()
  await button(page, 'Confirm the code').click()
  await seeProblem(page, 'The code is wrong')
  await expectGoodLooks(page, 'account with QR code')
  await code.fill(await appCode(secret))
  await button(page, 'Confirm the code').click()
  await page.getByText('Store these recovery codes.').waitFor()
  const recoveryCodes = await page.locator('.codes li').allInnerTexts()
  expect(recoveryCodes).toHaveLength(10)
  await expectGoodLooks(page, 'account with recovery codes')
  await page.getByRole('link', { name: 'I have stored them' }).click()
  await openAccount()
  await page.getByText('10 of 10 recovery codes left.').waitFor()
  return { secret, recoveryCodes }
}

/** The current session has one step, so the first change leads to the page on which the user confirms who they are. */
async function confirmWithCode({ page }: Site, code: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await button(page, 'Add a passkey').click()
  await seeHeading(page, 'Confirm that it is you')
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(ADDRESS)
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await passwordButton(page).click()
  await seeHeading(page, 'Enter the code')
  await expectGoodLooks(page, 'second step')
  await page.getByLabel('Code').fill('000000')
  await button(page, 'Continue').click()
  await seeProblem(page, 'The code is wrong')
  await page.getByLabel('Code').fill(code)
  await button(page, 'Continue').click()
  await see(page, 'Press the button again')
}

async function signInWithRecoveryCode(site: Site, code: string): Promise<void> {
  const { page } = site
  await site.signOut()
  await site.enterPassword(NEW_PASSWORD)
  await seeHeading(page, 'Enter the code')
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await seeHeading(page, 'Enter a recovery code')
  await page.getByLabel('Recovery code').fill(code)
  await button(page, 'Continue').click()
  await seeHeading(page, 'Your account')
  await page.getByText('9 of 10 recovery codes left.').waitFor()
}

async function changeAddress(demo: Demo, { page, openAccount }: Site): Promise<void> {
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
  await button(page, 'Send the links again').click()
  await see(page, 'The links were sent again.')
  await page.getByText(`A change to ${NEW_ADDRESS} waits`).waitFor()
  for (const [address, title] of [
    [ADDRESS, 'One more confirmation'],
    [NEW_ADDRESS, 'The e-mail address has changed'],
  ] as const) {
    await page.goto(demo.url() + (await readLink(demo, address, /Confirm/)))
    await button(page, 'Confirm').click()
    await seeHeading(page, title)
  }
  await openAccount()
  expect(await page.getByRole('definition').allInnerTexts()).toContain(NEW_ADDRESS)
}

export function walkTests(demo: Demo): void {
  test(
    'a user changes everything about how they sign in, and deletes the account',
    WALK,
    async () => {
      // Of the options of a passkey, which need both steps.
      demo.accept(/status of 401|webauthn-options/)
      const page = await demo.open('/')
      const site = siteOf(demo, page)
      await connectAuthenticator(page)
      await signUp(demo, page)
      await site.openAccount()
      await changePassword(site)
      await linkAccount(site)
      const { secret, recoveryCodes } = await addApp(site)
      await confirmWithCode(site, await appCode(secret, 1))
      await signInWithRecoveryCode(site, recoveryCodes[0] ?? '')

      await button(page, 'Create new recovery codes').click()
      await page.getByText('Store these recovery codes.').waitFor()
      await site.openAccount()
      await page.getByText('10 of 10 recovery codes left.').waitFor()

      await page.waitForLoadState('networkidle')
      await button(page, 'Add a passkey').click()
      await button(page, 'Rename').waitFor()
      await changeAddress(demo, site)
      await button(page, 'Unlink wally@example.com').click()
      await see(page, 'The account is unlinked.')
      await button(page, 'Remove the password').click()
      await see(page, 'The password is removed.')
      await expectGoodLooks(page, 'account')
      await page.getByLabel('New password').fill(PASSWORD)
      await button(page, 'Set a password').click()
      await see(page, 'The password is saved.')

      // A passkey that has verified its user counts as both steps.
      await site.signOut()
      await page.waitForLoadState('networkidle')
      await button(page, 'Sign in with a passkey').click()
      await seeHeading(page, `Hello, ${NEW_ADDRESS}`)
      await site.openAccount()
      await button(page, 'Turn off').click()
      await see(page, 'The app is turned off.')
      await button(page, 'Delete my account').click()
      await seeHeading(page, 'You are not signed in')
      await page.waitForLoadState('networkidle')
      await button(page, 'Sign in with a passkey').click()
      await page.getByRole('alert').waitFor()
    },
  )

  test('a user adds an app without a script', async () => {
    const browser = (await demo.open('/')).context().browser()
    const plain = await browser?.newContext({ javaScriptEnabled: false })
    const page = await demo.open('/', plain)
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'wilma')
    await page.goto(`${demo.url()}/account`)
    await page.getByLabel('New password').fill('password1234')
    await button(page, 'Set a password').click()
    await seeProblem(page, 'Many people use this password.')

    await button(page, 'Add an authenticator app').click()
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('000000')
    await button(page, 'Confirm the code').click()
    await seeProblem(page, 'The code is wrong')
    await code.fill(await appCode(await page.locator('.note code').innerText()))
    await button(page, 'Confirm the code').click()
    expect(await page.locator('.codes li').count()).toBe(10)
    await page.getByLabel('New e-mail address').fill('wilma@example.org')
    await button(page, 'Change the e-mail address').click()
    await seeHeading(page, 'Confirm that it is you')
    const returnTo = new URL(page.url()).searchParams.get('callbackUrl') ?? ''
    await page.goto(demo.url() + returnTo)
    await see(page, 'Press the button again')
    expect(await page.getByLabel('New e-mail address').inputValue()).toBe('wilma@example.org')
    await plain?.close()
  })
}
