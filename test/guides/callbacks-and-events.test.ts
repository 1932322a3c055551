/** docs/guides/callbacks-and-events.md */
import { nextSite } from '../frameworks/next/next-site.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { CallbacksOptions, EventsOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'
import { configFor, oidc } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('callbacks-and-events')
const op = await issuer()

beforeEach(() => op.reset())

async function callback<Name extends keyof CallbacksOptions>(_name: Name, file: string) {
  return guide.load<Pick<CallbacksOptions, Name>>(`${file}.ts`)
}

function open(overrides: Parameters<typeof configFor>[1]): Browser {
  return browser(siteConfig(overrides), { issuer: op })
}

function siteConfig(overrides: Parameters<typeof configFor>[1]): AuthConfig {
  const providers = [oidc(op, { id: 'google' }), oidc(op, { id: 'other' })]
  return configFor(op, { providers, ...overrides }).config
}

test.each([
  ['google', 'example.com', ''],
  ['google', 'attacker.example', '/auth/error?error=AccessDenied'],
  ['other', 'example.com', '/only-google'],
])(
  'signIn redirects an account of %s with the domain %s to the path "%s"',
  async (provider, hd, path) => {
    const tab = open({ callbacks: await callback('signIn', 'sign-in-callback') })
    const response = await tab.signIn(provider, { sub: 'ada', hd })
    expect(response.headers.get('location')).toBe(`https://app.test${path}`)
  },
)

test.each([
  ['/account', 'https://app.test/account'],
  ['https://docs.example.com/start', 'https://docs.example.com/start'],
  ['https://docs.example.com.attacker.example/', 'https://app.test'],
  ['//attacker.example/', 'https://app.test'],
])('redirect turns %s into %s', async (callbackUrl, location) => {
  const tab = open({ callbacks: await callback('redirect', 'redirect-callback') })
  const transaction = await tab.begin('google', { callbackUrl })
  const response = await transaction.complete()
  expect(response.headers.get('location')).toBe(location)
})

test('jwt and session carry the provider, and a new name after an update', async () => {
  const callbacks = {
    ...(await callback('jwt', 'jwt-callback')),
    ...(await callback('session', 'session-callback')),
  }
  const tab = open({ callbacks })
  await tab.signIn('google')
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace', provider: 'google' } })
  const csrfToken = await tab.csrfToken()
  await tab.request('session', { method: 'POST', json: { csrfToken, data: { name: 'Countess' } } })
  expect(await tab.session()).toMatchObject({ user: { name: 'Countess', provider: 'google' } })
})

test('events are written to the audit log', async () => {
  const { events, log } = await guide.load<{ events: EventsOptions; log: string[] }>('events.ts')
  const tab = open({ adapter: MemoryAdapter(), events })
  await tab.signIn('google')
  await tab.post('signout')
  await vi.waitFor(() => expect(log).toHaveLength(4), { timeout: 60_000 })
  expect(log).toEqual([
    'created ada@example.com',
    'linked google to ada@example.com',
    'ada@example.com signed in with google for the first time',
    expect.stringMatching(/^.+ signed out$/),
  ])
})

test.each([
  [[{ id: '1' }, { id: '81384788765712384' }], ''],
  [[{ id: '1' }], '/members-only'],
  [null, '/members-only'],
])('of the servers %j leads to the path "%s"', async (servers, path) => {
  const asked = vi.fn(async (_url: string, _init: { headers: { authorization: string } }) =>
    servers ? Response.json(servers) : new Response(null, { status: 500 }),
  )
  vi.stubGlobal('fetch', asked)
  onTestFinished(() => void vi.unstubAllGlobals())
  const callbacks = await callback('signIn', 'members-callback')
  const tab = open({ providers: [oidc(op, { id: 'discord' })], callbacks })
  const response = await tab.signIn('discord', { sub: 'ada' })
  expect(response.headers.get('location')).toBe(`https://app.test${path}`)
  const [url, init] = asked.mock.lastCall ?? []
  expect(url).toBe('https://discord.com/api/users/@me/guilds')
  expect(init?.headers.authorization).toMatch(/^Bearer \S{8}/)
})

test('the proxy leads a user without a profile to the page that asks for it', async () => {
  const { config, profiles } = await guide.load<{
    config: Partial<LibConfig>
    profiles: Set<string>
  }>('onboarding.ts')
  const site = nextSite(config)
  const visit = (path: string) => site.proxy(site.auth, path)
  expect((await visit('/account')).response.headers.get('location')).toContain('/api/auth/signin')
  await site.signInGrace()
  const { response } = await visit('/account?tab=2')
  const welcome = new URL(response.headers.get('location') ?? '', 'https://app.test')
  expect(welcome.pathname).toBe('/welcome')
  expect(welcome.searchParams.get('callbackUrl')).toBe('/account?tab=2')
  expect((await visit('/welcome')).page).toBeDefined()
  profiles.add('grace')
  await site.action(() => site.update({}))
  expect((await visit('/account')).page).toBeDefined()
})

test.each([
  ['a new user without consent', 'new', '', '/register?error=terms'],
  [
    'a new user who accepted an older version',
    'new',
    'accepted-terms=2020-01',
    '/register?error=terms',
  ],
  ['a new user who accepted the terms', 'new', 'accepted-terms=2026-11', true],
  ['a known user', 'known', '', true],
])('terms: signIn answers %s', async (_, providerAccountId, cookie, result) => {
  const adapter = MemoryAdapter()
  const user = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null }
  const { id: userId } = await adapter.createUser(user)
  const account = { provider: 'op', type: 'oidc', providerAccountId } as const
  await adapter.linkAccount({ ...account, providerAccountId: 'known', userId })
  const { signInWith } = await guide.load<{
    signInWith: (adapter: Adapter) => NonNullable<CallbacksOptions['signIn']>
  }>('terms.ts')
  const ask = () => Promise.resolve(signInWith(adapter)({ user, account }))
  expect(await nextSite().action(ask, { headers: { cookie } })).toBe(result)
})
