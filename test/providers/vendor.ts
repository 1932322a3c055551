/** Sign-ins at a well-known provider with recorded responses. */
import { expect } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import type { Provider } from '../../src/core/config/provider.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser, Issuer, IssuerOptions, Values } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import type { Log } from '../config.ts'
import type { SignedIn } from '../oauth.ts'

/** A request and its response. */
export interface Exchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly response: { readonly status: number; readonly body?: unknown }
}

/** The responses of a provider, and the expected user. */
export interface Vector {
  readonly name: string
  readonly idTokenClaims?: Values
  readonly responses?: readonly Exchange[]
  readonly expected: Readonly<Record<string, unknown>>
}

/** A file of `fixtures`. */
export interface Fixture {
  readonly issuer?: string
  readonly tokenResponse: Values
  readonly vectors: readonly Vector[]
}

/** A site whose only provider is the one under test. */
export interface VendorSite {
  readonly config: AuthConfig
  readonly tab: Browser
  readonly log: Log
  readonly signedIn: SignedIn[]
  /** Method and URL of the requests that the provider received. */
  readonly requests: string[]
  /** The requests that the provider received, with their bodies. */
  readonly received: Request[]
  /** Responses in place of the recorded ones, by the URL without its query. */
  readonly instead: Map<string, () => Response>
}

/** The options that an application sets. */
export const OPTIONS = { clientId: 'sample-client', clientSecret: 'sample-secret' }

function siteFor(
  provider: Provider,
  answer: (request: Request) => Promise<Response>,
  tokens?: AuthConfig['tokens'],
) {
  const { log, logger } = silentLog()
  const signedIn: SignedIn[] = []
  const requests: string[] = []
  const received: Request[] = []
  const instead: VendorSite['instead'] = new Map()
  const config: AuthConfig = {
    providers: [provider],
    tokens,
    secret: SECRET,
    trustHost: true,
    logger,
    debug: true,
    callbacks: { signIn: (params) => signedIn.push(params) > 0 },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      requests.push(`${request.method} ${request.url}`)
      received.push(request.clone())
      return instead.get(request.url.replace(/\?.*/, ''))?.() ?? answer(request)
    },
  }
  return { config, log, signedIn, requests, received, instead }
}

function answerOf({ status, body }: Exchange['response']): Response {
  return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
}

/** Responds with the recorded exchange of a request, and checks the request. */
async function replay(request: Request, exchanges: readonly Exchange[]): Promise<Response> {
  // The query of a token request is random.
  const urls = new Set([request.url, request.url.replace(/\?.*/, '')])
  const exchange = exchanges.find(({ request: expected }) => urls.has(expected.url))
  if (!exchange) throw new Error(`Unexpected request to ${request.url}.`)
  expect(request.method).toBe(exchange.request.method)
  for (const [name, value] of Object.entries(exchange.request.headers ?? {}))
    expect(request.headers.get(name)).toBe(value)
  return answerOf(exchange.response)
}

/** A site with an OAuth provider that responds with the recorded exchanges. */
export function oauthSite(
  provider: Provider,
  token: {
    readonly url: string
    readonly method?: string
    readonly response: Exchange['response']
  },
  exchanges: readonly Exchange[] = [],
  tokens?: AuthConfig['tokens'],
): VendorSite {
  const request = { method: token.method ?? 'POST', url: token.url }
  const all = [{ request, response: token.response }, ...exchanges]
  const site = siteFor(provider, (received) => replay(received, all), tokens)
  return { tab: browser(site.config), ...site }
}

/** Completes a sign-in at an OAuth provider with a code. */
export async function completeSignIn(tab: Browser, parameters: Values = {}): Promise<Response> {
  const { url } = await tab.begin(await onlyProvider(tab))
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('code', 'sample-code')
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, String(value))
  return tab.request(back.href, { initiator: 'cross-site' })
}

async function onlyProvider(tab: Browser): Promise<string> {
  const providers: Record<string, unknown> = await (await tab.request('providers')).json()
  return Object.keys(providers)[0] ?? ''
}

/** Claims of one token rather than of the user. */
const TOKEN_CLAIMS = new Set(['iss', 'aud', 'azp', 'iat', 'exp', 'at_hash'])

/** The claims about the user. */
export function userClaims(claims: Values): Values {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)))
}

/** The test issuer as an OpenID provider. */
export interface VendorOptions extends IssuerOptions {
  readonly exchanges?: readonly Exchange[]
  /** The endpoints that are not below the URL of the issuer. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined
  readonly tokens?: AuthConfig['tokens']
}

const issuers = new Map<string, Promise<Issuer>>()

/** The same issuer for the same options, because the creation of an RSA key takes up to a second. */
async function issuerFor(options: IssuerOptions): Promise<Issuer> {
  const key = JSON.stringify(options)
  const created = issuers.get(key) ?? issuer(options)
  issuers.set(key, created)
  const op = await created
  op.reset()
  return op
}

/** A site with an OpenID provider (the test issuer); other requests receive the recorded exchanges. */
export async function oidcSite(
  provider: Provider,
  { exchanges = [], endpoints = {}, tokens, ...options }: VendorOptions,
): Promise<VendorSite & { readonly op: Issuer }> {
  const op = await issuerFor({ ...OPTIONS, ...options })
  const answer = async (request: Request) => {
    const { origin, pathname, search } = new URL(request.url)
    const endpoint = endpoints[origin + pathname]
    if (endpoint) return op.fetch(new Request(`${op.url}/${endpoint}${search}`, request))
    return request.url.startsWith(op.url) ? op.fetch(request) : replay(request, exchanges)
  }
  const site = siteFor(provider, answer, tokens)
  return { tab: browser(site.config, { issuer: op }), op, ...site }
}

/** Expects the user and the account of the vector. */
export function expectUser({ signedIn, log }: VendorSite, id: string, { expected }: Vector): void {
  expect(log.errors).toEqual([])
  expect(signedIn).toHaveLength(1)
  const [{ user, account } = {}] = signedIn
  expect(user).toEqual({ ...expected, id: `${id}|${String(expected['id'])}` })
  expect(account).toMatchObject({ provider: id, providerAccountId: expected['id'] })
}

/** The parameters of an authorization request, except `redirect_uri`. */
export const OIDC_REQUEST: Values = {
  scope: 'openid profile email',
  response_type: 'code',
  client_id: OPTIONS.clientId,
  state: expect.stringMatching(/^[\w-]{43}$/),
  nonce: expect.stringMatching(/^[\w-]{43}$/),
  code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  code_challenge_method: 'S256',
}
