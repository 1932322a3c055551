import { sha256, toBase64Url, toBytes } from '../core/crypto/digest.ts'
import type {
  Issuer,
  IssuerEndpoint,
  IssuerOptions,
  Misbehaviour,
  SkippedValidation,
  Values,
} from './types.ts'

type Algorithm = NonNullable<IssuerOptions['algorithm']>

const RSA = { hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }

/** Parameters of Web Crypto for key generation and signatures (RFC 7518 §3, RFC 8037 §3). */
const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', ...RSA },
  PS256: { name: 'RSA-PSS', saltLength: 32, ...RSA },
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519', namedCurve: 'Ed25519' },
} as const satisfies Record<Algorithm, object>

async function generateSigningKey(alg: Algorithm, kid: string) {
  const algorithm = ALGORITHMS[alg]
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const exported = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const { ext: _ext, key_ops: _keyOps, ...parameters } = exported
  return {
    publicKey: { ...parameters, kid, alg, use: 'sig' },
    /** Signs a compact JWS (RFC 7515 §3.1); `header` overrides the header of the key. */
    async sign(payload: string, header: Values): Promise<string> {
      const parts = [JSON.stringify({ alg, kid, ...header }), payload]
      const input = parts.map((part) => toBase64Url(toBytes(part))).join('.')
      const signature = await crypto.subtle.sign(algorithm, keys.privateKey, toBytes(input))
      return `${input}.${toBase64Url(new Uint8Array(signature))}`
    },
  }
}

interface Grant {
  readonly query: URLSearchParams
  readonly user: Values
}

interface Provider extends Pick<
  Issuer,
  'url' | 'clientId' | 'clientSecret' | 'misbehaviour' | 'sign'
> {
  /** By authorization code. */
  readonly grants: Map<string, Grant>
  /** By access token. */
  readonly users: Map<string, Values>
  readonly refreshTokens: NonNullable<IssuerOptions['refreshTokens']>
  /** Of access tokens, in seconds. */
  readonly lifetime: number
  /** By refresh token. */
  readonly refreshable: Map<string, Refreshable>
}

/** What the refresh tokens of one sign-in share. */
interface Refreshable {
  readonly grant: Grant
  /** The valid one; `null` once a replaced one was sent, which may have been stolen (RFC 9700 §4.14.2). */
  current: string | null
}

const ADA = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://issuer.test/ada.png',
}

const NO_REQUESTS = { discovery: 0, jwks: 0, token: 0, userinfo: 0 }

const ENDPOINTS: ReadonlyMap<string, IssuerEndpoint> = new Map([
  ['/.well-known/openid-configuration', 'discovery'],
  ['/jwks', 'jwks'],
  ['/token', 'token'],
  ['/userinfo', 'userinfo'],
])

function createMetadata(url: string, algorithm: string): Values {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: [algorithm],
    authorization_response_iss_parameter_supported: true,
  }
}

function errorResponse(error: 'invalid_client' | 'invalid_grant' | 'invalid_token'): Response {
  return Response.json({ error }, { status: error === 'invalid_grant' ? 400 : 401 })
}

/** Not by its class, which adapters of servers replace. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'arrayBuffer' in value
}

async function respond<T>(body: T, override?: (body: T) => unknown): Promise<Response> {
  const changed = override ? await override(body) : body
  return isResponse(changed) ? changed : Response.json(changed)
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** RFC 6749 §2.3.1. */
function clientCredentials(headers: Headers, body: URLSearchParams): readonly string[] {
  const basic = /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  if (basic) return atob(basic).split(':').map(formDecode)
  return [body.get('client_id') ?? '', body.get('client_secret') ?? '']
}

/** PKCE with S256 (RFC 7636 §4.6); without a challenge, there must be no verifier. */
async function matchesChallenge({ query }: Grant, verifier: string | null): Promise<boolean> {
  return (
    query.get('code_challenge') === (verifier === null ? null : await sha256(verifier, 'base64url'))
  )
}

async function createIdToken({ query, user }: Grant, provider: Provider): Promise<string> {
  const { url, clientId, misbehaviour, sign } = provider
  const now = Math.floor(Date.now() / 1000)
  const nonce = query.get('nonce')
  const claims = {
    ...user,
    iss: url,
    aud: clientId,
    iat: now,
    exp: now + 300,
    ...(nonce !== null && { nonce }),
    ...(query.has('max_age') && { auth_time: now }),
  }
  const draft = misbehaviour.idToken?.({ header: {}, claims }) ?? { header: {}, claims }
  const token = await sign(draft.claims, draft.header)
  return (await misbehaviour.signed?.(token)) ?? token
}

/** `family`: of a refresh; else a new one begins. */
async function issueTokens(
  grant: Grant,
  provider: Provider,
  family?: Refreshable,
): Promise<Response> {
  const { users, refreshTokens, refreshable, lifetime, misbehaviour } = provider
  const access_token = crypto.randomUUID()
  users.set(access_token, grant.user)
  const scope = grant.query.get('scope') ?? 'openid profile email'
  const tokens: Values = { access_token, token_type: 'Bearer', expires_in: lifetime, scope }
  const isNew = refreshTokens !== 'none' && (!family || refreshTokens === 'rotated')
  if (isNew) {
    const refresh_token = crypto.randomUUID()
    const next = family ?? { grant, current: null }
    next.current = refresh_token
    refreshable.set(refresh_token, next)
    Object.assign(tokens, { refresh_token })
  }
  return respond({ ...tokens, id_token: await createIdToken(grant, provider) }, misbehaviour.token)
}

/** RFC 6749 §6. */
async function refresh(body: URLSearchParams, provider: Provider): Promise<Response> {
  const token = body.get('refresh_token') ?? ''
  const family = provider.refreshable.get(token)
  if (family && family.current !== token) family.current = null
  if (!family || family.current === null) return errorResponse('invalid_grant')
  return issueTokens(family.grant, provider, family)
}

async function redeemToken(request: Request, provider: Provider): Promise<Response> {
  const { clientId, clientSecret, misbehaviour } = provider
  const skips = (validation: SkippedValidation) => misbehaviour.overlooks?.includes(validation)
  const { searchParams } = new URL(request.url)
  const hasQuery = request.method === 'GET' && skips('request_method')
  const body = hasQuery ? searchParams : new URLSearchParams(await request.text())
  const [id, secret] = clientCredentials(request.headers, body)
  const isClient = id === clientId && secret === clientSecret
  if (!isClient && !skips('client_authentication')) return errorResponse('invalid_client')
  return body.get('grant_type') === 'refresh_token'
    ? refresh(body, provider)
    : redeemCode(body, provider)
}

async function redeemCode(body: URLSearchParams, provider: Provider): Promise<Response> {
  const { grants, misbehaviour } = provider
  const skips = (validation: SkippedValidation) => misbehaviour.overlooks?.includes(validation)
  const code = body.get('code') ?? ''
  const grant = grants.get(code)
  if (!skips('code_reuse')) grants.delete(code)
  if (!grant) return errorResponse('invalid_grant')
  const isSameUri = grant.query.get('redirect_uri') === body.get('redirect_uri')
  if (!isSameUri && !skips('redirect_uri')) return errorResponse('invalid_grant')
  const isVerified = await matchesChallenge(grant, body.get('code_verifier'))
  if (!isVerified && !skips('code_verifier')) return errorResponse('invalid_grant')
  return issueTokens(grant, provider)
}

/** Creates an in-process OpenID provider with real keys and validation; it can violate the protocol on request. */
export async function issuer(options: IssuerOptions = {}): Promise<Issuer> {
  const {
    url = 'https://issuer.test',
    clientId = 'client',
    clientSecret = 'client secret: 100% ö',
    algorithm = 'RS256',
    keyId = 'key',
    person: defaultUser = ADA,
    refreshTokens = 'none',
    accessTokenLifetime: lifetime = 3600,
  } = options
  const basePath = new URL(url).pathname.replace(/\/$/, '')
  const grants = new Map<string, Grant>()
  const users = new Map<string, Values>()
  const requests = { ...NO_REQUESTS }
  const misbehaviour: Misbehaviour = {}
  let keyNumber = 1
  let key = await generateSigningKey(algorithm, `${keyId}-1`)

  const sign: Issuer['sign'] = (claims, header = {}) =>
    key.sign(typeof claims === 'string' ? claims : JSON.stringify(claims), header)

  const refreshable = new Map<string, Refreshable>()
  const client = { url, clientId, clientSecret, misbehaviour, sign }
  const provider = { ...client, grants, users, refreshTokens, lifetime, refreshable }
  const endpoints: Readonly<Record<IssuerEndpoint, (request: Request) => Promise<Response>>> = {
    discovery: () => respond(createMetadata(url, algorithm), misbehaviour.discovery),
    jwks: () => respond({ keys: [key.publicKey] }, misbehaviour.jwks),
    token: (request) => redeemToken(request, provider),
    async userinfo({ headers }) {
      const user = users.get(headers.get('authorization')?.replace(/^Bearer /, '') ?? '')
      return user ? respond(user, misbehaviour.userinfo) : errorResponse('invalid_token')
    },
  }

  return {
    url,
    clientId,
    clientSecret,
    requests,
    misbehaviour,
    sign,
    reset() {
      for (const name of Object.keys(misbehaviour)) delete misbehaviour[name as keyof Misbehaviour]
      Object.assign(requests, NO_REQUESTS)
    },
    async rotateKeys() {
      key = await generateSigningKey(algorithm, `${keyId}-${++keyNumber}`)
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const endpoint = ENDPOINTS.get(new URL(request.url).pathname.slice(basePath.length))
      if (!endpoint) return new Response(null, { status: 404 })
      requests[endpoint]++
      return endpoints[endpoint](request)
    },
    async authorize(target, user = defaultUser) {
      const query = new URL(target).searchParams
      const code = crypto.randomUUID()
      grants.set(code, { query, user })
      const state = query.get('state')
      const correct = new URLSearchParams({ code, iss: url, ...(state !== null && { state }) })
      const parameters = misbehaviour.authorization?.(correct) ?? correct
      const redirectUri = query.get('redirect_uri') ?? ''
      if (query.get('response_mode') === 'form_post') return { url: redirectUri, form: parameters }
      return { url: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}` }
    },
  }
}
