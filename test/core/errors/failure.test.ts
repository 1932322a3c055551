import { describe, expect, test } from 'vitest'
import { Auth, raw } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import * as errors from '../../../src/errors.ts'
import { errorTable } from '../../../src/core/errors/table.ts'
import type { ErrorRow } from '../../../src/core/errors/table.ts'
import { browser } from '../../../src/testing/index.ts'
import type { BrowserRequest } from '../../../src/testing/index.ts'
import { passwordConfig, TYPED } from '../../config.ts'
import { SESSION } from '../../sessions.ts'

type ErrorClass = new (message?: string) => errors.AuthError

const DETAIL = 'row 7 of table users is locked'

/** Kinds of callers. */
const callers = {
  /** A browser that submits a form. */
  browser: (csrfToken: string): BrowserRequest => ({
    method: 'POST',
    form: { csrfToken, ...TYPED },
  }),
  /** A script of the page, which cannot follow a redirect and requests its URL. */
  script: (csrfToken: string): BrowserRequest => ({
    method: 'POST',
    form: { csrfToken, ...TYPED },
    headers: { 'x-auth-return-redirect': '1', accept: '*/*' },
  }),
  /** A JSON client. */
  program: (csrfToken: string): BrowserRequest => ({
    method: 'POST',
    json: { csrfToken, ...TYPED },
    headers: { accept: 'application/json' },
  }),
}

/** A sign-in that fails with this error. */
async function failWith(error: unknown, caller: keyof typeof callers): Promise<Response> {
  const { config } = passwordConfig({
    callbacks: {
      signIn() {
        throw error
      },
    },
  })
  const tab = browser(config)
  const request = callers[caller](await tab.csrfToken())
  const response = await tab.request('callback/password', request)
  expect(tab.cookies.get(SESSION)).toBeUndefined()
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return response
}

const classes = errors as unknown as Readonly<Record<string, ErrorClass>>

const rows = Object.entries(errorTable).map(([type, row]): [string, ErrorRow, string] => [
  type,
  row,
  row.type === 'exposed' ? type : row.retryable ? 'TemporarilyUnavailable' : 'Configuration',
])

describe.each(rows)('%s', (type, row, shown) => {
  const make = () => new (classes[type] ?? errors.AuthError)(DETAIL)
  const code = type === 'CredentialsSignin' ? '&code=credentials' : ''
  const path = row.page === 'signIn' ? 'signin' : row.page === 'stepUp' ? 'step-up' : 'error'
  const url = `https://app.test/auth/${path}?error=${shown}${code}`

  test('redirects a browser to its page, or renders the error', async () => {
    const response = await failWith(make(), 'browser')
    const text = await response.text()
    if (row.page === 'none') {
      expect(response.status).toBe(row.status)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(text).toContain('<h1>')
    } else {
      expect([response.status, response.headers.get('location')]).toEqual([302, url])
    }
    expect(text).not.toContain(DETAIL)
  })

  test('returns the URL of its page to a script', async () => {
    const response = await failWith(make(), 'script')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url })
  })

  test('returns status and error type to a JSON client, without details', async () => {
    const response = await failWith(make(), 'program')
    expect(response.status).toBe(row.status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('retry-after')).toBe(row.status === 503 ? '2' : null)
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toEqual({
      error: shown,
      message: expect.stringMatching(/^[A-Z].*\.$/),
      retryable: row.retryable ?? false,
      ...(code && { code: 'credentials' }),
    })
    expect(JSON.stringify(body)).not.toContain(DETAIL)
  })
})

describe('an unexpected error', () => {
  const broken: Partial<AuthConfig> = {
    callbacks: {
      redirect() {
        throw new TypeError(DETAIL)
      },
    },
  }

  test.each<[string, BrowserRequest, number, string]>([
    ['signin?callbackUrl=/x', {}, 500, 'text/html; charset=utf-8'],
    ['signin?callbackUrl=/x', { headers: { accept: 'application/json' } }, 500, 'application/json'],
  ])('causes status 500 without details: %s', async (route, request, status, type) => {
    const { config, log } = passwordConfig(broken)
    const response = await browser(config).request(route, request)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).not.toContain(DETAIL)
    expect(log.errors).toMatchObject([{ name: 'TypeError', message: DETAIL }])
  })
})

describe('a request is rejected because of', () => {
  test.each<[string, string, BrowserRequest, number, string]>([
    ['an unknown route', 'nothing', {}, 404, 'UnknownAction'],
    ['an unknown provider', 'signin/absent', {}, 404, 'InvalidProvider'],
    [
      'a method that the route does not accept',
      'csrf',
      { method: 'POST', form: {} },
      405,
      'MethodNotAllowed',
    ],
    ['no CSRF token', 'signout', { method: 'POST', json: {} }, 403, 'MissingCSRF'],
    [
      'a body that is not an object',
      'signout',
      { method: 'POST', json: [1] },
      400,
      'InvalidRequest',
    ],
    ['a parameter twice', 'callback/password?code=1&code=2', {}, 400, 'InvalidRequest'],
    [
      'a field that is too long',
      'signout',
      { method: 'POST', json: { x: 'x'.repeat(9000) } },
      413,
      'ContentTooLarge',
    ],
  ])('%s', async (_name, route, request, status, error) => {
    const { config } = passwordConfig()
    const headers = { accept: 'application/json' }
    const response = await browser(config).request(route, { ...request, headers })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error })
  })

  test('a method that the route does not accept, with the accepted ones', async () => {
    const { config } = passwordConfig()
    const response = await browser(config).request('csrf', { method: 'POST', form: {} })
    expect(response.headers.get('allow')).toBe('GET')
  })

  test('an unknown route, with a page for browsers', async () => {
    const { config } = passwordConfig()
    const response = await browser(config).request('nothing')
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<h1>Not found</h1>')
  })
})

test('a logger that throws does not change the response', async () => {
  const logger = {
    error() {
      throw new Error('disk full')
    },
  }
  const { config } = passwordConfig({ logger, callbacks: { signIn: () => false } })
  const tab = browser(config)
  const response = await tab.post('callback/password', TYPED)
  expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=AccessDenied')
})

describe('with the raw marker', () => {
  async function answer(headers: Record<string, string>): Promise<unknown> {
    const { config } = passwordConfig()
    const request = new Request('https://app.test/auth/signout', { method: 'POST', headers })
    return Auth(request, { ...config, raw })
  }

  test('an error is thrown to the wrapper', async () => {
    await expect(answer({})).rejects.toThrow(errors.MissingCSRF)
  })

  test('a script receives the redirect URL', async () => {
    expect(await answer({ 'x-auth-return-redirect': '1' })).toMatchObject({
      redirect: 'https://app.test/auth/signin?error=MissingCSRF',
    })
  })
})
