import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallbacksOptions } from '../../src/index.ts'
import type { JWTCallbackParams, SessionCallbackParams } from '../../src/config/callbacks.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import type { Log } from '../config.ts'
import { SESSION, stopClock, claimsOf, cookieValue, cookiesSetBy, timeOut } from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

async function signedIn(later: CallbacksOptions): Promise<{ tab: Browser; log: Log }> {
  const callbacks: CallbacksOptions = {}
  const { config, log } = passwordConfig({ callbacks })
  const tab = browser(config)
  await enter(tab)
  Object.assign(callbacks, later)
  return { tab, log }
}

function update(tab: Browser, data: unknown): Promise<Response> {
  return tab
    .csrfToken()
    .then((csrfToken) => tab.request('session', { method: 'POST', json: { csrfToken, data } }))
}

describe('the jwt callback', () => {
  test('changes the claims of the session, and the cookie is set at once', async () => {
    const { tab } = await signedIn({ jwt: ({ token }) => ({ ...token, name: 'Countess' }) })
    const response = await tab.request('session')
    expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
    expect(cookiesSetBy(response)).toEqual([SESSION])
    expect(cookiesSetBy(await tab.request('session'))).toEqual([])
  })

  test.each<[string, NonNullable<CallbacksOptions['jwt']>]>([
    ['the same object', ({ token }) => token],
    ['a copy', ({ token }) => ({ ...token })],
    ['its own claims only', ({ token: { iat: _i, exp: _e, jti: _j, ...rest } }) => rest],
    ['a promise of it', ({ token }) => Promise.resolve(token)],
  ])('writes nothing when it returns %s', async (_name, jwt) => {
    const { tab } = await signedIn({ jwt })
    expect(cookiesSetBy(await tab.request('session'))).toEqual([])
  })

  test('may mutate the token that it receives', async () => {
    const { tab } = await signedIn({
      jwt: ({ token }) => {
        token['seen'] = true
        return token
      },
    })
    expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
    expect(await claimsOf(tab)).toMatchObject({ sub: '1', seen: true })
  })

  test('ends the session by returning null, before the session callback is called', async () => {
    const session = vi.fn()
    const { tab } = await signedIn({ jwt: () => null, session })
    const response = await tab.request('session')
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(cookiesSetBy(response)).toEqual([`-${SESSION}`])
    expect(session).not.toHaveBeenCalled()
  })

  test('leaves the browser signed out by returning null at sign-in, and redirects', async () => {
    const signIn = vi.fn()
    const { config } = passwordConfig({ callbacks: { jwt: () => null }, events: { signIn } })
    const tab = browser(config)
    const response = await enter(tab)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test')
    expect(await tab.session()).toBeNull()
    expect(signIn).toHaveBeenCalledOnce()
  })
})

const never = () => new Promise<never>(() => undefined)
const fail = () => {
  throw new Error('The database is down.')
}

describe.each<[string, CallbacksOptions]>([
  ['a jwt callback that throws', { jwt: fail }],
  ['a jwt callback that rejects', { jwt: () => Promise.reject(new Error('down')) }],
  ['a jwt callback that returns nothing', { jwt: (() => undefined) as never }],
  ['a jwt callback that never resolves', { jwt: never }],
  ['a session callback that throws', { session: fail }],
  ['a session callback that never resolves', { session: never }],
])('%s', (_name, callbacks) => {
  test('keeps the session when it fails: the response is 503 and sets no cookie', async () => {
    const { tab, log } = await signedIn(callbacks)
    const before = cookieValue(tab)
    const response = await timeOut(tab.request('session'), 10)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toEqual({
      error: 'SessionUnavailable',
      message: 'The session cannot be read right now. Try again.',
      retryable: true,
    })
    expect(cookiesSetBy(response)).toEqual([])
    expect(cookieValue(tab)).toBe(before)
    expect(log.errors).toMatchObject([{ type: 'SessionUnavailable' }])
  })
})

test('a session is valid again once the callback works again', async () => {
  const jwt = vi.fn(({ token }) => token).mockImplementationOnce(fail)
  const { tab } = await signedIn({ jwt })
  expect((await tab.request('session')).status).toBe(503)
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
})

test.each<[string, NonNullable<CallbacksOptions['jwt']>]>([
  ['throws', fail],
  ['never resolves', never],
])('a sign-in fails when the jwt callback %s', async (_name, jwt) => {
  const { config } = passwordConfig({ callbacks: { jwt } })
  const tab = browser(config)
  const response = await timeOut(enter(tab), 10)
  expect(response.headers.get('location')).toBe(
    'https://app.test/auth/error?error=SessionUnavailable',
  )
  expect(tab.cookies.get(SESSION)).toBeUndefined()
})

describe('the session callback', () => {
  test('determines the session that the browser receives', async () => {
    const { tab } = await signedIn({
      session: ({ session, token }) => ({ ...session, id: token.sub }),
    })
    expect(await tab.session()).toMatchObject({ id: '1', user: { name: 'Ada Lovelace' } })
  })

  test('exposes the default session if it returns nothing', async () => {
    const { tab } = await signedIn({ session: (() => undefined) as never })
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test('reports no session if it returns null, and the browser keeps its cookie', async () => {
    const { tab } = await signedIn({ session: () => null as never })
    expect(await tab.session()).toBeNull()
    expect(await (await update(tab, {})).json()).toBeNull()
    expect(await claimsOf(tab)).toMatchObject({ sub: '1' })
  })

  test('receives the token that the jwt callback returned', async () => {
    const session = vi.fn((params: SessionCallbackParams) => params.session)
    const { tab } = await signedIn({ jwt: ({ token }) => ({ ...token, role: 'admin' }), session })
    await tab.session()
    expect(session.mock.calls[0]?.[0].token).toMatchObject({ sub: '1', role: 'admin' })
  })
})

describe('an update', () => {
  test('changes no claim without a jwt callback', async () => {
    const { tab } = await signedIn({})
    const before = await claimsOf(tab)
    const response = await update(tab, { user: { name: 'Eve' }, sub: '2', role: 'admin' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    // The Set-Cookie header makes frameworks render pages again; the claims are unchanged.
    expect(cookiesSetBy(response)).toEqual([SESSION])
    expect({ ...(await claimsOf(tab)), jti: before?.jti }).toEqual(before)
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test('sets the claims that the jwt callback returns', async () => {
    const { tab } = await signedIn({
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: session.name } : token,
    })
    const response = await update(tab, { name: 'Countess' })
    expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
    expect(cookiesSetBy(response)).toContain(SESSION)
    expect(await tab.session()).toMatchObject({ user: { name: 'Countess' } })
  })

  test('returns null without a session, and calls no callback', async () => {
    const jwt = vi.fn()
    const { config } = passwordConfig({ callbacks: { jwt } })
    const tab = browser(config)
    const response = await update(tab, { name: 'Eve' })
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(jwt).not.toHaveBeenCalled()
  })

  test('requires a CSRF token', async () => {
    const jwt = vi.fn(({ token }: JWTCallbackParams) => token)
    const { tab } = await signedIn({ jwt })
    const response = await tab.request('session', { method: 'POST', json: { data: {} } })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: 'MissingCSRF' })
    expect(jwt).not.toHaveBeenCalled()
  })
})

test('callbacks receive their trigger', async () => {
  const calls: unknown[][] = []
  const { config } = passwordConfig({
    callbacks: {
      jwt(params) {
        const { token: _token, ...rest } = params
        calls.push(['jwt', rest])
        return params.token
      },
      session(params) {
        const { token: _token, session, ...rest } = params
        calls.push(['session', rest])
        return session
      },
    },
  })
  const tab = browser(config)
  await enter(tab)
  expect(calls.splice(0)).toEqual([
    [
      'jwt',
      {
        trigger: 'signIn',
        isNewUser: false,
        user: expect.objectContaining({ id: '1' }),
        account: { provider: 'password', type: 'credentials', providerAccountId: '1' },
      },
    ],
  ])
  await tab.session()
  expect(calls.splice(0)).toEqual([
    ['jwt', {}],
    ['session', {}],
  ])
  await update(tab, { name: 'Countess' })
  expect(calls.splice(0)).toEqual([
    ['jwt', { trigger: 'update', session: { name: 'Countess' } }],
    ['session', { trigger: 'update', newSession: { name: 'Countess' } }],
  ])
})
