/** What `requireAuth` accepts, by how and when the user signed in. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import { SessionRequired, StepUpRequired } from '../../../src/errors.ts'
import { requireAuth } from '../../../src/index.ts'
import type { AuthConfig, RequireAuthOptions } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Values } from '../../../src/testing/index.ts'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import { configFor, oidc, passwordConfig, enter } from '../../config.ts'
import { cookieFor, cookieValue, pass, SESSION, stopClock, takeCookies } from '../../sessions.ts'
import { oldCookie } from '../../cli/migrate-imports/next-auth-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const op = await issuer({ algorithm: 'ES256' })
afterEach(() => op.reset())

interface Site {
  readonly config: AuthConfig
  readonly tab: Browser
}

type Strategy = 'jwt' | 'database'
const STRATEGIES = ['jwt', 'database'] as const

const storage = (strategy: Strategy, adapter: Adapter = MemoryAdapter()) =>
  strategy === 'database' ? { adapter } : {}

function open(
  strategy: Strategy,
  provider: Partial<OIDCConfig> = {},
  overrides: Parameters<typeof configFor>[1] = {},
): Site {
  const session = { strategy, assurance: 'kept' } as const
  const all = { providers: [oidc(op, provider)], session, ...storage(strategy), ...overrides }
  const { config } = configFor(op, all)
  return { config, tab: browser(config, { issuer: op }) }
}

function headersOf(tab: Browser, more: Record<string, string> = {}): Headers {
  const cookie = `${SESSION}=${cookieValue(tab)}`
  return new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https', ...more })
}

const required = ({ config, tab }: Site, options?: RequireAuthOptions) =>
  requireAuth(headersOf(tab), config, options)

async function outcome(site: Site, options: RequireAuthOptions): Promise<string> {
  try {
    const { level } = (await required(site, options)).value.assurance
    return `level ${level}`
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  }
}

function state(claims: Values): void {
  op.misbehaviour.idToken = ({ header, claims: correct }) => ({
    header,
    claims: { ...correct, ...claims },
  })
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  test('a visitor receives SessionRequired with the URL of the sign-in page', async () => {
    const { config, tab } = open(strategy)
    const error = await required({ config, tab }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SessionRequired)
    expect(error).toMatchObject({ status: 401, url: 'https://app.test/auth/signin' })
  })

  test('a user who has just signed in has level 1, and the time of the sign-in', async () => {
    const site = open(strategy)
    await site.tab.signIn('op')
    const { value, headers } = await required(site, { maxAge: 60 })
    expect(value.session.user?.name).toBe('Ada Lovelace')
    expect(value.assurance).toEqual({
      level: 1,
      amr: ['fed'],
      acr: null,
      authTime: new Date('2026-05-04T03:02:01Z'),
      via: 'op',
    })
    expect([...headers]).toEqual([])
  })

  test.each([
    [60, { maxAge: 60 }, 'level 1'],
    [61, { maxAge: 60 }, 'StepUpRequired'],
    [600, {}, 'level 1'],
  ])('%i seconds after the sign-in, %j leads to %s', async (age, requirement, expected) => {
    const site = open(strategy)
    await site.tab.signIn('op')
    await pass(age)
    expect(await outcome(site, requirement)).toBe(expected)
  })

  test('a sign-in by a machine whose clock is two minutes ahead is not fresh, one of half a minute is', async () => {
    const site = open(strategy)
    await pass(120)
    await site.tab.signIn('op')
    vi.setSystemTime(Date.now() - 120_000)
    expect(await outcome(site, { maxAge: 60 })).toBe('StepUpRequired')
    vi.setSystemTime(Date.now() + 90_000)
    expect(await outcome(site, { maxAge: 60 })).toBe('level 1')
  })

  const STATED: [Values, OIDCConfig['trustsAssurance'], string][] = [
    [{ amr: ['pwd', 'otp'] }, true, 'level 2'],
    [{ amr: ['mfa'] }, true, 'level 2'],
    [{ amr: 'mfa' }, true, 'level 2'],
    [{ amr: ['pwd', 'otp'] }, false, 'StepUpRequired'],
    [{ amr: ['pwd', 'otp'] }, undefined, 'StepUpRequired'],
    [{ amr: ['pwd', 'pin'] }, true, 'StepUpRequired'],
    [{ amr: ['otp', 'hwk', 'sms'] }, true, 'StepUpRequired'],
    [{ amr: ['pwd', 'geo', 'rba'] }, true, 'StepUpRequired'],
    [{ amr: ['pwd', 'email'] }, true, 'StepUpRequired'],
    [{ amr: { 0: 'mfa' } }, true, 'StepUpRequired'],
    [{ acr: 'strong' }, true, 'StepUpRequired'],
    [{ acr: 'strong' }, { strong: 2 }, 'level 2'],
    [{ acr: 'weak', amr: ['mfa'] }, { strong: 2, weak: 1 }, 'StepUpRequired'],
    [{ acr: 'other', amr: ['mfa'] }, { strong: 2 }, 'level 2'],
    [{ acr: 'toString' }, { strong: 2 }, 'StepUpRequired'],
    [{}, { strong: 2 }, 'StepUpRequired'],
  ]
  test.each(STATED)(
    'a provider that states %j, trusted as %j: %s',
    async (claims, trusts, expected) => {
      const site = open(strategy, { trustsAssurance: trusts })
      state(claims)
      await site.tab.signIn('op')
      expect(await outcome(site, { level: 2 })).toBe(expected)
    },
  )

  const LONG = 'http://idmanagement.gov/ns/assurance/loa/3'
  test.each<[string, boolean, string[], string]>([
    ['gold', true, ['silver', 'gold'], 'level 1'],
    [LONG, true, ['silver', LONG], 'level 1'],
    [LONG, true, [`${LONG}1`], 'StepUpRequired'],
    ['gold', true, ['silver'], 'StepUpRequired'],
    ['gold', false, ['gold'], 'StepUpRequired'],
  ])('acr %s, trusted %s, for %j: %s', async (acr, trustsAssurance, accepted, expected) => {
    const site = open(strategy, { trustsAssurance })
    state({ acr })
    await site.tab.signIn('op')
    expect(await outcome(site, { acr: accepted })).toBe(expected)
  })

  test('the time at the provider counts if it was requested, and only then', async () => {
    const site = open(strategy, { authorization: { params: { max_age: 3600 } } })
    state({ auth_time: Math.floor(Date.now() / 1000) - 600 })
    await site.tab.signIn('op')
    expect(await outcome(site, { maxAge: 599 })).toBe('StepUpRequired')
    expect(await outcome(site, { maxAge: 600 })).toBe('level 1')
    const other = open(strategy)
    await other.tab.signIn('op')
    expect(await outcome(other, { maxAge: 60 })).toBe('level 1')
  })

  test('a session is the same after it was renewed', async () => {
    const session = { strategy, assurance: 'kept', updateAge: 0 } as const
    const site = open(strategy, { trustsAssurance: true }, { session })
    state({ amr: ['mfa'], acr: 'gold' })
    await site.tab.signIn('op')
    await pass(100)
    await site.tab.session()
    expect(await outcome(site, { level: 2, acr: ['gold'], maxAge: 100 })).toBe('level 2')
    expect(await outcome(site, { level: 2, maxAge: 99 })).toBe('StepUpRequired')
  })

  test('a session of before the option meets neither level nor acr, nor in the database an age', async () => {
    const adapter = MemoryAdapter()
    const before = open(
      strategy,
      { trustsAssurance: true },
      { ...storage(strategy, adapter), session: { strategy } },
    )
    state({ amr: ['mfa'], acr: 'gold' })
    await before.tab.signIn('op')
    const now = open(strategy, { trustsAssurance: true }, storage(strategy, adapter))
    const site = { config: now.config, tab: before.tab }
    expect(await outcome(site, { level: 2 })).toBe('StepUpRequired')
    expect(await outcome(site, { acr: ['gold'] })).toBe('StepUpRequired')
    expect(await outcome(site, { maxAge: 60 })).toBe(
      strategy === 'jwt' ? 'level 1' : 'StepUpRequired',
    )
    expect(await outcome(site, {})).toBe('level 1')
  })

  test('the error of a stale session tells a client what is required', async () => {
    const site = open(strategy)
    await site.tab.signIn('op')
    await pass(61)
    const error = await required(site, { maxAge: 60, acr: ['a', 'b'] }).catch((e: unknown) => e)
    if (!(error instanceof StepUpRequired)) throw new Error('no step-up')
    expect(error.status).toBe(401)
    expect(error.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", error_description="The user has to authenticate again", acr_values="a b", max_age="60"',
    )
    const { origin, pathname, searchParams } = new URL(error.url)
    expect([origin, pathname]).toEqual(['https://app.test', '/auth/step-up'])
    expect(searchParams.get('stepUp')).toMatch(/^[\w-]+\.[\w.-]+$/)
  })
})

describe('the page to return to', () => {
  const cases: [string, RequestInit & { path?: string }, RequireAuthOptions, string | null][] = [
    [
      'a page that was opened',
      { headers: { 'sec-fetch-dest': 'document' } },
      {},
      'https://app.test/settings?tab=1',
    ],
    [
      'a page of an old browser',
      { headers: { accept: 'text/html' } },
      {},
      'https://app.test/settings?tab=1',
    ],
    [
      'a script',
      { headers: { 'sec-fetch-dest': 'empty', referer: 'https://app.test/page' } },
      {},
      'https://app.test/page',
    ],
    [
      'a form',
      {
        method: 'POST',
        headers: { 'sec-fetch-dest': 'document', referer: 'https://app.test/form' },
      },
      {},
      'https://app.test/form',
    ],
    [
      'a form of another site',
      {
        method: 'POST',
        headers: { 'sec-fetch-dest': 'document', referer: 'https://evil.test/form' },
      },
      {},
      null,
    ],
    ['a program', {}, {}, null],
    ['the option', { headers: { 'sec-fetch-dest': 'document' } }, { redirectTo: '/own' }, '/own'],
  ]
  test.each(cases)('is that of %s', async (_who, init, options, expected) => {
    const { config, tab } = open('jwt')
    await tab.signIn('op')
    await pass(61)
    const headers = headersOf(tab, init.headers as Record<string, string>)
    const request = new Request('https://app.test/settings?tab=1', { ...init, headers })
    const error = await requireAuth(request, config, { maxAge: 60, ...options }).catch(
      (e: unknown) => e,
    )
    expect(new URL((error as StepUpRequired).url).searchParams.get('callbackUrl')).toBe(expected)
  })
})

describe('a requirement that is not valid is an error, never a pass', () => {
  const invalid: [unknown, RegExp][] = [
    [{ level: 3 }, /level of requireAuth is not 1 or 2 \(got 3\)/],
    [{ level: '2' }, /level of requireAuth/],
    [{ level: null }, /level of requireAuth/],
    [{ maxAge: NaN }, /maxAge of requireAuth/],
    [{ maxAge: -1 }, /maxAge/],
    [{ maxAge: 0 }, /from 1 to/],
    [{ maxAge: Infinity }, /maxAge/],
    [{ maxAge: '60' }, /maxAge/],
    [{ acr: [] }, /acr of requireAuth/],
    [{ acr: 'gold' }, /acr/],
    [{ acr: ['gold silver'] }, /acr/],
    [{ acr: [''] }, /acr/],
    [{ acr: [1] }, /acr/],
    [{ acr: ['a"b'] }, /acr/],
    [{ maxAge: undefined }, /maxAge of requireAuth is undefined\. Set it, or leave it out\./],
    [{ Level: 2 }, /Level is not an option of requireAuth/],
    [{ max_age: 5 }, /max_age is not an option of requireAuth\. Set level, maxAge or acr\./],
    [null, /not an object/],
    ['2', /not an object/],
    [[], /not an object|not an option|is not/],
  ]
  const noOptions: [string, unknown, RegExp][] = [
    ['a promise', Promise.resolve({ level: 2 }), /not an object \(got a promise; await it\)/],
    ['a Map', new Map([['level', 2]]), /not an object/],
    ['an object that inherits them', Object.create({ level: 2 }), /not an object/],
  ]
  test.each([
    ...invalid.map(([options, message]) => [JSON.stringify(options), options, message] as const),
    ...noOptions,
  ])('%s', async (_what, options, message) => {
    const site = open('jwt')
    await site.tab.signIn('op')
    // As JavaScript may pass it.
    const given = options as RequireAuthOptions
    await expect(required(site, given)).rejects.toMatchObject({
      name: 'InvalidConfiguration',
      message: expect.stringMatching(message),
    })
  })

  test.each<[Strategy, RequireAuthOptions, boolean]>([
    ['jwt', { maxAge: 60 }, true],
    ['jwt', {}, true],
    ['jwt', { level: 2 }, false],
    ['jwt', { level: 1 }, false],
    ['jwt', { acr: ['gold'] }, false],
    ['database', { maxAge: 60 }, false],
    ['database', { level: 2 }, false],
    ['database', {}, true],
  ])(
    'without session.assurance, with %s sessions, %j works: %s',
    async (strategy, options, works) => {
      const site = open(strategy, {}, { session: { strategy } })
      await site.tab.signIn('op')
      const result = required(site, options)
      if (works) expect((await result).value.assurance.level).toBe(1)
      else
        await expect(result).rejects.toMatchObject({
          name: 'InvalidConfiguration',
          message: expect.stringContaining("Set session.assurance: 'kept'"),
        })
    },
  )

  test.each([
    ['session.assurance', { session: { assurance: 'on' } }],
    ['trustsAssurance', { providers: [oidc(op, { trustsAssurance: { gold: 3 } as never })] }],
    ['trustsAssurance', { providers: [oidc(op, { trustsAssurance: 'yes' as never })] }],
  ])('the option %s is checked', async (name, overrides) => {
    const { config } = configFor(op, overrides as Parameters<typeof configFor>[1])
    await expect(requireAuth(new Headers({ host: 'app.test' }), config)).rejects.toThrow(name)
  })
})

describe('a jwt session', () => {
  test.each<[string, Partial<Values>]>([
    ['another user', { sub: 'another' }],
    ['nobody', { sub: undefined }],
  ])('that the jwt callback assigns to %s keeps no assurance', async (_who, claims) => {
    const site = open(
      'jwt',
      { trustsAssurance: true },
      {
        callbacks: {
          jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, ...claims } : token),
        },
      },
    )
    state({ amr: ['mfa'], acr: 'gold' })
    await site.tab.signIn('op')
    expect(await outcome(site, { level: 2, maxAge: 60, acr: ['gold'] })).toBe('level 2')
    await site.tab.post('session')
    for (const options of [{ level: 2 }, { maxAge: 60 }, { acr: ['gold'] }] as const)
      expect(await outcome(site, options)).not.toMatch(/^level/)
  })

  test('of a stored user keeps no age, without the option as well', async () => {
    const site = open(
      'jwt',
      {},
      {
        adapter: MemoryAdapter(),
        session: { strategy: 'jwt' },
        callbacks: {
          jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, sub: 'other' } : token),
        },
      },
    )
    await site.tab.signIn('op')
    expect(await outcome(site, { maxAge: 60 })).toBe('level 1')
    await site.tab.post('session')
    expect(await outcome(site, { maxAge: 60 })).toBe('StepUpRequired')
  })

  test('that an update tries to forge keeps what it has', async () => {
    const site = open(
      'jwt',
      {},
      {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? { ...token, ...(session as object) } : token,
          session: ({ session, token }) => {
            Object.assign(Object(token['lib']), { amr: ['mfa'] })
            return session
          },
        },
      },
    )
    await site.tab.signIn('op')
    const lib = {
      sid: 'x',
      startedAt: Date.now(),
      via: 'op',
      amr: ['mfa'],
      acr: 'gold',
      idle: 1,
      absolute: null,
      keep: true,
    }
    const json = { csrfToken: await site.tab.csrfToken(), data: { lib, amr: ['mfa'], acr: 'gold' } }
    await site.tab.request('session', { method: 'POST', json })
    expect(await outcome(site, { level: 2 })).toBe('StepUpRequired')
    expect(await outcome(site, { acr: ['gold'] })).toBe('StepUpRequired')
    expect(await outcome(site, {})).toBe('level 1')
  })

  test.each<[string, object]>([
    ['that was issued a moment ago', {}],
    ['into which a callback has copied what a browser sent', { auth_time: 'now' }],
  ])('of next-auth %s meets no age, also after it was renewed', async (_what, more) => {
    const auth_time = Math.floor(Date.now() / 1000)
    const claims = { sub: '1', name: 'Ada', ...('auth_time' in more && { auth_time }) }
    const jwt = ({ token }: { token: object }) => ({ ...token, auth_time_known: undefined })
    for (const callbacks of [{}, { jwt }]) {
      const overrides = { session: { updateAge: 0 }, migrateSessions: true, callbacks }
      const { config, tab } = open('jwt', {}, overrides)
      const old = await oldCookie(claims)
      const headers = new Headers({ cookie: old, host: 'app.test', 'x-forwarded-proto': 'https' })
      const site = { config, tab }
      await expect(requireAuth(headers, config, { maxAge: 3600 })).rejects.toThrow(StepUpRequired)
      takeCookies(tab, (await requireAuth(headers, config)).headers)
      for (let renewals = 0; renewals < 2; renewals++) {
        expect(await outcome(site, { maxAge: 3600 })).toBe('StepUpRequired')
        expect((await required(site)).value.assurance.authTime).toBeNull()
        await tab.session()
      }
      await tab.signIn('op')
      expect(await outcome(site, { maxAge: 3600 })).toBe('level 1')
    }
  })

  test('with the claim lib of the application meets no level', async () => {
    const { config } = open('jwt')
    const now = Math.floor(Date.now() / 1000)
    for (const lib of [{ amr: ['mfa'] }, { sid: 'x', amr: ['mfa'] }, 'mfa', null]) {
      const cookie = await cookieFor({ sub: '1', auth_time: now, iat: now, lib })
      const headers = new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https' })
      await expect(requireAuth(headers, config, { level: 2 })).rejects.toThrow(StepUpRequired)
    }
  })
})

test('a password is level 1, and what a form without a password asks for is no factor', async () => {
  const session = { strategy: 'jwt', assurance: 'kept' } as const
  const withPassword = passwordConfig({ session }).config
  const guest = passwordConfig(
    { session },
    { credentials: {}, authorize: () => ({ id: '1' }) },
  ).config
  for (const [config, amr] of [
    [withPassword, ['pwd']],
    [guest, []],
  ] as const) {
    const tab = browser(config)
    await enter(tab)
    expect((await required({ config, tab })).value.assurance).toMatchObject({ level: 1, amr })
    expect(await outcome({ config, tab }, { level: 2 })).toBe('StepUpRequired')
  }
})
