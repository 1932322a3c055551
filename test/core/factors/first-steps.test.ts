/** Whatever the first step of a sign-in is, neither a session nor its cookie exists before the second one. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountMail } from '../../../src/core/mail/account-mail.ts'
import { Password } from '../../../src/password.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { mailProvider } from '../../email.ts'
import { oauth } from '../../oauth.ts'
import { oidc } from '../../config.ts'
import { pass, stopClock } from '../../sessions.ts'
import { createAuthenticator, UP } from '../flows/webauthn/authenticator.ts'
import { authenticate, register } from '../flows/webauthn/site.ts'
import { logoutToken } from '../logout/logout-token.ts'
import { cheapHash, countHashes, RIGHT } from '../password/password-site.ts'
import { appCode } from './app-code.ts'
import {
  ADA,
  enterCode,
  factorSite,
  factorsOf,
  locationOf,
  op,
  PAGE,
  pendingOf,
  STRATEGIES,
} from './factor-site.ts'
import type { FactorSite, Strategy } from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const NEW = 'a pound of purple plums'
const passkey = createAuthenticator()
const OP_USER = { ...ADA, sid: 'op session of Ada' }

interface HeldSite extends FactorSite {
  /** Mails about the account. */
  readonly letters: AccountMail[]
  /** The key of the authenticator app. */
  readonly secret: string
}

type Providers = NonNullable<AuthConfig['providers']>
const unverified = { requireUserVerification: false }
const PROVIDERS: Record<string, (site: Pick<FactorSite, 'mails'>) => Providers> = {
  oidc: () => [oidc(op)],
  oauth: () => [oauth(op)],
  link: ({ mails }) => [mailProvider(mails as never)],
  code: ({ mails }) => [mailProvider(mails as never, { method: 'code' })],
  password: () => [Password()],
  passkey: () => [Passkey({ verifyAuthenticationOptions: unverified })],
}

/** Ada has an account, a passkey and a password, and an authenticator app unless a new one is required. */
async function heldSite(
  strategy: Strategy,
  gate: 'has an app' | 'has to add one',
  providers: keyof typeof PROVIDERS,
): Promise<HeldSite> {
  countHashes()
  const letters: AccountMail[] = []
  const site = factorSite(strategy, {
    account: { send: (mail) => void letters.push(mail) },
    logout: { backChannel: ['op'], frontChannel: ['op'] },
  })
  const tab = site.open()
  await tab.signIn('op', OP_USER)
  await register(tab, passkey)
  const { id = '' } = (await site.adapter.getUserByEmail?.(ADA.email)) ?? {}
  await site.adapter.setPassword?.(id, { hash: cheapHash(RIGHT), changed: new Date(0) })
  let secret = ''
  if (gate === 'has an app') {
    const { enroll, confirm } = factorsOf(site, tab)
    const enrolled = await enroll()
    ;({ secret } = enrolled)
    await confirm(enrolled.id, await appCode(secret, -1))
  }
  await site.adapter.updateUser?.({ id, emailVerified: new Date(0) })
  await tab.post('signout')
  // The sessions of the same moment have ended.
  await pass(1)
  const more = providers === 'oidc' || providers === 'oauth' ? [] : [oidc(op)]
  const config: AuthConfig = {
    ...site.config,
    providers: [...(PROVIDERS[providers]?.(site) ?? []), ...more],
    ...(providers === 'oauth' && { logout: {} }),
    ...(gate === 'has to add one' && { secondStep: { required: () => true } }),
  }
  site.calls.length = 0
  return { ...site, config, letters, secret, open: () => browser(config, { issuer: op }) }
}

const withPassword = (tab: Browser, password = RIGHT) =>
  tab.post('callback/password', { email: ADA.email, password })

const letter = ({ letters }: HeldSite, kind: AccountMail['kind']): string =>
  letters.findLast((mail) => mail.kind === kind)?.url ?? ''

type FirstStep = (site: HeldSite, tab: Browser) => Promise<Response>

const FIRST_STEPS: readonly (readonly [string, keyof typeof PROVIDERS, FirstStep])[] = [
  ['an OpenID provider', 'oidc', (_site, tab) => tab.signIn('op', OP_USER)],
  ['an OAuth provider', 'oauth', (_site, tab) => tab.signIn('op', ADA)],
  [
    'a magic link',
    'link',
    async ({ mails }, tab) => {
      await tab.post('signin/email', { email: ADA.email })
      return tab.request(mails.at(-1)?.url ?? '', { initiator: 'cross-site' })
    },
  ],
  [
    'an e-mail code',
    'code',
    async ({ mails }, tab) => {
      await tab.post('signin/email', { email: ADA.email })
      return tab.post('callback/email', { code: Reflect.get(mails.at(-1) ?? {}, 'code') })
    },
  ],
  ['a password', 'password', (_site, tab) => withPassword(tab)],
  [
    'a password that was reset by a link',
    'password',
    async (site, tab) => {
      await tab.post('password/forgot', { email: ADA.email })
      const link = new URL(letter(site, 'reset'))
      await tab.request(link.href, { initiator: 'cross-site' })
      const token = link.searchParams.get('token') ?? ''
      await tab.post('password/reset', { token, password: NEW })
      expectNoSession(site, tab)
      // Sessions of the same moment have ended.
      await pass(1)
      return withPassword(tab, NEW)
    },
  ],
  [
    'a passkey that has not verified its user',
    'passkey',
    (_site, tab) => authenticate(tab, passkey, { flags: UP }),
  ],
]

function expectNoSession({ calls }: HeldSite, tab: Browser): void {
  const names = tab.cookies.all().map(({ name }) => name)
  expect(names.filter((name) => name.includes('session-token'))).toEqual([])
  expect(calls).toEqual([])
}

/** Completes the second step; a user without an app adds one first. */
async function complete({ secret }: HeldSite, tab: Browser): Promise<void> {
  const page = await (await tab.request('step-up')).text()
  const [, added = ''] = /secret=([A-Z2-7]+)/.exec(page) ?? []
  await enterCode(tab, await appCode(secret || added))
  expect((await tab.session())?.user?.email).toBe(ADA.email)
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  describe.each(['has an app', 'has to add one'] as const)('a user who %s', (gate) => {
    test.each(FIRST_STEPS)('has no session after %s', async (_name, providers, sign) => {
      const site = await heldSite(strategy, gate, providers)
      const rows = vi.spyOn(site.adapter, 'createSession' as never)
      const tab = site.open()
      expect(locationOf(await sign(site, tab))).toBe(PAGE)
      expect(pendingOf(tab)).not.toEqual([])
      expectNoSession(site, tab)
      expect(await tab.session()).toBeNull()
      expect(rows).not.toHaveBeenCalled()
      await complete(site, tab)
      expect(rows).toHaveBeenCalledTimes(strategy === 'database' ? 1 : 0)
    })

    test('has none when the provider says that theirs has ended', async () => {
      const site = await heldSite(strategy, gate, 'oidc')
      const rows = vi.spyOn(site.adapter, 'createSession' as never)
      const tab = site.open()
      await tab.signIn('op', OP_USER)
      const body = new URLSearchParams({ logout_token: await logoutToken(op) })
      const url = 'https://app.test/auth/backchannel-logout/op'
      const cookie = {
        cookie:
          tab.cookies.header({ url: new URL(url), method: 'GET', initiator: 'same-site' }) ?? '',
      }
      const responses = [
        await Auth(new Request(url, { method: 'POST', body, headers: cookie }), site.config),
        await tab.request(
          `frontchannel-logout/op?${new URLSearchParams({ iss: op.url, sid: OP_USER.sid })}`,
        ),
      ]
      for (const response of responses)
        expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
      expectNoSession(site, tab)
      expect(await tab.session()).toBeNull()
      expect(rows).not.toHaveBeenCalled()
    })
  })

  test('a link of a sign-up begins no session if a second step is required', async () => {
    const site = await heldSite(strategy, 'has to add one', 'password')
    const rows = vi.spyOn(site.adapter, 'createSession' as never)
    for (const browserOf of ['the same browser', 'another browser']) {
      const email = `${browserOf.replaceAll(' ', '.')}@example.com`
      const first = site.open()
      await first.post('password/sign-up', { email, password: NEW })
      expectNoSession(site, first)
      const link = new URL(letter(site, 'sign-up'))
      const token = link.searchParams.get('token') ?? ''
      const tab = browserOf === 'another browser' ? site.open() : first
      const opened = await tab.request(link.href, { initiator: 'cross-site' })
      const response =
        tab === first ? opened : await tab.post('password/verify', { token, password: NEW })
      expect([browserOf, locationOf(response)]).toEqual([browserOf, PAGE])
      expectNoSession(site, tab)
      expect(await tab.session()).toBeNull()
      expect(rows).not.toHaveBeenCalled()
    }
  })

  test('a sign-up with the address of a user begins none either', async () => {
    const site = await heldSite(strategy, 'has an app', 'password')
    const tab = site.open()
    await tab.post('password/sign-up', { email: ADA.email, password: NEW })
    await tab.request(letter(site, 'sign-up'), { initiator: 'cross-site' })
    expectNoSession(site, tab)
    expect(await tab.session()).toBeNull()
  })
})
