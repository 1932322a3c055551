import { sha256 } from '../crypto/digest.ts'
import { generateSigningKey } from './signing-key.ts'
import type {
  Issuer,
  IssuerEndpoint,
  IssuerOptions,
  Misbehaviour,
  SkippedValidation,
  Values,
} from './types.ts'

interface Grant {
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly maxAge: string | null
  readonly user: Values
}

const ADA = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://issuer.test/ada.png',
}

const ENDPOINTS: ReadonlyMap<string, IssuerEndpoint> = new Map([
  ['/.well-known/openid-configuration', 'discovery'],
  ['/jwks', 'jwks'],
  ['/token', 'token'],
  ['/userinfo', 'userinfo'],
])

function metadataOf(url: string, algorithm: string): Values {
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

function errorResponse(error: string, status: number): Response {
  return Response.json({ error }, { status })
}

async function respond<T>(body: T, override?: (body: T) => unknown): Promise<Response> {
  const changed = override ? await override(body) : body
  return changed instanceof Response ? changed : Response.json(changed)
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

async function matchesChallenge(challenge: string | null, verifier: string | null) {
  return challenge === (verifier === null ? null : await sha256(verifier, 'base64url'))
}

/** Creates an in-process OpenID provider with real keys and validation; it can violate the protocol on request. */
export async function issuer(options: IssuerOptions = {}): Promise<Issuer> {
  const {
    url = 'https://issuer.test',
    clientId = 'client',
    clientSecret = 'client secret: 100% ö',
    algorithm = 'RS256',
    person: defaultUser = ADA,
  } = options
  const basePath = new URL(url).pathname.replace(/\/$/, '')
  const grants = new Map<string, Grant>()
  const users = new Map<string, Values>()
  const requests = { discovery: 0, jwks: 0, token: 0, userinfo: 0 }
  const misbehaviour: Misbehaviour = {}
  const skips = (validation: SkippedValidation) => misbehaviour.overlooks?.includes(validation)
  let keyNumber = 1
  let key = await generateSigningKey(algorithm, 'key-1')

  function sign(claims: Values | string, header: Values = {}): Promise<string> {
    return key.sign(typeof claims === 'string' ? claims : JSON.stringify(claims), header)
  }

  async function idToken({ nonce, maxAge, user }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...user,
      iss: url,
      aud: clientId,
      iat: now,
      exp: now + 300,
      ...(nonce !== null && { nonce }),
      ...(maxAge !== null && { auth_time: now }),
    }
    const draft = misbehaviour.idToken?.({ header: {}, claims }) ?? { header: {}, claims }
    const token = await sign(draft.claims, draft.header)
    return (await misbehaviour.signed?.(token)) ?? token
  }

  async function redeem(body: URLSearchParams, headers: Headers): Promise<Response> {
    const [id, secret] = clientCredentials(headers, body)
    const isClient = id === clientId && secret === clientSecret
    if (!isClient && !skips('client_authentication')) return errorResponse('invalid_client', 401)
    const code = body.get('code') ?? ''
    const grant = grants.get(code)
    if (!skips('code_reuse')) grants.delete(code)
    if (!grant || grant.redirectUri !== body.get('redirect_uri'))
      return errorResponse('invalid_grant', 400)
    const isVerified = await matchesChallenge(grant.codeChallenge, body.get('code_verifier'))
    if (!isVerified && !skips('code_verifier')) return errorResponse('invalid_grant', 400)
    const accessToken = crypto.randomUUID()
    users.set(accessToken, grant.user)
    const tokens = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
      id_token: await idToken(grant),
    }
    return respond(tokens, misbehaviour.token)
  }

  async function answer(endpoint: IssuerEndpoint, request: Request): Promise<Response> {
    switch (endpoint) {
      case 'discovery':
        return respond(metadataOf(url, algorithm), misbehaviour.discovery)
      case 'jwks':
        return respond({ keys: [key.publicKey] }, misbehaviour.jwks)
      case 'token':
        return redeem(new URLSearchParams(await request.text()), request.headers)
      case 'userinfo': {
        const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
        const user = users.get(token)
        return user ? respond(user, misbehaviour.userinfo) : errorResponse('invalid_token', 401)
      }
    }
  }

  return {
    url,
    clientId,
    clientSecret,
    requests,
    misbehaviour,
    sign,
    reset() {
      for (const name of Object.keys(misbehaviour)) Reflect.deleteProperty(misbehaviour, name)
      Object.assign(requests, { discovery: 0, jwks: 0, token: 0, userinfo: 0 })
    },
    async rotateKeys() {
      key = await generateSigningKey(algorithm, `key-${++keyNumber}`)
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const endpoint = ENDPOINTS.get(new URL(request.url).pathname.slice(basePath.length))
      if (!endpoint) return new Response(null, { status: 404 })
      requests[endpoint]++
      return answer(endpoint, request)
    },
    async authorize(target, person = defaultUser) {
      const query = new URL(target).searchParams
      const redirectUri = query.get('redirect_uri') ?? ''
      const state = query.get('state')
      const code = crypto.randomUUID()
      grants.set(code, {
        redirectUri,
        codeChallenge: query.get('code_challenge'),
        nonce: query.get('nonce'),
        maxAge: query.get('max_age'),
        user: person,
      })
      const correct = new URLSearchParams({ code, iss: url, ...(state !== null && { state }) })
      const parameters = misbehaviour.authorization?.(correct) ?? correct
      if (query.get('response_mode') === 'form_post') return { url: redirectUri, form: parameters }
      return { url: `${redirectUri}?${parameters}` }
    },
  }
}
