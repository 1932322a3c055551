/** The page that calls the API of the provider. */
import { expect, test } from 'vitest'
import type { Demo } from './demo.ts'
import { addressOf, button, seeHeading, signInAtProvider } from './user-actions.ts'

export function tokenDemoSuite({ open }: Demo): void {
  test('a page calls the API of the provider, and asks for another scope', async () => {
    const page = await open('/api-of-provider')
    await page.getByText('Sign in first.', { exact: true }).waitFor()
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'tova')
    await seeHeading(page, 'API of the provider')
    const facts = page.locator('dl')
    await facts.getByText('tova@example.com').waitFor()
    expect(await facts.innerText()).not.toContain('calendar')

    await button(page, 'Ask for the scope “calendar”').click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: 'AccessDenied' }).waitFor()
    expect(addressOf(page)).toBe('/api-of-provider?error=AccessDenied')
    await facts.getByText('tova@example.com').waitFor()

    await button(page, 'Ask for the scope “calendar”').click()
    await page.getByText('It can also read the calendar.').waitFor()
    await button(page, 'Continue').click()
    await page.getByText('The scope “calendar” is granted.').waitFor()
    expect(addressOf(page)).toBe('/api-of-provider')
    expect(await facts.innerText()).toContain('calendar')
  })
}
