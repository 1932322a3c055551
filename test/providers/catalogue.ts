/** The requests and profiles that the documentation of each vendor describes, and a sign-in that uses them. */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'vitest'
import type { ProviderConfig } from '../../src/core/config/provider.ts'
import type { Values } from '../../src/testing/index.ts'
import { isRecord } from '../../src/core/is-record.ts'
import { completeSignIn, oidcSite, oauthSite, OPTIONS, userClaims } from './vendor.ts'
import type { Exchange, Vector, VendorSite } from './vendor.ts'

/** Tokens and profile of a user, and the user that the module returns. */
export interface CatalogueVector extends Vector {
  /** Replaces the token response of the fixture. */
  readonly tokenResponse?: Values
  /** Further options of the module. */
  readonly options?: Values
  /** Parameters of the authorization response in addition to `code` and `state`. */
  readonly callback?: Values
}

/** Parameters with the placeholders `{clientId}`, `{clientSecret}` and `{state}`; `null`: not sent. */
type Parameters = Readonly<Record<string, string | null>>

/** A file of `fixtures`: what the documentation of a vendor says. */
export interface CatalogueFixture {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  /** Options besides client id and secret. */
  readonly options?: Values
  /** The issuer of an OpenID provider. */
  readonly issuer?: string
  /** The URL before `/.well-known/openid-configuration`, if it is not the issuer. */
  readonly metadataBase?: string
  readonly authorization: {
    readonly url?: string
    readonly params: Parameters
  }
  readonly checks: readonly ('state' | 'pkce' | 'nonce')[]
  readonly token: {
    readonly url?: string
    readonly auth: 'client_secret_basic' | 'client_secret_post' | 'none'
    /** Parameters besides those of RFC 6749 §4.1.3 and RFC 7636 §4.5. */
    readonly params?: Parameters
    readonly method?: 'GET'
  }
  /** Endpoints of an OpenID provider that are not below the URL of its metadata. */
  readonly endpoints?: Readonly<Record<string, 'token' | 'userinfo' | 'jwks'>>
  /** The ID token is signed with the client secret. */
  readonly idTokenAlgorithm?: 'HS256'
  /** The userinfo response and the ID token are signed with this algorithm. */
  readonly signedUserinfo?: 'RS256'
  readonly tokenResponse: Values
  readonly tokenErrorResponse?: Exchange['response']
  readonly vectors: readonly CatalogueVector[]
}

type Factory = (options?: object) => ProviderConfig

const FIXTURES = new URL('fixtures/', import.meta.url)

function isFixture(value: unknown): value is CatalogueFixture {
  return isRecord(value) && Array.isArray(value['vectors']) && isRecord(value['authorization'])
}

function readFixture(file: string): CatalogueFixture {
  const fixture: unknown = JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'))
  if (!isFixture(fixture)) throw new Error(`${file} is not a fixture of the catalogue.`)
  return fixture
}

/** The fixtures by the name of their module. */
export const fixtures: ReadonlyMap<string, CatalogueFixture> = new Map(
  readdirSync(FIXTURES).map((file) => [basename(file, '.json'), readFixture(file)]),
)

export async function factoryOf(module: string): Promise<Factory> {
  const { default: factory } = await import(`../../src/providers/${module}.ts`)
  return factory
}

export function issuerOf({ issuer, options }: CatalogueFixture): string {
  const required = options?.['issuer'] ?? issuer
  if (typeof required !== 'string') throw new Error('The fixture has no issuer.')
  return required
}

function proofs({ checks }: CatalogueFixture): Values {
  const random = expect.stringMatching(/^[\w-]{43}$/)
  return {
    ...(checks.includes('state') && { state: expect.any(String) }),
    ...(checks.includes('nonce') && { nonce: random }),
    ...(checks.includes('pkce') && { code_challenge: random, code_challenge_method: 'S256' }),
  }
}

function fill(value: string | null): unknown {
  if (value === '{state}') return expect.any(String)
  const { clientId, clientSecret } = OPTIONS
  return value?.replace('{clientId}', clientId).replace('{clientSecret}', clientSecret)
}

function filled(params: Parameters = {}): Values {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fill(value)]))
}

export function expectedParameters(fixture: CatalogueFixture): Values {
  return {
    response_type: 'code',
    client_id: OPTIONS.clientId,
    redirect_uri: `https://app.test/auth/callback/${fixture.id}`,
    ...proofs(fixture),
    ...filled(fixture.authorization.params),
  }
}

/** Replaces the signature of an ID token with one by the client secret (RFC 7518 §3.2). */
async function signBySecret(token: string): Promise<string> {
  const [, claims = ''] = token.split('.')
  const header = Buffer.from(JSON.stringify({ typ: 'JWT', alg: 'HS256' })).toString('base64url')
  const input = `${header}.${claims}`
  const signature = createHmac('sha256', OPTIONS.clientSecret).update(input).digest('base64url')
  return `${input}.${signature}`
}

/** A site whose provider is the module, and a vendor that answers as in the vector, also at other endpoints. */
export async function catalogueSite(
  module: string,
  { tokenResponse, responses = [], options, callback = {} }: Partial<CatalogueVector> = {},
  others: CatalogueFixture['endpoints'] = {},
): Promise<VendorSite> {
  const fixture = fixtures.get(module)
  if (!fixture) throw new Error(`fixtures/${module}.json is missing.`)
  const { type, token, signedUserinfo } = fixture
  const factory = await factoryOf(module)
  const provider = factory({ ...OPTIONS, ...fixture.options, ...options })
  const body = { ...fixture.tokenResponse, ...tokenResponse }
  if (type === 'oauth') {
    const { url = '', method = 'POST' } = token
    return oauthSite(provider, { url, method, response: { status: 200, body } }, responses)
  }
  const iss = issuerOf(fixture)
  const url = fixture.metadataBase ?? iss.replace(/\/$/, '')
  const site = await oidcSite(provider, {
    url,
    exchanges: responses,
    endpoints: { ...fixture.endpoints, ...others },
    // Without metadata, the algorithm is RS256 (OpenID Connect Core §3.1.3.7).
    algorithm: signedUserinfo ?? (fixture.endpoints ? 'RS256' : 'ES256'),
  })
  if (fixture.idTokenAlgorithm) site.op.misbehaviour.signed = signBySecret
  site.op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: iss })
  site.op.misbehaviour.authorization = (parameters) => {
    for (const [name, value] of Object.entries<unknown>({ iss, ...callback }))
      parameters.set(name, String(value))
    return parameters
  }
  if (signedUserinfo)
    site.op.misbehaviour.userinfo = async (claims) => {
      const jwt = await site.op.sign({ ...claims, iss, aud: OPTIONS.clientId })
      return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
    }
  site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
  // Each ID token is signed for its sign-in.
  site.op.misbehaviour.token = (sent) => ({ ...sent, ...body, id_token: sent['id_token'] })
  return site
}

/** Signs in with the claims or the recorded profile of the vector. */
export async function signInWith(
  { tab }: VendorSite,
  { type, id }: CatalogueFixture,
  { idTokenClaims = {}, callback = {} }: Partial<CatalogueVector>,
): Promise<Response> {
  if (type === 'oauth') return completeSignIn(tab, callback)
  return tab.signIn(id, userClaims(idTokenClaims))
}

/** The parameters of a request, from its query and its body. */
async function readParameters(request: Request): Promise<Values> {
  const body = new URLSearchParams(await request.clone().text())
  return Object.fromEntries([...new URL(request.url).searchParams, ...body])
}

function clientAuthentication({ token }: CatalogueFixture): Values {
  const { clientId, clientSecret } = OPTIONS
  if (token.auth === 'client_secret_basic') return {}
  return {
    client_id: clientId,
    ...(token.auth === 'client_secret_post' && { client_secret: clientSecret }),
  }
}

/** Expects one token request, with the parameters and the client authentication of the fixture. */
export async function expectTokenRequest(
  { received }: VendorSite,
  fixture: CatalogueFixture,
): Promise<void> {
  const { id, token, checks } = fixture
  const url = token.url ?? `${issuerOf(fixture).replace(/\/$/, '')}/token`
  const sent = received.filter((request) => request.url.replace(/\?.*/, '') === url)
  expect(sent).toHaveLength(1)
  const [request] = sent
  if (!request) return
  const { clientId, clientSecret } = OPTIONS
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  expect(request.headers.get('authorization')).toBe(
    token.auth === 'client_secret_basic' ? basic : null,
  )
  expect(await readParameters(request)).toEqual({
    grant_type: 'authorization_code',
    code: expect.any(String),
    redirect_uri: `https://app.test/auth/callback/${id}`,
    ...(checks.includes('pkce') && { code_verifier: expect.any(String) }),
    ...clientAuthentication(fixture),
    ...filled(token.params),
  })
}
