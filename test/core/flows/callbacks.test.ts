import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CredentialsSignin, InvalidCheck } from '../../../src/errors.ts'
import type { AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import type { ProviderConfig } from '../../../src/core/config/provider.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer } from '../../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig, TYPED } from '../../config.ts'
import type { Log } from '../../config.ts'
import { pass, SESSION, stopClock } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

/** A plain OAuth provider at the same issuer. */
function oauth(server: Issuer): ProviderConfig {
  return {
    id: 'op',
    name: 'Test OP',
    type: 'oauth',
    clientId: server.clientId,
    clientSecret: server.clientSecret,
    authorization: `${server.url}/authorize`,
    token: {
      url: `${server.url}/token`,
      // A plain OAuth server sends no ID token.
      async conform(response) {
        const { id_token: _none, ...body } = (await response.json()) as Record<string, unknown>
        return Response.json(body)
      },
    },
    userinfo: `${server.url}/userinfo`,
    profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
  }
}

interface Site {
  readonly tab: Browser
  readonly log: Log
  readonly signIn: () => Promise<Response>
}

type Kind = 'oidc' | 'oauth' | 'credentials'

const op = await issuer()

/** A site with one provider. */
async function site(
  kind: Kind,
  overrides: Partial<AuthConfig> & { callbacks?: CallbacksOptions },
): Promise<Site> {
  if (kind === 'credentials') {
    const { config, log } = passwordConfig(overrides)
    const tab = browser(config)
    return { tab, log, signIn: () => enter(tab) }
  }
  const providers = [kind === 'oidc' ? oidc(op) : oauth(op)]
  const { config, log } = configFor(op, { providers, ...overrides })
  const tab = browser(config, { issuer: op })
  return { tab, log, signIn: () => tab.signIn('op') }
}

const KINDS: Kind[] = ['oidc', 'oauth', 'credentials']

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://issuer.test/ada.png' }
const TOKENS = {
  access_token: expect.any(String),
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: expect.any(Number),
  scope: 'openid profile email',
}
const facts = {
  oidc: {
    user: { ...ADA, id: 'op|ada' },
    account: {
      provider: 'op',
      type: 'oidc',
      providerAccountId: 'ada',
      ...TOKENS,
      id_token: expect.any(String),
    },
    profile: expect.objectContaining({
      sub: 'ada',
      email_verified: true,
      iss: 'https://issuer.test',
    }),
  },
  oauth: {
    user: { ...ADA, id: 'op|ada' },
    account: { provider: 'op', type: 'oauth', providerAccountId: 'ada', ...TOKENS },
    profile: expect.objectContaining({ sub: 'ada', email_verified: true }),
  },
  credentials: {
    user: { ...ADA, image: 'https://app.test/ada', id: '1' },
    account: { provider: 'password', type: 'credentials', providerAccountId: '1' },
  },
}

describe.each(KINDS)('signing in with %s', (kind) => {
  test('calls callbacks and events in order, with their documented arguments', async () => {
    const calls: [string, unknown][] = []
    const note =
      <P, R>(name: string, result: (params: P) => R) =>
      (params: P): R => {
        calls.push([name, structuredClone(params)])
        return result(params)
      }
    const nothing = () => undefined
    const { tab, log, signIn } = await site(kind, {
      callbacks: {
        signIn: note('signIn callback', () => true),
        jwt: note('jwt callback', ({ token }) => token),
        session: note('session callback', ({ session }) => session),
      },
      events: {
        signIn: note('signIn event', nothing),
        session: note('session event', nothing),
        signOut: note('signOut event', nothing),
      },
    })
    await signIn()
    const { user, account } = facts[kind]
    const isNew = kind === 'credentials' ? { isNewUser: false } : {}
    const typed = kind === 'credentials' ? { credentials: TYPED } : {}
    const about = { ...facts[kind], ...isNew }
    const claims = { sub: user.id, name: user.name, email: user.email, picture: user.image }
    expect(calls.splice(0)).toEqual([
      ['signIn callback', { ...facts[kind], ...typed }],
      ['jwt callback', { ...about, token: claims, trigger: 'signIn' }],
      ['signIn event', about],
    ])
    expect(account.providerAccountId).toBe(kind === 'credentials' ? '1' : 'ada')

    const session = await tab.session()
    const token = expect.objectContaining({ ...claims, exp: expect.any(Number) })
    expect(calls.splice(0)).toEqual([
      ['jwt callback', { token }],
      ['session callback', { session, token }],
      ['session event', { session, token }],
    ])

    await tab.post('signout')
    expect(calls).toEqual([['signOut event', { token }]])
    expect(await tab.session()).toBeNull()
    expect(log.errors).toEqual([])
  })

  const refusals: [string, () => unknown][] = [
    ['false', () => false],
    ['undefined', () => undefined],
    ['null', () => null],
    ['an empty string', () => ''],
    ['a promise of false', () => Promise.resolve(false)],
  ]
  test.each(refusals)('is rejected when the signIn callback returns %s', async (_name, answer) => {
    const event = vi.fn()
    const callbacks = { signIn: answer } as CallbacksOptions
    const { tab, log, signIn } = await site(kind, { callbacks, events: { signIn: event } })
    const response = await signIn()
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=AccessDenied')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toMatchObject([{ type: 'AccessDenied' }])
    expect(event).not.toHaveBeenCalled()
  })

  test('is rejected when the signIn callback throws, and its message is logged unchanged', async () => {
    const original = new Error('Only users of example.org may sign in')
    const { tab, log, signIn } = await site(kind, {
      callbacks: {
        signIn() {
          throw original
        },
      },
    })
    const response = await signIn()
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=AccessDenied')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toMatchObject([{ type: 'AccessDenied', message: original.message }])
    expect(log.errors[0]?.cause).toEqual({ err: original })
  })

  test.each([
    [
      'CredentialsSignin',
      new CredentialsSignin(),
      '/auth/signin?error=CredentialsSignin&code=credentials',
    ],
    ['InvalidCheck', new InvalidCheck(), '/auth/signin?error=InvalidCheck'],
  ])(
    'redirects with the error that the signIn callback throws: %s',
    async (_name, error, location) => {
      const { signIn } = await site(kind, {
        callbacks: {
          signIn() {
            throw error
          },
        },
      })
      expect((await signIn()).headers.get('location')).toBe(`https://app.test${location}`)
    },
  )

  test.each([
    ['/welcome?new=1', 'https://app.test/welcome?new=1'],
    ['https://app.test/welcome', 'https://app.test/welcome'],
    ['https://evil.test/', 'https://app.test'],
    ['not a url', 'https://app.test'],
  ])('redirects when the signIn callback returns %s, without a session', async (url, location) => {
    const { tab, log, signIn } = await site(kind, { callbacks: { signIn: () => url } })
    const response = await signIn()
    expect([response.status, response.headers.get('location')]).toEqual([302, location])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toEqual([])
  })

  test('fails with a retryable error when the signIn callback times out after ten seconds', async () => {
    const callback = vi.fn(() => new Promise<boolean>(() => undefined))
    const { tab, signIn } = await site(kind, { callbacks: { signIn: callback } })
    const answer = signIn()
    while (callback.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await pass(10)
    expect((await answer).headers.get('location')).toBe(
      'https://app.test/auth/error?error=TemporarilyUnavailable',
    )
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })
})
