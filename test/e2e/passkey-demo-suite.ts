/** Passkeys in the App Router example: managed on the account page, and used to sign in. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { connectAuthenticator } from './authenticator.ts'
import type { Demo } from './demo.ts'
import { button, openAsGrace, seeHeader, seeHeading } from './user-actions.ts'

function passkeys(page: Page) {
  return page.getByRole('listitem').filter({ has: button(page, 'Rename') })
}

/** Waits until the page has loaded what it needs: before, React ignores clicks on buttons that need the browser. */
const hydrated = (page: Page) => page.waitForLoadState('networkidle')

const nameOf = (page: Page) => passkeys(page).getByLabel('Name of the passkey')

export function passkeyDemoSuite(demo: Demo): void {
  test('adds, renames, uses and removes passkeys', async () => {
    const page = await openAsGrace(demo, '/account')
    const first = await connectAuthenticator(page)
    await hydrated(page)
    await button(page, 'Add a passkey').click()
    await expect.poll(() => passkeys(page).count()).toBe(1)
    expect(await passkeys(page).innerText()).toMatch(/^Synchronized, added .*, last used never/)

    await button(page, 'Add a passkey').click()
    await page.getByText('There is already a passkey of this account on this device.').waitFor()

    await nameOf(page).fill('Phone')
    const renamed = page.waitForResponse((response) => response.request().method() === 'POST')
    await button(page, 'Rename').click()
    await renamed
    await page.reload()
    expect(await nameOf(page).inputValue()).toBe('Phone')

    await nameOf(page).fill('  ')
    await button(page, 'Rename').click()
    expect(
      await nameOf(page).evaluate((input: HTMLInputElement) => input.validity.patternMismatch),
    ).toBe(true)
    expect(await passkeys(page).count()).toBe(1)

    await page.goto(demo.url())
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    await hydrated(page)
    await button(page, 'Sign in with a passkey').click()
    await seeHeading(page, 'Hello, Grace Hopper')
    await page.getByText('with a passkey').waitFor()

    await first.disconnect()
    await connectAuthenticator(page)
    await page.goto(`${demo.url()}/account`)
    expect(await passkeys(page).innerText()).not.toContain('last used never')
    await hydrated(page)
    await button(page, 'Add a passkey').click()
    await expect.poll(() => passkeys(page).count()).toBe(2)
    await button(page, 'Remove').first().click()
    await expect.poll(() => passkeys(page).count()).toBe(1)
    expect(await nameOf(page).inputValue()).toBe('')
  })

  test('signs in with a passkey on the built-in page, next to the other methods', async () => {
    const page = await demo.open('/api/auth/signin')
    const authenticator = await connectAuthenticator(page)
    await page.locator('summary', { hasText: 'Create an account' }).click()
    await page.getByLabel('E-mail address').fill('katherine@example.com')
    await button(page, 'Create a passkey').click()
    await seeHeading(page, 'Hello, katherine@example.com')
    expect(await authenticator.credentials()).toHaveLength(1)

    await page.goto(`${demo.url()}/account`)
    await hydrated(page)
    await button(page, 'Remove').click()
    await page.getByText('You could not sign in without it.').waitFor()
    expect(await passkeys(page).count()).toBe(1)

    await page.goto(demo.url())
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    // The autofill of the field for the magic link offers the passkey, which the authenticator confirms at once.
    await page.goto(`${demo.url()}/api/auth/signin?callbackUrl=%2Fclient`, { waitUntil: 'commit' })
    await seeHeading(page, 'Hello, katherine@example.com')
    await seeHeader(page, 'Signed in as katherine@example.com')
  })

  test('reports a passkey request that fails, after which the same button works', async () => {
    const page = await openAsGrace(demo, '/account')
    const authenticator = await connectAuthenticator(page)
    await authenticator.verifyUser(false)
    const before = await passkeys(page).count()
    await hydrated(page)
    await button(page, 'Add a passkey').click()
    await page.getByText('No passkey was used').waitFor()
    await authenticator.verifyUser(true)
    await button(page, 'Add a passkey').click()
    await expect.poll(() => passkeys(page).count()).toBe(before + 1)
  })
}
