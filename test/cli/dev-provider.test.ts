/** `lib-auth dev-provider` as a program, and sign-ins with the configuration that it prints. */
import { spawnSync } from 'node:child_process'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { PROGRAM } from './doctor/run-doctor.ts'
import { SECRET, silentLog } from '../config.ts'
import { printedProvider, startDevProvider } from '../dev-provider.ts'

const REDIRECT_URI = 'http://localhost:3000/auth/callback/dev'
const VERIFIER = 'a-verifier-with-at-least-43-characters-in-it-12345'
const CHALLENGE = Buffer.from(
  await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER)),
).toString('base64url')

const run = (words: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [PROGRAM, 'dev-provider', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
    timeout: 60_000,
  })

afterEach(() => vi.unstubAllEnvs())

describe('lib-auth dev-provider', () => {
  let program: Awaited<ReturnType<typeof startDevProvider>>
  let url: string
  beforeAll(async () => {
    program = await startDevProvider(PROGRAM)
    url = printedProvider(program.output()).issuer
  })
  afterAll(() => program.stop())

  const authorizationUrl = (overrides: Record<string, string | null> = {}) => {
    const target = new URL('/authorize', url)
    const parameters = {
      client_id: 'dev',
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid profile email',
      state: 'a state',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...overrides,
    }
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) target.searchParams.set(name, value)
    return target
  }

  /** Submits the form of a page with the button of this label. */
  async function press(page: Response, label: string): Promise<Response> {
    const text = await page.text()
    const fields = new URLSearchParams()
    for (const [, name = '', value = ''] of text.matchAll(/hidden" name="(\w+)" value="([^"]*)"/g))
      fields.set(name, value.replaceAll('&amp;', '&'))
    const [, name = '', value = ''] =
      new RegExp(`name="(\\w+)" value="(\\w+)">\\s*${label}`).exec(text) ?? []
    expect(name, text).not.toBe('')
    fields.set(name, value)
    return fetch(page.url, { method: 'POST', body: fields, redirect: 'manual' })
  }

  async function consent(target: URL, name: string): Promise<URL> {
    const allowed = await press(await press(await fetch(target), name), 'Allow')
    expect(allowed.status).toBe(303)
    return new URL(allowed.headers.get('location') ?? '')
  }

  test.each([
    ['Ada Lovelace', 'ada@example.com'],
    ['Alan Turing', 'alan@example.com'],
    ['Grace Hopper', 'grace@example.com'],
  ])('signs in %s with the printed configuration', async (name, email) => {
    const { log, logger } = silentLog()
    const provider = printedProvider(program.output())
    const config = { providers: [provider], secret: SECRET, trustHost: true, logger }
    const tab = browser(config, { origin: 'http://localhost:3000' })
    const attempt = await tab.begin('dev')
    const target = attempt.url
    expect(target.searchParams.get('code_challenge_method')).toBe('S256')
    expect(target.searchParams.get('nonce')).not.toBeNull()
    const callback = await consent(target, name)
    expect((await attempt.comeBack({ url: callback.href })).status).toBe(302)
    expect((await tab.session())?.user).toEqual({ name, email })
    expect(log.errors).toEqual([])
  })

  test('issues refresh tokens, so that an access token can be refreshed', async () => {
    const { logger } = silentLog()
    const provider = printedProvider(program.output())
    const config = { providers: [provider], secret: SECRET, trustHost: true, logger, tokens: {} }
    const origin = 'http://localhost:3000'
    const tab = browser(config, { origin })
    const attempt = await tab.begin('dev')
    const callback = await consent(attempt.url, 'Ada Lovelace')
    await attempt.comeBack({ url: callback.href })
    const cookie = tab.cookies.header({
      url: new URL(origin),
      method: 'GET',
      initiator: 'same-site',
    })
    const page = new Request(origin, { headers: { cookie: cookie ?? '' } })
    const before = await getAccessToken(page, config, 'dev')
    const after = await getAccessToken(page, config, 'dev', { refresh: 'now' })
    expect(after.value.accessToken).not.toBe(before.value.accessToken)
  })

  test('is rejected by an application in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { log, logger } = silentLog()
    const provider = printedProvider(program.output())
    const config = { providers: [provider], secret: SECRET, trustHost: true, logger }
    expect((await browser(config).request('signin')).status).toBe(500)
    expect(log.errors[0]?.message).toContain('issuer is not https')
  })

  test('shows what the application will receive, and Cancel leads back with access_denied', async () => {
    const page = await press(await fetch(authorizationUrl()), 'Ada Lovelace')
    const text = await page.clone().text()
    expect(text).toContain('http://localhost:3000')
    expect(text).toContain('ada@example.com')
    const canceled = await press(page, 'Cancel')
    const location = new URL(canceled.headers.get('location') ?? '')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state',
      iss: url,
    })
  })

  test('sends only the claims of the scopes', async () => {
    const callback = await consent(authorizationUrl({ scope: 'openid' }), 'Ada Lovelace')
    const tokens = await redeem(callback, VERIFIER)
    const { id_token: token } = (await tokens.json()) as { id_token: string }
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sub: 'ada', aud: 'dev', iss: url })
    expect(claims).not.toHaveProperty('email')
    expect(claims).not.toHaveProperty('name')
  })

  const redeem = (callback: URL, verifier: string) =>
    fetch(`${url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT_URI,
        client_id: 'dev',
        client_secret: 'dev',
        code_verifier: verifier,
      }),
    })

  test('rejects another verifier, and a code that was used', async () => {
    const callback = await consent(authorizationUrl(), 'Ada Lovelace')
    expect((await redeem(callback, VERIFIER.replace('a-', 'b-'))).status).toBe(400)
    const other = await consent(authorizationUrl(), 'Ada Lovelace')
    expect((await redeem(other, VERIFIER)).status).toBe(200)
    expect((await redeem(other, VERIFIER)).status).toBe(400)
  })

  test.each<[string, Record<string, string | null>]>([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_mode: 'form_post' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_scope', { scope: 'profile' }],
    ['login_required', { prompt: 'none' }],
    ['request_not_supported', { request: 'a.b.c' }],
  ])('answers with %s to %j', async (error, overrides) => {
    const { headers } = await fetch(authorizationUrl(overrides), { redirect: 'manual' })
    const location = new URL(headers.get('location') ?? '')
    expect(location.searchParams.get('error')).toBe(error)
    expect(location.searchParams.get('state')).toBe('a state')
  })

  test.each<[string, Record<string, string | null>]>([
    ['another site', { redirect_uri: 'https://evil.test/callback' }],
    ['a name that begins with localhost', { redirect_uri: 'http://localhost.evil.test/' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['no redirect URI', { redirect_uri: null }],
    ['another client', { client_id: 'other' }],
  ])('does not redirect to %s', async (_what, overrides) => {
    const response = await fetch(authorizationUrl(overrides), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test('rejects requests under another host name, and forms of other sites', async () => {
    const statusOf = (headers: Record<string, string>, method = 'GET') =>
      new Promise((resolve) => {
        request(authorizationUrl(), { method, headers }, ({ statusCode }) =>
          resolve(statusCode),
        ).end()
      })
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ host: 'evil.test' })).toBe(403)
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(200)
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403)
    // Browsers without Sec-Fetch-Site.
    expect(await statusOf({ origin: 'http://evil.test' }, 'POST')).toBe(403)
    expect(await statusOf({ origin: 'null' }, 'POST')).toBe(403)
  })

  test('listens on the loopback address only', () => {
    expect(new URL(url).hostname).toBe('127.0.0.1')
  })

  test('ends with 1 if the port is in use', () => {
    const { status, stderr } = run(['--port', new URL(url).port])
    expect(status).toBe(1)
    expect(stderr).toBe(
      `The provider cannot listen on port ${new URL(url).port}: it is in use. Choose another one with --port <number>.\n`,
    )
  })

  test('has other keys after a restart, under other ids', async () => {
    const keyIds = async (at: string) => {
      const { keys } = (await (await fetch(`${at}/jwks`)).json()) as { keys: { kid: string }[] }
      return keys.map(({ kid }) => kid)
    }
    const other = await startDevProvider(PROGRAM)
    const otherIds = await keyIds(printedProvider(other.output()).issuer)
    await other.stop()
    expect(await keyIds(url)).not.toEqual(otherIds)
  })
})

test.each(['production', 'Production', 'PRODUCTION', ' production ', 'prod', 'staging', 'preview'])(
  'dev-provider does not run with NODE_ENV=%j',
  (NODE_ENV) => {
    const { status, stdout, stderr } = run(['--port', '0'], { NODE_ENV })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `dev-provider requires no password, so it runs only with NODE_ENV=development or test, or without NODE_ENV, and not with "${NODE_ENV}".\n`,
    )
  },
)

test.each(['development', 'Development', 'development ', 'test', ' '])(
  'dev-provider runs with NODE_ENV=%j',
  async (NODE_ENV) => {
    const program = await startDevProvider(PROGRAM, { NODE_ENV })
    await program.stop()
    expect(printedProvider(program.output()).issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  },
)

test.each([[['--port', 'http']], [['--port', '65536']], [['--host', '0.0.0.0']], [['extra']]])(
  'dev-provider %j ends with 2',
  (words) => {
    expect(run(words).status).toBe(2)
  },
)

test('dev-provider --help names the option and its default', () => {
  const { status, stdout } = run(['--help'])
  expect(status).toBe(0)
  expect(stdout).toContain('--port <number>  Port of the provider (default: 4000; 0: a free one)')
})

test.each(['SIGINT', 'SIGTERM'] as const)('dev-provider ends with 0 on %s', async (signal) => {
  const program = await startDevProvider(PROGRAM)
  program.signal(signal)
  expect(await program.gone).toBe(0)
})
