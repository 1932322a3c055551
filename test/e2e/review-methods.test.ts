/** A user resets a forgotten password, and removes what an intruder has added, in Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import GitHub from '../../src/providers/github.ts'
import Passkey from '../../src/providers/passkey.ts'
import { SECRET, silentLog } from '../config.ts'
import { ADA } from '../core/password/password-site.ts'
import { findBrowser } from '../services.ts'
import { expectGoodLooks } from './appearance-suite.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()
const NEW = 'a pound of purple plums'

describe.skipIf(!launchOptions).each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  const adapter = MemoryAdapter()
  const mails: string[] = []
  const config: AuthConfig = {
    adapter,
    basePath: '/auth',
    providers: [GitHub({ clientId: 'client', clientSecret: 'secret' }), Passkey(), Password()],
    account: { send: ({ url = '' }) => void mails.push(url) },
    experimental: { enableWebAuthn: true },
    secret: SECRET,
    trustHost: true,
    logger: silentLog().logger,
  }
  let site: PasskeySite
  beforeAll(async () => {
    const row = { name: 'Ada', email: ADA, emailVerified: new Date(0), image: null }
    const { id: userId } = await adapter.createUser({ id: 'ada', ...row })
    const passkey = { userId, provider: 'passkey', providerAccountId: 'key' }
    await adapter.linkAccount({ ...passkey, type: 'webauthn' })
    await adapter.createAuthenticator({
      userId,
      providerAccountId: 'key',
      credentialID: 'aW50cnVkZXI=',
      credentialPublicKey: 'AAAA',
      counter: 0,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
      transports: null,
      name: 'Laptop',
      created: new Date('2026-01-02'),
    })
    await adapter.linkAccount({ userId, provider: 'github', providerAccountId: '1', type: 'oauth' })
    site = await startPasskeySite(() => config, launchOptions ?? {})
  })
  afterAll(() => site?.stop())

  const removeOf = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Remove' })

  test('the page after the reset leads there, and each button removes one', async () => {
    const page = await site.open({ javaScriptEnabled })
    await page.goto(`${site.url()}/auth/password/forgot`)
    await page.getByLabel('E-mail address').fill(ADA)
    await button(page, 'Send the link').click()
    await seeHeading(page, 'Check your e-mail')
    await page.goto(mails[0] ?? '')
    await page.getByLabel('New password').fill(NEW)
    await button(page, 'Save the password').click()
    await seeHeading(page, 'Your password was changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    const password = page.getByLabel('Password', { exact: true }).first()
    await page.getByLabel('E-mail address').first().fill(ADA)
    if (!(await password.isVisible())) await page.getByText('Use a password').click()
    await password.fill(NEW)
    await password.press('Enter')
    await seeHeading(page, 'Check how you can sign in')
    if (javaScriptEnabled) await expectGoodLooks(page, 'sign-in methods')
    await removeOf(page, 'Laptop').click()
    await page.getByRole('status').waitFor()
    await removeOf(page, 'GitHub').click()
    await page.getByText('No passkey and no other account').waitFor()
    expect(await adapter.listAccounts('ada')).toEqual([])
    expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([])
  })
})
