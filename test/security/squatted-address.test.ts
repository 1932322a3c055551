/** Account pre-hijacking: an attacker signs up with the address of a victim. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig, EventsOptions } from '../../src/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig } from '../config.ts'
import { without } from '../database.ts'
import { click, locationOf, mailProvider, mailSite, requestLink, STRATEGIES } from '../email.ts'
import type { MailSite } from '../email.ts'
import { pass, stopClock } from '../sessions.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import { authenticate, register, REJECTED, target } from '../core/flows/webauthn/site.ts'

const op = await issuer({ url: 'https://op.test' })
const trusted = await issuer({ url: 'https://trusted.test' })
const VICTIM = 'victim@example.com'
const EVIL = { sub: 'evil', email: VICTIM, email_verified: false }
const OWNER = { sub: 'owner', email: VICTIM, email_verified: true }
const HOME = 'https://app.test'
const REFUSED = 'https://app.test/auth/signin?error=OAuthAccountNotLinked'
/** A JWT session is still valid, but cannot link. */
const STALE = { database: REFUSED, jwt: `${REFUSED}&code=session_cannot_link` }

afterEach(() => void vi.useRealTimers())

function mailingSite(strategy: 'jwt' | 'database'): MailSite {
  const made = mailSite({ session: { strategy } })
  const fetcher: AuthConfig['fetch'] = (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    return (host === 'trusted.test' ? trusted : op).fetch(input, init)
  }
  const config: AuthConfig = {
    ...made.config,
    fetch: fetcher,
    providers: [
      oidc(op),
      { ...oidc(trusted), id: 'trusted', allowDangerousEmailAccountLinking: true },
      mailProvider(made.mails),
    ],
    callbacks: {
      session: ({ session, token, user }) => ({ ...session, id: token?.sub ?? user.id }),
    },
  }
  return { ...made, config }
}

async function providersOf({ adapter }: MailSite): Promise<string[]> {
  const user = await adapter.getUserByEmail(VICTIM)
  const accounts = await adapter.listAccounts(user?.id ?? '')
  return accounts.map(({ provider }) => provider)
}

describe.each(STRATEGIES)(
  'with %s sessions, an attacker who signed up with the address',
  (strategy) => {
    test('loses access when the owner uses a magic link, and cannot sign in again', async () => {
      stopClock()
      const made = mailingSite(strategy)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
      await pass(60)
      const victim = browser(made.config)
      expect(locationOf(await click(victim, await requestLink(victim, made, VICTIM)))).toBe(HOME)
      expect(await providersOf(made)).toEqual([])
      // Neither in a browser with a JWT session, which is still valid, nor in a new one.
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(STALE[strategy])
      const fresh = browser(made.config, { issuer: op })
      expect(locationOf(await fresh.signIn('op', EVIL))).toBe(REFUSED)
      expect(await providersOf(made)).toEqual([])
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
    })

    test('loses access when the owner signs in at a trusted provider', async () => {
      stopClock()
      const made = mailingSite(strategy)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(HOME)
      await pass(60)
      const victim = browser(made.config, { issuer: trusted })
      expect(locationOf(await victim.signIn('trusted', OWNER))).toBe(HOME)
      expect(await providersOf(made)).toEqual(['trusted'])
      expect((await made.adapter.getUserByEmail(VICTIM))?.emailVerified).toBeInstanceOf(Date)
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(STALE[strategy])
      expect(await providersOf(made)).toEqual(['trusted'])
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
    })

    test('cannot sign in to a user whose owner has verified the address before', async () => {
      const made = mailingSite(strategy)
      const victim = browser(made.config, { issuer: trusted })
      await victim.signIn('trusted', OWNER)
      const attacker = browser(made.config, { issuer: op })
      expect(locationOf(await attacker.signIn('op', EVIL))).toBe(REFUSED)
      expect(await providersOf(made)).toEqual(['trusted'])
    })
  },
)

type Overrides = Pick<AuthConfig, 'session' | 'events'> & { readonly adapter?: Adapter }

/** A site with an untrusted and a trusted OpenID provider, passkeys, and passwords if `events.evict` is set or they are asked for. */
function openSite(overrides: Overrides = {}, passwords = Boolean(overrides.events)) {
  const adapter = overrides.adapter ?? MemoryAdapter()
  const provider = { createUser: true, authorize: () => ({ email: VICTIM }) }
  const password = passwordConfig({}, provider).config.providers ?? []
  const { config, log } = configFor(trusted, {
    session: { strategy: 'database' },
    experimental: { enableWebAuthn: true },
    ...overrides,
    adapter,
    providers: [
      oidc(trusted, { id: 'untrusted' }),
      oidc(trusted, { id: 'trusted', trustEmail: true }),
      Passkey(),
      ...(passwords ? password : []),
    ],
  })
  const open = () => browser(config, { issuer: trusted })
  const stored = async () => {
    const user = await adapter.getUserByEmail?.(VICTIM)
    const accounts = (await adapter.listAccounts?.(user?.id ?? '')) ?? []
    return { user, providers: accounts.map(({ provider: id }) => id).sort() }
  }
  return { open, stored, log, adapter }
}

const evict: EventsOptions = { evict: () => undefined }
const passkey = createAuthenticator()

describe('the owner of an address at a trusted provider', () => {
  test('evicts a user who signed up with a passkey, and signs in', async () => {
    stopClock()
    const site = openSite({}, false)
    const attacker = site.open()
    await register(attacker, passkey, { email: VICTIM })
    const { user: squatter } = await site.stored()
    await pass(60)
    const victim = site.open()
    expect(locationOf(await victim.signIn('trusted', OWNER))).toBe(HOME)
    const { user, providers } = await site.stored()
    expect([user?.id, providers]).toEqual([squatter?.id, ['trusted']])
    expect(user?.emailVerified).toBeInstanceOf(Date)
    expect((await victim.session())?.user?.email).toBe(VICTIM)
    expect(await attacker.session()).toBeNull()
    expect(target(await authenticate(site.open(), passkey))).toBe(REJECTED)
    await attacker.signIn('untrusted', { sub: 'extra', email: 'extra@example.com' })
    expect((await site.stored()).providers).toEqual(['trusted'])
    await site.open().signIn('trusted', OWNER)
    expect(site.log.errors.map(({ name }) => name)).not.toContain('AdapterError')
  })

  test('evicts a user who signed up with a password, which the application revokes', async () => {
    const evicted: unknown[] = []
    const events: EventsOptions = { evict: ({ user }) => void evicted.push(user.email) }
    const site = openSite({ events })
    const attacker = site.open()
    await enter(attacker)
    expect((await attacker.session())?.user?.email).toBe(VICTIM)
    expect(locationOf(await site.open().signIn('trusted', OWNER))).toBe(HOME)
    expect(evicted).toEqual([VICTIM])
    expect(await attacker.session()).toBeNull()
    expect((await site.stored()).providers).toEqual(['trusted'])
  })

  const signUps: Record<string, (attacker: Browser) => Promise<unknown>> = {
    'a passkey': (attacker) => register(attacker, createAuthenticator(), { email: VICTIM }),
    'a password': enter,
    'a provider that is not trusted': (attacker) => attacker.signIn('untrusted', EVIL),
    'a passkey and a provider': async (attacker) => {
      await register(attacker, createAuthenticator(), { email: VICTIM })
      await attacker.signIn('untrusted', { sub: 'extra', email: 'extra@example.com' })
    },
    'the trusted provider': (attacker) => attacker.signIn('trusted', { ...OWNER, sub: 'first' }),
  }
  const lacking = (method: keyof Adapter) => ({
    adapter: without(MemoryAdapter(), method),
  })

  test.each<[string, string, object, Overrides?, boolean?]>([
    ['a passkey', 'the provider is not trusted', { via: 'untrusted' }],
    ['a passkey', 'the claim is missing', { email_verified: undefined }],
    ['a passkey', 'the claim is false', { email_verified: false }],
    ['a password', 'the application does not revoke passwords', {}, {}, true],
    ['a passkey', 'the application does not revoke passwords', {}, {}, true],
    ['a provider that is not trusted', 'an account reports the address', {}, { events: evict }],
    ['a passkey and a provider', 'an account is linked', {}, { events: evict }],
    ['the trusted provider', 'the address is verified', {}, { events: evict }],
    ['a passkey', 'sessions cannot be revoked', {}, { session: { strategy: 'jwt' } }],
    ['a passkey', 'the adapter lacks unlinkAccount', {}, lacking('unlinkAccount')],
    ['a passkey', 'the adapter lacks listAccounts', {}, lacking('listAccounts')],
    ['a passkey', 'the adapter lacks deleteUserSessions', {}, lacking('deleteUserSessions')],
    ['a password', 'the adapter lacks updateUser', {}, { events: evict, ...lacking('updateUser') }],
  ])(
    'is rejected after a sign-up with %s if %s',
    async (way, _why, claims, overrides, passwords) => {
      const site = openSite(overrides, passwords)
      const attacker = site.open()
      await signUps[way]?.(attacker)
      const before = await site.stored()
      expect(before.user).not.toBeNull()
      const { via = 'trusted', ...changed }: { via?: string } = claims
      const response = await site.open().signIn(via, { ...OWNER, ...changed })
      expect(locationOf(response)).toBe(REFUSED)
      expect(await site.stored()).toEqual(before)
      expect(await attacker.session()).not.toBeNull()
    },
  )
})
