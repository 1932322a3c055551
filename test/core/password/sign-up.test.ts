/** Visitors sign up with an address and a password. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import { Password } from '../../../src/password.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { down } from '../../database.ts'
import { followLink, hiddenFields, mailProvider, requestLink } from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import { ADA, enter, locationOf, mailedSite, RIGHT, STRATEGIES } from './password-site.ts'
import type { MailedSite } from './password-site.ts'

const op = await issuer({ algorithm: 'ES256' })

afterEach(() => vi.useRealTimers())

const SENT = 'https://app.test/auth/password/sent?about=sign-up'

function signUp(tab: Browser, password = RIGHT, email = ADA, more = {}): Promise<Response> {
  return tab.post('password/sign-up', { email, password, callbackUrl: '/welcome', ...more })
}

function linkIn({ mails }: MailedSite): string {
  return mails.findLast(({ kind }) => kind === 'sign-up')?.url ?? ''
}

function click(tab: Browser, link: string): Promise<Response> {
  return tab.request(link, { initiator: 'cross-site' })
}

/** Enters the password on the page of a link that was opened in another browser. */
async function confirm(tab: Browser, link: string, password = RIGHT): Promise<Response> {
  const page = await click(tab, link)
  const html = await page.text()
  const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? []
  return tab.request(action, { method: 'POST', form: { ...hiddenFields(html), password } })
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('the link creates the user, and signs in the browser that signed up', async () => {
    const site = mailedSite(strategy)
    const tab = site.open()
    expect(locationOf(await signUp(tab, RIGHT, ' Ada@Example.com ', { name: 'Ada' }))).toBe(SENT)
    expect(await site.stored.getUserByEmail?.(ADA)).toBeNull()
    expect(site.mails).toMatchObject([{ kind: 'sign-up', to: ADA, user: null }])
    const response = await click(tab, linkIn(site))
    expect(locationOf(response)).toBe('https://app.test/welcome')
    expect((await tab.session())?.user).toMatchObject({ email: ADA, name: 'Ada' })
    const user = await site.stored.getUserByEmail?.(ADA)
    expect(user?.emailVerified).toBeInstanceOf(Date)
    expect(site.audited.map(({ type }) => type)).toEqual(['user.created', 'signin'])
    const phone = site.open()
    await enter(phone)
    expect(await phone.session()).not.toBeNull()
    expect((await click(tab, linkIn(site))).status).toBe(403)
  })

  test('another browser is asked for the password', async () => {
    const site = mailedSite(strategy)
    await signUp(site.open())
    const phone = site.open()
    const wrong = await confirm(phone, linkIn(site), 'a guess of the attacker')
    expect(locationOf(wrong)).toContain('/auth/password/verify?token=')
    expect(locationOf(wrong)).toContain('error=CredentialsSignin')
    expect(await site.stored.getUserByEmail?.(ADA)).toBeNull()
    expect(locationOf(await confirm(phone, linkIn(site)))).toBe('https://app.test/welcome')
    expect(await phone.session()).not.toBeNull()
  })

  test('programs that open each link, and HEAD requests, create no user', async () => {
    const site = mailedSite(strategy)
    const tab = site.open()
    await signUp(tab)
    const scanner = site.open()
    for (let count = 0; count < 3; count++) await click(scanner, linkIn(site))
    await tab.request(linkIn(site), { method: 'HEAD' })
    expect(await site.stored.getUserByEmail?.(ADA)).toBeNull()
    expect(locationOf(await click(tab, linkIn(site)))).toBe('https://app.test/welcome')
  })

  test('guesses at the password of a link are limited', async () => {
    const site = mailedSite(strategy)
    await signUp(site.open())
    const attacker = site.open()
    let place: string | null = ''
    for (let guess = 0; guess < 12; guess++)
      place = locationOf(await confirm(attacker, linkIn(site), `guess number ${guess}`))
    expect(place).toContain('error=TooManyAttempts')
  })

  test('the response, the cookies and the work are the same for the address of a user', async () => {
    const site = mailedSite(strategy, { config: { protection: 'off' } })
    const id = await site.createUser()
    const seen = []
    for (const email of [ADA, 'new@example.com']) {
      const tab = site.open()
      await tab.csrfToken()
      site.called()
      site.hashes.length = 0
      const response = await signUp(tab, 'a pound of purple plums', email)
      seen.push({
        status: response.status,
        location: locationOf(response),
        headers: [...response.headers.keys()].sort(),
        cookies: tab.cookies.all().map(({ name }) => name.replace(/\.\w+$/, '')),
        calls: site.called(),
        hashes: [...site.hashes],
      })
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]?.hashes).toHaveLength(1)
    expect(site.mails).toMatchObject([
      { to: ADA, user: { id }, url: 'https://app.test/auth/signin' },
      { to: 'new@example.com', user: null },
    ])
  })

  test('a flood of sign-ups sends three mails to an address, and leaves the same cookies', async () => {
    const site = mailedSite(strategy)
    const cookies = []
    for (let count = 0; count < 6; count++) {
      const tab = site.open()
      expect(locationOf(await signUp(tab))).toBe(SENT)
      cookies.push(tab.cookies.all().map(({ name }) => name.replace(/\.\w+$/, '')))
    }
    expect(site.mails).toHaveLength(3)
    for (const each of cookies) expect(each).toEqual(cookies[0])
  })

  test('an attacker who signs up with the address of a victim gets nothing', async () => {
    const mails: VerificationRequest[] = []
    const site = mailedSite(strategy, {
      config: { providers: [Password(), mailProvider(mails)] },
    })
    const [attacker, victim] = [site.open(), site.open()]
    await signUp(attacker, 'the password of the attacker')
    const planted = linkIn(site)
    // The victim clicks, and does not know the password.
    expect(locationOf(await confirm(victim, planted, RIGHT))).toContain('CredentialsSignin')
    await followLink(victim, await requestLink(victim, { mails }))
    expect(await victim.session()).not.toBeNull()
    const user = await site.stored.getUserByEmail?.(ADA)
    expect((await click(attacker, planted)).status).toBe(403)
    expect((await click(site.open(), planted)).status).toBe(403)
    expect(await attacker.session()).toBeNull()
    expect(await site.stored.getPassword?.(user?.id ?? '')).toBeNull()
  })

  /** A site with passwords and a provider; how the owner of the address signs in. */
  function providerSite(options: Parameters<typeof oidc>[1]) {
    const site = mailedSite(strategy, {
      config: { providers: [Password(), oidc(op, options)], fetch: op.fetch },
    })
    const accountsOf = async (userId = '') =>
      ((await site.stored.listAccounts?.(userId)) ?? []).map(({ provider }) => provider)
    const signIn = (tab: Browser) =>
      tab.signIn('op', { sub: 'ada', email: ADA, email_verified: true })
    return { ...site, accountsOf, signIn, victim: browser(site.config, { issuer: op }) }
  }

  test.each([{}, { trustEmail: true }])(
    'of a sign-up with the address of a victim, nothing is left after their sign-in at a provider with %o',
    async (options) => {
      const site = providerSite(options)
      const attacker = site.open()
      const evil = 'the password of the attacker'
      await signUp(attacker, evil)
      const planted = linkIn(site)
      expect(locationOf(await site.signIn(site.victim))).toBe('https://app.test')
      const user = await site.stored.getUserByEmail?.(ADA)
      for (const tab of [attacker, site.open(), site.victim])
        expect((await click(tab, planted)).status).toBe(403)
      const form = { token: new URL(planted).searchParams.get('token') ?? '', password: evil }
      for (const tab of [attacker, site.open()]) {
        await tab.post('password/verify', form)
        expect(await tab.session()).toBeNull()
      }
      expect(await site.accepted([evil])).toEqual([false])
      expect(await site.stored.getPassword?.(user?.id ?? '')).toBeNull()
      expect(await site.accountsOf(user?.id)).toEqual(['op'])
      expect((await site.victim.session())?.user?.email).toBe(ADA)
    },
  )

  test.each([{ trustEmail: true }, { allowDangerousEmailAccountLinking: true }])(
    'a password for an unverified address ends with the sign-in of its owner at a provider with %o',
    async (options) => {
      stopClock()
      const site = providerSite(options)
      const id = await site.createUser(ADA, { emailVerified: null })
      const tabs = [site.open(), site.open()]
      for (const tab of tabs) {
        await enter(tab)
        expect(await tab.session()).not.toBeNull()
      }
      await tabs[0]?.post('password/forgot', { email: ADA })
      const { url: link = '' } = site.mails.findLast(({ kind }) => kind === 'reset') ?? {}
      await pass(60)
      expect(locationOf(await site.signIn(site.victim))).toBe('https://app.test')
      expect((await site.stored.getUserByEmail?.(ADA))?.id).toBe(id)
      expect(await site.stored.getPassword?.(id)).toBeNull()
      expect(await site.accountsOf(id)).toEqual(['op'])
      expect(await site.accepted([RIGHT])).toEqual([false])
      for (const tab of tabs) {
        expect(await tab.session()).toBeNull()
        await enter(tab)
        expect(await tab.session()).toBeNull()
        const form = { token: new URL(link).searchParams.get('token') ?? '', password: RIGHT }
        await tab.post('password/reset', form)
      }
      expect(await site.stored.getPassword?.(id)).toBeNull()
      expect((await site.victim.session())?.user?.email).toBe(ADA)
    },
  )

  test('of two sign-ups with one address, the first confirmed one counts', async () => {
    const site = mailedSite(strategy)
    const [one, other] = [site.open(), site.open()]
    await signUp(one)
    const first = linkIn(site)
    await signUp(other, 'a pound of purple plums')
    const second = linkIn(site)
    const responses = await Promise.all([click(one, first), click(other, second)])
    expect(responses.filter(({ status }) => status === 302)).toHaveLength(
      2 - responses.filter(({ status }) => status === 403).length,
    )
    const sessions = [await one.session(), await other.session()].filter(Boolean)
    expect(sessions).toHaveLength(1)
  })

  test('a link is valid for a day', async () => {
    stopClock()
    const site = mailedSite(strategy)
    const tab = site.open()
    await signUp(tab)
    await pass(24 * 60 * 60 + 1)
    expect((await click(tab, linkIn(site))).status).toBe(403)
  })

  test('the signIn callback decides before a mail is sent, and before the user is created', async () => {
    let isAllowed = false
    const site = mailedSite(strategy, { config: { callbacks: { signIn: () => isAllowed } } })
    const tab = site.open()
    await signUp(tab)
    expect(site.mails).toEqual([])
    isAllowed = true
    await signUp(tab)
    isAllowed = false
    expect(locationOf(await click(tab, linkIn(site)))).toContain('error=AccessDenied')
    expect(await site.stored.getUserByEmail?.(ADA)).toBeNull()
    isAllowed = true
    expect(locationOf(await click(tab, linkIn(site)))).toBe('https://app.test/welcome')
  })

  test.each(['getUserByEmail', 'createUser', 'setPassword', 'readRecords', 'writeRecord'] as const)(
    'while %s fails, no user is created, and the link works afterwards',
    async (method) => {
      const site = mailedSite(strategy, { config: { protection: 'off' } })
      const tab = site.open()
      await signUp(tab)
      site.faults[method] = down
      expect(locationOf(await click(tab, linkIn(site)))).toContain('error=')
      expect(await site.stored.getUserByEmail?.(ADA)).toBeNull()
      delete site.faults[method]
      expect(locationOf(await click(tab, linkIn(site)))).toBe('https://app.test/welcome')
    },
  )

  test('a rejected password keeps the address on the page', async () => {
    const site = mailedSite(strategy, { password: { minLength: 16, check: () => 'leaked' } })
    const tab = site.open()
    const short = locationOf(await signUp(tab, 'x'.repeat(15))) ?? ''
    expect(short).toContain('error=PasswordRejected&code=too_short')
    expect(await (await tab.request(short)).text()).toContain('Use at least 16 characters.')
    expect(locationOf(await signUp(tab))).toContain('code=leaked')
    expect(locationOf(await signUp(tab, RIGHT, 'no address'))).toContain(
      'error=EmailSignInError&code=invalid_address',
    )
    expect(site.mails).toEqual([])
  })
})

test('check receives the password and the user; commonPasswords: false accepts common ones', async () => {
  const check = vi.fn(() => null)
  const site = mailedSite('jwt', { password: { check, commonPasswords: false, minLength: 8 } })
  expect(locationOf(await signUp(site.open(), 'password', ADA, { name: 'Ada' }))).toBe(SENT)
  expect(check).toHaveBeenCalledWith('password', { email: ADA, name: 'Ada' })
})

test('without signUp, there is no page for it and no link to it', async () => {
  const site = mailedSite('jwt', { password: { signUp: false } })
  const tab = site.open()
  expect((await tab.request('https://app.test/auth/password/sign-up')).status).toBe(404)
  const html = await (await tab.request('https://app.test/auth/signin')).text()
  expect(html).toContain('https://app.test/auth/password/forgot')
  expect(html).not.toContain('sign-up')
})
