import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { raw } from '../../src/core/symbols.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET, TYPED } from '../config.ts'
import { NAVIGATION, ORIGIN, send, recordingConfig } from './recording-config.ts'

type RawConfig = AuthConfig & { raw: typeof raw }

const PROGRAM = { accept: 'application/json' }
const RETURNS = { 'x-auth-return-redirect': '1' }

/** Sends a wrong password as one kind of caller. */
async function enterWrong(tab: Browser, headers: Record<string, string>, json: boolean) {
  const fields = { ...TYPED, password: 'wrong', csrfToken: await tab.csrfToken() }
  const body = json ? { json: fields } : { form: fields }
  return tab.request('callback/password', { method: 'POST', headers, ...body })
}

describe('a failed sign-in', () => {
  const url = `${ORIGIN}/auth/signin?error=CredentialsSignin&code=credentials`

  test('redirects a browser to the sign-in page', async () => {
    const { config } = passwordConfig()
    const response = await enterWrong(browser(config), NAVIGATION, false)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(url)
  })

  test.each([
    ['a form', false],
    ['JSON', true],
  ])('returns the URL to a script that requests it (%s)', async (_what, json) => {
    const { config } = passwordConfig()
    const response = await enterWrong(browser(config), RETURNS, json)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url })
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['sends JSON', {}, true],
    ['sends JSON and reads HTML', NAVIGATION, true],
    ['reads JSON', PROGRAM, false],
    ['sends Accept in capitals', { accept: 'APPLICATION/JSON' }, false],
  ])('has the status of the error for a program that %s', async (_what, headers, json) => {
    const { config } = passwordConfig()
    const response = await enterWrong(browser(config), headers, json)
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      error: 'CredentialsSignin',
      code: 'credentials',
      message: 'The credentials were not accepted.',
      retryable: false,
    })
  })

  test('has the status of the error for a program that sends the media type in capitals', async () => {
    const headers = { 'content-type': 'Application/JSON' }
    const request = { method: 'POST', headers, body: '{}' }
    const response = await send(passwordConfig().config, '/auth/callback/password', request)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: 'MissingCSRF' })
  })

  test('is 403 for a program when the signIn callback rejects the user', async () => {
    const { config } = passwordConfig({ callbacks: { signIn: () => false } })
    const tab = browser(config, { headers: PROGRAM })
    expect((await enter(tab)).status).toBe(403)
    expect(await tab.session()).toBeNull()
  })

  test('keeps the status of an invalid request', async () => {
    const { config } = recordingConfig()
    for (const headers of [PROGRAM, NAVIGATION]) {
      expect((await send(config, '/auth/nothing', { headers })).status).toBe(404)
      expect((await send(config, '/auth/signin/absent', { headers })).status).toBe(404)
      expect((await send(config, '/auth/csrf', { method: 'PUT', headers })).status).toBe(405)
    }
  })

  test('returns a URL to a script that requests it, also for an invalid request', async () => {
    const { config } = recordingConfig()
    for (const [path, error] of [
      ['/auth/nothing', 'UnknownAction'],
      ['/auth/signin/absent', 'InvalidProvider'],
    ]) {
      const response = await send(config, path ?? '', { headers: RETURNS })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ url: `${ORIGIN}/auth/error?error=${error}` })
    }
  })
})

describe('two configurations in one process', () => {
  test('do not share state', async () => {
    const one = passwordConfig({ secret: `${SECRET} 1`, theme: { brandColor: '#111111' } })
    const two = recordingConfig({ secret: `${SECRET} 2`, basePath: '/two' })
    const tab = browser(one.config)
    await enter(tab)
    const signedIn = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    const cookie = signedIn.join('; ')
    const [first, second, third] = await Promise.all([
      send(one.config, '/auth/session', { headers: { cookie } }),
      send(two.config, '/two/session', { headers: { cookie } }),
      send(one.config, '/two/session', { headers: { cookie } }),
    ])
    expect(await first.json()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(await second.json()).toBeNull()
    expect(third.status).toBe(404)
    const providers = await Promise.all([
      send(one.config, '/auth/providers'),
      send(two.config, '/two/providers'),
    ])
    const ids = await Promise.all(
      providers.map(async (response) => Object.keys((await response.json()) as object)),
    )
    expect(ids).toEqual([['password'], ['op', 'plain', 'password']])
    expect(await (await send(one.config, '/auth/signin')).text()).toContain('#111111')
    expect(await (await send(two.config, '/two/signin')).text()).not.toContain('#111111')
  })

  test.each<[string, AuthConfig]>([
    ['no secret', passwordConfig({ secret: '' }).config],
    ['a provider without authorize', passwordConfig({}, { authorize: undefined as never }).config],
    ['pages that are not URLs', passwordConfig({ pages: { error: 'https://' } }).config],
  ])('are validated separately: one with %s does not affect the other', async (_what, broken) => {
    const { config } = passwordConfig()
    for (let round = 0; round < 2; round++) {
      for (const headers of [NAVIGATION, PROGRAM]) {
        const refused = await send(broken, '/auth/signin', { headers })
        expect(refused.status).toBe(500)
        expect(refused.headers.getSetCookie()).toEqual([])
      }
      const returned = await send(broken, '/auth/signin', { headers: RETURNS })
      expect(await returned.json()).toEqual({ url: `${ORIGIN}/auth/error?error=Configuration` })
      expect((await send(config, '/auth/signin')).status).toBe(200)
      expect((await enter(browser(config))).status).toBe(302)
    }
  })
})

describe('an invalid configuration', () => {
  test('redirects to the error page of the application without details', async () => {
    const { config } = passwordConfig({ secret: '', pages: { error: '/oops?from=auth' } })
    const response = await send(config, '/auth/signin', { headers: NAVIGATION })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(
      'https://app.test/oops?from=auth&error=Configuration',
    )
  })

  test('does not redirect to a forged host', async () => {
    const { config } = passwordConfig({ trustHost: false, pages: { error: '/oops' } })
    const request = new Request('https://evil.test/auth/signin', { headers: NAVIGATION })
    const response = await Auth(request, config)
    expect(response.headers.get('location')).toBe('/oops?error=Configuration')
    const plain = passwordConfig({ trustHost: false }).config
    const refused = await Auth(request, plain)
    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain('evil')
  })

  test('does not make Auth reject, also if a cookie cannot be serialized', async () => {
    const encode = (value: string) => value
    const { config, log } = passwordConfig({ cookies: { callbackUrl: { options: { encode } } } })
    expect((await send(config, '/auth/signin?callbackUrl=/a,b')).status).toBe(500)
    expect((await send(config, '/auth/signin?callbackUrl=/a')).status).toBe(200)
    expect(log.errors).toMatchObject([{ name: 'TypeError' }])
  })
})

describe('a wrapper that sets the raw marker', () => {
  const ask = (config: AuthConfig, path: string, init?: RequestInit) =>
    Auth(new Request(ORIGIN + path, init), { ...config, raw } as RawConfig)
  const POST = { method: 'POST' }

  const failures: [string, AuthConfig, string, RequestInit, string][] = [
    ['an unknown route', passwordConfig().config, '/auth/x', {}, 'UnknownAction'],
    ['a wrong method', passwordConfig().config, '/auth/csrf', POST, 'MethodNotAllowed'],
    ['an unknown provider', passwordConfig().config, '/auth/signin/x', POST, 'InvalidProvider'],
    ['no token', passwordConfig().config, '/auth/signout', POST, 'MissingCSRF'],
    ['no secret', passwordConfig({ secret: '' }).config, '/auth/csrf', {}, 'MissingSecretError'],
    [
      'an untrusted host',
      passwordConfig({ trustHost: false }).config,
      '/auth/csrf',
      {},
      'UntrustedHost',
    ],
    [
      'a configuration that cannot work',
      passwordConfig({ origin: 'nowhere' }).config,
      '/auth/signin',
      {},
      'InvalidConfiguration',
    ],
  ]

  test.each(failures)(
    'receives every error as an exception: %s',
    async (_what, config, path, init, type) => {
      await expect(ask(config, path, init)).rejects.toMatchObject({ type })
    },
  )

  test.each(failures)(
    'receives the parts of a response if it requests URLs: %s',
    async (_what, config, path, init, type) => {
      const answer = await ask(config, path, { ...init, headers: RETURNS })
      expect(answer).not.toBeInstanceOf(Response)
      expect(answer.headers).toBeInstanceOf(Headers)
      expect(answer.cookies).toEqual([])
      if (path === '/auth/csrf') expect(answer.status).toBeGreaterThanOrEqual(400)
      else expect(answer.redirect).toMatch(/\/auth\/(?:signin|error)\?error=\w+$/)
      expect(answer.redirect?.endsWith('/auth/signin?error=MissingCSRF') ?? false).toBe(
        type === 'MissingCSRF',
      )
    },
  )

  test('receives an error of the application unchanged', async () => {
    const error = new RangeError('Out of range.')
    const { config } = passwordConfig({ callbacks: { redirect: () => Promise.reject(error) } })
    await expect(ask(config, '/auth/signin?callbackUrl=/a')).rejects.toBe(error)
  })

  test('receives cookies, redirect URL and body', async () => {
    const { config } = passwordConfig({ pages: { signIn: '/login' } })
    const token = await ask(config, '/auth/csrf')
    expect(token.body).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    expect(token.cookies).toMatchObject([{ name: '__Host-lib.csrf-token', options: { path: '/' } }])
    expect(token.headers.get('cache-control')).toBe('private, no-store')
    const page = await ask(config, '/auth/signin', { headers: RETURNS })
    expect(page.redirect).toBe(`${ORIGIN}/login?callbackUrl=%2F`)
    expect(page.status).toBe(302)
  })

  test('receives neither cookies nor a body for HEAD', async () => {
    const { config } = passwordConfig()
    const answer = await ask(config, '/auth/csrf', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.cookies).toEqual([])
    expect(answer).not.toHaveProperty('body')
  })
})
