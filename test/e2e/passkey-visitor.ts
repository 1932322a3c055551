/** A user with an authenticator, and what the user does on the sign-in page. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { connectAuthenticator } from './authenticator.ts'
import type { Authenticator } from './authenticator.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, openAccountForm, seeHeading } from './user-actions.ts'

/** A user of the site, with a browser that has an authenticator. */
export interface Visitor {
  readonly page: Page
  readonly authenticator: Authenticator
}

export const newAddress = () => `${randomUUID()}@example.com`

/** Opens the sign-in page in a new browser, as a device without passkeys. The authenticator confirms autofill at once. */
export async function visit(site: PasskeySite, { hasAutofill = false } = {}): Promise<Visitor> {
  const page = await site.open()
  const disable = () =>
    Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable')
  if (!hasAutofill) {
    await page.addInitScript(disable)
    await page.reload()
  }
  return { page, authenticator: await connectAuthenticator(page) }
}

export async function createPasskey({ page }: Visitor, email: string): Promise<void> {
  await button(page, 'Continue with a passkey').waitFor()
  // A signed-in user adds a passkey without an address.
  if (await page.locator('details.passkey').isVisible()) {
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill(email)
  }
  await button(page, 'Create a passkey').click()
}

export async function register(
  site: PasskeySite,
  options?: Parameters<typeof visit>[1],
): Promise<Visitor & { email: string }> {
  const email = newAddress()
  const visitor = await visit(site, options)
  await createPasskey(visitor, email)
  await seeHeading(visitor.page, email)
  return { ...visitor, email }
}

/** Signs out, and opens the sign-in page, which the autofill may leave before it has loaded. */
export async function signOut({ page }: Visitor, site: PasskeySite): Promise<void> {
  await page.goto(`${site.url()}/auth/signout`)
  await button(page, 'Sign out').click()
  await seeHeading(page, 'Signed out')
  await page.goto(`${site.url()}/auth/signin`, { waitUntil: 'commit' })
}

export function signInWithButton({ page }: Visitor): Promise<void> {
  return button(page, 'Continue with a passkey').click()
}

export async function signInWithPassword({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(email)
  await button(page, 'Sign in').click()
  await seeHeading(page, email)
}
