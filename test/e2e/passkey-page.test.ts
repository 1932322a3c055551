/** The passkey form of the built-in sign-in page, in Chromium. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { german } from '../../examples/messages/german.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import Credentials from '../../src/providers/credentials.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { AuthConfig } from '../../src/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { mailProvider } from '../email.ts'
import { findBrowser } from '../services.ts'
import { connectAuthenticator } from './authenticator.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, openAccountForm, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()

const password = Credentials({
  credentials: {
    username: { label: 'User name', autoComplete: 'username' },
    password: { label: 'Password', type: 'password' },
  },
  authorize: () => null,
})

const outage = () => {
  throw new Error('The database is unavailable.')
}

/** @param overrides with `timeout` of a sign-in in milliseconds */
function configWith({
  timeout = 60_000,
  ...overrides
}: Partial<AuthConfig> & { timeout?: number }) {
  return {
    adapter: MemoryAdapter(),
    basePath: '/auth',
    providers: [Passkey({ authenticationOptions: { timeout } }), password],
    secret: SECRET,
    trustHost: true,
    experimental: { enableWebAuthn: true },
    logger: silentLog().logger,
    ...overrides,
  }
}

const addressAndPassword = Credentials({
  credentials: { email: {}, password: {} },
  authorize: () => null,
})

const alert = (page: Page) => page.getByRole('alert').innerText()
const visibleButtons = (page: Page) => page.getByRole('button').allInnerTexts()

describe.skipIf(!launchOptions)('the sign-in page with passkeys', () => {
  let site: PasskeySite
  let config = configWith({})
  beforeAll(async () => {
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  afterEach(() => {
    config = configWith({})
  })
  afterAll(() => site?.stop())

  test('runs its script under the content security policy', async () => {
    const page = await site.open()
    const errors: string[] = []
    page.on('console', (message) => errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.reload()
    await button(page, 'Continue with a passkey').waitFor()
    expect(await visibleButtons(page)).toEqual(['Continue with a passkey', 'Sign in'])
    expect(errors).toEqual([])
  })

  test('offers the other methods and an explanation without JavaScript', async () => {
    const page = await site.open({ javaScriptEnabled: false })
    expect(await visibleButtons(page)).toEqual(['Sign in'])
    expect(await page.getByText('Create an account').isVisible()).toBe(false)
    await page.getByText('Passkeys need JavaScript, which this browser does not run.').waitFor()
  })

  test('explains that passkeys need https on another origin than localhost', async () => {
    const page = await site.open({ host: 'app.test' })
    await page.getByText('Passkeys need a secure connection (https).').waitFor()
    expect(await visibleButtons(page)).toEqual(['Sign in'])
  })

  test('explains that the browser does not support passkeys', async () => {
    const page = await site.open()
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
    await page.reload()
    await page.getByText('This browser does not support passkeys.').waitFor()
    expect(await visibleButtons(page)).toEqual(['Sign in'])
  })

  test('explains that passkeys cannot be used at an IP address', async () => {
    const page = await site.open({ host: '127.0.0.1' })
    await button(page, 'Continue with a passkey').click()
    await expect
      .poll(() => alert(page))
      .toBe('Passkeys of this site cannot be used at this address.')
  })

  test('writes to the console why the RP ID of the site is rejected', async () => {
    config = configWith({ providers: [Passkey({ relayingParty: { id: 'example.com' } })] })
    const page = await site.open()
    const message = page.waitForEvent('console', (each) =>
      /The RP ID "example\.com" is invalid for this domain/.test(each.text()),
    )
    await button(page, 'Continue with a passkey').click()
    expect((await message).type()).toBe('error')
  })

  test('reports an error in the configuration as a failure, not as an outage', async () => {
    const simpleWebAuthn = () => {
      throw new Error('The package is missing.')
    }
    config = configWith({ providers: [Passkey({ simpleWebAuthn })] })
    const page = await site.open()
    await button(page, 'Continue with a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^The passkey could not be used/)
  })

  test('scrolls to the message if the button is at the end of a long page', async () => {
    config = configWith({ providers: [password, Passkey()] })
    const page = await site.open({ viewport: { width: 340, height: 400 } })
    const authenticator = await connectAuthenticator(page)
    await authenticator.verifyUser(false)
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Create a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^No passkey was used/)
    const { y } = (await page.getByRole('alert').boundingBox()) ?? { y: -1 }
    // A page is scrolled by whole pixels, and lines of text have fractions.
    expect(Math.ceil(y)).toBeGreaterThanOrEqual(0)
  })

  test('reports a request that the user cancels or has no passkey for, each time', async () => {
    const page = await site.open()
    const authenticator = await connectAuthenticator(page)
    await authenticator.verifyUser(false)
    for (let time = 0; time < 2; time++) {
      await button(page, 'Continue with a passkey').click()
      await expect
        .poll(() => alert(page))
        .toMatch(/^No passkey was used: the request was cancelled/)
    }
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Create a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^No passkey was used/)
    expect(await authenticator.credentials()).toEqual([])
  })

  test('reports that the request has timed out', async () => {
    config = configWith({ timeout: 1000 })
    const page = await site.open()
    const authenticator = await connectAuthenticator(page)
    await authenticator.confirm(false)
    await button(page, 'Continue with a passkey').click()
    await expect.poll(() => alert(page)).toBe('The request for a passkey has timed out. Try again.')
  })

  test('asks for an address to create a passkey, but not to sign in', async () => {
    const page = await site.open()
    await connectAuthenticator(page)
    await openAccountForm(page)
    await button(page, 'Create a passkey').click()
    const field = page.getByLabel('E-mail address')
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(
      true,
    )
    expect(await page.getByRole('alert').count()).toBe(0)
    await button(page, 'Continue with a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^No passkey was used/)
  })

  test.each([
    ['a mail', () => [mailProvider([], { method: 'code' }), Passkey()]],
    ['a password', () => [Passkey(), addressAndPassword]],
  ])('has one field for an address, of %s and of a new user', async (_name, providersOf) => {
    config = configWith({ providers: providersOf() })
    const page = await site.open()
    await connectAuthenticator(page)
    await openAccountForm(page)
    const field = page.getByRole('textbox', { name: /mail/i })
    expect(await field.count()).toBe(1)
    await button(page, 'Create a passkey').click()
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/auth/signin')
    await field.fill('ada@example.com')
    await button(page, 'Create a passkey').click()
    await seeHeading(page, 'ada@example.com')
  })

  test('does not ask a signed-in user for an address to create another passkey', async () => {
    const page = await site.open()
    const authenticator = await connectAuthenticator(page)
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Create a passkey').click()
    await seeHeading(page, 'ada@example.com')
    const [first] = await authenticator.credentials()
    await authenticator.disconnect()
    const other = await connectAuthenticator(page)
    await page.goto(`${site.url()}/auth/signin`)
    await button(page, 'Create a passkey').click()
    await seeHeading(page, 'ada@example.com')
    const [second] = await other.credentials()
    expect(second?.userHandle).toBe(first?.userHandle)
  })

  test('creates a passkey while the options for the autofill are pending', async () => {
    const page = await site.open()
    await connectAuthenticator(page)
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/webauthn-options/*action=authenticate', async (route) => {
      await arrival
      await route.continue()
    })
    await page.route('**/webauthn-options/*action=register', async (route) => {
      arrive()
      await page.waitForResponse(/action=authenticate/)
      await route.continue()
    })
    await page.reload()
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Create a passkey').click()
    await seeHeading(page, 'ada@example.com')
  })

  test('reports an outage, after which the same action works', async () => {
    const page = await site.open()
    await connectAuthenticator(page)
    await openAccountForm(page)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    config = configWith({ adapter: { ...MemoryAdapter(), getUserByEmail: outage } })
    await button(page, 'Continue with a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^The site did not respond in time/)
    config = configWith({})
    // For an unknown address, Chromium may wait for the authenticator of a decoy.
    await page.getByLabel('E-mail address').fill('')
    await button(page, 'Continue with a passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^No passkey was used/)
  })

  test('shows its messages in another language', async () => {
    config = configWith({ theme: { messages: german } })
    const page = await site.open()
    const authenticator = await connectAuthenticator(page)
    await authenticator.verifyUser(false)
    await button(page, 'Weiter mit Passkey').click()
    await expect.poll(() => alert(page)).toMatch(/^Es wurde kein Passkey verwendet/)
    expect(await page.getByText('Neu hier? Konto erstellen').isVisible()).toBe(true)
  })
})
