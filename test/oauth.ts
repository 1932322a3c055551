/** A site with one OAuth provider, and assertions for successful and rejected sign-ins. */
import { inspect } from 'node:util'
import { expect, vi } from 'vitest'
import type { OAuth2Config, OAuthConfig } from '../src/core/config/provider.ts'
import type { Account, AuthConfig, CallbacksOptions, Profile, User } from '../src/index.ts'
import { browser } from '../src/testing/index.ts'
import type { Browser, BrowserOptions, Issuer } from '../src/testing/index.ts'
import type { Fetch } from '../src/core/types.ts'
import { configFor, oidc } from './config.ts'
import type { Log } from './config.ts'

/** Parameters and members whose values must not appear in a log. */
const SECRETS = new Set<unknown>([
  'code',
  'state',
  'nonce',
  'code_verifier',
  'client_secret',
  'client_assertion',
  'access_token',
  'refresh_token',
  'id_token',
])

/** A request that the provider received. */
export interface Sent {
  readonly url: URL
  readonly headers: Headers
  readonly body: URLSearchParams
  readonly redirect: RequestRedirect
}

/** The parameters of the `signIn` callback. */
export interface SignedIn {
  readonly user: User
  readonly account: Account | null
  readonly profile?: Profile
}

/** A site with one provider. */
export interface Site {
  readonly op: Issuer
  readonly config: AuthConfig
  readonly log: Log
  readonly tab: Browser
  /** Requests to the provider, oldest first. */
  readonly sent: Sent[]
  /** Every secret that was sent or received. */
  readonly secrets: Set<string>
  readonly signedIn: SignedIn[]
  /** Another browser on the same site. */
  open(options?: BrowserOptions): Browser
}

/** Options of a site; by default it has one OpenID provider. */
export interface SiteOptions {
  readonly provider?: Partial<OAuthConfig>
  readonly config?: Partial<AuthConfig> & { callbacks?: CallbacksOptions }
  readonly browser?: BrowserOptions
}

/** A plain OAuth provider at the endpoints of an issuer, without discovery. */
export function oauth(op: Issuer, overrides: Partial<OAuth2Config> = {}): OAuth2Config {
  return {
    id: 'op',
    name: 'Test OP',
    type: 'oauth',
    authorization: `${op.url}/authorize`,
    token: `${op.url}/token`,
    userinfo: `${op.url}/userinfo`,
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    ...overrides,
  }
}

async function membersOf(response: Response): Promise<object> {
  const isJson = response.headers.get('content-type') === 'application/json'
  const body: unknown = isJson
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null
  return typeof body === 'object' && body !== null ? body : {}
}

function recorder(op: Issuer): { fetch: Fetch; sent: Sent[]; secrets: Set<string> } {
  const sent: Sent[] = []
  const secrets = new Set([op.clientSecret])
  const keep = (values: Iterable<readonly [string, unknown]>) => {
    for (const [name, value] of values)
      if (SECRETS.has(name) && typeof value === 'string' && value) secrets.add(value)
  }
  return {
    sent,
    secrets,
    async fetch(input, init) {
      const request = new Request(input, init)
      const body = new URLSearchParams(await request.clone().text())
      keep(body)
      const { url, headers, redirect } = request
      sent.push({ url: new URL(url), headers, body, redirect })
      const response = await op.fetch(request)
      keep(Object.entries(await membersOf(response)))
      return response
    },
  }
}

/** Opens a site. */
export function site(op: Issuer, options: SiteOptions = {}): Site {
  const { sent, secrets, fetch } = recorder(op)
  const signedIn: SignedIn[] = []
  const provider =
    options.provider?.type === 'oauth'
      ? oauth(op, options.provider)
      : oidc(op, options.provider as Parameters<typeof oidc>[1])
  const { config, log } = configFor(op, {
    providers: [provider],
    fetch,
    callbacks: { signIn: (params) => signedIn.push(params) > 0 },
    ...options.config,
  })
  const open = (more: BrowserOptions = {}) => {
    const tab = browser(config, { issuer: op, ...options.browser, ...more })
    return {
      ...tab,
      async begin(...args: Parameters<Browser['begin']>) {
        const transaction = await tab.begin(...args)
        for (const name of ['state', 'nonce']) {
          const value = transaction.url.searchParams.get(name)
          if (value) secrets.add(value)
        }
        return transaction
      },
    }
  }
  return { op, config, log, tab: open(), sent, secrets, signedIn, open }
}

/** Names of the transaction cookies. */
export function transactionCookies(tab: Browser): string[] {
  return tab.cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => name.includes('lib.state.'))
}

/** The `texts` that were logged, on any level and at any depth. */
export function logged(log: Log, texts: Iterable<string>): string[] {
  const everything = inspect(log, { depth: Infinity, maxStringLength: null, showHidden: true })
  return [...texts].filter((text) => everything.includes(text))
}

/** The expected response to a rejected sign-in. */
export interface Refusal {
  readonly type?: string
  readonly page?: 'signin' | 'error'
  /** The error type in the URL. */
  readonly error?: string
}

/** Expects a rejected sign-in: no session, no transaction cookie, and one logged error. */
export async function expectRefused(
  { tab, log, secrets }: Site,
  response: Response,
  { type = 'OAuthCallbackError', page = 'signin', error = type }: Refusal = {},
): Promise<void> {
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`${tab.origin}/auth/${page}?error=${error}`)
  expect(log.errors.map((each) => Reflect.get(each, 'type'))).toEqual([type])
  expect(logged(log, secrets)).toEqual([])
  expect(transactionCookies(tab)).toEqual([])
  expect(tab.cookies.all().filter(({ name }) => name.includes('session-token'))).toEqual([])
  expect(await tab.session()).toBeNull()
}

/** Expects a successful sign-in. */
export async function expectSignedIn(
  { tab, log }: Pick<Site, 'tab' | 'log'>,
  response: Response,
  target = tab.origin,
): Promise<void> {
  expect(log.errors).toEqual([])
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(target)
  expect(await tab.session()).not.toBeNull()
}

/** A response that never arrives. */
export function never(): Promise<Response> {
  return new Promise(() => undefined)
}

/** Freezes the date until {@link advanceDate}; timers run. */
export function stopDate(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-05-04T03:02:01Z')
}

/** Advances the date. */
export function advanceDate(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}
