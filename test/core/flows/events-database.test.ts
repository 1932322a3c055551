/** The arguments of callbacks and events with an adapter. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import { verificationTime } from '../../../src/core/identity/verification-time.ts'
import type { AuthConfig, CallbacksOptions, EventsOptions, User } from '../../../src/index.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, oidc, passwordConfig } from '../../config.ts'
import { ADA, ADAPTERS, down, once } from '../../database.ts'
import { click, mailProvider, requestLink } from '../../email.ts'
import { claimsOf } from '../../sessions.ts'
import { messageOf, namesOf, recordingSite } from '../../recording.ts'
import type { Strategy } from '../../recording.ts'
import { createAuthenticator } from './webauthn/authenticator.ts'
import { authenticate, register } from './webauthn/site.ts'

const op = await issuer({ algorithm: 'ES256' })
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true }
/** The user that `profile()` returns for Ada. */
const PROFILE = { ...ADA, id: 'ada' }
const TOKENS = {
  access_token: expect.any(String),
  id_token: expect.any(String),
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: expect.any(Number),
  scope: 'openid profile email',
}

afterEach(() => op.reset())

describe.each<[Strategy, string[]]>([
  ['database', []],
  ['jwt', ['callbacks.jwt']],
])('with session strategy %s', (strategy, jwt) => {
  test('a sign-up calls signIn, createUser, linkAccount and the signIn event, in this order', async () => {
    const { tab, hookCalls, stored } = recordingSite(op, strategy)
    await tab.signIn('op')
    expect(namesOf(hookCalls)).toEqual([
      'callbacks.signIn',
      'createUser',
      'linkAccount',
      ...jwt,
      'signIn',
    ])
    const user = await stored.getUserByEmail?.(ADA.email)
    const account = { ...TOKENS, provider: 'op', type: 'oidc', providerAccountId: 'ada' }
    const profile = expect.objectContaining({ sub: 'ada', email_verified: true, iss: op.url })
    expect(messageOf(hookCalls, 'callbacks.signIn')).toEqual({
      user: { ...PROFILE, id: expect.any(String) },
      account,
      profile,
    })
    const owned = { ...account, userId: user?.id }
    expect(messageOf(hookCalls, 'createUser')).toEqual({ user })
    expect(messageOf(hookCalls, 'linkAccount')).toEqual({
      user,
      account: owned,
      profile: { ...PROFILE, id: expect.any(String) },
    })
    expect(messageOf(hookCalls, 'signIn')).toEqual({
      user,
      account: owned,
      profile,
      isNewUser: true,
    })
  })

  test('a sign-in of an existing user passes the stored user and emits no createUser', async () => {
    const site = recordingSite(op, strategy)
    await site.tab.signIn('op')
    const user = await site.stored.getUserByEmail?.(ADA.email)
    await site.stored.updateUser?.({ id: user?.id ?? '', name: 'Countess of Lovelace' })
    site.hookCalls.length = 0
    await site.open().signIn('op')
    expect(namesOf(site.hookCalls)).toEqual(['callbacks.signIn', ...jwt, 'signIn'])
    const existing = { ...user, name: 'Countess of Lovelace' }
    const account = expect.objectContaining({ provider: 'op', userId: user?.id, ...TOKENS })
    const profile = expect.objectContaining({ name: ADA.name })
    expect(messageOf(site.hookCalls, 'callbacks.signIn')).toEqual({
      user: existing,
      account,
      profile,
    })
    expect(messageOf(site.hookCalls, 'signIn')).toEqual({
      user: existing,
      account,
      profile,
      isNewUser: false,
    })
  })

  test('linking an account emits linkAccount with its user and the profile of the provider', async () => {
    const site = recordingSite(op, strategy)
    await site.tab.signIn('op')
    const user = await site.stored.getUserByEmail?.(ADA.email)
    site.hookCalls.length = 0
    await site.tab.signIn('other', BOB)
    expect(namesOf(site.hookCalls)).toEqual(['callbacks.signIn', 'linkAccount', ...jwt, 'signIn'])
    expect(messageOf(site.hookCalls, 'callbacks.signIn')).toMatchObject({ user: { name: 'Bob' } })
    expect(messageOf(site.hookCalls, 'linkAccount')).toMatchObject({
      user,
      account: { provider: 'other', providerAccountId: 'bob', userId: user?.id },
      profile: { name: 'Bob', email: BOB.email },
    })
    expect(messageOf(site.hookCalls, 'signIn')).toMatchObject({ user, isNewUser: false })
  })

  test('linking an account by its address passes isNewUser: false', async () => {
    const site = recordingSite(op, strategy, {
      provider: { allowDangerousEmailAccountLinking: true },
    })
    await site.tab.signIn('op')
    site.hookCalls.length = 0
    await site.open().signIn('other')
    expect(namesOf(site.hookCalls)).toEqual(['callbacks.signIn', 'linkAccount', ...jwt, 'signIn'])
    expect(messageOf(site.hookCalls, 'signIn')).toMatchObject({ isNewUser: false })
  })

  test('a rejected sign-in emits no event', async () => {
    const site = recordingSite(op, strategy)
    await site.tab.signIn('op')
    site.hookCalls.length = 0
    await site.open().signIn('other')
    expect(namesOf(site.hookCalls)).toEqual(['callbacks.signIn'])
  })

  test('a failed sign-up emits no event, and createUser is emitted once when it is repeated', async () => {
    const site = recordingSite(op, strategy)
    site.faults.linkAccount = once(down)
    await site.tab.signIn('op')
    expect(namesOf(site.hookCalls)).toEqual(['callbacks.signIn'])
    await site.tab.signIn('op')
    expect(namesOf(site.hookCalls).filter((name) => name === 'createUser')).toHaveLength(1)
  })

  test('the signIn callback is called before any write', async () => {
    const callbacks: CallbacksOptions = { signIn: ({ user }) => user.email !== ADA.email }
    const { tab, called } = recordingSite(op, strategy, { config: { callbacks } })
    const response = await tab.signIn('op')
    expect(response.headers.get('location')).toContain('/auth/error?error=AccessDenied')
    expect(called()).toEqual(['getUserByAccount'])
  })

  test('a new user is redirected to pages.newUser, an existing user is not', async () => {
    const config = { pages: { newUser: '/welcome?step=1' }, session: { strategy } }
    const { tab, open } = recordingSite(op, strategy, { config })
    const transaction = await tab.begin('op', { callbackUrl: '/inbox' })
    expect((await transaction.complete()).headers.get('location')).toBe(
      'https://app.test/welcome?step=1&callbackUrl=https%3A%2F%2Fapp.test%2Finbox',
    )
    const again = await open().begin('op', { callbackUrl: '/inbox' })
    expect((await again.complete()).headers.get('location')).toBe('https://app.test/inbox')
  })

  test('a provider determines which tokens of an account are stored, and callbacks receive all', async () => {
    const provider = {
      account: ({ scope }: { scope?: string | undefined }) => ({
        ...(scope !== undefined && { scope }),
        userId: 'eve',
        provider: 'evil',
        providerAccountId: 'eve',
      }),
    }
    const { tab, hookCalls, stored, calls } = recordingSite(op, strategy, { provider })
    await tab.signIn('op')
    const user = await stored.getUserByEmail?.(ADA.email)
    const row = {
      provider: 'op',
      type: 'oidc',
      providerAccountId: 'ada',
      scope: 'openid profile email',
      userId: user?.id,
    }
    expect(calls.find(({ method }) => method === 'linkAccount')?.args).toEqual([row])
    expect(await stored.listAccounts?.(user?.id ?? '')).toEqual([row])
    expect(messageOf(hookCalls, 'callbacks.signIn')).toMatchObject({ account: TOKENS })
    expect(messageOf(hookCalls, 'linkAccount')).toMatchObject({ account: TOKENS })
  })

  test('event handlers that reject do not affect the sign-in', async () => {
    const fail = () => Promise.reject(new Error('The audit log is down.'))
    const events = { createUser: fail, linkAccount: fail, signIn: fail }
    const { tab, log } = recordingSite(op, strategy, { config: { events } })
    const response = await tab.signIn('op')
    expect(response.headers.get('location')).toBe(tab.origin)
    expect(log.errors.map(({ message }) => message.split(' ')[1])).toEqual([
      'createUser',
      'linkAccount',
      'signIn',
    ])
    expect(await tab.session()).not.toBeNull()
  })
})

test('the jwt callback receives the trigger signUp for a new user, and signIn afterwards', async () => {
  const { tab, hookCalls, open, stored } = recordingSite(op, 'jwt')
  await tab.signIn('op')
  const user = await stored.getUserByEmail?.(ADA.email)
  expect(messageOf(hookCalls, 'callbacks.jwt')).toMatchObject({
    token: { name: ADA.name, email: ADA.email, picture: ADA.image, sub: user?.id },
    user,
    account: { provider: 'op', userId: user?.id },
    trigger: 'signUp',
    isNewUser: true,
  })
  expect(await claimsOf(tab)).toMatchObject({ sub: user?.id })
  hookCalls.length = 0
  await open().signIn('op')
  expect(messageOf(hookCalls, 'callbacks.jwt')).toMatchObject({
    trigger: 'signIn',
    isNewUser: false,
  })
})

/** A site whose handlers mark the address of each user as verified, and unverified providers of every type. */
function verifyingSite(adapter: Adapter, overrides: Partial<AuthConfig>) {
  const mails: VerificationRequest[] = []
  const { config, log } = passwordConfig({ adapter, fetch: op.fetch, ...overrides })
  const [password] = passwordConfig({}, { createUser: true }).config.providers ?? []
  if (!password) throw new Error('There is no password provider.')
  const providers = [oidc(op), oidc(op, { id: 'other' }), Passkey(), mailProvider(mails), password]
  const experimental = { enableWebAuthn: true }
  const open = () => browser({ ...config, providers, experimental }, { issuer: op })
  return { open, log, mails, adapter }
}

type VerifyingSite = ReturnType<typeof verifyingSite>

const UNVERIFIED = { sub: 'ada', name: ADA.name, email: ADA.email }

/** Ways to sign up, and to sign in again. */
const SIGN_UPS: Record<string, (site: VerifyingSite) => (tab: Browser) => Promise<unknown>> = {
  'an OpenID provider': () => (tab) => tab.signIn('op', UNVERIFIED),
  'a magic link': (site) => async (tab) => click(tab, await requestLink(tab, site, ADA.email)),
  'a passkey': () => {
    const passkey = createAuthenticator()
    let isNew = true
    return async (tab) => {
      if (!isNew) return authenticate(tab, passkey)
      isNew = false
      return register(tab, passkey, { email: ADA.email })
    }
  },
  'a password': () => enter,
}

describe.each(Object.keys(ADAPTERS))('with an adapter %s', (name) => {
  describe.each(Object.keys(SIGN_UPS))('and a sign-up with %s', (kind) => {
    test.each<[hook: string, strategy: Strategy]>(
      ['createUser', 'linkAccount', 'updateUser', 'signIn', 'all', 'callbacks.jwt'].flatMap(
        (hook): [string, Strategy][] => [
          [hook, 'database'],
          [hook, 'jwt'],
        ],
      ),
    )(
      'a user whose address is verified by %s is signed in, now and later (%s)',
      async (hook, strategy) => {
        const adapter = ADAPTERS[name]?.() ?? {}
        // A password provider passes the user that `authorize` returned, with another id, to the event signIn.
        const verify = async (id = '') => {
          if (await adapter.getUser?.(id))
            await adapter.updateUser?.({ id, emailVerified: verificationTime() })
        }
        const on = (event: string) => async (message: { user: User }) => {
          if (hook === event || hook === 'all') await verify(message.user.id)
        }
        const events: EventsOptions = {
          createUser: on('createUser'),
          linkAccount: on('linkAccount'),
          updateUser: on('updateUser'),
          signIn: on('signIn'),
        }
        const callbacks: CallbacksOptions = {
          async jwt({ token, trigger }) {
            if (hook === 'callbacks.jwt' && trigger) await verify(token.sub)
            return token
          },
        }
        const site = verifyingSite(adapter, { session: { strategy }, events, callbacks })
        const enterSite = SIGN_UPS[kind]?.(site)
        for (const tab of [site.open(), site.open()]) {
          await enterSite?.(tab)
          expect(site.log.errors).toEqual([])
          expect((await tab.session())?.user?.email).toBe(ADA.email)
        }
      },
    )
  })

  test.each<Strategy>(['database', 'jwt'])(
    'links an account and a passkey from a session if linkAccount verifies the address (%s)',
    async (strategy) => {
      const adapter = ADAPTERS[name]?.() ?? {}
      let isVerifying = false
      const events: EventsOptions = {
        async linkAccount({ user: { id = '' } }) {
          if (isVerifying) await adapter.updateUser?.({ id, emailVerified: verificationTime() })
        },
      }
      for (const link of [
        (tab: Browser) => tab.signIn('other', BOB),
        (tab: Browser) => register(tab, createAuthenticator()),
      ]) {
        const site = verifyingSite(adapter, { session: { strategy }, events })
        const tab = site.open()
        isVerifying = false
        await tab.signIn('op', { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@a.test` })
        isVerifying = true
        const response = await link(tab)
        expect(site.log.errors).toEqual([])
        expect(response.headers.get('location')).toBe(tab.origin)
      }
    },
  )
})
