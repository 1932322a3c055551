/** The option `protection`: its validation, the challenge of the application, and the client address of a platform. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Attempt } from '../../../src/core/config/protection-options.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import { pass, stopClock, until } from '../../sessions.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

function resolveWith(protection: unknown): void {
  const { config } = passwordConfig()
  const changed: AuthConfig = Object.assign({}, config, { protection })
  resolve(changed)
}

describe('validation', () => {
  test.each<[string, unknown]>([
    ['protection is not an object or "off" (got "on").', 'on'],
    ['protection.limit is not an option.', { limit: {} }],
    [
      'protection.limits is not an object such as { password: { burst: 5, per: 900 } } (got "off").',
      { limits: 'off' },
    ],
    ['protection.limits["pasword"] is not a limit.', { limits: { pasword: 'off' } }],
    ['protection.limits["password"] is not a rate or "off" (got 5).', { limits: { password: 5 } }],
    [
      'protection.limits["mail"] is not a rate or "off" (got { burst: "5", per: "15m" }).',
      { limits: { mail: { burst: '5', per: '15m' } } },
    ],
    [
      '(got { burst: 5, per: 900, hours: 1 }).',
      { limits: { mail: { burst: 5, per: 900, hours: 1 } } },
    ],
    ['protection.limits["mail"] is not a rate', { limits: { mail: { burst: 0, per: 1 } } }],
    ['protection.limits["mail"] is not a rate', { limits: { mail: { burst: 1.5, per: 1 } } }],
    ['protection.limits["mail"] is not a rate', { limits: { mail: { burst: 1, per: 0 } } }],
    ['protection.limits["mail"] is not a rate', { limits: { mail: { burst: 1, per: Infinity } } }],
    ['protection.limits["mail"] is not a rate', { limits: { mail: { burst: 2000, per: 1 } } }],
    ['protection.store is not an object with take', { store: { take: () => [] } }],
    ['protection.clientAddress is not "none", a header', { clientAddress: 'x-forwarded-for' }],
    ['function of the headers (got { header: "x y" }).', { clientAddress: { header: 'x y' } }],
    ['(got { header: "x", hops: 0 }).', { clientAddress: { header: 'x', hops: 0 } }],
    ['(got { header: "x", hop: 2 }).', { clientAddress: { header: 'x', hop: 2 } }],
    ['set an adapter as store', { store: MemoryAdapter() }],
    ['protection.identifier is not a function', { identifier: 'email' }],
    ['protection.onAttempt is not a function', { onAttempt: true }],
    ['protection.knownBrowsers is not "remembered" or "off" (got true).', { knownBrowsers: true }],
  ])('%s', (message, protection) => {
    expect(() => resolveWith(protection)).toThrow(message)
  })

  test.each([
    ['off', 'off'],
    ['nothing', {}],
    ['undefined options', { limits: undefined, store: undefined, clientAddress: undefined }],
    ['rates', { limits: { password: 'off', mail: { burst: 1, per: 60 } } }],
    ['a header', { clientAddress: { header: 'x-forwarded-for', hops: 2 } }],
    ['none', { clientAddress: 'none' }],
    ['a function', { clientAddress: () => null }],
  ])('accepts %s', (_name, protection) => {
    expect(() => resolveWith(protection)).not.toThrow()
  })
})

describe('in production', () => {
  test.each<[string, AuthConfig['protection'], number]>([
    ['warns without a client address', undefined, 1],
    ['is silent if it is "none"', { clientAddress: 'none' }, 0],
    ['is silent with one', { clientAddress: { header: 'x-real-ip' } }, 0],
    ['is silent if protection is off', 'off', 0],
  ])('%s', (_name, protection, times) => {
    vi.stubEnv('NODE_ENV', 'production')
    const { config, log } = passwordConfig({ protection })
    resolve(config)
    resolve({ ...config })
    expect(log.lines.filter(([, code]) => code === 'no-client-address')).toHaveLength(times)
  })

  test('warns once of a header that requests do not have, and names it', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const protection = { clientAddress: { header: 'x-real-ip' } }
    const { config, log } = passwordConfig({ protection })
    await enter(browser(config, { headers: { 'x-real-ip': '192.0.2.1' } }))
    const codes = () => log.lines.map(([, code]) => code)
    expect(codes()).not.toContain('no-client-address')
    for (let count = 0; count < 2; count++) await enter(browser(config))
    const warnings = log.lines.filter(([, code]) => code === 'no-client-address')
    expect(warnings).toHaveLength(1)
    expect(String(warnings[0])).toContain('in the header x-real-ip with hops 1')
  })

  test('warns that no limit applies if there is neither an account nor a client address', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const protection = { identifier: () => null, clientAddress: 'none' } as const
    const { config, log } = passwordConfig({ protection })
    await enter(browser(config))
    expect(String(log.lines.find(([, code]) => code === 'no-identifier'))).toContain(
      'no limit applies',
    )
  })
})

test.each([
  ['no NODE_ENV', '', 1],
  ['development', 'development', 1],
  ['production, where scanners send such requests', 'production', 0],
])('a password form without an account is reported with %s', async (_name, mode, times) => {
  vi.stubEnv('NODE_ENV', mode)
  const protection = { identifier: () => null, clientAddress: { header: 'x-real-ip' } }
  const { config, log } = passwordConfig({ protection })
  await enter(browser(config, { headers: { 'x-real-ip': '192.0.2.1' } }))
  const warnings = log.lines.filter(([, code]) => code === 'no-identifier')
  expect(warnings).toHaveLength(times)
  expect(warnings.map(String)).toEqual(
    warnings.map(() => expect.stringContaining('only the limit by client address applies')),
  )
})

const failing = (): never => {
  throw new Error('A bug.')
}

test.each<[string, () => unknown, string]>([
  ['throws', failing, 'A bug.'],
  ['is asynchronous', async () => '192.0.2.1', 'It returned a value of type object.'],
  ['rejects', async () => failing(), 'It returned a value of type object.'],
  ['returns a number', () => 5, 'It returned a value of type number.'],
])('a function for the client address that %s is an error', async (_what, ask, reason) => {
  const protection = { clientAddress: () => null }
  Reflect.set(protection, 'clientAddress', ask)
  const { config, log } = passwordConfig({ protection })
  const { headers } = await enter(browser(config))
  expect(headers.get('location')).toContain('error=Configuration')
  expect(log.errors[0]?.message).toContain('protection.clientAddress did not return an address')
  expect(log.errors[0]?.cause).toHaveProperty('err.message', reason)
})

describe('the client address of a platform', () => {
  test.each<[string, Record<string, string>, AuthConfig['protection'], AuthConfig['protection']]>([
    ['Vercel', { VERCEL: '1' }, undefined, { clientAddress: { header: 'x-forwarded-for' } }],
    ['Cloudflare', { CF_PAGES: '1' }, {}, { clientAddress: { header: 'cf-connecting-ip' } }],
    ['Vercel, configured', { VERCEL: '1' }, { clientAddress: 'none' }, { clientAddress: 'none' }],
    ['Vercel, off', { VERCEL: '1' }, 'off', 'off'],
    ['none', {}, undefined, undefined],
    ['Vercel, disabled', { VERCEL: '0' }, undefined, undefined],
  ])('%s', (_name, env, protection, expected) => {
    const { config } = passwordConfig({ protection })
    setEnvDefaults(env, config)
    expect(config.protection).toEqual(expected)
  })
})

describe('onAttempt', () => {
  type Answer = ReturnType<
    NonNullable<Exclude<AuthConfig['protection'], 'off'>>['onAttempt'] & object
  >

  function siteWith(onAttempt: (attempt: Attempt) => Answer) {
    const attempts: Attempt[] = []
    const made = passwordConfig({
      protection: {
        onAttempt: (attempt) => {
          attempts.push(attempt)
          return onAttempt(attempt)
        },
      },
    })
    return { ...made, attempts, tab: browser(made.config) }
  }

  const errorOf = (response: Response) =>
    new URL(response.headers.get('location') ?? '').searchParams.get('error')
  const WRONG = { ...TYPED, password: 'wrong' }

  test('receives the failures so far, and no name', async () => {
    const { tab, attempts } = siteWith(() => 'allow')
    for (let attempt = 0; attempt < 3; attempt++) await enter(tab, WRONG)
    expect(attempts.map(({ failures }) => failures)).toEqual([0, 1, 2])
    expect(attempts[0]).toMatchObject({ kind: 'password', address: null, challenge: null })
    expect(attempts[0]?.account).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(attempts)).not.toContain(TYPED.username)
  })

  test('can ask for a challenge, whose answer it verifies', async () => {
    const { tab } = siteWith(({ challenge }) => (challenge === 'solved' ? 'allow' : 'challenge'))
    expect(errorOf(await enter(tab))).toBe('ChallengeRequired')
    expect(errorOf(await enter(tab, { ...TYPED, challenge: 'guessed' }))).toBe('ChallengeRequired')
    expect(errorOf(await enter(tab, { ...TYPED, challenge: 'solved' }))).toBeNull()
  })

  test('can refuse', async () => {
    const { tab } = siteWith(() => 'refuse')
    expect(errorOf(await enter(tab))).toBe('TooManyAttempts')
  })

  test('has two seconds, then the attempt is allowed with a warning', async () => {
    stopClock()
    const decide = vi.fn(() => new Promise<never>(() => undefined))
    const { tab, log } = siteWith(decide)
    await tab.request('csrf')
    const response = enter(tab)
    await until(() => decide.mock.calls.length > 0)
    await pass(2)
    expect(errorOf(await response)).toBeNull()
    expect(log.lines.map(([, code]) => code)).toEqual(['attempt-not-decided'])
  })

  test('that throws rejects the attempt', async () => {
    const { tab } = siteWith(() => {
      throw new Error('A bug.')
    })
    expect(errorOf(await enter(tab))).toBe('Configuration')
  })

  test.each([
    ['a boolean', true, 'boolean'],
    ['a misspelt answer', 'alow', '"alow"'],
  ])('that returns %s rejects the attempt, and the log contains it', async (_name, answer, got) => {
    const { config, log } = passwordConfig()
    const protection: unknown = { onAttempt: () => answer }
    const changed: AuthConfig = Object.assign({}, config, { protection })
    expect(errorOf(await enter(browser(changed)))).toBe('Configuration')
    expect(log.errors.map(({ message }) => message).join()).toContain(
      `did not return "allow", "refuse" or "challenge" (got ${got}).`,
    )
  })
})
