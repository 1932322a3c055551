/** Limits in a production build, which has module instances of its own for routes and for server actions. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import { button, openPasswordForm, passwordButton, typePassword } from './user-actions.ts'

/** Of this user, whose limits no other test uses. */
const NAME = 'margaret'

/** Guesses in the form of the application, which calls a server action. */
async function guessInAction(page: Page): Promise<string> {
  await page.goto(new URL('/', page.url()).href)
  await typePassword(page, NAME, 'wrong')
  await button(page, 'Sign in with a password').click()
  return page.getByRole('main').getByRole('alert').innerText()
}

/** Guesses on the built-in page, which posts to the route. */
async function guessAtRoute(page: Page): Promise<string> {
  await page.goto(new URL('/api/auth/signin', page.url()).href)
  await openPasswordForm(page)
  await typePassword(page, NAME, 'wrong')
  await passwordButton(page).click()
  await page.waitForURL(/error=/)
  return page.locator('[role=alert]:visible').innerText()
}

/** Without a client address, an account has ten guesses in a row. */
export function limitSuite({ open }: Demo): void {
  test('limits guesses at the route and in the server action together', async () => {
    const page = await open('/')
    for (let guess = 0; guess < 5; guess++) {
      expect(await guessInAction(page)).toBe('E-mail address or password is wrong.')
      expect(await guessAtRoute(page)).toContain('password is wrong.')
    }
    expect(await guessInAction(page)).toContain('Too many attempts.')
    expect(await guessAtRoute(page)).toContain('Too many attempts. Try again in 2 minutes')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(`${NAME}@example.com`)
  })
}
