/** A sign-in of a user with a second factor has two steps. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { manageAccounts } from '../../../src/account.ts'
import { getAccessToken, requireAuth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { governSessions } from '../../../src/sessions.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { down, recordCalls } from '../../database.ts'
import { pass, SESSION, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { createAuthenticator, UP } from '../flows/webauthn/authenticator.ts'
import { authenticate, register } from '../flows/webauthn/site.ts'
import { appCode } from './app-code.ts'
import {
  ADA,
  enrolledSite,
  enterCode,
  factorSite,
  factorsOf,
  locationOf,
  op,
  PAGE,
  pendingOf,
  STRATEGIES,
} from './factor-site.ts'
import type { FactorSite } from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const HOME = 'https://app.test'
const WRONG = `${PAGE}?error=Verification&code=invalid_second_step`
const EXPIRED = 'https://app.test/auth/signin?error=InvalidCheck'

const withPassword = (tab: Browser, fields: Record<string, string> = {}) =>
  tab.post('callback/password', { email: ADA.email, password: 'right', ...fields })

async function withLink({ mails }: Pick<FactorSite, 'mails'>, tab: Browser): Promise<Response> {
  await tab.post('signin/email', { email: ADA.email })
  return tab.request(mails.at(-1)?.url ?? '')
}

/** First steps with one factor. */
const FIRST_STEPS: readonly (readonly [
  name: string,
  sign: (site: FactorSite, tab: Browser) => Promise<Response>,
])[] = [
  ['an OpenID provider', (_site, tab) => tab.signIn('op', ADA)],
  ['a password', (_site, tab) => withPassword(tab)],
  ['a magic link', withLink],
]

const levelOf = async ({ config }: FactorSite, tab: Browser) =>
  (await valueOf(tab, requireAuth(requestOf(tab), config))).assurance

/** Counts the wrong codes that are compared, of ten in each browser. */
async function guess(tabs: readonly Browser[], wait: number): Promise<number> {
  let wrong = 0
  for (const tab of tabs) {
    for (let tries = 0; tries < 10; tries++) {
      if (tries % 5 === 0) await withPassword(tab)
      const url = locationOf(await enterCode(tab, '000000')) ?? ''
      if (url.includes('invalid_second_step')) wrong++
    }
    await pass(wait)
  }
  return wrong
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test.each(FIRST_STEPS)('after %s, no session begins before the code', async (_name, first) => {
    const site = await enrolledSite(strategy)
    const rows = vi.spyOn(site.adapter, 'createSession' as never)
    const tab = site.open()
    expect(locationOf(await first(site, tab))).toBe(PAGE)
    expect(await tab.session()).toBeNull()
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(site.calls).toEqual([])
    expect(rows).not.toHaveBeenCalled()
    const page = await (await tab.request('step-up')).text()
    expect(page).toContain('Enter the code')
    expect(page).not.toContain(ADA.email)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe(HOME)
    expect((await tab.session())?.user?.email).toBe(ADA.email)
    expect(site.calls.filter((name) => name === 'signIn')).toEqual(['signIn'])
    expect(site.audited.at(-1)).toMatchObject({ type: 'signin', outcome: 'success' })
    expect(pendingOf(tab)).toEqual([])
    expect(await levelOf(site, tab)).toMatchObject({ level: 2 })
    expect(site.log.errors).toEqual([])
  })

  test('a passkey that has verified its user is both steps, also as the second one', async () => {
    const site = await enrolledSite(strategy)
    const signedIn = site.open()
    await withPassword(signedIn)
    await enterCode(signedIn, await appCode(site.secret))
    const passkey = createAuthenticator()
    await register(signedIn, passkey)
    const direct = site.open()
    expect(locationOf(await authenticate(direct, passkey))).toBe(HOME)
    expect(await levelOf(site, direct)).toMatchObject({ level: 2 })
    const waiting = site.open()
    await withPassword(waiting)
    expect(await (await waiting.request('step-up')).text()).toContain('class="passkey"')
    expect(locationOf(await authenticate(waiting, passkey))).toBe(HOME)
    expect((await waiting.session())?.user?.email).toBe(ADA.email)
    const providers = [
      ...(site.config.providers ?? []).slice(0, -1),
      Passkey({ verifyAuthenticationOptions: { requireUserVerification: false } }),
    ]
    const unverified = browser({ ...site.config, providers }, { issuer: op })
    expect(locationOf(await authenticate(unverified, passkey, { flags: UP }))).toBe(PAGE)
    expect(await unverified.session()).toBeNull()
  })

  test('at a provider that is trusted to have checked several factors, there is no second step', async () => {
    const providers = [oidc(op, { trustsAssurance: true })]
    const site = await enrolledSite(strategy)
    const tab = browser({ ...site.config, providers }, { issuer: op })
    expect(locationOf(await tab.signIn('op', { ...ADA, amr: ['pwd', 'otp'] }))).toBe(HOME)
    const other = browser({ ...site.config, providers }, { issuer: op })
    expect(locationOf(await other.signIn('op', { ...ADA, amr: ['pwd'] }))).toBe(PAGE)
  })

  test('long tokens of a provider are in the cookie once, and reach callbacks.jwt', async () => {
    const accounts: unknown[] = []
    const site = await enrolledSite('jwt', {
      callbacks: {
        jwt({ token, account }) {
          accounts.push(account)
          return token
        },
      },
    })
    const tokens = { access_token: 'a'.repeat(3000), refresh_token: 'b'.repeat(1500) }
    op.misbehaviour.token = (body) => ({ ...body, ...tokens })
    const tab = site.open()
    expect(locationOf(await tab.signIn('op', ADA))).toBe(PAGE)
    expect(pendingOf(tab).join('').length).toBeLessThan(9000)
    accounts.length = 0
    await enterCode(tab, await appCode(site.secret))
    expect(await tab.session()).not.toBeNull()
    expect(accounts[0]).toMatchObject({ provider: 'op', providerAccountId: 'ada', ...tokens })
  })

  test.each(['cookie', 'store'] as const)(
    'tokens that are kept with the session (%s) are those of the first step',
    async (where) => {
      const site = await enrolledSite(strategy, { tokens: { where } })
      const tab = site.open()
      op.misbehaviour.token = (body) => ({ ...body, access_token: 'of the first step' })
      await tab.signIn('op', ADA)
      await enterCode(tab, await appCode(site.secret))
      const token = await valueOf(tab, getAccessToken(requestOf(tab), site.config, 'op'))
      expect(token.accessToken).toBe('of the first step')
    },
  )

  test('the session of before stays until the second step is passed', async () => {
    const site = await enrolledSite(strategy)
    const before = site.tab.cookies.get(SESSION)?.value
    await withPassword(site.tab)
    expect((await site.tab.session())?.user?.email).toBe(ADA.email)
    expect(site.tab.cookies.get(SESSION)?.value).toBe(before)
    await enterCode(site.tab, await appCode(site.secret))
    expect(site.tab.cookies.get(SESSION)?.value).not.toBe(before)
  })

  test('the user returns where the sign-in began, and stays signed in as chosen', async () => {
    const lifetime: NonNullable<AuthConfig['session']>['lifetime'] = ({ remember }) =>
      remember ? {} : { cookie: 'session' }
    for (const remember of ['true', 'false']) {
      const site = await enrolledSite(strategy, { session: { strategy, lifetime } })
      const tab = site.open()
      await withPassword(tab, { callbackUrl: '/settings?tab=2', remember })
      const response = await enterCode(tab, await appCode(site.secret))
      expect(locationOf(response)).toBe('https://app.test/settings?tab=2')
      const cookie = response.headers.getSetCookie().find((each) => each.startsWith(SESSION))
      expect([remember, /expires|max-age/i.test(cookie ?? '')]).toEqual([
        remember,
        remember === 'true',
      ])
    }
  })

  test('a code is accepted once, and of twenty requests with it one begins a session', async () => {
    const site = await enrolledSite(strategy)
    const tabs = Array.from({ length: 4 }, () => site.open())
    for (const tab of tabs) await withPassword(tab)
    const code = await appCode(site.secret)
    const all = await Promise.all(
      tabs.flatMap((tab) => [0, 1, 2, 3, 4].map(() => enterCode(tab, code))),
    )
    expect(all.map(locationOf).filter((url) => url === HOME)).toHaveLength(1)
    const signedIn = await Promise.all(tabs.map((tab) => tab.session()))
    expect(signedIn.filter(Boolean)).toHaveLength(1)
    const late = site.open()
    await withPassword(late)
    expect(locationOf(await enterCode(late, code))).toBe(WRONG)
  })

  test.each([
    ['two steps ago', -2, WRONG],
    ['the step before', -1, HOME],
    ['the current step', 0, HOME],
    ['the next step', 1, HOME],
    ['two steps ahead', 2, WRONG],
  ])('a code of %s leads to %s', async (_name, steps, location) => {
    const site = await enrolledSite(strategy)
    await pass(120)
    const tab = site.open()
    await withPassword(tab)
    expect(locationOf(await enterCode(tab, await appCode(site.secret, steps)))).toBe(location)
    expect(Boolean(await tab.session())).toBe(location === HOME)
  })

  test('an older code than the one that was accepted is rejected', async () => {
    const site = await enrolledSite(strategy)
    await pass(120)
    const older = await appCode(site.secret, -1)
    for (const [code, location] of [
      [await appCode(site.secret, 0), HOME],
      [older, WRONG],
    ] as const) {
      const tab = site.open()
      await withPassword(tab)
      expect(locationOf(await enterCode(tab, code))).toBe(location)
    }
  })

  test('a wrong code can be corrected five times; after that, another first step is needed', async () => {
    const site = await enrolledSite(strategy)
    const tab = site.open()
    await withPassword(tab)
    for (let tries = 0; tries < 5; tries++)
      expect(locationOf(await enterCode(tab, '000000'))).toBe(WRONG)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toContain(
      '/auth/signin?error=TooManyAttempts',
    )
    expect(site.audited.map(({ type, reason }) => [type, reason])).toEqual([
      ...[1, 2, 3, 4, 5].map(() => ['signin', 'Verification']),
      ['attempt.limited', 'TooManyAttempts'],
    ])
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe(EXPIRED)
    await withPassword(tab)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe(HOME)
  })

  test.each(['on', 'off'] as const)(
    'with protection %s, ten wrong codes in fifteen minutes end the guesses at a user',
    async (protection) => {
      const off = protection === 'off' ? ({ protection } as const) : {}
      const site = await enrolledSite(strategy, off)
      let wrong = 0
      let limited = ''
      for (let sign = 0; sign < 4 && !limited; sign++) {
        const tab = site.open()
        await withPassword(tab)
        for (let tries = 0; tries < 4 && !limited; tries++) {
          const url = locationOf(await enterCode(tab, '000000')) ?? ''
          if (url === WRONG) wrong++
          else limited = url
        }
      }
      expect(wrong).toBe(10)
      expect(limited).toMatch(/step-up\?error=TooManyAttempts&retryAfter=\d+/)
    },
  )

  test('who has the password can try 50 wrong codes of a user, and few more in the hours after', async () => {
    const site = await enrolledSite(strategy)
    const wrong = await guess(
      Array.from({ length: 24 }, () => site.open()),
      15 * 60,
    )
    // One more every half an hour.
    expect(wrong).toBeGreaterThanOrEqual(50)
    expect(wrong).toBeLessThanOrEqual(50 + 12)
  })

  test('who chooses the host has no guesses of their own at each', async () => {
    const site = await enrolledSite(strategy)
    const tabs = Array.from({ length: 60 }, (_, host) =>
      browser(site.config, { origin: `https://host-${host}.test` }),
    )
    expect(await guess(tabs, 0)).toBe(500)
  })

  test('a wrong recovery code leads back to the page of recovery codes', async () => {
    const site = await enrolledSite(strategy)
    const tab = site.open()
    await withPassword(tab)
    const page = await (await tab.request('step-up?recovery=true')).text()
    expect(page).toContain('<input type="hidden" name="recovery" value="true"')
    const wrong = await enterCode(tab, 'aaaa-aaaa-aaaa-aaaa', { recovery: 'true' })
    expect(locationOf(wrong)).toBe(WRONG.replace('?', '?recovery=true&'))
    const again = await (await tab.request(locationOf(wrong) ?? '')).text()
    expect(again).toContain('The recovery code is wrong')
  })

  test('a recovery code is accepted once, in any spelling', async () => {
    const site = await enrolledSite(strategy)
    const [first = '', second = ''] = site.recoveryCodes
    let tab = site.open()
    for (const [code, location] of [
      [first, HOME],
      [first, WRONG],
      [` ${second.replaceAll('-', ' ').toUpperCase()} `, HOME],
    ] as const) {
      tab = site.open()
      await withPassword(tab)
      expect(locationOf(await enterCode(tab, code))).toBe(location)
    }
    expect(await factorsOf(site, tab).list()).toMatchObject({ recoveryCodesLeft: 8 })
  })

  test.each([
    ['expires', () => pass(601)],
    ['is altered', async (_site: FactorSite, tab: Browser) => alter(tab)],
    ['is of another browser', async (_site: FactorSite, tab: Browser) => forget(tab)],
    [
      'is of a user who was deleted',
      ({ config, adapter }: FactorSite) => removed({ config, adapter }),
    ],
    [
      'is of a user whose address has changed',
      async ({ adapter }: FactorSite) => {
        const user = await adapter.getUserByEmail?.(ADA.email)
        await adapter.updateUser?.({ id: user?.id ?? '', email: 'new@example.com' })
      },
    ],
  ])('a sign-in that waits and %s starts again', async (_name, change) => {
    const site = await enrolledSite(strategy)
    const tab = site.open()
    await withPassword(tab)
    await change(site, tab)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe(EXPIRED)
    expect(await tab.session()).toBeNull()
  })

  test('sessions that are ended between the steps stay ended', async () => {
    const revocation = strategy === 'jwt' ? {} : undefined
    const site = await enrolledSite(strategy, {
      session: { strategy, ...(revocation && { revocation }) },
    })
    const tab = site.open()
    await withPassword(tab)
    await pass(1)
    const user = await site.adapter.getUserByEmail?.(ADA.email)
    await governSessions(site.config).revokeAll(user?.id ?? '')
    await enterCode(tab, await appCode(site.secret))
    // A session in the database began after all of them were deleted.
    expect(Boolean(await tab.session())).toBe(strategy === 'database')
  })

  test('if factors cannot be read, the sign-in fails and can be repeated', async () => {
    const adapter = MemoryAdapter()
    const site = await enrolledSite(strategy, { adapter })
    const list = vi.spyOn(adapter, 'listFactors').mockRejectedValueOnce(new Error('down'))
    const tab = site.open()
    expect(locationOf(await withPassword(tab))).toContain('error=TemporarilyUnavailable')
    expect(await tab.session()).toBeNull()
    list.mockRestore()
    expect(locationOf(await withPassword(tab))).toBe(PAGE)
  })

  test.each(['getUser', 'listFactors', 'useFactor'] as const)(
    'if %s fails at the second step, no session begins, and a code is accepted later',
    async (method) => {
      const adapter = MemoryAdapter()
      const site = await enrolledSite(strategy, { adapter })
      const tab = site.open()
      await withPassword(tab)
      const failing = vi.spyOn(adapter, method).mockRejectedValueOnce(new Error('down'))
      const response = await enterCode(tab, await appCode(site.secret))
      expect(locationOf(response) ?? '').toContain('error=TemporarilyUnavailable')
      expect(await tab.session()).toBeNull()
      failing.mockRestore()
      expect(locationOf(await enterCode(tab, await appCode(site.secret, 1)))).toBe(HOME)
    },
  )

  test('if the session cannot begin, the next code is accepted', async () => {
    let isFailing = false
    const fail = () => {
      if (isFailing) throw new Error('down')
    }
    const adapter = MemoryAdapter()
    const { createSession } = adapter
    const failing = {
      ...adapter,
      createSession: async (...args: Parameters<typeof createSession>) => {
        fail()
        return createSession(...args)
      },
    }
    const site = await enrolledSite(strategy, {
      adapter: failing,
      callbacks: {
        jwt({ token }) {
          fail()
          return token
        },
      },
    })
    const tab = site.open()
    await withPassword(tab)
    isFailing = true
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toContain('error=')
    isFailing = false
    expect(await tab.session()).toBeNull()
    expect(locationOf(await enterCode(tab, await appCode(site.secret, 1)))).toBe(HOME)
  })

  test('the pending cookie is no session, and a session is no pending sign-in', async () => {
    const site = await enrolledSite(strategy)
    const tab = site.open()
    await withPassword(tab)
    const [pending = ''] = pendingOf(tab)
    tab.cookies.set(SESSION, pending)
    expect(await tab.session()).toBeNull()
    const other = site.open()
    other.cookies.set('__Host-lib.pending', site.tab.cookies.get(SESSION)?.value ?? '')
    expect(locationOf(await enterCode(other, await appCode(site.secret)))).toBe(EXPIRED)
  })

  test('support resets the factors of a user, and ends their sessions', async () => {
    const site = await enrolledSite(strategy)
    const staff = manageAccounts(site.config, { actor: 'staff' })
    expect(await staff.resetFactors(site.userId)).toBe(true)
    expect(await staff.resetFactors('unknown')).toBeNull()
    expect(site.audited.at(-1)).toMatchObject({
      type: 'factor.removed',
      actor: { kind: 'user', id: 'staff' },
    })
    const tab = site.open()
    expect(locationOf(await withPassword(tab))).toBe(HOME)
    if (strategy === 'database') expect(await site.tab.session()).toBeNull()
  })

  test('without secondStep in the configuration, users with a factor need it all the same', async () => {
    const site = await enrolledSite(strategy)
    const { secondStep: _without, ...config } = site.config
    const tab = browser(config, { issuer: op })
    expect(locationOf(await withPassword(tab))).toBe(PAGE)
    expect(locationOf(await enterCode(tab, await appCode(site.secret)))).toBe(HOME)
  })

  test('an unverified address is proved by a link, and the second step is still required', async () => {
    const site = await enrolledSite(strategy)
    await site.adapter.updateUser?.({ id: site.userId, emailVerified: null })
    const tab = site.open()
    expect(locationOf(await withLink(site, tab))).toBe(PAGE)
    expect(await tab.session()).toBeNull()
  })
})

function alter(tab: Browser): void {
  const [value = ''] = pendingOf(tab)
  const at = value.length - 10
  tab.cookies.set('__Host-lib.pending', `${value.slice(0, at)}AAAA${value.slice(at + 4)}`)
}

function forget(tab: Browser): void {
  tab.cookies.delete('__Host-lib.pending')
}

async function removed({ config, adapter }: Pick<FactorSite, 'config' | 'adapter'>) {
  const user = await adapter.getUserByEmail?.(ADA.email)
  await manageAccounts(config).remove(user?.id ?? '')
}

describe('secondStep.required', () => {
  const all: AuthConfig['secondStep'] = { required: () => true }

  test.each(STRATEGIES)(
    'a new user adds a factor before the first session (%s)',
    async (strategy) => {
      const site = factorSite(strategy, { secondStep: all })
      const tab = site.open()
      expect(locationOf(await tab.signIn('op', ADA))).toBe(PAGE)
      expect(await tab.session()).toBeNull()
      const page = await (await tab.request('step-up')).text()
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1]?.replaceAll(' ', '') ?? ''
      expect(page).toContain(`secret=${secret}`)
      expect(page).toContain('<svg')
      expect(await (await tab.request('step-up')).text()).toContain(`secret=${secret}`)
      expect(locationOf(await enterCode(tab, '000000'))).toBe(WRONG)
      const done = await enterCode(tab, await appCode(secret))
      expect(done.status).toBe(200)
      expect((await done.text()).match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){5}/g)).toHaveLength(10)
      expect((await tab.session())?.user?.email).toBe(ADA.email)
      const again = site.open()
      expect(locationOf(await again.signIn('op', ADA))).toBe(PAGE)
      expect(locationOf(await enterCode(again, await appCode(secret, 1)))).toBe(HOME)
    },
  )

  test('each sign-in that waits has a key of its own', async () => {
    const site = factorSite('jwt', { secondStep: all })
    const keys = []
    for (const tab of [site.open(), site.open()]) {
      await tab.signIn('op', ADA)
      keys.push(/secret=(\w+)/.exec(await (await tab.request('step-up')).text())?.[1])
    }
    expect(keys[0]).not.toBe(keys[1])
  })

  test('a passkey that has verified its user needs no other factor', async () => {
    const site = factorSite('jwt', { secondStep: all })
    const tab = site.open()
    expect(locationOf(await register(tab, createAuthenticator(), { email: ADA.email }))).toBe(HOME)
  })

  test.each([
    ['throws', () => Promise.reject(new Error('down')), 'TemporarilyUnavailable'],
    ['returns no boolean', () => 'yes' as never, 'Callback'],
  ])('if it %s, no session begins', async (_name, required, error) => {
    const site = factorSite('jwt', { secondStep: { required } })
    const tab = site.open()
    expect(locationOf(await tab.signIn('op', ADA))).toContain(
      error === 'Callback' ? 'error=' : error,
    )
    expect(await tab.session()).toBeNull()
  })

  test('it cannot switch off the second step of a user who has a factor', async () => {
    const site = await enrolledSite('jwt', { secondStep: { required: () => false } })
    expect(locationOf(await withPassword(site.open()))).toBe(PAGE)
  })
})

describe('secondStep.rememberDevice', () => {
  const DAYS = 24 * 60 * 60
  const options = { secondStep: { rememberDevice: 30 * DAYS } }

  test.each(STRATEGIES)(
    'a remembered browser is not asked again until it ends (%s)',
    async (strategy) => {
      const site = await enrolledSite(strategy, options)
      const tab = site.open()
      await withPassword(tab)
      expect(await (await tab.request('step-up')).text()).toContain('for 30 days')
      await enterCode(tab, await appCode(site.secret), { rememberDevice: 'true' })
      await pass(29 * DAYS)
      expect(locationOf(await withPassword(tab))).toBe(HOME)
      expect(await levelOf(site, tab)).toMatchObject({ level: 1 })
      expect(locationOf(await withPassword(site.open()))).toBe(PAGE)
      await pass(2 * DAYS)
      expect(locationOf(await withPassword(tab))).toBe(PAGE)
    },
  )

  test.each(STRATEGIES)(
    'a browser is remembered, and the new app stays, if the database fails once the session has begun (%s)',
    async (strategy) => {
      const { adapter, faults } = recordCalls(MemoryAdapter())
      const site = factorSite(strategy, {
        adapter,
        secondStep: { required: () => true, ...options.secondStep },
        audit: { write: ({ type }) => void (type === 'signin' && (faults.listFactors = down)) },
      })
      const tab = site.open()
      await tab.signIn('op', ADA)
      const page = await (await tab.request('step-up')).text()
      const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page) ?? []
      const shown = await enterCode(tab, await appCode(secret), { rememberDevice: 'true' })
      expect((await shown.text()).match(/(?:[a-z2-7]{4}-){5}[a-z2-7]{4}/g)).toHaveLength(10)
      delete faults.listFactors
      expect(await tab.session()).not.toBeNull()
      expect((await factorsOf(site, tab).list())?.apps).toHaveLength(1)
      expect(locationOf(await tab.signIn('op', ADA))).toBe(HOME)
    },
  )

  test('it is asked again if the box was not ticked, after a change of factors and of all sessions', async () => {
    const site = await enrolledSite('jwt', {
      ...options,
      session: { strategy: 'jwt', revocation: {} },
    })
    const tab = site.open()
    await withPassword(tab)
    await enterCode(tab, await appCode(site.secret))
    expect(locationOf(await withPassword(tab))).toBe(PAGE)
    await enterCode(tab, await appCode(site.secret, 1), { rememberDevice: 'true' })
    expect(locationOf(await withPassword(tab))).toBe(HOME)
    await pass(200)
    await governSessions(site.config).revokeAll(site.userId)
    await pass(200)
    expect(locationOf(await withPassword(tab))).toBe(PAGE)
    await enterCode(tab, await appCode(site.secret), { rememberDevice: 'true' })
    expect(locationOf(await withPassword(tab))).toBe(HOME)
    await pass(60)
    const other = site.open()
    await withPassword(other)
    await enterCode(other, await appCode(site.secret))
    const { id, secret } = await factorsOf(site, other).enroll('second')
    await factorsOf(site, other).confirm(id, await appCode(secret))
    expect(locationOf(await withPassword(tab))).toBe(PAGE)
  })
})
