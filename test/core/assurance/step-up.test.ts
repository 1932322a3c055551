/** How a user confirms who they are, by every type of provider and both strategies, and what an attacker can do with it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StepUpRequired } from '../../../src/errors.ts'
import type { AuthConfig, RequireAuthOptions } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { oidc, SECRET, silentLog } from '../../config.ts'
import { cookieValue, pass, SESSION, stopClock } from '../../sessions.ts'
import { UP } from '../flows/webauthn/authenticator.ts'
import {
  ADA,
  addPasskey,
  asPassword,
  asPasskey,
  EVE,
  fieldsOf,
  key,
  mailed,
  METHODS,
  op,
  open,
  passkeyCeremony,
  required,
  sealed,
  signedIn,
  stepUp,
  STRATEGIES,
} from './step-up-site.ts'
import type { Method, Site } from './step-up-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())
afterEach(() => op.reset())

const OTHERS: Record<string, Method> = {
  'a provider': async (site, fields) => (await site.tab.begin('op', fields)).complete(EVE),
  'a new account of the provider': async (site, fields) =>
    (await site.tab.begin('op', fields)).complete({ sub: 'new', name: 'New' }),
  'a magic link': (site, fields) => mailed(site, fields, EVE.email),
  'a magic link of a new address': (site, fields) => mailed(site, fields, 'new@example.com'),
  'a password': (site, fields) => asPassword(site, fields, EVE.email),
}

async function snapshot({ config, tab, adapter }: Site): Promise<string> {
  const eve = await adapter.getUserByEmail?.(EVE.email)
  const fresh = await adapter.getUserByEmail?.('new@example.com')
  const account = await adapter.getUserByAccount?.({ provider: 'op', providerAccountId: 'new' })
  const { value } = await required({ config, tab } as Site, {})
  return JSON.stringify([cookieValue(tab), value.assurance, eve, fresh, account])
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  test.each(Object.entries(METHODS))(
    '%s confirms it with a new session of the same user',
    async (name, confirm) => {
      const site = open(strategy)
      await signedIn(site)
      if (name === 'a passkey') await addPasskey(site)
      if (name === 'a passkey') await pass(3600)
      const before = cookieValue(site.tab)
      const url = await stepUp(site)
      const back = await confirm(site, fieldsOf(url))
      expect(back.headers.get('location')).toBe('https://app.test/settings')
      expect(cookieValue(site.tab)).not.toBe(before)
      const { value } = await required(site, { maxAge: 60 })
      expect(value.session.user?.email).toBe(ADA.email)
      if (strategy === 'database') {
        site.tab.cookies.set?.(SESSION, before)
        expect((await site.adapter.getSessionAndUser?.(before)) ?? null).toBeNull()
      }
    },
  )

  const CHOICES = Object.entries(METHODS).flatMap(([name, confirm]) =>
    [false, true, undefined].map((remember) => [name, remember, confirm] as const),
  )

  test.each(CHOICES)(
    '%s keeps the cookie one that ends with the browser, or not, if the choice was %s',
    async (name, remember, confirm) => {
      const site = open(strategy)
      const isPersistent = () => site.tab.cookies.get(SESSION)?.expires !== Infinity
      await signedIn(site)
      if (name === 'a passkey') await addPasskey(site)
      await site.tab.post('signout')
      const fields: Record<string, string> =
        remember === undefined ? {} : { remember: `${remember}` }
      // With a passkey, too, the choice is one of the form.
      await confirm(site, fields)
      expect(isPersistent()).toBe(remember !== false)
      await pass(3600)
      const before = cookieValue(site.tab)
      await confirm(site, fieldsOf(await stepUp(site)))
      expect(cookieValue(site.tab)).not.toBe(before)
      expect(isPersistent()).toBe(remember !== false)
      await pass(3600)
      expect(await site.tab.session()).not.toBeNull()
      expect(isPersistent()).toBe(remember !== false)
      const lasts = (site.tab.cookies.get(SESSION)?.expires ?? 0) - Date.now()
      if (remember !== false) expect(lasts).toBeGreaterThan(29 * 24 * 3600 * 1000)
    },
  )

  test.each(CHOICES)(
    '%s keeps what lifetime has chosen for a box that was not ticked, or was: %s',
    async (name, remember, confirm) => {
      const lifetime = (facts: { remember: boolean | undefined }) =>
        facts.remember ? {} : ({ cookie: 'session' } as const)
      const site = open(strategy, { session: { strategy, assurance: 'kept', lifetime } })
      const isPersistent = () => site.tab.cookies.get(SESSION)?.expires !== Infinity
      await signedIn(site)
      if (name === 'a passkey') await addPasskey(site)
      await site.tab.post('signout')
      await confirm(site, remember === undefined ? {} : { remember: `${remember}` })
      expect(isPersistent()).toBe(remember === true)
      await pass(3600)
      await confirm(site, fieldsOf(await stepUp(site)))
      expect(isPersistent()).toBe(remember === true)
    },
  )

  test.each(Object.entries(OTHERS))(
    '%s of another user changes nothing',
    async (_name, confirm) => {
      const site = open(strategy)
      const other = { ...site, tab: browser(site.config, { issuer: op }) }
      await other.tab.signIn('op', EVE)
      await signedIn(site)
      const url = await stepUp(site)
      const before = await snapshot(site)
      site.events.length = 0
      const refused = await confirm(site, fieldsOf(url))
      expect(await snapshot(site)).toBe(before)
      const page = new URL(refused.headers.get('location') ?? '')
      expect([page.pathname, page.searchParams.get('code')]).toEqual([
        '/auth/step-up',
        'other_user',
      ])
      const shown = await (await site.tab.request(page.href)).text()
      expect(shown).toContain('You signed in as another user.')
      expect(site.events.filter(({ type }) => type === 'signin')).toMatchObject([
        { outcome: 'denied', reason: 'StepUpRequired' },
      ])
      // The user can still confirm it.
      const again = { stepUp: sealed(page.href), callbackUrl: '/settings' }
      await METHODS['a provider']?.(site, again)
      expect((await required(site, { maxAge: 60 })).value.session.user?.email).toBe(ADA.email)
    },
  )

  test('the provider is asked for a new authentication and the contexts, and both are verified', async () => {
    const site = open(strategy, { provider: { trustsAssurance: { gold: 2, silver: 1 } } })
    await signedIn(site)
    const asked = async (options: RequireAuthOptions) =>
      (await site.tab.begin('op', fieldsOf(await stepUp(site, options)))).url.searchParams
    const byLevel = await asked({ level: 2 })
    expect([byLevel.get('max_age'), byLevel.get('acr_values')]).toEqual(['0', 'gold'])
    expect((await asked({ acr: ['a', 'b'] })).get('acr_values')).toBe('a b')
    expect((await asked({ maxAge: 60 })).get('acr_values')).toBeNull()
    const old = Math.floor(Date.now() / 1000) - 120
    for (const claims of [
      { auth_time: old, acr: 'gold' },
      { acr: 'silver' },
      {},
      { acr: ['gold'] },
    ]) {
      op.misbehaviour.idToken = (draft) => ({ ...draft, claims: { ...draft.claims, ...claims } })
      const attempt = await site.tab.begin('op', fieldsOf(await stepUp(site, { level: 2 })))
      const page = new URL((await attempt.complete(ADA)).headers.get('location') ?? '')
      expect([page.pathname, page.searchParams.get('error')]).toEqual([
        '/auth/step-up',
        'OAuthCallbackError',
      ])
      await expect(required(site, { level: 2 })).rejects.toThrow(StepUpRequired)
    }
    op.misbehaviour.idToken = (draft) => ({ ...draft, claims: { ...draft.claims, acr: 'gold' } })
    await (await site.tab.begin('op', fieldsOf(await stepUp(site, { level: 2 })))).complete(ADA)
    expect(
      (await required(site, { level: 2, maxAge: 5, acr: ['gold'] })).value.assurance.level,
    ).toBe(2)
  })

  test('a browser cannot weaken what the provider is asked for', async () => {
    const site = open(strategy, { provider: { trustsAssurance: { gold: 2 } } })
    await signedIn(site)
    const fields = {
      ...fieldsOf(await stepUp(site, { level: 2 })),
      csrfToken: await site.tab.csrfToken(),
    }
    const reply = await site.tab.request('signin/op?max_age=999999&acr_values=silver', {
      method: 'POST',
      form: fields,
    })
    const sent = new URL(reply.headers.get('location') ?? '').searchParams
    expect([sent.getAll('max_age'), sent.getAll('acr_values')]).toEqual([['0'], ['gold']])
  })

  test('a password and the mailbox are two factors, each of them one', async () => {
    const site = open(strategy)
    await signedIn(site)
    await asPassword(site, fieldsOf(await stepUp(site)))
    expect((await required(site, {})).value.assurance).toMatchObject({ level: 1, amr: ['pwd'] })
    await asPassword(site, fieldsOf(await stepUp(site, { level: 2 })))
    await expect(required(site, { level: 2 })).rejects.toThrow(StepUpRequired)
    await mailed(site, fieldsOf(await stepUp(site, { level: 2 })))
    const { assurance } = (await required(site, { level: 2, maxAge: 60 })).value
    expect(assurance).toMatchObject({ level: 2, amr: ['pwd', 'email'], via: 'email' })
  })

  test('after a method that is not sufficient, the page says so, and the next one completes it', async () => {
    const site = open(strategy)
    await signedIn(site)
    const insufficient = await asPassword(site, fieldsOf(await stepUp(site, { level: 2 })))
    const again = new URL(insufficient.headers.get('location') ?? '')
    expect(again.pathname).toMatch(/\/step-up$/)
    expect(again.searchParams.get('callbackUrl')).toBe('https://app.test/settings')
    const page = await (await site.tab.request(again.href)).text()
    expect(page).toContain('That way to sign in is not sufficient here. Choose another one.')
    await expect(required(site, { level: 2 })).rejects.toThrow(
      'requirement {"level":2}: it has {"level":1,"amr":["pwd"]',
    )
    await mailed(site, fieldsOf(again.href))
    await required(site, { level: 2 })
  })

  test('two factors are as old as the older one', async () => {
    const site = open(strategy)
    await signedIn(site)
    await asPassword(site, fieldsOf(await stepUp(site)))
    await pass(600)
    await mailed(site, fieldsOf(await stepUp(site, { level: 2 })))
    await expect(required(site, { level: 2, maxAge: 300 })).rejects.toThrow(StepUpRequired)
    await required(site, { level: 2, maxAge: 900 })
    // One of them again: it alone is not enough, and the other one is too old.
    await mailed(site, fieldsOf(await stepUp(site, { level: 2, maxAge: 300 })))
    await expect(required(site, { level: 2, maxAge: 300 })).rejects.toThrow(StepUpRequired)
    // An address that was verified in the same second could be that of an evicted user.
    await pass(1)
    await asPassword(site, fieldsOf(await stepUp(site, { level: 2, maxAge: 300 })))
    await required(site, { level: 2, maxAge: 300 })
  })

  test('factors of ordinary sign-ins do not add up', async () => {
    const site = open(strategy)
    await signedIn(site)
    await asPassword(site, {})
    await mailed(site, {})
    await expect(required(site, { level: 2 })).rejects.toThrow(StepUpRequired)
  })

  test('a passkey is level 2 with user verification, and level 1 without', async () => {
    const site = open(strategy)
    await signedIn(site)
    await addPasskey(site)
    await asPasskey(site, fieldsOf(await stepUp(site, { level: 2 })))
    const { amr } = (await required(site, { level: 2 })).value.assurance
    expect(amr).toEqual(['hwk', 'mfa'])
    const options = { requireUserVerification: false }
    const lax = Passkey({ verifyAuthenticationOptions: options })
    const weak = { ...site, config: { ...site.config, providers: [lax] } }
    weak.tab = browser(weak.config)
    const data = JSON.stringify(key.get(await passkeyCeremony(weak, 'authenticate'), { flags: UP }))
    await weak.tab.post('callback/passkey', { action: 'authenticate', data })
    expect((await required(weak, {})).value.assurance).toMatchObject({ level: 1, amr: ['hwk'] })
    await expect(required(weak, { level: 2 })).rejects.toThrow(StepUpRequired)
  })

  test('a passkey or an account that a thief of the session adds raises nothing', async () => {
    const site = open(strategy, { provider: { trustsAssurance: true } })
    await asPassword(site, {})
    await signedIn(site)
    await addPasskey(site)
    for (const options of [{ level: 2 }, { maxAge: 60 }] as const)
      await expect(required(site, options)).rejects.toThrow(StepUpRequired)
    op.misbehaviour.idToken = (draft) => ({
      ...draft,
      claims: { ...draft.claims, amr: ['mfa'], acr: 'gold' },
    })
    await (await site.tab.begin('op')).complete({ sub: 'thief', name: 'Thief' })
    expect(
      await site.adapter.getUserByAccount?.({ provider: 'op', providerAccountId: 'thief' }),
    ).toMatchObject({ email: ADA.email })
    for (const options of [{ level: 2 }, { maxAge: 60 }, { acr: ['gold'] }] as const)
      await expect(required(site, options)).rejects.toThrow(StepUpRequired)
  })

  test('a passkey that is registered in the step-up confirms nothing', async () => {
    const site = open(strategy)
    await signedIn(site)
    const fields = fieldsOf(await stepUp(site))
    const before = await snapshot(site)
    const data = JSON.stringify(key.create(await passkeyCeremony(site, 'register')))
    const refused = await site.tab.post('callback/passkey', { action: 'register', data, ...fields })
    expect(refused.headers.get('location')).toContain('other_user')
    expect(await snapshot(site)).toBe(before)
  })

  test.each(['altered', 'of another session', 'expired', 'empty'])(
    'a requirement that is %s is refused by every method',
    async (what) => {
      const site = open(strategy)
      await signedIn(site)
      await addPasskey(site)
      const url = await stepUp(site, { level: 2 })
      let field = sealed(url)
      if (what === 'altered') field = `${field.slice(0, -4)}AAAA`
      if (what === 'empty') field = ''
      if (what === 'expired') await pass(16 * 60)
      if (what === 'of another session') {
        const other = { ...site, tab: browser(site.config, { issuer: op }) }
        await signedIn(other)
        field = sealed(await stepUp(other, { level: 2 }))
      }
      const before = cookieValue(site.tab)
      for (const confirm of Object.values(METHODS)) {
        const fields = {
          csrfToken: await site.tab.csrfToken(),
          stepUp: field,
          callbackUrl: '/settings',
        }
        if (confirm === METHODS['a provider'] || confirm === METHODS['a magic link']) {
          const route = confirm === METHODS['a provider'] ? 'signin/op' : 'signin/email'
          const reply = await site.tab.post(route, { email: ADA.email, ...fields })
          expect(reply.headers.get('location')).toContain('error=InvalidCheck')
        } else {
          const reply = await confirm(site, fields)
          expect(reply.headers.get('location')).toContain('error=InvalidCheck')
        }
      }
      expect(cookieValue(site.tab)).toBe(before)
      const page = await site.tab.request(
        `step-up?stepUp=${encodeURIComponent(field)}&callbackUrl=/settings`,
      )
      expect(page.headers.get('location')).toBe('https://app.test/settings')
    },
  )

  test('a step-up that returns to another session than it began in is refused', async () => {
    const site = open(strategy)
    await signedIn(site)
    const attempt = await site.tab.begin('op', fieldsOf(await stepUp(site)))
    await site.tab.signIn('op', ADA)
    const before = cookieValue(site.tab)
    const reply = await attempt.complete(ADA)
    expect(reply.headers.get('location')).toContain('error=InvalidCheck')
    expect(cookieValue(site.tab)).toBe(before)
  })

  test('a user who has signed out meanwhile can sign in again, and no other user', async () => {
    const site = open(strategy)
    await signedIn(site)
    const url = await stepUp(site)
    const [first, second] = [
      await site.tab.begin('op', fieldsOf(url)),
      await site.tab.begin('op', fieldsOf(url)),
    ]
    await site.tab.post('signout')
    expect((await first.complete(EVE)).headers.get('location')).toContain('other_user')
    expect(await site.tab.session()).toBeNull()
    await second.complete(ADA)
    expect((await site.tab.session())?.user?.email).toBe(ADA.email)
  })

  test('a wrong password leads back to the page, which shows it', async () => {
    const site = open(strategy)
    await signedIn(site)
    await asPassword(site, fieldsOf(await stepUp(site)))
    await pass(3600)
    const url = await stepUp(site)
    const wrong = { email: ADA.email, password: 'wrong', ...fieldsOf(url) }
    const reply = await site.tab.post('callback/credentials', wrong)
    const page = new URL(reply.headers.get('location') ?? '')
    expect([page.pathname, page.searchParams.get('error')]).toEqual([
      '/auth/step-up',
      'CredentialsSignin',
    ])
    const shown = await (await site.tab.request(page.href)).text()
    expect(shown).toContain('password is wrong')
    await asPassword(site, { stepUp: sealed(page.href), callbackUrl: '/settings' })
    await required(site, { maxAge: 60 })
  })

  test.each(['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/\\evil.test'])(
    'the page does not lead to %s',
    async (callbackUrl) => {
      const site = open(strategy)
      await signedIn(site)
      const url = new URL(await stepUp(site))
      url.searchParams.set('callbackUrl', callbackUrl)
      const shown = await (await site.tab.request(url.href)).text()
      expect(shown).not.toContain('evil.test/"')
      expect(shown).not.toContain('javascript:')
      await asPassword(site, { stepUp: sealed(url.href), callbackUrl })
      const reply = await asPassword(site, {
        stepUp: sealed(await stepUp(site, { level: 2 })),
        callbackUrl,
      })
      expect(new URL(reply.headers.get('location') ?? '').origin).toBe('https://app.test')
    },
  )
})

describe('the page', () => {
  test('shows what the user has, and not the rest', async () => {
    const site = open('jwt')
    await signedIn(site)
    const url = await stepUp(site)
    const first = await (await site.tab.request(url)).text()
    expect(first).toContain('Confirm that it is you')
    expect(first).toContain('You are signed in as <strong>ada@example.com</strong>')
    expect(first).toContain('action="https://app.test/auth/signin/op"')
    expect(first).toContain('Send an e-mail to ada@example.com')
    expect(first).not.toContain('type="password"')
    expect(first).not.toContain('Continue with a passkey')
    await addPasskey(site)
    const second = await (await site.tab.request(await stepUp(site, { level: 2 }))).text()
    expect(second).toContain('Continue with a passkey')
    expect(second).not.toContain('Create a passkey')
    expect(second).toContain('type="password"')
  })

  test('offers only trusted providers for a context', async () => {
    const site = open('jwt', { provider: { trustsAssurance: true } })
    await signedIn(site)
    const shown = await (await site.tab.request(await stepUp(site, { acr: ['gold'] }))).text()
    expect(shown).toContain('action="https://app.test/auth/signin/op"')
    expect(shown).not.toContain('Send an e-mail')
  })

  test('leads a visitor to the sign-in page, and begins without a requirement as well', async () => {
    const site = open('jwt')
    const visitor = await site.tab.request('step-up?callbackUrl=/settings')
    expect(visitor.headers.get('location')).toBe(
      'https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fsettings',
    )
    await signedIn(site)
    expect((await site.tab.request('step-up?callbackUrl=/settings')).status).toBe(200)
  })

  test('can be one of the application', async () => {
    const site = open('jwt', { pages: { stepUp: '/confirm?theme=dark' } })
    await signedIn(site)
    const url = new URL(await stepUp(site))
    expect([url.pathname, url.searchParams.get('theme')]).toEqual(['/confirm', 'dark'])
    await asPassword(site, fieldsOf(url.href))
    await required(site, { maxAge: 60 })
    await pass(3600)
    const wrong = { email: ADA.email, password: 'wrong', ...fieldsOf(await stepUp(site)) }
    const page = new URL(
      (await site.tab.post('callback/credentials', wrong)).headers.get('location') ?? '',
    )
    expect([page.pathname, page.searchParams.get('error')]).toEqual([
      '/confirm',
      'CredentialsSignin',
    ])
    expect(page.searchParams.get('stepUp')).toBeTruthy()
    const opened = await site.tab.request(`step-up?${page.searchParams}`)
    expect(new URL(opened.headers.get('location') ?? '').pathname).toBe('/confirm')
  })

  test.each([
    ['op', 'https://app.test/auth/signin/op'],
    ['email', 'https://app.test/auth/signin/email'],
    ['credentials', 'https://app.test/auth/callback/credentials'],
    ['passkey', 'https://app.test/auth/callback/passkey'],
  ])('sends the form for provider %s on, with its body', async (provider, expected) => {
    const site = open('jwt')
    await signedIn(site)
    const reply = await site.tab.post('step-up', { provider, ...fieldsOf(await stepUp(site)) })
    expect([reply.status, reply.headers.get('location')]).toEqual([307, expected])
    expect((await site.tab.post('step-up', { provider: 'unknown' })).status).toBe(404)
    const foreign = await site.tab.request('step-up', { method: 'POST', form: { provider } })
    expect(foreign.headers.get('location')).toContain('MissingCSRF')
  })
})

test('without a database, the user whom the jwt callback names has to come back', async () => {
  const ids: Record<string, string> = { 'op|ada': '17', 'op|eve': '18' }
  const session = { strategy: 'jwt', assurance: 'kept' } as const
  const config: AuthConfig = {
    providers: [oidc(op)],
    session,
    secret: SECRET,
    trustHost: true,
    fetch: op.fetch,
    logger: silentLog().logger,
    callbacks: { jwt: ({ token, user }) => (user ? { ...token, sub: ids[user.id ?? ''] } : token) },
  }
  const site = { config, tab: browser(config, { issuer: op }) } as Site
  await signedIn(site)
  const url = await stepUp(site)
  const before = cookieValue(site.tab)
  const refused = await (await site.tab.begin('op', fieldsOf(url))).complete(EVE)
  expect(refused.headers.get('location')).toContain('other_user')
  expect(cookieValue(site.tab)).toBe(before)
  await (await site.tab.begin('op', fieldsOf(url))).complete(ADA)
  expect((await required(site, { maxAge: 60 })).value.assurance.amr).toEqual(['fed'])
})
