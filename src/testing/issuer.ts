import { base64url, CompactSign, exportJWK, generateKeyPair } from 'jose'
import type { Issuer, IssuerOptions, Misbehaviour, Values } from './types.ts'

interface Grant {
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly maxAge: string | null
  readonly person: Values
}

const ADA = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://issuer.test/ada.png',
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status })
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

async function matchesChallenge(
  challenge: string | null,
  verifier: string | null,
): Promise<boolean> {
  if (challenge === null) return verifier === null
  const bytes = new TextEncoder().encode(verifier ?? '')
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return base64url.encode(new Uint8Array(hash)) === challenge
}

/** Creates an in-process OpenID provider with real keys and validation; it can violate the protocol on request. */
export async function issuer(options: IssuerOptions = {}): Promise<Issuer> {
  const {
    url = 'https://issuer.test',
    clientId = 'client',
    clientSecret = 'client secret: 100% ö',
    algorithm = 'RS256',
    person: somebody = ADA,
  } = options
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, Values>()
  const requests = { discovery: 0, jwks: 0, token: 0, userinfo: 0 }
  const misbehaviour: Misbehaviour = {}
  const overlooks = (what: NonNullable<Misbehaviour['overlooks']>[number]) =>
    misbehaviour.overlooks?.includes(what) ?? false
  let keyNumber = 0
  const newKeys = async () => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const kid = `key-${++keyNumber}`
    return {
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
    }
  }
  let keys = await newKeys()

  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: [algorithm],
    authorization_response_iss_parameter_supported: true,
  })

  const sign = (claims: Values | string, header: Values = {}) => {
    const payload = typeof claims === 'string' ? claims : JSON.stringify(claims)
    return new CompactSign(new TextEncoder().encode(payload))
      .setProtectedHeader({ alg: algorithm, kid: keys.kid, ...header })
      .sign(keys.privateKey)
  }

  async function idToken({ nonce, maxAge, person }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...person,
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

  function isClient(body: URLSearchParams, headers: Headers): boolean {
    const [id, secret] = clientCredentials(headers, body)
    return (id === clientId && secret === clientSecret) || overlooks('client_authentication')
  }

  async function redeem(body: URLSearchParams, headers: Headers): Promise<Response> {
    if (!isClient(body, headers)) return json({ error: 'invalid_client' }, 401)
    const code = body.get('code') ?? ''
    const grant = grants.get(code)
    if (!overlooks('code_reuse')) grants.delete(code)
    const isRedeemable =
      grant?.redirectUri === body.get('redirect_uri') &&
      (overlooks('code_verifier') ||
        (await matchesChallenge(grant?.codeChallenge ?? null, body.get('code_verifier'))))
    if (!grant || !isRedeemable) return json({ error: 'invalid_grant' }, 400)
    const accessToken = crypto.randomUUID()
    accessTokens.set(accessToken, grant.person)
    const answer = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
      id_token: await idToken(grant),
    }
    const changed = await (misbehaviour.token?.(answer) ?? answer)
    return changed instanceof Response ? changed : json(changed)
  }

  async function tell(headers: Headers): Promise<Response> {
    const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    const person = accessTokens.get(token)
    if (!person) return json({ error: 'invalid_token' }, 401)
    const changed = await (misbehaviour.userinfo ? misbehaviour.userinfo(person) : person)
    return changed instanceof Response ? changed : json(changed)
  }

  async function publish(endpoint: 'discovery' | 'jwks'): Promise<Response> {
    const changed =
      endpoint === 'jwks'
        ? await (misbehaviour.jwks?.({ keys: [keys.jwk] }) ?? { keys: [keys.jwk] })
        : await (misbehaviour.discovery?.(metadata()) ?? metadata())
    return changed instanceof Response ? changed : json(changed)
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
      keys = await newKeys()
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const base = new URL(url).pathname.replace(/\/$/, '')
      switch (pathname.slice(base.length)) {
        case '/.well-known/openid-configuration':
          requests.discovery++
          return publish('discovery')
        case '/jwks':
          requests.jwks++
          return publish('jwks')
        case '/token':
          requests.token++
          return redeem(new URLSearchParams(await request.text()), request.headers)
        case '/userinfo':
          requests.userinfo++
          return tell(request.headers)
        default:
          return new Response(null, { status: 404 })
      }
    },
    async authorize(target, person = somebody) {
      const query = new URL(target).searchParams
      const redirectUri = query.get('redirect_uri') ?? ''
      const code = crypto.randomUUID()
      grants.set(code, {
        clientId: query.get('client_id') ?? '',
        redirectUri,
        codeChallenge: query.get('code_challenge'),
        nonce: query.get('nonce'),
        maxAge: query.get('max_age'),
        person,
      })
      const good = new URLSearchParams({ code, iss: url })
      const state = query.get('state')
      if (state !== null) good.set('state', state)
      const parameters = misbehaviour.authorization?.(good) ?? good
      if (query.get('response_mode') === 'form_post') return { url: redirectUri, form: parameters }
      return { url: `${redirectUri}?${parameters}` }
    },
  }
}
