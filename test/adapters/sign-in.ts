/** Sign-ins and sign-outs on a site with database sessions, over any adapter. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig } from '../config.ts'
import type { Log } from '../config.ts'
import { followLink, mailProvider, requestLink, SPENT } from '../email.ts'
import { errorTypes } from '../database.ts'
import { expectSignedIn, advanceDate } from '../oauth.ts'
import { readWith, SESSION, cookieValue } from '../sessions.ts'
import { testCodeSignIn } from './sign-in-code.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import {
  authenticate,
  NOT_LINKED,
  passkeySite,
  register as registerPasskey,
  REJECTED,
  target,
} from '../core/flows/webauthn/site.ts'

const op = await issuer({ algorithm: 'ES256' })

/** A site over an adapter, and a new visitor. */
interface Site {
  readonly config: AuthConfig
  readonly log: Log
  readonly mails: VerificationRequest[]
  readonly person: { readonly sub: string; readonly email: string; readonly name: string }
  readonly open: () => Browser
}

/** Opens a site. */
function siteOver(
  adapter: Adapter,
  more: { callbacks?: CallbacksOptions } & Partial<AuthConfig> = {},
): Site {
  const mails: VerificationRequest[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op), mailProvider(mails)],
    adapter,
    session: { strategy: 'database' },
    ...more,
  })
  const sub = crypto.randomUUID()
  const person = { sub, email: `${sub}@example.com`, name: 'Grace Hopper' }
  return { config, log, mails, person, open: () => browser(config, { issuer: op }) }
}

/** Exposes the user id in the session. */
const ID: CallbacksOptions = {
  session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
}

async function idIn(tab: Browser): Promise<string | undefined> {
  return (await tab.session())?.user?.id
}

/** Sign-in flows that every adapter must support. */
export function testSignIn(adapter: () => Adapter): void {
  testCodeSignIn(adapter)

  test('signs a new user in at a provider, and finds the same user again', async () => {
    const { open, log, person } = siteOver(adapter(), { callbacks: ID })
    const tab = open()
    await expectSignedIn({ tab, log }, await tab.signIn('op', person))
    expect(await tab.session()).toMatchObject({ user: { email: person.email, name: person.name } })
    const again = open()
    await expectSignedIn({ tab: again, log }, await again.signIn('op', person))
    const id = await idIn(tab)
    expect(id).toMatch(/./)
    expect(await idIn(again)).toBe(id)
  })

  test('deletes only the current session on sign-out', async () => {
    const { open, config, log, person } = siteOver(adapter())
    const [tab, other] = [open(), open()]
    await tab.signIn('op', person)
    await other.signIn('op', person)
    const cookie = `${SESSION}=${cookieValue(tab)}`
    expect((await readWith(cookie, config)).session?.user?.email).toBe(person.email)
    await tab.post('signout')
    expect(await tab.session()).toBeNull()
    expect((await readWith(cookie, config)).session).toBeNull()
    expect((await other.session())?.user?.email).toBe(person.email)
    expect(log.errors).toEqual([])
  })

  test('signs a new user in with a magic link once', async () => {
    const site = siteOver(adapter())
    const { open, log, person } = site
    const [tab, other] = [open(), open()]
    const link = await requestLink(tab, site, person.email)
    await expectSignedIn({ tab, log }, await followLink(tab, link))
    expect((await tab.session())?.user?.email).toBe(person.email)
    expect((await followLink(other, link)).headers.get('location')).toBe(SPENT)
    expect(await other.session()).toBeNull()
  })

  test('signs the user with the address in with a magic link', async () => {
    const site = siteOver(adapter(), { callbacks: ID })
    const { open, log, person } = site
    const [first, second] = [open(), open()]
    await followLink(first, await requestLink(first, site, person.email))
    await followLink(second, await requestLink(second, site, person.email))
    expect(log.errors).toEqual([])
    expect(await idIn(second)).toMatch(/./)
    expect(await idIn(second)).toBe(await idIn(first))
  })

  test('signs the user with the address in with a password, repeatedly', async () => {
    const { person } = siteOver(adapter())
    const { config, log } = passwordConfig(
      { adapter: adapter(), session: { strategy: 'database' }, callbacks: ID },
      { createUser: true, authorize: () => ({ name: person.name, email: person.email }) },
    )
    const [tab, other] = [browser(config), browser(config)]
    await expectSignedIn({ tab, log }, await enter(tab))
    expect((await tab.session())?.user).toMatchObject({ email: person.email, name: person.name })
    await expectSignedIn({ tab: other, log }, await enter(other))
    expect(await idIn(tab)).toMatch(/./)
    expect(await idIn(other)).toBe(await idIn(tab))
  })

  test('links an account to the signed-in user', async () => {
    const site = siteOver(adapter(), { callbacks: ID })
    const { open, log, person } = site
    const tab = open()
    await followLink(tab, await requestLink(tab, site, person.email))
    const id = await idIn(tab)
    await expectSignedIn({ tab, log }, await tab.signIn('op', person))
    const other = open()
    await other.signIn('op', person)
    expect(await idIn(other)).toBe(id)
    expect(log.errors).toEqual([])
  })

  test('does not link an account by the address of another user', async () => {
    const site = siteOver(adapter())
    const { open, person } = site
    const tab = open()
    await followLink(tab, await requestLink(tab, site, person.email))
    const other = open()
    const response = await other.signIn('op', person)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
    expect(await other.session()).toBeNull()
  })

  test('registers passkeys, and signs in with them', async ({ skip }) => {
    const own = adapter()
    if (!own.createAuthenticator) skip('The adapter has no table for passkeys.')
    const site = passkeySite({ adapter: own, config: { callbacks: ID } })
    const email = `${crypto.randomUUID()}@example.com`
    const [first, second] = [createAuthenticator(), createAuthenticator({ counter: 0 })]
    expect(target(await registerPasskey(site.tab, first, { email }))).toBe('302 /')
    const id = await idIn(site.tab)
    expect(id).toMatch(/./)
    expect(target(await registerPasskey(site.tab, second))).toBe('302 /')
    for (const passkey of [first, second, first, second]) {
      const tab = site.open()
      expect(target(await authenticate(tab, passkey, { email }))).toBe('302 /')
      expect(await idIn(tab)).toBe(id)
    }
    expect(target(await authenticate(site.open(), first, { counter: 1 }))).toBe(REJECTED)
    const taken = site.open()
    expect(target(await registerPasskey(taken, createAuthenticator(), { email }))).toBe(NOT_LINKED)
    expect(await taken.session()).toBeNull()
    const stored = await own.getAuthenticator?.(first.id.toString('base64'))
    expect(stored).toMatchObject({ counter: first.counter - 1, transports: 'hybrid,internal' })
    expect(errorTypes(site.log)).toEqual(['WebAuthnVerificationError', 'AccountNotLinked'])
  })

  test('accepts a signature counter of a passkey once in concurrent sign-ins', async ({ skip }) => {
    const own = adapter()
    if (!own.createAuthenticator || !own.transaction) skip('Needs passkeys and transactions.')
    const site = passkeySite({ adapter: own, config: { session: { strategy: 'jwt' } } })
    const passkey = createAuthenticator()
    const email = `${crypto.randomUUID()}@example.com`
    expect(target(await registerPasskey(site.tab, passkey, { email }))).toBe('302 /')
    for (let counter = 2; counter < 8; counter++) {
      const tabs = [site.open(), site.open(), site.open()]
      for (const tab of tabs) await tab.csrfToken()
      const responses = await Promise.all(
        tabs.map((tab) => authenticate(tab, passkey, { counter })),
      )
      const targets = responses.map(target)
      expect(targets.filter((each) => each === '302 /')).toHaveLength(1)
    }
  })

  test('extends a session that is used', async () => {
    const own = adapter()
    const { open, person, log } = siteOver(own, { session: { strategy: 'database', updateAge: 0 } })
    const tab = open()
    onTestFinished(() => void vi.useRealTimers())
    // The current day: databases that delete expired rows use their own clock.
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Math.floor(Date.now() / 1000) * 1000)
    await tab.signIn('op', person)
    const before = tab.cookies.get(SESSION)?.expires ?? 0
    advanceDate(60)
    await tab.request('session')
    const after = tab.cookies.get(SESSION)?.expires
    expect(after).toBe(before + 60_000)
    const row = await own.getSessionAndUser?.(cookieValue(tab))
    expect(row?.session.expires.getTime()).toBe(after)
    expect(log.errors).toEqual([])
  })
}

/** Sessions and users are kept when a site switches to another adapter. */
export function testSwitch(before: () => Adapter, after: () => Adapter): void {
  test('keeps existing sessions, and finds the same user again', async () => {
    const old = siteOver(before(), { callbacks: ID })
    const tab = old.open()
    await expectSignedIn({ tab, log: old.log }, await tab.signIn('op', old.person))
    const id = await idIn(tab)
    const { config, log, open } = siteOver(after(), { callbacks: ID })
    const read = await readWith(`${SESSION}=${cookieValue(tab)}`, config)
    expect(read.session?.user?.id).toBe(id)
    const again = open()
    await expectSignedIn({ tab: again, log }, await again.signIn('op', old.person))
    expect(await idIn(again)).toBe(id)
  })
}
