import { afterEach, describe, expect, test, vi } from 'vitest'
import { german } from '../../../examples/messages/german.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import type { CustomMessages } from '../../../src/core/pages/messages.ts'
import { Password } from '../../../src/password.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig, SECRET, silentLog } from '../../config.ts'

const op = await issuer()

afterEach(() => void vi.unstubAllEnvs())

function cookiesOf({ headers }: Response): string[] {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.replace(/=[^;]*/, '').replace(/ Expires=[^;]*;/, ''))
}

test('a configuration with only a secret has its routes below /auth, and no provider', async () => {
  const config = { secret: SECRET, trustHost: true, logger: silentLog().logger }
  const response = await Auth(new Request('https://app.test/auth/providers'), config)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({})
  expect((await Auth(new Request('https://app.test/api/auth/providers'), config)).status).toBe(404)
})

test('Auth does not read the environment', async () => {
  const env = { AUTH_SECRET: SECRET, AUTH_URL: 'https://app.test/other', AUTH_TRUST_HOST: 'true' }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const { config } = passwordConfig({ secret: undefined, trustHost: undefined })
  const answer = async (more: Partial<AuthConfig>) =>
    (await Auth(new Request('https://app.test/auth/csrf'), { ...config, ...more })).status
  expect(await answer({})).toBe(500)
  expect(await answer({ secret: SECRET })).toBe(400)
  expect(await answer({ secret: SECRET, trustHost: true })).toBe(200)
})

test('useSecureCookies: false sets cookies on https without prefix and Secure', async () => {
  const { config } = passwordConfig({ useSecureCookies: false })
  expect(cookiesOf(await enter(browser(config)))).toContain(
    'lib.session-token; Path=/; HttpOnly; SameSite=Lax',
  )
})

test('experimental.enableWebAuthn causes one warning', async () => {
  const { log, logger } = silentLog()
  for (const experimental of [{ enableWebAuthn: true }, { enableWebAuthn: true }, {}, undefined])
    await browser(passwordConfig({ experimental, logger }).config).csrfToken()
  expect(log.lines).toEqual([
    [
      'warn',
      'experimental-webauthn',
      'Passkeys are experimental: their options may change in a minor version.',
    ],
  ])
})

describe('a translation that lacks texts', () => {
  const { usePassword, accessDeniedFor, ...older } = german

  async function warned(mode: string, messages: CustomMessages): Promise<unknown[]> {
    vi.stubEnv('NODE_ENV', mode)
    const { log, logger } = silentLog()
    const { config } = passwordConfig({ logger, theme: { messages } })
    for (const each of [{ ...config }, { ...config }])
      expect((await browser(each).request('providers')).status).toBe(200)
    await import('../../../src/core/config/development-warnings.ts')
    await new Promise((resolve) => setTimeout(resolve))
    return log.lines.flatMap(([, code, message]) => (code === 'missing-texts' ? [message] : []))
  }

  test('is reported once in development, without texts that a more general one replaces', async () => {
    expect(accessDeniedFor).toBeDefined()
    expect(usePassword).toBeDefined()
    expect(await warned('development', older)).toEqual([
      'theme.messages is a translation, but lacks texts, which the built-in pages show in English: usePassword. Add them; the type PageMessages requires all.',
    ])
  })

  test.each([
    ['production', older],
    ['test', older],
    ['development', german],
    ['development', { signIn: 'Log in' }],
    ['development', { lang: 'en-GB', signIn: 'Log in' }],
  ])('is not reported in %s, complete or in English', async (mode, messages) => {
    expect(await warned(mode, messages)).toEqual([])
  })
})

describe('unknown options', () => {
  interface Written {
    readonly session?: object
    readonly pages?: object
    readonly audit?: object
    readonly providers?: AuthConfig['providers']
    readonly adapter?: AuthConfig['adapter']
  }

  /** The warnings after two requests, with a configuration object each. */
  async function warnings(mode: string, written: Written): Promise<unknown[]> {
    vi.stubEnv('NODE_ENV', mode)
    const { log, logger } = silentLog()
    const { config } = passwordConfig({ logger })
    const all: object = { ...config, ...written }
    expect((await browser({ ...all }).request('providers')).status).toBe(200)
    expect((await browser({ ...all }).request('providers')).status).toBe(200)
    await import('../../../src/core/config/development-warnings.ts')
    await new Promise((resolve) => setTimeout(resolve))
    return log.lines.flatMap(([, code, message]) => (code === 'unknown-option' ? [message] : []))
  }

  const MISSPELT = {
    trusthost: true,
    callback: {},
    prefix: '/auth',
    nothing: undefined,
    [Symbol('mine')]: true,
    session: { strategy: 'jwt', maxage: 60, rotate: true },
    pages: { signin: '/login', error: '/oops' },
    audit: { write: () => undefined, identifier: 'hashed' },
    tokens: { wher: 'store' },
    adapter: MemoryAdapter(),
    account: { sendMail: () => undefined },
    secondStep: { rememberDevise: 3600 },
  }

  test('are reported once in development, with the nearest name', async () => {
    expect(await warnings('development', MISSPELT)).toEqual([
      'trusthost is not an option. Did you mean trustHost?',
      'callback is not an option. Did you mean callbacks?',
      'prefix is not an option. It has no effect.',
      'session.maxage is not an option. Did you mean session.maxAge?',
      'session.rotate is not an option. It has no effect.',
      'pages.signin is not an option. Did you mean pages.signIn?',
      'audit.identifier is not an option. Did you mean audit.identifiers?',
      'tokens.wher is not an option. Did you mean tokens.where?',
      'account.sendMail is not an option. It has no effect.',
      'secondStep.rememberDevise is not an option. Did you mean secondStep.rememberDevice?',
    ])
  })

  test('of Password are reported with the provider', async () => {
    const options: object = { minlength: 14, check: undefined, id: 'credentials' }
    const written = { adapter: MemoryAdapter(), providers: [Password({ ...options })] }
    expect(await warnings('development', written)).toEqual([
      'providers[0].minlength is not an option. Did you mean providers[0].minLength?',
    ])
  })

  test.each(['production', 'test', ''])('are accepted with NODE_ENV=%j', async (mode) => {
    expect(await warnings(mode, MISSPELT)).toEqual([])
  })

  test('do not include those of the established API', async () => {
    const established = {
      session: { strategy: 'jwt', maxAge: 60, updateAge: 1, generateSessionToken: () => 'x' },
      pages: { signIn: '/a', signOut: '/b', error: '/c', verifyRequest: '/d', newUser: '/e' },
      jwt: { maxAge: 60 },
      callbacks: {},
      events: {},
      debug: false,
      theme: {},
      useSecureCookies: true,
      cookies: {},
      redirectProxyUrl: 'https://proxy.test/auth',
      experimental: {},
      basePath: '/auth',
      skipCSRFCheck: undefined,
    }
    expect(await warnings('development', established)).toEqual([])
  })
})

describe('cookies', () => {
  test('with another name keep their attributes', async () => {
    const { config } = passwordConfig({ cookies: { sessionToken: { name: 'mine' } } })
    const tab = browser(config)
    expect(cookiesOf(await enter(tab))).toContain('mine; Path=/; HttpOnly; Secure; SameSite=Lax')
    expect(await tab.session()).not.toBeNull()
  })

  test('with another attribute keep their name and the others', async () => {
    const { config } = passwordConfig({
      cookies: { sessionToken: { options: { sameSite: 'strict' } } },
    })
    expect(cookiesOf(await enter(browser(config)))).toContain(
      '__Host-lib.session-token; Path=/; HttpOnly; Secure; SameSite=Strict',
    )
  })

  test('of a transaction have the configured name of state', async () => {
    const { config } = configFor(op, { cookies: { state: { name: 'transaction' } } })
    const tab = browser(config, { issuer: op })
    expect(cookiesOf(await tab.post('signin/op'))).toEqual([
      expect.stringMatching(/^transaction\.[0-9a-f]{8}; /),
    ])
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
  })
})

test('a sign-in that began before a secret rotation completes', async () => {
  const { config } = configFor(op)
  const tab = browser(config, { issuer: op })
  const { url } = await tab.begin('op')
  const changed = { ...config, secret: ['another secret for tests, of more than 32 bytes', SECRET] }
  const later = browser(changed, { issuer: op })
  for (const { name, value } of tab.cookies.all()) later.cookies.set(name, value)
  const answer = await op.authorize(url)
  const response = await later.request(answer.url, { initiator: 'cross-site' })
  expect(response.headers.get('location')).toBe('https://app.test')
  expect(await later.session()).not.toBeNull()
})
