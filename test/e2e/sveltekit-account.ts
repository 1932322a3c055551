/** Buttons that only the SvelteKit example has, or that need a second browser. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { connectAuthenticator } from './authenticator.ts'
import { ADDRESS, PASSWORD, signUp } from './example-account.ts'
import type { AccountVisit } from './example-account.ts'
import { addressOf, button, seeHeading, typePassword } from './user-actions.ts'

const see = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

/** Signs in on another device, which the account page ends twice. */
async function endSessions({ page, url }: AccountVisit, other: Page): Promise<void> {
  const buttons = { 'Sign out': 'The device', 'Sign out everywhere else': 'All other devices' }
  for (const [name, subject] of Object.entries(buttons)) {
    await other.goto(url)
    await typePassword(other, 'wanda', PASSWORD)
    await button(other, 'Sign in with a password').click()
    await seeHeading(other, `Hello, ${ADDRESS}`)
    await page.goto(`${url}/account`)
    await button(page, name).click()
    await see(page, subject)
    await other.goto(`${url}/protected`)
    expect(addressOf(other)).toContain('/auth/signin?callbackUrl=')
  }
}

/** `other` is a tab of another browser. */
export async function testDevicesAndPasskey(visit: AccountVisit, other: Page): Promise<void> {
  const { page, url } = visit
  await connectAuthenticator(page)
  await signUp(visit)
  await endSessions(visit, other)
  await button(page, 'Add a passkey').click()
  await see(page, 'The passkey is added.')
  await button(page, 'Add a passkey').click()
  const problem = 'There is already a passkey of this account on this device.'
  await page.getByRole('alert').getByText(problem).waitFor()

  await page.goto(url)
  await button(page, 'Sign out').click()
  await seeHeading(page, 'You are not signed in')
  await page.waitForLoadState('networkidle')
  await button(page, 'Sign in with a passkey').click()
  await seeHeading(page, `Hello, ${ADDRESS}`)
  await page.goto(`${url}/account`)
  await button(page, 'Delete my account').click()
  await seeHeading(page, 'You are not signed in')
}
