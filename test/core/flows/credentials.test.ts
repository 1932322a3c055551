import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AccessDenied, CredentialsSignin } from '../../../src/errors.ts'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import { pass, SESSION, stopClock, claimsOf, until } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const ERROR_PAGE = 'https://app.test/auth/error?error=Configuration'
const SIGN_IN_PAGE = 'https://app.test/auth/signin?error=CredentialsSignin&code=credentials'

type Authorize = NonNullable<CredentialsConfig['authorize']>

/** Sends the credentials as JSON. */
async function enterAsJson(tab: Browser, fields: object = TYPED): Promise<Response> {
  const json = { csrfToken: await tab.csrfToken(), ...fields }
  return tab.request('callback/password', { method: 'POST', json })
}

function throws(error: unknown): () => never {
  return () => {
    throw error
  }
}

test('signs in with the correct password', async () => {
  const { config, log } = passwordConfig()
  const tab = browser(config)
  const response = await enter(tab)
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  expect(log.errors).toEqual([])
})

test('signs in a client that sends JSON', async () => {
  const { config } = passwordConfig()
  const tab = browser(config)
  expect((await enterAsJson(tab)).status).toBe(302)
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
})

test('redirects a POST of the sign-in route to the sign-in page', async () => {
  const { config } = passwordConfig()
  const response = await browser(config).post('signin/password')
  expect(response.headers.get('location')).toBe('https://app.test/auth/signin')
})

test('redirects to the callbackUrl of the form, on the same site', async () => {
  const { config } = passwordConfig()
  const go = async (callbackUrl: string) =>
    (await enter(browser(config), { ...TYPED, callbackUrl })).headers.get('location')
  expect(await go('/dashboard?tab=1')).toBe('https://app.test/dashboard?tab=1')
  expect(await go('https://evil.test/')).toBe('https://app.test')
})

test('rejects a GET request', async () => {
  const authorize = vi.fn()
  const { config } = passwordConfig({}, { authorize })
  const response = await browser(config).request('callback/password?username=ada&password=x')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(authorize).not.toHaveBeenCalled()
})

describe('the result of authorize', () => {
  interface Outcome {
    readonly location: string
    readonly status: number
    readonly error: string
    readonly type: string
  }
  const refused: Outcome = {
    location: SIGN_IN_PAGE,
    status: 401,
    error: 'CredentialsSignin',
    type: 'CredentialsSignin',
  }
  const broken: Outcome = {
    location: ERROR_PAGE,
    status: 500,
    error: 'Configuration',
    type: 'CallbackRouteError',
  }
  class SecondFactor extends CredentialsSignin {
    override code = 'second_factor'
  }
  const second = { ...refused, location: SIGN_IN_PAGE.replace(/\w+$/, 'second_factor') }
  const denied: Outcome = {
    location: 'https://app.test/auth/error?error=AccessDenied',
    status: 403,
    error: 'AccessDenied',
    type: 'AccessDenied',
  }
  /** An error of another copy of the library: another class with the same name. */
  const foreign = Object.assign(new Error('no'), { type: 'CredentialsSignin', code: 'foreign' })

  test.each<[string, () => unknown, Outcome]>([
    ['null', () => null, refused],
    ['false', () => false, refused],
    ['undefined', () => undefined, refused],
    ['a promise of null', () => Promise.resolve(null), refused],
    ['CredentialsSignin', throws(new CredentialsSignin()), refused],
    ['CredentialsSignin with a code', throws(new SecondFactor()), second],
    [
      'CredentialsSignin of another copy',
      throws(foreign),
      { ...second, location: SIGN_IN_PAGE.replace(/\w+$/, 'foreign') },
    ],
    ['another error of the library', throws(new AccessDenied('closed')), denied],
    ['any other error', throws(new TypeError('x is undefined')), broken],
    ['a thrown value that is not an Error', throws('a string'), broken],
    ['a rejection', () => Promise.reject(new Error('down')), broken],
    ['an empty object', () => ({}), broken],
    ['an array', () => [], broken],
    ['true', () => true, broken],
    ['an empty id', () => ({ id: '' }), broken],
    ['an id that is an object', () => ({ id: {} }), broken],
    ['an id that is NaN', () => ({ id: NaN }), broken],
  ])('creates no session: %s', async (_name, authorize, { location, status, error, type }) => {
    const { config, log } = passwordConfig({}, { authorize: authorize as Authorize })
    const tab = browser(config)
    const page = await enter(tab)
    expect([page.status, page.headers.get('location')]).toEqual([302, location])
    const answer = await enterAsJson(tab)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error, retryable: false })
    expect(log.errors).toMatchObject([{ type }, { type }])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test.each<[string, object, string]>([
    ['a string', { id: 'a1' }, 'a1'],
    ['a number', { id: 7 }, '7'],
    ['a bigint', { id: 7n }, '7'],
    ['the e-mail address if there is no id', { email: 'ada@example.com' }, 'ada@example.com'],
  ])('determines the user id: %s', async (_name, user, sub) => {
    const { config } = passwordConfig({}, { authorize: () => user })
    const tab = browser(config)
    await enter(tab)
    expect(await claimsOf(tab)).toMatchObject({ sub })
  })

  test('is reported in JSON with the code of the error', async () => {
    const { config } = passwordConfig({}, { authorize: throws(new SecondFactor()) })
    expect(await (await enterAsJson(browser(config))).json()).toEqual({
      error: 'CredentialsSignin',
      message: 'The credentials were not accepted.',
      code: 'second_factor',
      retryable: false,
    })
  })

  test('times out after ten seconds with a retryable error', async () => {
    const authorize = vi.fn(() => new Promise<null>(() => undefined))
    const { config, log } = passwordConfig({}, { authorize })
    const tab = browser(config)
    const page = enter(tab)
    await until(() => authorize.mock.calls.length === 1)
    await pass(10)
    expect((await page).headers.get('location')).toBe(
      'https://app.test/auth/error?error=TemporarilyUnavailable',
    )
    const answer = enterAsJson(tab)
    await until(() => authorize.mock.calls.length === 2)
    await pass(10)
    expect((await answer).status).toBe(503)
    expect((await answer).headers.get('retry-after')).toBe('2')
    expect(log.errors[0]?.message).toMatch(
      /^The authorize function of provider password timed out after 10000 ms\./,
    )
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('signs in if it arrives after one second', async () => {
    const authorize = vi.fn(
      () =>
        new Promise<{ id: string }>((resolve) => void setTimeout(() => resolve({ id: '1' }), 1000)),
    )
    const { config } = passwordConfig({}, { authorize })
    const tab = browser(config)
    const answer = enter(tab)
    await until(() => authorize.mock.calls.length === 1)
    await pass(1)
    expect((await answer).headers.get('location')).toBe('https://app.test')
    expect(await claimsOf(tab)).toMatchObject({ sub: '1' })
  })
})
