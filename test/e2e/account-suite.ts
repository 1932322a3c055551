/** The account page of the App Router example: devices, sign-out at the provider, and deletion after a step-up. */
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { walkTests } from './account-walk.ts'
import type { Demo } from './demo.ts'
import {
  addressOf,
  button,
  openAsGrace,
  passwordButton,
  seeHeader,
  seeHeading,
  seeSignIn,
  signInAtProvider,
  typePassword,
} from './user-actions.ts'

/** Milliseconds after which the example wants another sign-in before it deletes an account. */
const STALE = 31_000

const CONFIRM = 'Confirm that it is you'

const devices = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Signed in ' })

/** The buttons that sign out another device. */
const deviceButtons = (page: Page) => page.getByRole('button', { name: /^Sign out .* on / })

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

/** Opens the account page of a user of the provider, in a new browser. */
async function openAs(demo: Demo, name: string, browser?: BrowserContext): Promise<Page> {
  const page = await demo.open('/', browser)
  await button(page, 'Sign in with the demo provider').click()
  await signInAtProvider(page, name)
  await seeHeading(page, `Hello, ${name}`)
  await page.goto(`${demo.url()}/account`)
  return page
}

/** Loads the page again, which then leads to the sign-in page. */
async function expectSignedOut(page: Page): Promise<void> {
  await page.reload()
  await seeSignIn(page, '/account')
}

/** Devices of the user. */
function deviceTests(demo: Demo): void {
  test('lists the devices, and signs out one of them', async () => {
    const page = await openAs(demo, 'petra')
    expect(await devices(page).allInnerTexts()).toEqual([
      expect.stringMatching(/^Chrome on Linux this device\s+Signed in \d.* UTC$/),
    ])
    expect(await button(page, 'Sign out everywhere else').count()).toBe(0)
    const other = await openAs(demo, 'petra')
    const stranger = await openAs(demo, 'paula')
    // The current one is the first in each list.
    expect(await devices(other).first().innerText()).toContain('this device')
    expect(await deviceButtons(other).count()).toBe(1)
    expect(await deviceButtons(stranger).count()).toBe(0)

    await page.reload()
    const copy = await demo.open('/account', page.context())
    await deviceButtons(page).click()
    await status(page, 'The device is signed out.')
    expect(await devices(page).count()).toBe(1)
    await expectSignedOut(other)

    // A tab that still lists the device.
    await deviceButtons(copy).click()
    await status(copy, 'That device was signed out already.')
    await stranger.reload()
    await seeHeader(stranger, 'Signed in as paula')
  })

  test('signs out everywhere else, also without script', async () => {
    const page = await openAs(demo, 'quinn')
    const others = [await openAs(demo, 'quinn'), await openAs(demo, 'quinn')]
    const plain = await page.context().browser()?.newContext({ javaScriptEnabled: false })
    const last = await openAs(demo, 'quinn', plain)
    expect(await devices(last).count()).toBe(4)
    await deviceButtons(last).first().click()
    await status(last, 'The device is signed out.')
    expect(await devices(last).count()).toBe(3)
    await button(last, 'Sign out everywhere else').click()
    await status(last, 'All other devices are signed out.')
    expect(await devices(last).count()).toBe(1)
    for (const other of [page, ...others]) await expectSignedOut(other)
    // A button of a page whose session has ended.
    const signIn = await demo.open('/account', plain)
    await button(last, 'Sign out').click()
    await seeHeading(last, 'You are not signed in')
    await button(signIn, 'Delete my account').click()
    await seeSignIn(signIn, '/account')
    await plain?.close()
  })
}

/** Sign-out at the provider, too. */
function providerTests(demo: Demo): void {
  test('signs out at the provider, too, which then asks for the user again', async () => {
    const page = await openAs(demo, 'olga')
    await button(page, 'Sign out at the provider, too').click()
    await seeHeading(page, 'Sign out of the demo provider, too?')
    const other = await demo.open('/account', page.context())
    await seeSignIn(other, '/account')
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
    await seeHeader(page, 'Signed out')
    expect(addressOf(page)).toBe('/')
    await button(page, 'Sign in with the demo provider').click()
    await seeHeading(page, 'Sign in to the demo provider')
  })

  test('stays signed in at the provider if the user wants', async () => {
    const page = await openAs(demo, 'sven')
    await button(page, 'Sign out at the provider, too').click()
    await button(page, 'Stay signed in').click()
    await seeHeading(page, 'You are not signed in')
    await button(page, 'Sign in with the demo provider').click()
    // It has forgotten only that the user allowed it.
    await button(page, 'Continue').click()
    await seeHeading(page, 'Hello, sven')
  })

  test('signs out here while the provider is down', async () => {
    const page = await openAs(demo, 'dina')
    await demo.withoutProvider(async () => {
      await page.goto(`${demo.url()}/account`)
      await button(page, 'Sign out').click()
      await seeHeading(page, 'You are not signed in')
    })
  })

  test('offers it only to users who have signed in there', async () => {
    const page = await openAsGrace(demo, '/account')
    expect(await button(page, 'Sign out at the provider, too').count()).toBe(0)
    await button(page, 'Sign out').click()
    await seeHeading(page, 'You are not signed in')
  })
}

/** A sign-in that is stale by the time its account is deleted. */
interface EarlySignIn {
  readonly at: number
  readonly cookies: Cookies
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

async function openEarlier(demo: Demo, { cookies }: EarlySignIn): Promise<Page> {
  const page = await demo.open('/')
  await page.context().addCookies(cookies)
  await page.goto(`${demo.url()}/account`)
  return page
}

/** Deletion of the account. */
function deletionTests(demo: Demo, early: () => Readonly<Record<'dora' | 'grace', EarlySignIn>>) {
  test('deletes the account after a step-up, with one more click', async () => {
    const { dora, grace } = early()
    const page = await openEarlier(demo, dora)
    const other = await openAs(demo, 'dora')
    // The other tests have taken longer, unless this one runs alone.
    await setTimeout(Math.max(0, grace.at + STALE - Date.now()))
    await button(page, 'Delete my account').click()
    await seeHeading(page, CONFIRM)
    expect(new URL(page.url()).pathname).toBe('/api/auth/step-up')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await seeHeading(page, 'Hello, dora')
    await page.goto(`${demo.url()}/account`)

    // Another user at the provider changes nothing.
    await button(page, 'Delete my account').click()
    await button(page, 'Continue with Demo provider').click()
    await signInAtProvider(page, 'eve')
    await page.getByRole('alert').filter({ hasText: 'dora' }).waitFor()
    await seeHeading(page, CONFIRM)
    await button(page, 'Continue with Demo provider').click()
    await signInAtProvider(page, 'dora')
    await seeHeading(page, 'Your account')
    expect(addressOf(page)).toBe('/account?notice=delete')
    await status(page, 'Press the button again')
    await button(page, 'Delete my account').click()
    await seeHeading(page, 'You are not signed in')
    for (const each of [page, other]) {
      await each.goto(`${demo.url()}/account`)
      await seeSignIn(each, '/account')
    }

    // With a password; other tests need this user.
    const owner = await openEarlier(demo, grace)
    await button(owner, 'Delete my account').click()
    await seeHeading(owner, CONFIRM)
    await typePassword(owner, 'grace', 'correct horse')
    await passwordButton(owner).click()
    await status(owner, 'Press the button again')
  })

  test('deletes an account at once after a recent sign-in, which a new sign-in creates again', async () => {
    const page = await openAs(demo, 'delia')
    await button(page, 'Delete my account').click()
    await seeHeading(page, 'You are not signed in')
    await openAs(demo, 'delia')
  })
}

export function accountSuite(demo: Demo): void {
  describe('the account page', () => {
    let early: Record<'dora' | 'grace', EarlySignIn>
    beforeAll(async () => {
      const signIn = async (open: Promise<Page>): Promise<EarlySignIn> => ({
        cookies: await (await open).context().cookies(),
        at: Date.now(),
      })
      early = {
        dora: await signIn(openAs(demo, 'dora')),
        grace: await signIn(openAsGrace(demo, '/account')),
      }
    })
    deviceTests(demo)
    providerTests(demo)
    walkTests(demo)
    deletionTests(demo, () => early)
  })
}
