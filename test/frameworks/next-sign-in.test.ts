import { describe, expect, test, vi } from 'vitest'
import { nextSite, ORIGIN, thrownRedirect, thrownRedirectStatus } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { login, op, submitted } from './site.ts'
import { oidc } from '../config.ts'
import { ADA, mailProvider, wrongCode } from '../email.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { EmailConfig, VerificationRequest } from '../../src/core/config/email.ts'
import type { AuthorizationParams } from '../../src/frameworks/next/index.ts'
import type { Attempt } from '../../src/core/config/protection-options.ts'
import { SignInError } from '../../src/errors.ts'

const INVALID_ADDRESS = 'signin?error=EmailSignInError&code=invalid_address'

describe('signing in with a magic link from an action', () => {
  function visit(provider: Partial<EmailConfig> = {}) {
    const mails: VerificationRequest[] = []
    const providers = [mailProvider(mails, provider)]
    return { site: nextSite({ adapter: MemoryAdapter(), providers }), mails }
  }

  const formOf = (email: string): FormData => {
    const form = new FormData()
    form.set('email', email)
    return form
  }

  test('redirects to the verify-request page, and the magic link signs in', async () => {
    const { site, mails } = visit()
    const work = site.action(() => site.signIn('email', formOf(ADA)))
    const url = new URL(await thrownRedirect(work))
    expect(url.pathname + url.search).toBe('/api/auth/verify-request?provider=email&type=email')
    const link = mails[0]?.url ?? ''
    expect(link).toMatch(/^https:\/\/app\.test\/api\/auth\/callback\/email\?/)
    await site.route(site.handlers.GET, link)
    expect(await site.render(() => site.auth())).toMatchObject({ user: { email: ADA } })
  })

  test('with a code signs in, and throws Verification for a wrong one', async () => {
    const { site, mails } = visit({ method: 'code' })
    await thrownRedirect(
      site.action(() => site.signIn('email', { email: ADA, redirectTo: '/board' })),
    )
    const code = mails[0]?.code ?? ''
    const form = new FormData()
    form.set('code', wrongCode(code))
    const wrong = site.action(() => site.signIn('email', form))
    await expect(wrong).rejects.toMatchObject({
      type: 'Verification',
      cause: { code: 'invalid_code' },
    })
    form.set('code', code)
    expect(await thrownRedirect(site.action(() => site.signIn('email', form)))).toBe(
      'https://app.test/board',
    )
    expect(await site.render(() => site.auth())).toMatchObject({ user: { email: ADA } })
  })

  test('with redirect: false returns the URL of that page', async () => {
    const { site } = visit()
    const stay = { email: ADA, redirect: false } as const
    const url: unknown = await site.action(() => site.signIn('email', stay))
    expect(url).toContain('/api/auth/verify-request')
  })

  const unreachable = {
    sendVerificationRequest: () => Promise.reject(new Error('No route to the host.')),
  }

  test.each<[string, Record<string, string>, string, Partial<EmailConfig>?]>([
    ['no mail can be sent', { email: ADA }, 'signin?error=EmailSignInError', unreachable],
    ['the address is empty', { email: '' }, INVALID_ADDRESS],
    ['it is not an address', { email: 'ada@' }, INVALID_ADDRESS],
    ['it is two addresses', { email: 'ada@example.com,eve@evil.test' }, INVALID_ADDRESS],
    ['the form has no such field', {}, 'error?error=InvalidRequest'],
  ])('redirects to the page with the error when %s', async (_what, fields, page, provider) => {
    const { site, mails } = visit(provider)
    const target = `https://app.test/api/auth/${page}`
    expect(await thrownRedirect(site.action(() => site.signIn('email', fields)))).toBe(target)
    const stay = { ...fields, redirect: false } as const
    expect(await site.action(() => site.signIn('email', stay))).toBe(target)
    expect(mails).toEqual([])
  })

  test('redirects to pages.error when the signIn callback rejects', async () => {
    const site = nextSite({
      adapter: MemoryAdapter(),
      providers: [mailProvider([])],
      callbacks: { signIn: () => false },
      pages: { error: '/oops' },
    })
    const work = site.action(() => site.signIn('email', { email: ADA }))
    expect(await thrownRedirect(work)).toBe('https://app.test/oops?error=AccessDenied')
  })

  test('throws a configuration error', async () => {
    const site = nextSite({ providers: [mailProvider([])] })
    for (const redirect of [true, false]) {
      const work = site.action(() => site.signIn('email', { email: ADA, redirect }))
      await expect(work).rejects.toHaveProperty('type', 'MissingAdapter')
    }
  })
})

describe('signing in from an action', () => {
  test('accepts a host and a base path that contain the name of a route', async () => {
    const site = nextSite({ basePath: '/signin-area' })
    const visit = { headers: { host: 'signin.test' } }
    const form = { ...login, redirectTo: '/signin/home' }
    const work = site.action(() => site.signIn('credentials', form), visit)
    expect(await thrownRedirect(work)).toBe('https://signin.test/signin/home')
    expect(submitted.last).toEqual(login)
    const url = new URL(await thrownRedirect(site.action(() => site.signIn('op'), visit)))
    const back = 'https://signin.test/signin-area/callback/op'
    expect(url.searchParams.get('redirect_uri')).toBe(back)
  })

  test('needs no database, even if another site in the process sends magic links', async () => {
    const sending = nextSite({ adapter: MemoryAdapter(), providers: [mailProvider([])] })
    expect(await sending.render(() => sending.auth())).toBeNull()
    const link = { email: ADA, redirect: false } as const
    expect(await sending.action(() => sending.signIn('email', link))).toBeDefined()
    const site = nextSite()
    await site.signInGrace()
    const grace = { user: { name: 'Grace Hopper' } }
    expect(await site.render(() => site.auth())).toMatchObject(grace)
  })
})

describe('signing in at a provider from an action', () => {
  test.each<[string, AuthorizationParams]>([
    ['text', 'login_hint=ada&prompt=login'],
    ['an object', { login_hint: 'ada', prompt: 'login' }],
    ['URLSearchParams', new URLSearchParams({ login_hint: 'ada', prompt: 'login' })],
    [
      'pairs',
      [
        ['login_hint', 'ada'],
        ['prompt', 'login'],
      ],
    ],
  ])('passes authorization parameters, given as %s', async (_form, parameters) => {
    const site = nextSite()
    const url = new URL(await thrownRedirect(site.action(() => site.signIn('op', {}, parameters))))
    expect(url.searchParams.get('login_hint')).toBe('ada')
    expect(url.searchParams.get('prompt')).toBe('login')
    expect(url.searchParams.get('redirect_uri')).toMatch(/\/callback\/op$/)
  })
})

describe('authorization parameters in code', () => {
  const authorization = { params: { prompt: 'login', max_age: 60 } }

  async function readParameters(parameters: AuthorizationParams): Promise<URLSearchParams> {
    const site = nextSite({ providers: [oidc(op, { authorization })] })
    const url = await thrownRedirect(site.action(() => site.signIn('op', {}, parameters)))
    return new URL(url).searchParams
  }

  test('override configured parameters, including those that a browser cannot send', async () => {
    const sent = await readParameters({
      prompt: 'none',
      scope: 'openid',
      resource: 'https://api.test',
    })
    expect(Object.fromEntries(sent)).toMatchObject({
      prompt: 'none',
      max_age: '60',
      scope: 'openid',
      resource: 'https://api.test',
    })
  })

  test('do not override protocol parameters', async () => {
    const sent = await readParameters({ redirect_uri: 'https://evil.test', state: 'chosen' })
    expect(sent.get('redirect_uri')).toMatch(/^https:\/\/app\.test\//)
    expect(sent.get('state')).not.toBe('chosen')
  })
})

test('signing in with a provider that is down redirects to the sign-in page', async () => {
  const site = nextSite({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
  const target = 'https://app.test/api/auth/signin?error=OAuthSignInError'
  expect(await thrownRedirect(site.action(() => site.signIn('op')))).toBe(target)
  expect(await site.action(() => site.signIn('op', { redirect: false }))).toBe(target)
  expect(await site.render(() => site.auth())).toBeNull()
})

test('signing in with a provider whose metadata is invalid throws', async () => {
  const fetch = async () => Response.json({ issuer: 'https://other.test' })
  const site = nextSite({ fetch })
  const work = site.action(() => site.signIn('op', { redirect: false }))
  await expect(work).rejects.toHaveProperty('type', 'InvalidEndpoints')
})

test.each([
  ['signOut', [null]],
  ['signOut', ['/home']],
  ['signIn', ['credentials', null]],
] as const)('%s rejects the options %j', async (name, given) => {
  const site = nextSite()
  await site.signInGrace()
  const call = site.action(() => Reflect.apply(site[name], undefined, given))
  await expect(call).rejects.toThrow('Options are not an object or form')
  expect(await site.action(() => site.auth())).not.toBeNull()
})

describe('the redirect of an action or a route handler', () => {
  test.each<[string, (site: NextSite) => Promise<unknown>]>([
    ['signing in at a provider', (site) => site.signIn('op')],
    ['signing in with a password', (site) => site.signIn('credentials', login)],
    ['the sign-in page', (site) => site.signIn()],
    ['signing out', (site) => site.signOut()],
  ])('does not repeat the POST request: %s', async (_what, work) => {
    const site = nextSite()
    const post = async () => {
      await work(site)
      return new Response('stays')
    }
    const visit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect(await thrownRedirectStatus(site.route(post, '/api/session', visit))).toBe(303)
    expect(await thrownRedirectStatus(site.action(() => work(site)))).toBe(303)
  })
})

test('on http, cookies have names without a prefix', async () => {
  const site = nextSite()
  const headers = { host: 'localhost:3000', 'x-forwarded-proto': 'http' }
  await site.action(() => site.signIn('credentials', { ...login, redirect: false }), {
    headers,
  })
  const names = site.set.map((each) => each.split('=')[0])
  expect(names).toContain('lib.session-token')
  expect(names.filter((name) => name?.startsWith('__'))).toEqual([])
  expect(site.set.join()).not.toContain('Secure')
  const cookie = site.set.map((each) => each.split(';')[0]).join('; ')
  const visit = { headers: { ...headers, cookie } }
  const grace = { user: { name: 'Grace Hopper' } }
  expect(await site.render(() => site.auth(), visit)).toMatchObject(grace)
  // On https, these cookies are ignored.
  expect(await site.render(() => site.auth(), { headers: { cookie } })).toBeNull()
  const secured = nextSite({ useSecureCookies: true })
  await secured.action(() => secured.signIn('credentials', { ...login, redirect: false }), {
    headers,
  })
  expect(secured.set.join()).toContain('__Host-lib.session-token=')
})

// A challenge of `protection.onAttempt` in a server action.

test('an action throws that a challenge is required, and passes the answer in its form', async () => {
  const onAttempt = ({ challenge }: Attempt) => (challenge === '4' ? 'allow' : 'challenge')
  const site = nextSite({ protection: { onAttempt } })
  const form = new FormData()
  for (const [name, value] of Object.entries(login)) form.set(name, value)
  const work = () => site.action(() => site.signIn('credentials', form))
  for (const answer of [null, '5']) {
    if (answer) form.set('challenge', answer)
    await expect(work()).rejects.toBeInstanceOf(SignInError)
    await expect(work()).rejects.toMatchObject({ type: 'ChallengeRequired', status: 403 })
  }
  form.set('challenge', '4')
  expect(await thrownRedirect(work())).toBe('https://app.test/')
})

// Redirect targets of server functions: a URL that the `redirect` callback returned, or one of the site.

const TARGETS: Record<string, string> = {
  'another site': 'https://evil.test/',
  'another site without scheme': '//evil.test/',
  'a backslash': '/\\evil.test',
  'a script': 'javascript:alert(1)',
  'text that is not a URL': 'evil.test:x:y',
  'an overlong URL': `https://evil.test/${'x'.repeat(3000)}`,
  'an empty URL': '',
}

const FUNCTIONS: Record<string, (site: NextSite, options: object) => Promise<unknown>> = {
  signIn: (site, options) => site.signIn('credentials', { ...login, ...options }),
  signOut: (site, options) => site.signOut(options),
}

describe.each(Object.entries(FUNCTIONS))('%s', (_name, call) => {
  test.each(Object.entries(TARGETS))('stays on the site with %s', async (_what, redirectTo) => {
    const site = nextSite()
    const url = await thrownRedirect(site.action(() => call(site, { redirectTo })))
    expect(new URL(url).origin).toBe(ORIGIN)
    const result = await site.action(() => call(site, { redirectTo, redirect: false }))
    expect(new URL(String(result)).origin).toBe(ORIGIN)
    const visit = { headers: { referer: redirectTo } }
    const back = await thrownRedirect(site.action(() => call(site, {}), visit))
    expect(new URL(back).origin).toBe(ORIGIN)
  })

  test('redirects to the URL that the redirect callback returns', async () => {
    const redirect = vi.fn(() => 'https://partner.test/landing')
    const site = nextSite({ callbacks: { redirect } })
    const url = await thrownRedirect(site.action(() => call(site, { redirectTo: '/home' })))
    expect(url).toBe('https://partner.test/landing')
    expect(redirect).toHaveBeenCalledExactlyOnceWith({ url: '/home', baseUrl: ORIGIN })
  })
})
