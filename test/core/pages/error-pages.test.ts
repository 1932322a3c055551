import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AccessDenied } from '../../../src/errors.ts'
import { Auth, raw } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, BrowserRequest } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig, TYPED } from '../../config.ts'
import type { Log } from '../../config.ts'
import { site } from '../../oauth.ts'
import { arrive, deployment, locationOf, PREVIEW, proxyFor } from '../../redirect-proxy.ts'

const op = await issuer()
const RETURNS = { 'x-auth-return-redirect': '1', accept: '*/*' }
const CONFIGURATION = '/auth/error?error=Configuration'

beforeEach(() => op.reset())
afterEach(() => void vi.unstubAllEnvs())

/** Configurations that fail at different steps of a request. */
const broken: [string, () => { config: AuthConfig; log: Log }, string][] = [
  ['no secret', () => configFor(op, { secret: '' }), `https://app.test${CONFIGURATION}`],
  [
    'a provider that does not exist',
    () => configFor(op, { providers: [] }),
    'https://app.test/auth/error?error=InvalidProvider',
  ],
  [
    'metadata without a token endpoint',
    () => {
      op.misbehaviour.discovery = ({ token_endpoint: _none, ...metadata }) => metadata
      return configFor(op)
    },
    `https://app.test${CONFIGURATION}`,
  ],
  [
    'metadata of another issuer',
    () => {
      op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: 'https://other.test' })
      return configFor(op)
    },
    `https://app.test${CONFIGURATION}`,
  ],
  ['a host that is not trusted', () => configFor(op, { trustHost: false }), CONFIGURATION],
]

/** Sends a POST with a valid CSRF token to a broken configuration. */
async function post(config: AuthConfig, headers: Record<string, string>): Promise<Response> {
  const working = configFor(op).config
  const tab = browser(working)
  const csrfToken = await tab.csrfToken()
  const url = new URL('https://app.test/auth/signin/op')
  const cookie = tab.cookies.header({ url, method: 'POST', initiator: 'same-site' })
  const body = new URLSearchParams({ csrfToken })
  return Auth(new Request(url, { method: 'POST', body, headers: { cookie, ...headers } }), config)
}

describe.each(broken)('a sign-in that fails because of %s', (_what, make, url) => {
  test('returns the URL of the error page to a script, with 200', async () => {
    const { config, log } = make()
    const response = await post(config, RETURNS)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url })
    expect(log.errors).toHaveLength(1)
  })

  test('returns a redirect to a wrapper', async () => {
    const { config } = make()
    const request = await post(config, RETURNS)
    expect(await request.json()).toEqual({ url })
    const answer = await Auth(new Request('https://app.test/auth/none', { headers: RETURNS }), {
      ...config,
      raw,
    })
    expect(answer).toHaveProperty('redirect', expect.stringMatching(/\/auth\/error\?error=\w+$/))
  })

  test('redirects a browser to pages.error', async () => {
    const { config, log } = make()
    const pages = { error: '/oops?from=auth' }
    const response = await post({ ...config, pages }, { accept: 'text/html' })
    const error = new URL(url, 'https://app.test').searchParams.get('error') ?? ''
    const origin = url.startsWith('/') ? '' : 'https://app.test'
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${origin}/oops?from=auth&error=${error}`)
    expect(log.errors).toHaveLength(1)
    const script = await post({ ...config, pages }, RETURNS)
    expect(await script.json()).toEqual({ url: `${origin}/oops?from=auth&error=${error}` })
  })
})

describe('pages.error', () => {
  test.each<[string, BrowserRequest, string]>([
    ['signin/absent', { method: 'POST', form: {} }, 'InvalidProvider'],
    ['signin/absent', {}, 'InvalidProvider'],
    ['callback/absent', {}, 'InvalidProvider'],
    ['nothing', {}, 'UnknownAction'],
    ['callback/password', {}, 'MethodNotAllowed'],
    ['callback/password?code=1&code=2', {}, 'InvalidRequest'],
  ])('receives the error of %s (%j)', async (route, request, error) => {
    const { config } = passwordConfig({ pages: { error: '/oops' } })
    const response = await browser(config).request(route, request)
    expect(response.status).toBe(302)
    expect(locationOf(response)).toBe(`https://app.test/oops?error=${error}`)
  })

  test.each(['/auth/oops', '/auth/signin/absent', '/auth/callback/absent?x=1'])(
    'does not redirect in a loop if it is not a page (%s)',
    async (error) => {
      const { config, log } = passwordConfig({ pages: { error } })
      const tab = browser(config)
      const first = await tab.request('nothing')
      expect(first.status).toBe(302)
      const second = await tab.follow(first)
      expect(second.status).toBe(404)
      expect(await second.text()).toContain('<h1>Not found</h1>')
      expect(log.errors.at(-1)).toMatchObject({ type: 'ErrorPageLoop' })
    },
  )

  test.each(['application/json', '*/*'])(
    'is not used for a client that accepts %s',
    async (accept) => {
      const { config } = passwordConfig({ pages: { error: '/oops' } })
      const response = await browser(config).request('signin/absent', {
        method: 'POST',
        form: {},
        headers: { accept },
      })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: 'InvalidProvider' })
    },
  )
})

test.each(['session', 'csrf', 'providers'])(
  '%s responds with JSON, also to a script',
  async (route) => {
    const { config } = passwordConfig({ secret: '' })
    const response = await browser(config).request(route, { headers: RETURNS })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Configuration' })
  },
)

describe('a redirect proxy that receives a response without a valid state', () => {
  async function answer(state: string | null): Promise<string> {
    const { url } = await op.authorize((await deployment(op, PREVIEW).tab.begin('op')).url)
    const changed = new URL(url)
    if (state === null) changed.searchParams.delete('state')
    else changed.searchParams.set('state', state)
    return changed.href
  }

  test.each([null, ''])('shows the error page when the state is %j', async (state) => {
    const proxy = proxyFor(op, [PREVIEW])
    const url = await answer(state)
    for (const [tab, isSignedIn] of [
      [proxy.tab, false],
      [proxy.open(), true],
    ] as const) {
      if (isSignedIn) await tab.signIn('op')
      proxy.log.errors.length = 0
      const response = await arrive({ tab }, url)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('<h1>Bad request</h1>')
      expect(proxy.log.errors).toMatchObject([{ type: 'InvalidRequest' }])
      expect(proxy.log.errors[0]?.message).toContain('state')
    }
  })

  test('redirects to pages.error if it is configured', async () => {
    const proxy = proxyFor(op, [PREVIEW], { config: { pages: { error: '/oops' } } })
    const response = await arrive(proxy, await answer(null))
    expect(locationOf(response)).toBe(`${proxy.tab.origin}/oops?error=InvalidRequest`)
  })

  test('does not redirect its own signed-in user home if the state was sealed with another secret', async () => {
    const proxy = proxyFor(op, [PREVIEW])
    await proxy.tab.signIn('op')
    const other = deployment(op, PREVIEW, {
      config: { secret: 'another secret, of more than 32 bytes' },
    })
    const { url } = await op.authorize((await other.tab.begin('op')).url)
    const response = await arrive(proxy, url)
    expect(locationOf(response)).toBe(`${proxy.tab.origin}/auth/signin?error=InvalidCheck`)
  })

  test('redirects again if a completed sign-in of its own is reloaded', async () => {
    const proxy = proxyFor(op, [PREVIEW])
    const transaction = await proxy.tab.begin('op')
    const { url } = await op.authorize(transaction.url)
    await arrive(proxy, url)
    expect(locationOf(await arrive(proxy, url))).toBe(proxy.tab.origin)
    expect(site(op).log.errors).toEqual([])
  })
})

describe('the page for a refused account', async () => {
  const healthy = await issuer()
  const refusals: [string, () => boolean][] = [
    ['returns false', () => false],
    [
      'throws',
      () => {
        throw new Error('Not invited.')
      },
    ],
    [
      'throws AccessDenied',
      () => {
        throw new AccessDenied('Not invited.')
      },
    ],
  ]

  test.each(refusals)('names it if the signIn callback %s', async (_name, signIn) => {
    const { config } = configFor(healthy, { callbacks: { signIn } })
    const tab = browser(config, { issuer: healthy })
    const refused = await tab.signIn('op')
    expect(await locationOf(refused)).toBe('https://app.test/auth/error?error=AccessDenied')
    const page = await (await tab.request('error?error=AccessDenied')).text()
    expect(page).toContain('You may not sign in as <strong>ada@example.com</strong>.')
    const elsewhere = await (await browser(config).request('error?error=AccessDenied')).text()
    expect(elsewhere).toContain('You do not have permission to sign in.')
    const another = await (await tab.request('error?error=Verification')).text()
    expect(another).not.toContain('ada@example.com')
  })

  test.each<[string, Partial<AuthConfig>, string]>([
    ['a user name', { callbacks: { signIn: () => false } }, '<strong>Ada</strong>'],
    [
      'a text of the application',
      {
        callbacks: { signIn: () => false },
        theme: { messages: { accessDenied: 'Members only.' } },
      },
      'Members only.',
    ],
  ])('shows %s', async (_name, overrides, expected) => {
    const { config } = passwordConfig(overrides, { authorize: () => ({ id: '1', name: 'Ada' }) })
    const tab = browser(config)
    const page = await tab.follow(await enter(tab))
    expect(page.status).toBe(403)
    expect(await page.text()).toContain(expected)
  })
})

describe('the cause and the fix of an error', async () => {
  const healthy = await issuer()
  const HINT = 'Shown in development only'
  const rejectsClient = () => Response.json({ error: 'invalid_client' }, { status: 401 })

  /** Each page that shows an error, and what the log says. */
  const pages: [string, () => Promise<{ tab: Browser; page: Response }>, string][] = [
    [
      'an error page in place',
      async () => {
        const tab = browser(configFor(op, { secret: '' }).config)
        return { tab, page: await tab.request('signin', { headers: { accept: 'text/html' } }) }
      },
      'AUTH_SECRET',
    ],
    [
      'an error page after a redirect',
      async () => {
        const authorize = () => {
          throw new Error('The table users does not exist.')
        }
        const tab = browser(passwordConfig({}, { authorize }).config)
        return { tab, page: await tab.follow(await enter(tab)) }
      },
      'The table users does not exist.',
    ],
    [
      'the sign-in page with a banner',
      async () => {
        healthy.reset()
        healthy.misbehaviour.token = rejectsClient
        const { config } = configFor(healthy)
        const tab = browser(config, { issuer: healthy })
        return { tab, page: await tab.follow(await tab.signIn('op')) }
      },
      'Check AUTH_OP_SECRET.',
    ],
    [
      'the sign-in page with an error at a field',
      async () => {
        const tab = browser(passwordConfig().config)
        return { tab, page: await tab.follow(await enter(tab, { username: 'ada', password: 'x' })) }
      },
      'The authorize function returned no user.',
    ],
  ]

  test.each(pages)('are shown in development: %s', async (_name, open, cause) => {
    vi.stubEnv('NODE_ENV', 'development')
    const { page } = await open()
    const html = await page.text()
    expect(html).toContain(HINT)
    expect(html).toContain(cause)
    expect(html).toMatch(/node_modules\/lib-auth\/docs\/errors\.md#\w+/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  describe.each(['production', 'test', 'staging', ''])('with NODE_ENV=%s', (mode) => {
    test.each(pages)('are never shown: %s', async (_name, open, cause) => {
      vi.stubEnv('NODE_ENV', mode)
      const { page } = await open()
      const html = await page.text()
      expect(html).not.toContain(HINT)
      expect(html).not.toContain(cause)
    })
  })

  test('are not shown in production for a cookie of development, a header or a parameter', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const tab = browser(passwordConfig().config)
    await enter(tab, { username: 'ada', password: 'x' })
    vi.stubEnv('NODE_ENV', 'production')
    const headers = { host: 'localhost', 'x-forwarded-for': '127.0.0.1', 'node-env': 'development' }
    const path = 'signin?error=CredentialsSignin&NODE_ENV=development&debug=1&dev=1'
    const html = await (await tab.request(path, { headers })).text()
    expect(html).not.toContain(HINT)
    expect(html).not.toContain('The authorize function')
  })

  test('are shown for their own error only, escaped, and without secrets', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const authorize = (credentials: Partial<Record<string, unknown>>) => {
      throw new Error(`<script>alert(1)</script> ${String(credentials['password'])}`)
    }
    const tab = browser(passwordConfig({}, { authorize }).config)
    const html = await (await tab.follow(await enter(tab))).text()
    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).not.toContain('<script')
    expect(html).not.toContain(TYPED.password)
    const other = await (await tab.request('error?error=AccessDenied')).text()
    expect(other).not.toContain(HINT)
  })

  test('are not passed to a page of the application', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const tab = browser(passwordConfig({ pages: { signIn: '/login' } }).config)
    const response = await enter(tab, { username: 'ada', password: 'x' })
    expect(await locationOf(response)).toBe(
      'https://app.test/login?error=CredentialsSignin&code=credentials',
    )
    expect(tab.cookies.all().some(({ name }) => name.endsWith('lib.form'))).toBe(false)
  })
})
