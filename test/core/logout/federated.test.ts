/** RP-initiated logout: what a user who signs out is redirected to, and what comes back. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer, IssuerOptions } from '../../../src/testing/index.ts'
import { configFor, oidc, passwordConfig, TYPED } from '../../config.ts'

afterEach(() => void vi.useRealTimers())

type Overrides = NonNullable<Parameters<typeof configFor>[1]>
type ProviderOptions = Parameters<typeof oidc>[1]

async function provider(options: IssuerOptions = {}): Promise<Issuer> {
  const op = await issuer({ algorithm: 'ES256', ...options })
  op.misbehaviour.discovery = (metadata) => ({
    ...metadata,
    end_session_endpoint: `${op.url}/end-session`,
  })
  return op
}

interface LogoutSite {
  readonly op: Issuer
  readonly tab: Browser
  readonly log: ReturnType<typeof configFor>['log']
  readonly config: AuthConfig
}

async function site(overrides: Overrides = {}, options: ProviderOptions = {}): Promise<LogoutSite> {
  const op = await provider()
  const { config, log } = configFor(op, {
    providers: [oidc(op, options)],
    logout: {},
    ...overrides,
  })
  return { op, config, log, tab: browser(config, { issuer: op }) }
}

const PLACES: Readonly<Record<string, () => Overrides>> = {
  'jwt sessions, cookies': () => ({}),
  'jwt sessions, a store': () => ({ store: MemoryAdapter() }),
  'database sessions, records': () => ({ adapter: MemoryAdapter() }),
  'database sessions, cookies': () => {
    const { readRecords: _read, ...adapter } = MemoryAdapter()
    return { adapter }
  },
  'tokens in cookies': () => ({ tokens: {} }),
}

function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? '')
}

function claimsOf(idToken: string | null): unknown {
  return JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString())
}

async function signOut(
  tab: Browser,
  fields: Record<string, string> = { federated: 'true', callbackUrl: '/bye' },
): Promise<URL> {
  return locationOf(await tab.post('signout', fields))
}

function returnTo(tab: Browser, state: string | null): Promise<Response> {
  const query = state === null ? '' : `?${new URLSearchParams({ state })}`
  return tab.request(`post-logout${query}`, { initiator: 'cross-site' })
}

describe.each(Object.keys(PLACES))('a federated sign-out, with %s', (place) => {
  test('ends the session here, and continues at the provider with the ID token of this session', async () => {
    const { op, tab, log } = await site(PLACES[place]?.())
    await tab.signIn('op')
    const url = await signOut(tab)
    expect(url.origin + url.pathname).toBe(`${op.url}/end-session`)
    const { id_token_hint = '', state = '', ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({
      client_id: op.clientId,
      post_logout_redirect_uri: 'https://app.test/auth/post-logout',
    })
    expect(claimsOf(id_token_hint)).toMatchObject({ iss: op.url, aud: op.clientId })
    expect(await tab.session()).toBeNull()
    const response = await returnTo(tab, state)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test/bye')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(tab.cookies.all().filter(({ name }) => name.includes('logout'))).toEqual([])
    expect([...log.errors, ...log.lines]).toEqual([])
  })

  test('sends the hint of the last sign-in only', async () => {
    const { tab } = await site(PLACES[place]?.())
    await tab.signIn('op', { sub: 'ada' })
    await tab.signIn('op', { sub: 'grace', email: 'grace@example.com' })
    const url = await signOut(tab)
    expect(claimsOf(url.searchParams.get('id_token_hint'))).toMatchObject({ sub: 'grace' })
  })

  test('keeps nothing, and redirects as before, without the option logout', async () => {
    const { logout: _logout, ...overrides } = { logout: undefined, ...PLACES[place]?.() }
    const { tab, log } = await site({ ...overrides, logout: undefined })
    await tab.signIn('op')
    const names = tab.cookies.all().map(({ name }) => name)
    expect(names.filter((name) => name.includes('logout'))).toEqual([])
    expect((await signOut(tab)).href).toBe('https://app.test/bye')
    expect(log.lines).toEqual([['warn', 'federated-logout', expect.stringContaining('logout: {}')]])
  })

  test('leads to the target without the field federated', async () => {
    const { tab } = await site(PLACES[place]?.())
    await tab.signIn('op')
    expect((await signOut(tab, { callbackUrl: '/bye' })).href).toBe('https://app.test/bye')
    expect(tab.cookies.all().filter(({ name }) => name.includes('logout'))).toEqual([])
  })
})

test.each(['', 'false', 'no', 'none', 'ALL'])(
  'is not federated with the value %j',
  async (federated) => {
    const { tab } = await site()
    await tab.signIn('op')
    expect((await signOut(tab, { federated, callbackUrl: '/bye' })).href).toBe(
      'https://app.test/bye',
    )
  },
)

describe('the return from the provider', () => {
  test.each([
    ['with another state', 'another'],
    ['without a state', null],
  ])(
    '%s shows that the user has signed out, and never redirects to the target',
    async (_, state) => {
      const { tab } = await site()
      await tab.signIn('op')
      await signOut(tab)
      const response = await returnTo(tab, state)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('You have signed out')
      expect(await tab.session()).toBeNull()
    },
  )

  test('redirects once', async () => {
    const { tab } = await site()
    await tab.signIn('op')
    const state = (await signOut(tab)).searchParams.get('state')
    const cookies = tab.cookies.all()
    expect((await returnTo(tab, state)).status).toBe(302)
    expect((await returnTo(tab, state)).status).toBe(200)
    // A copy of the cookie does not make it valid again.
    const copy = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const replayed = await tab.request(`post-logout?state=${state}`, { headers: { cookie: copy } })
    expect(replayed.status).toBe(200)
  })

  test('shows the page in another browser', async () => {
    const { tab, config } = await site()
    await tab.signIn('op')
    const state = (await signOut(tab)).searchParams.get('state')
    expect((await returnTo(browser(config), state)).status).toBe(200)
    expect((await returnTo(tab, state)).status).toBe(302)
  })

  test('has a time limit of ten minutes', async () => {
    const { tab } = await site()
    await tab.signIn('op')
    const state = (await signOut(tab)).searchParams.get('state')
    const cookies = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    const headers = { cookie: cookies.join('; ') }
    expect((await tab.request(`post-logout?state=${state}`, { headers })).status).toBe(200)
  })

  test('of two tabs leads each of them to its target', async () => {
    const { tab } = await site()
    await tab.signIn('op')
    const first = (await signOut(tab, { federated: 'true', callbackUrl: '/one' })).searchParams
    await tab.signIn('op')
    const second = (await signOut(tab, { federated: 'true', callbackUrl: '/two' })).searchParams
    const targetOf = async (query: URLSearchParams) =>
      (await returnTo(tab, query.get('state'))).headers.get('location')
    expect(await targetOf(second)).toBe('https://app.test/two')
    expect(await targetOf(first)).toBe('https://app.test/one')
  })

  test('by HEAD changes nothing, and POST is rejected', async () => {
    const { tab } = await site()
    await tab.signIn('op')
    const state = (await signOut(tab)).searchParams.get('state')
    const head = await tab.request(`post-logout?state=${state}`, { method: 'HEAD' })
    expect(head.headers.getSetCookie()).toEqual([])
    expect((await tab.post(`post-logout?state=${state}`)).status).toBe(405)
    expect((await returnTo(tab, state)).status).toBe(302)
  })
})

describe('the target', () => {
  test.each([
    'https://evil.test/',
    '//evil.test',
    'javascript:alert(1)',
    'https://www.example.com.evil.test',
  ])('%s is not that of the sign-out', async (callbackUrl) => {
    const logout = { allowedOrigins: ['https://www.example.com'] }
    const { tab } = await site({ logout })
    await tab.signIn('op')
    const state = (await signOut(tab, { federated: 'true', callbackUrl })).searchParams.get('state')
    const { origin } = locationOf(await returnTo(tab, state))
    expect(origin).toBe('https://app.test')
    await tab.signIn('op')
    expect((await signOut(tab, { callbackUrl })).origin).toBe('https://app.test')
  })

  test('may be an origin in logout.allowedOrigins, with and without the provider', async () => {
    const logout = { allowedOrigins: ['https://www.example.com'] }
    const { tab } = await site({ logout })
    const callbackUrl = 'https://www.example.com/bye?from=app'
    await tab.signIn('op')
    const state = (await signOut(tab, { federated: 'true', callbackUrl })).searchParams.get('state')
    expect(locationOf(await returnTo(tab, state)).href).toBe(callbackUrl)
    await tab.signIn('op')
    expect((await signOut(tab, { callbackUrl })).href).toBe(callbackUrl)
  })

  test('of the built-in page may be such an origin, and its form may be redirected to the provider', async () => {
    const logout = { allowedOrigins: ['https://www.example.com'] }
    const { tab } = await site({ logout })
    await tab.signIn('op')
    const query = new URLSearchParams({
      callbackUrl: 'https://www.example.com/',
      federated: 'true',
    })
    const page = await tab.request(`signout?${query}`)
    const text = await page.text()
    expect(text).toContain('name="callbackUrl" value="https://www.example.com/"')
    expect(text).toContain('name="federated" value="true"')
    // Browsers apply form-action to the redirects after a form.
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
  })
})

describe('at the end-session endpoint', () => {
  test('idTokenHint none sends logout_hint from the ID token instead', async () => {
    const { tab } = await site({ logout: { idTokenHint: 'none' } })
    await tab.signIn('op', { sub: 'ada', login_hint: 'hint of Ada' })
    const { searchParams } = await signOut(tab)
    expect(searchParams.get('logout_hint')).toBe('hint of Ada')
    expect(searchParams.has('id_token_hint')).toBe(false)
  })

  test('an ID token is sent with its login_hint, and without its sid, as logout_hint', async () => {
    const { tab } = await site()
    for (const [claims, expected] of [
      [{ login_hint: 'hint of Ada', sid: 'session of Ada' }, 'hint of Ada'],
      [{ login_hint: 1, sid: 'session of Ada' }, null],
      [{}, null],
    ] as const) {
      await tab.signIn('op', { sub: 'ada', ...claims })
      const { searchParams } = await signOut(tab)
      expect(claimsOf(searchParams.get('id_token_hint'))).toMatchObject(claims)
      expect(searchParams.get('logout_hint')).toBe(expected)
    }
  })

  test('an ID token that makes the URL longer than 8 kB is left out', async () => {
    const { tab } = await site({ adapter: MemoryAdapter() })
    await tab.signIn('op', { sub: 'ada', sid: 'session of Ada', groups: 'g'.repeat(6200) })
    const { searchParams, href } = await signOut(tab)
    expect(href.length).toBeLessThan(8192)
    expect(searchParams.has('id_token_hint')).toBe(false)
    expect(searchParams.get('logout_hint')).toBe('session of Ada')
    expect(searchParams.get('client_id')).not.toBeNull()
  })

  test('ID tokens that do not fit into the cookies are left out', async () => {
    const { tab, log } = await site()
    await tab.signIn('op', { sub: 'ada', sid: 'session of Ada', groups: 'g'.repeat(12_000) })
    expect((await signOut(tab)).searchParams.get('logout_hint')).toBe('session of Ada')
    expect(log.errors).toEqual([])
  })

  test('ui_locales is the language of the pages, and configured parameters are added', async () => {
    const theme = { messages: { lang: 'de' } }
    const endSession = { params: { audience: 'x', state: 'fixed', id_token_hint: null } }
    const { op, tab } = await site({ theme }, { endSession })
    await tab.signIn('op')
    const { searchParams } = await signOut(tab)
    expect(searchParams.get('ui_locales')).toBe('de')
    expect(searchParams.get('audience')).toBe('x')
    expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/)
    expect(op.requests.discovery).toBeGreaterThan(0)
  })

  test('a configured URL replaces the discovered one, and the return URL may have another name', async () => {
    const endSession = { url: 'https://login.test/logout?a=1', redirectParameter: 'logout_uri' }
    const { tab } = await site({}, { endSession })
    await tab.signIn('op')
    const { origin, searchParams } = await signOut(tab)
    expect(origin).toBe('https://login.test')
    expect(searchParams.get('a')).toBe('1')
    expect(searchParams.get('logout_uri')).toBe('https://app.test/auth/post-logout')
    expect(searchParams.has('post_logout_redirect_uri')).toBe(false)
  })

  test('without the ID token, no return is requested from a provider that rejects it', async () => {
    const endSession = { returnsWithoutHint: false }
    for (const idTokenHint of ['kept', 'none'] as const) {
      const { tab } = await site({ logout: { idTokenHint } }, { endSession })
      await tab.signIn('op')
      const { searchParams } = await signOut(tab)
      const isKept = idTokenHint === 'kept'
      expect(searchParams.has('client_id')).toBe(true)
      for (const name of ['id_token_hint', 'post_logout_redirect_uri', 'state'])
        expect(searchParams.has(name), `${idTokenHint}: ${name}`).toBe(isKept)
    }
  })

  test('a provider of type oauth has one if it is configured', async () => {
    const op = await provider()
    const { config } = configFor(op, {
      providers: [
        {
          ...oidc(op),
          type: 'oauth',
          issuer: undefined,
          authorization: `${op.url}/authorize`,
          token: `${op.url}/token`,
          userinfo: `${op.url}/userinfo`,
          endSession: `${op.url}/logout`,
        },
      ],
      logout: {},
    })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    const { href, searchParams } = await signOut(tab)
    expect(href).toContain(`${op.url}/logout?`)
    // It was not verified, because the user is identified by userinfo.
    expect(searchParams.has('id_token_hint')).toBe(false)
  })

  test('the base path is part of the return URL', async () => {
    const op = await provider()
    const { config } = configFor(op, { logout: {}, basePath: '/api/sign-in' })
    const tab = browser(config, { issuer: op, basePath: '/api/sign-in' })
    await tab.signIn('op')
    const { searchParams } = await signOut(tab)
    const { pathname } = new URL(searchParams.get('post_logout_redirect_uri') ?? '')
    expect(pathname).toBe('/api/sign-in/post-logout')
    expect((await returnTo(tab, searchParams.get('state'))).status).toBe(302)
  })
})

describe('the sign-out here stands, and a warning is logged,', () => {
  async function expectLocal({ tab, log }: LogoutSite): Promise<void> {
    expect((await signOut(tab)).href).toBe('https://app.test/bye')
    expect(await tab.session()).toBeNull()
    expect(log.lines).toEqual([
      ['warn', 'federated-logout', expect.stringContaining('provider op')],
    ])
  }

  test('if the provider has no endpoint', async () => {
    const opened = await site()
    opened.op.reset()
    await opened.tab.signIn('op')
    await expectLocal(opened)
    expect(opened.log.errors).toEqual([])
  })

  test('if discovery fails', async () => {
    const opened = await site({ session: { strategy: 'jwt' } })
    await opened.tab.signIn('op')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60_000 })
    opened.op.misbehaviour.discovery = () => new Response(null, { status: 500 })
    await expectLocal(opened)
  })

  test('if discovery takes more than three seconds', async () => {
    const opened = await site()
    await opened.tab.signIn('op')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60_000 })
    opened.op.misbehaviour.discovery = () => new Promise(() => undefined)
    const begun = performance.now()
    await expectLocal(opened)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test('if the endpoint is not https', async () => {
    const opened = await site()
    opened.op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      end_session_endpoint: 'http://issuer.test/end-session',
    })
    await opened.tab.signIn('op')
    await expectLocal(opened)
  })
})

describe('of several providers', () => {
  async function linked(overrides: Overrides = {}) {
    const ops = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async (id) => {
        const op = await provider({ url: `https://${id}.test` })
        return { id, op }
      }),
    )
    const { config, log } = configFor(ops[0]?.op ?? (await provider()), {
      providers: ops.map(({ id, op }) => oidc(op, { id })),
      adapter: MemoryAdapter(),
      logout: {},
      fetch: async (input, init) => {
        const { origin } = new URL(new Request(input, init).url)
        const found = ops.find(({ op }) => op.url === origin)
        return found ? found.op.fetch(input, init) : new Response(null, { status: 404 })
      },
      ...overrides,
    })
    const tab = browser(config)
    const signIn = async (id: string) => {
      const begun = await tab.begin(id)
      const op = ops.find((each) => each.id === id)?.op
      if (!op) throw new Error('unknown')
      await begun.comeBack(await op.authorize(begun.url, { sub: `ada at ${id}` }))
    }
    return { tab, log, signIn }
  }

  test('true leads to that of the last sign-in, and all from one to the next, at most three', async () => {
    for (const [federated, expected] of [
      ['true', ['four']],
      ['all', ['four', 'three', 'two']],
    ] as const) {
      const { tab, signIn, log } = await linked()
      for (const id of ['one', 'two', 'three', 'four']) await signIn(id)
      const visited: string[] = []
      let url = await signOut(tab, { federated, callbackUrl: '/bye' })
      while (url.origin !== 'https://app.test') {
        visited.push(url.host.replace('.test', ''))
        const hint = claimsOf(url.searchParams.get('id_token_hint'))
        expect(hint).toMatchObject({ iss: url.origin })
        url = locationOf(await returnTo(tab, url.searchParams.get('state')))
      }
      expect(url.href).toBe('https://app.test/bye')
      expect(visited).toEqual(expected)
      expect(log.errors).toEqual([])
    }
  })

  test('one that does not redirect back ends the chain, and the session here has ended', async () => {
    const { tab, signIn } = await linked()
    await signIn('one')
    await signIn('two')
    expect((await signOut(tab, { federated: 'all' })).host).toBe('two.test')
    expect(await tab.session()).toBeNull()
    expect((await returnTo(tab, null)).status).toBe(200)
  })
})

test('a sign-in with a password needs no provider to sign out', async () => {
  const { config, log } = passwordConfig({ logout: {} })
  const tab = browser(config)
  await tab.post('callback/password', TYPED)
  expect(await tab.session()).not.toBeNull()
  expect((await signOut(tab)).href).toBe('https://app.test/bye')
  expect([...log.errors, ...log.lines]).toEqual([])
})

test('the client of a page receives the URL of the provider', async () => {
  const { op, tab } = await site()
  await tab.signIn('op')
  const response = await tab.request('signout', {
    method: 'POST',
    form: { csrfToken: await tab.csrfToken(), federated: 'true' },
    headers: { 'x-auth-return-redirect': '1' },
  })
  const { url } = (await response.json()) as { url: string }
  expect(url).toContain(`${op.url}/end-session?`)
})

test('a store that is down does not prevent the sign-out', async () => {
  const adapter = MemoryAdapter()
  const store = MemoryAdapter()
  const { op, tab, log } = await site({ adapter, store })
  await tab.signIn('op')
  store.readRecords = () => Promise.reject(new Error('down'))
  store.deleteRecords = () => Promise.reject(new Error('down'))
  const url = await signOut(tab)
  // Without the hint, the provider asks the user.
  expect(url.origin).toBe(op.url)
  expect(url.searchParams.has('id_token_hint')).toBe(false)
  expect(await tab.session()).toBeNull()
  expect(log.errors.length).toBeGreaterThan(0)
})

describe('behind a redirect proxy', () => {
  const PROXY = 'https://proxy.test/auth'

  async function deployments(allowed: readonly string[]) {
    const op = await provider()
    const settings: Overrides = {
      logout: {},
      redirectProxyUrl: PROXY,
      redirectProxyAllowedOrigins: allowed,
    }
    const preview = configFor(op, settings).config
    const proxy = configFor(op, settings).config
    return {
      tab: browser(preview, { issuer: op, origin: 'https://preview.test' }),
      proxy: browser(proxy, { issuer: op, origin: 'https://proxy.test' }),
      op,
    }
  }

  async function signedIn(allowed: readonly string[]) {
    const opened = await deployments(allowed)
    const begun = await opened.tab.begin('op')
    const answer = await opened.op.authorize(begun.url)
    const forwarded = new URL(answer.url)
    await opened.tab.request(`callback/op${forwarded.search}`, { initiator: 'cross-site' })
    expect(await opened.tab.session()).not.toBeNull()
    return opened
  }

  test('the provider returns to the proxy, which forwards to the deployment', async () => {
    const { tab, proxy } = await signedIn(['https://preview.test'])
    const { searchParams } = await signOut(tab)
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${PROXY}/post-logout`)
    const forwarded = await returnTo(proxy, searchParams.get('state'))
    const location = locationOf(forwarded)
    expect(location.origin).toBe('https://preview.test')
    const response = await tab.request(location.href, { initiator: 'cross-site' })
    expect(response.headers.get('location')).toBe('https://preview.test/bye')
  })

  test('the proxy shows its page for a deployment that is not allowed', async () => {
    const { tab, proxy } = await signedIn([])
    const { searchParams } = await signOut(tab)
    expect((await returnTo(proxy, searchParams.get('state'))).status).toBe(200)
  })
})

test.each([
  [{ idTokenHint: 'yes' }, 'logout.idTokenHint'],
  [{ allowedOrigins: 'https://www.example.com' }, 'logout.allowedOrigins'],
  [{ allowedOrigins: ['https://www.example.com/'] }, 'logout.allowedOrigins[0]'],
  [{ allowedOrigins: ['http://www.example.com'] }, 'logout.allowedOrigins[0]'],
  [true, 'logout'],
])('the option logout %j is reported', async (logout, name) => {
  const { tab, log } = await site({ logout } as Overrides)
  await tab.request('session')
  expect(String(log.errors[0]?.message)).toContain(`${name} `)
})
