import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OIDCConfig } from '../../src/core/config/provider.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser, Misbehaviour } from '../../src/testing/index.ts'
import { enter, oidc, passwordConfig, SECRET, TYPED } from '../config.ts'
import {
  collectingFetch,
  expectNoCanaries,
  logSinks,
  METHODS,
  rememberCookies,
  rememberParameters,
} from './canaries.ts'
import type { Canaries, CapturedLog } from './canaries.ts'
import { hookErrors } from './hook-errors.ts'
import type { Fail } from './hook-errors.ts'

describe('secrets in logs', async () => {
  const PASSWORD = 'canary-password-in-the-mine'

  const CLIENT_SECRET = 'canary-client-secret'

  const op = await issuer({ clientSecret: CLIENT_SECRET })

  beforeEach(() => {
    op.reset()
    for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
  })

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  function configWith(
    captured: CapturedLog,
    canaries: Canaries,
    overrides: Partial<AuthConfig> = {},
  ): AuthConfig {
    const { config } = passwordConfig()
    return {
      ...config,
      providers: [oidc(op), ...(config.providers ?? [])],
      fetch: collectingFetch(op, canaries),
      logger: captured.logger,
      debug: true,
      ...overrides,
    }
  }

  async function signInAtProvider(tab: Browser, canaries: Canaries): Promise<void> {
    const transaction = await tab.begin('op')
    rememberParameters(canaries, transaction.url.searchParams)
    rememberCookies(canaries, tab)
    const answer = await op.authorize(transaction.url)
    rememberParameters(canaries, new URL(answer.url).searchParams)
    await transaction.comeBack(answer)
    rememberCookies(canaries, tab)
  }

  const failures: [string, Misbehaviour][] = [
    ['no failure', {}],
    [
      'a token endpoint that rejects the code',
      { token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) },
    ],
    [
      'a token endpoint that repeats the request',
      {
        token: (body) =>
          Response.json(
            { error: 'invalid_request', error_description: JSON.stringify(body), ...body },
            { status: 400 },
          ),
      },
    ],
    [
      'a truncated token response',
      {
        token: (body) =>
          new Response(JSON.stringify(body).slice(0, -20), {
            headers: { 'content-type': 'application/json' },
          }),
      },
    ],
    [
      'a short token response that is not JSON',
      {
        token: ({ access_token }) =>
          new Response(`{"access_token":"${String(access_token)}"`, {
            headers: { 'content-type': 'application/json' },
          }),
      },
    ],
    ['tokens in a list', { token: (body) => Response.json([body]) }],
    ['a token response without a type', { token: ({ token_type: _none, ...body }) => body }],
    [
      'an ID token of another issuer',
      { idToken: (draft) => ({ ...draft, claims: { ...draft.claims, iss: 'https://evil.test' } }) },
    ],
    [
      'an ID token with another nonce',
      {
        idToken: (draft) => ({
          ...draft,
          claims: { ...draft.claims, nonce: 'canary-other-nonce' },
        }),
      },
    ],
    [
      'an ID token that has expired',
      { idToken: (draft) => ({ ...draft, claims: { ...draft.claims, exp: 1 } }) },
    ],
    [
      'an ID token whose signature is wrong',
      { signed: (token) => `${token.slice(0, -8)}AAAAAAAA` },
    ],
    ['an ID token that is not a JWT', { signed: () => 'canary-not-a-token' }],
    [
      'an error response',
      {
        authorization: (good) =>
          new URLSearchParams({
            ...Object.fromEntries(good),
            error: 'access_denied',
            error_description: good.get('code') ?? '',
          }),
      },
    ],
    [
      'a response with another state',
      {
        authorization: (good) =>
          new URLSearchParams({ ...Object.fromEntries(good), state: 'canary-other-state' }),
      },
    ],
  ]

  describe.each(Object.entries(logSinks))('%s', (_sink, listen) => {
    test.each(failures)('receives no secret of a sign-in with %s', async (name, misbehaviour) => {
      const captured = listen()
      const canaries: Canaries = new Set([
        CLIENT_SECRET,
        SECRET,
        'canary-other-nonce',
        'canary-other-state',
        'canary-not-a-token',
      ])
      Object.assign(op.misbehaviour, misbehaviour)
      const tab = browser(configWith(captured, canaries), { issuer: op })
      await signInAtProvider(tab, canaries)
      await tab.request('session')
      await tab.post('signout')
      expect(/OAuthCallbackError|InvalidCheck/.test(captured.text())).toBe(name !== 'no failure')
      expect(captured.text()).toContain('authorization response')
      expect(canaries.size).toBeGreaterThan(10)
      expectNoCanaries(captured, canaries)
    })

    const driver = (text: string) =>
      Object.assign(new Error(`Failed query: ${text}`), { parameters: [text] })

    test.each<[string, (password: string) => unknown]>([
      ['returns null', () => null],
      ['throws', () => Promise.reject(new Error('down'))],
      ['throws an error with the password in it', (text) => Promise.reject(driver(text))],
      [
        'throws an error with such a cause',
        (text) => Promise.reject(new Error('x', { cause: driver(text) })),
      ],
      ['throws the password', (text) => Promise.reject(text)],
      ['returns no user', (text) => ({ password: text })],
    ])('receives no password when authorize %s', async (_name, authorize) => {
      const captured = listen()
      const canaries: Canaries = new Set([PASSWORD, SECRET])
      const config = configWith(captured, canaries, {
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            authorize: ({ password }) => authorize(String(password)) as never,
          },
        ],
      })
      const tab = browser(config)
      const csrfToken = await tab.csrfToken()
      rememberCookies(canaries, tab)
      canaries.add(csrfToken)
      const fields = { csrfToken, username: 'ada', password: PASSWORD }
      await tab.request('callback/password', { method: 'POST', form: fields })
      await tab.request('callback/password', { method: 'POST', json: fields })
      expect(captured.text()).toMatch(/CredentialsSignin|CallbackRouteError/)
      expectNoCanaries(captured, canaries)
    })

    test('receives no secret of a rejected request', async () => {
      const captured = listen()
      const canaries: Canaries = new Set([
        PASSWORD,
        SECRET,
        'canary-csrf-token',
        'canary-code-value',
      ])
      const tab = browser(configWith(captured, canaries))
      tab.cookies.set('__Host-lib.session-token', 'canary-session-token')
      canaries.add('canary-session-token')
      const fields = { csrfToken: 'canary-csrf-token', password: PASSWORD }
      await tab.request('callback/password', { method: 'POST', form: fields })
      await tab.request('callback/password', {
        method: 'POST',
        json: { ...fields, x: { y: PASSWORD } },
      })
      await tab.request('callback/op?code=canary-code-value&state=canary-code-value')
      await tab.request('callback/op?code=canary-code-value&code=canary-code-value')
      await tab.request('session')
      expect(captured.text()).toContain('MissingCSRF')
      expectNoCanaries(captured, canaries)
    })
  })

  test('logs no secret and a warning with debug: true in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const captured = logSinks['the console, with debug on']?.()
    if (!captured) throw new Error('There is no such log sink.')
    const canaries: Canaries = new Set([CLIENT_SECRET, SECRET])
    const tab = browser(configWith(captured, canaries), { issuer: op })
    await signInAtProvider(tab, canaries)
    expect(captured.text()).toContain('[auth][warn] debug-enabled')
    expectNoCanaries(captured, canaries)
  })

  test('logs no provider token when the jwt callback throws', async () => {
    const { config, log } = passwordConfig({
      callbacks: {
        jwt({ token, trigger }) {
          if (trigger) return { ...token, refresh_token: 'given by the provider' }
          const request = {
            body: `refresh_token=${encodeURIComponent(String(token['refresh_token']))}`,
          }
          throw Object.assign(new Error('The provider answered 503.'), { request })
        },
      },
    })
    const tab = browser(config)
    await enter(tab)
    expect((await tab.request('session')).status).toBe(503)
    expect(log.errors[0]?.cause).toMatchObject({ err: { message: 'The provider answered 503.' } })
    expect(inspect(log.errors, { depth: 20 })).not.toMatch(/given(?: |%20)by/)
  })
})

describe('functions of the application may throw their arguments: the secrets in them stay out of the log', async () => {
  const CLIENT_SECRET = 'canary-client-secret'

  const op = await issuer({ clientSecret: CLIENT_SECRET })

  beforeEach(() => {
    op.reset()
    vi.restoreAllMocks()
    for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
  })

  interface Hook {
    readonly config?: (fail: Fail) => Partial<AuthConfig>
    readonly provider?: (fail: Fail) => Partial<OIDCConfig>
    /** Type of the logged error; not set: the error means that a token is not valid. */
    readonly type?: RegExp
  }

  const isTo = (path: string, input: Parameters<typeof fetch>[0]) =>
    (input instanceof Request ? input.url : String(input)).endsWith(path)

  /** Keeps the tokens of the provider in the session. */
  const jwt: CallbacksOptions['jwt'] = ({ token, account }) => ({
    ...token,
    ...(account && { account }),
  })

  const hooks: Record<string, Hook> = {
    'the signIn callback': {
      config: (fail) => ({ callbacks: { signIn: fail } }),
      type: /AccessDenied/,
    },
    'the jwt callback': {
      config: (fail) => ({ callbacks: { jwt: fail } }),
      type: /SessionUnavailable/,
    },
    'the jwt callback, when the session is read': {
      config: (fail) => ({
        callbacks: {
          jwt: ({ token, account }) => (account ? { ...token, account } : fail(token)),
        },
      }),
      type: /SessionUnavailable/,
    },
    'the session callback': {
      config: (fail) => ({ callbacks: { jwt, session: fail } }),
      type: /SessionUnavailable/,
    },
    'the signIn event': { config: (fail) => ({ events: { signIn: fail } }), type: /EventError/ },
    'the session event': {
      config: (fail) => ({
        callbacks: { jwt },
        events: { session: fail },
      }),
      type: /EventError/,
    },
    'the signOut event': {
      config: (fail) => ({
        callbacks: { jwt },
        events: { signOut: fail },
      }),
      type: /EventError/,
    },
    encode: {
      config: (fail) => ({
        callbacks: { jwt },
        jwt: { encode: fail },
      }),
      type: /JWTSessionError/,
    },
    decode: { config: (fail) => ({ jwt: { decode: fail } }) },
    'token.conform': {
      provider: (fail) => ({
        token: { conform: async (response) => fail(await response.text()) },
      }),
      type: /OAuthCallbackError/,
    },
    'token.conform, of what it has parsed': {
      provider: (fail) => ({
        token: { conform: async (response) => fail(await response.json()) },
      }),
      type: /OAuthCallbackError/,
    },
    'userinfo.request': {
      provider: (fail) => ({ idToken: false, userinfo: { request: fail } }),
      type: /OAuthCallbackError/,
    },
    profile: {
      provider: (fail) => ({ profile: (...args) => fail(args) }),
      type: /OAuthProfileParseError/,
    },
    account: { provider: (fail) => ({ account: fail }), type: /OAuthProfileParseError/ },
    isIssuer: {
      provider: (fail) => ({
        isIssuer: (stated, { issuer: own, claims }) => (claims ? fail(claims) : stated === own),
      }),
      type: /OAuthCallbackError/,
    },
  }

  describe.each(Object.entries(logSinks))('%s', (_sink, listen) => {
    describe.each(Object.entries(hooks))(
      'receives no secret when %s',
      (_hook, { config, provider, type }) => {
        test.each(hookErrors)('throws its arguments %s', async (_way, thrown) => {
          const captured = listen()
          const canaries: Canaries = new Set([CLIENT_SECRET, SECRET])
          const args: unknown[] = []
          const fail: Fail = (given) => {
            args.push(given)
            throw thrown(given)
          }
          const tab = browser(
            {
              ...passwordConfig().config,
              providers: [oidc(op, provider?.(fail))],
              fetch: collectingFetch(op, canaries),
              logger: captured.logger,
              debug: true,
              ...config?.(fail),
            },
            { issuer: op },
          )
          const transaction = await tab.begin('op')
          rememberParameters(canaries, transaction.url.searchParams)
          const answer = await op.authorize(transaction.url)
          rememberParameters(canaries, new URL(answer.url).searchParams)
          await transaction.comeBack(answer)
          rememberCookies(canaries, tab)
          await tab.request('session')
          await tab.post('signout')
          const thrownText = inspect(args, { depth: 20, maxStringLength: null })
          expect([...canaries].some((canary) => thrownText.includes(canary))).toBe(true)
          if (type) expect(captured.text()).toMatch(type)
          expectNoCanaries(captured, canaries)
        })
      },
    )

    test.each(hookErrors)(
      'receives no secret when fetch throws the request %s',
      async (_way, thrown) => {
        for (const path of ['/token', '/userinfo']) {
          const captured = listen()
          const canaries: Canaries = new Set([CLIENT_SECRET, SECRET])
          const send = collectingFetch(op, canaries)
          const tab = browser(
            {
              ...passwordConfig().config,
              providers: [oidc(op, { idToken: false })],
              async fetch(input, init) {
                const response = await send(input, init)
                if (!isTo(path, input)) return response
                const { headers, body } = init ?? {}
                throw thrown({
                  headers: [...new Headers(headers)],
                  body: body instanceof URLSearchParams && body.toString(),
                })
              },
              logger: captured.logger,
              debug: true,
            },
            { issuer: op },
          )
          const transaction = await tab.begin('op')
          rememberParameters(canaries, transaction.url.searchParams)
          await transaction.comeBack(await op.authorize(transaction.url))
          expect(captured.text()).toMatch(/OAuthCallbackError/)
          expectNoCanaries(captured, canaries)
        }
      },
    )

    test('receives no part of a token from a parser that fails in token.conform', async () => {
      const captured = listen()
      op.misbehaviour.token = () => new Response('{"access_token":canary-of-a-token}')
      // Whether the stack of `response.json()` names its caller depends on the release of Node.js.
      const conform = async (response: Response) => Response.json(JSON.parse(await response.text()))
      const { config } = passwordConfig()
      const providers = [oidc(op, { token: { conform } })]
      const { fetch } = op
      const tab = browser(
        { ...config, providers, fetch, logger: captured.logger, debug: true },
        { issuer: op },
      )
      await tab.signIn('op')
      expect(captured.text()).toMatch(/SyntaxError\]?: \[redacted\][^]+at conform /)
      expect(captured.text()).not.toMatch(/canary/)
    })

    test.each(hookErrors)(
      'receives no password when signIn throws its arguments %s',
      async (_way, thrown) => {
        const captured = listen()
        const { config } = passwordConfig({
          logger: captured.logger,
          callbacks: {
            signIn(args) {
              throw thrown(args)
            },
          },
        })
        await enter(browser(config))
        expect(captured.text()).toMatch(/AccessDenied/)
        expectNoCanaries(captured, new Set([TYPED.password, TYPED.password.replaceAll(' ', '+')]))
      },
    )
  })
})

describe('`authorize` receives the password and the request: the log contains neither password nor cookies of what it throws', () => {
  beforeEach(() => {
    vi.restoreAllMocks()
    for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
  })

  describe.each(Object.entries(logSinks))('%s', (_sink, listen) => {
    test.each(hookErrors)(
      'receives no password and no cookie when authorize throws its arguments %s',
      async (_way, thrown) => {
        const captured = listen()
        const authorize = (credentials: object, request: Request): never => {
          throw thrown({ credentials, headers: Object.fromEntries(request.headers) })
        }
        const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
        const tab = browser(config)
        await enter(tab)
        const canaries: Canaries = new Set([TYPED.password, TYPED.password.replaceAll(' ', '+')])
        rememberCookies(canaries, tab)
        expect(captured.text()).toMatch(/CallbackRouteError/)
        expectNoCanaries(captured, canaries)
      },
    )

    test.each([
      ['the Request', (request: Request) => ({ request })],
      ['its Headers', ({ headers }: Request) => ({ headers })],
    ])('receives no cookie when authorize throws an error with %s', async (_what, fields) => {
      const captured = listen()
      const authorize = (_credentials: object, request: Request): never => {
        throw Object.assign(new Error('It failed.'), fields(request))
      }
      const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
      const tab = browser(config)
      await enter(tab)
      const canaries: Canaries = new Set()
      rememberCookies(canaries, tab)
      expect(canaries.size).toBeGreaterThan(0)
      expect(captured.text()).toMatch(/CallbackRouteError/)
      expectNoCanaries(captured, canaries)
    })

    test('receives no number of the form when authorize throws it', async () => {
      const captured = listen()
      const authorize = ({ pin }: Record<string, unknown>): never => {
        throw Object.assign(new Error('It failed.'), { query: { parameters: [Number(pin)] } })
      }
      const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
      const tab = browser(config)
      await tab.post('callback/password', { pin: '471147' })
      expect(captured.text()).toMatch(/CallbackRouteError/)
      expectNoCanaries(captured, new Set(['471147']))
    })
  })
})
