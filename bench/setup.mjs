// The same site, three times: with lib-auth, with @auth/core, and by hand around node:crypto.
import { Auth as PeerAuth, customFetch as peerFetch } from '@auth/core'
import { encode as peerEncode } from '@auth/core/jwt'
import { Auth, getSession } from 'lib-auth'
import { encode } from 'lib-auth/jwt'
import { issuer } from 'lib-auth/testing'

export const ORIGIN = 'https://app.test'
export const SECRET = 'thirty-two bytes for a benchmark, or more'
const DAYS_30 = 30 * 24 * 60 * 60

export const op = await issuer()
const ADA = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  picture: 'https://x.test/a.png',
  sub: '1',
}

const openid = {
  id: 'op',
  name: 'OP',
  type: 'oidc',
  issuer: op.url,
  clientId: op.clientId,
  clientSecret: op.clientSecret,
  checks: ['pkce', 'state', 'nonce'],
}
const credentials = {
  id: 'credentials',
  name: 'Credentials',
  type: 'credentials',
  credentials: { username: {}, password: { type: 'password' } },
  authorize: ({ password }) => (password === 'right' ? { id: '1', name: 'Ada' } : null),
}
const common = { secret: SECRET, trustHost: true, logger: { error() {}, warn() {}, debug() {} } }

const ours = { ...common, providers: [openid, credentials], fetch: op.fetch }
const peers = { ...common, providers: [{ ...openid, [peerFetch]: op.fetch }, credentials] }

export const sites = {
  'lib-auth': {
    handle: (incoming) => Auth(incoming, ours),
    sessionCookie: '__Host-lib.session-token',
    encode: (salt) => encode({ token: ADA, secret: SECRET, salt, maxAge: DAYS_30 }),
    direct: async (headers) => (await getSession(headers, ours)).session,
  },
  '@auth/core': {
    handle: (incoming) => PeerAuth(incoming, peers),
    sessionCookie: '__Secure-authjs.session-token',
    encode: (salt) => peerEncode({ token: ADA, secret: SECRET, salt, maxAge: DAYS_30 }),
    // How its wrappers read a session: by a request to themselves.
    direct: async (headers) => {
      const reading = new Request(`${ORIGIN}/auth/session`, {
        headers: { cookie: headers.get('cookie') ?? '' },
      })
      return (await PeerAuth(reading, peers)).json()
    },
  },
}

/** Cookies of a browser that is signed in, beside what sites set otherwise. */
export async function signedInCookies({ sessionCookie, encode: make }) {
  return `theme=dark; ${sessionCookie}=${await make(sessionCookie)}; consent=1`
}

export function request(path, { cookie, method = 'GET', form } = {}) {
  return new Request(`${ORIGIN}/auth/${path}`, {
    method,
    headers: { host: 'app.test', accept: '*/*', 'user-agent': 'bench', ...(cookie && { cookie }) },
    ...(form && { body: new URLSearchParams(form) }),
  })
}

/** The cookies a response sets, as the browser sends them back. */
export function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}

export function assert(condition, message) {
  if (!condition) throw new Error(message)
}
