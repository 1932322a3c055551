/** Functions of the application may throw their arguments: the secrets in them stay out of the log. */
import { inspect } from 'node:util'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OIDCConfig } from '../../src/config/provider.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { enter, oidc, passwordConfig, SECRET, TYPED } from '../config.ts'
import {
  expectNoCanaries,
  logSinks,
  METHODS,
  rememberCookies,
  rememberParameters,
  collectingFetch,
} from './canaries.ts'
import type { Canaries } from './canaries.ts'
import { hookErrors } from './hook-errors.ts'
import type { Fail } from './hook-errors.ts'

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
    const conform = async (response: Response) => Response.json(await response.json())
    const { config } = passwordConfig()
    const providers = [oidc(op, { token: { conform } })]
    const { fetch } = op
    const tab = browser(
      { ...config, providers, fetch, logger: captured.logger, debug: true },
      { issuer: op },
    )
    await tab.signIn('op')
    expect(captured.text()).toMatch(/SyntaxError: \[redacted\][^]+at conform /)
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
