// The same site with lib-auth and with @auth/core.
import { Auth as PeerAuth, customFetch as peerFetch } from '@auth/core'
import { Auth, getSession } from 'lib-auth'
import { issuer } from 'lib-auth/testing'

export const ORIGIN = 'https://app.test'
export const SECRET = 'thirty-two bytes for a benchmark, or more'

export const op = await issuer()
const ADA = {
  id: '1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: 'https://x.test/a.png',
}

export const openid = {
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
  authorize: ({ password }) => (password === 'right' ? { ...ADA } : null),
}
export const common = {
  secret: SECRET,
  trustHost: true,
  // Without `debug`, as in production.
  logger: { error() {}, warn() {} },
}

const ours = { ...common, providers: [openid, credentials], fetch: op.fetch }
const peers = { ...common, providers: [{ ...openid, [peerFetch]: op.fetch }, credentials] }

export const sites = {
  'lib-auth': {
    handle: (incoming) => Auth(incoming, ours),
    sessionCookie: '__Host-lib.session-token',
    direct: async (headers) => (await getSession(headers, ours)).session,
  },
  '@auth/core': {
    handle: (incoming) => PeerAuth(incoming, peers),
    sessionCookie: '__Secure-authjs.session-token',
    // Its wrappers read a session through the session route.
    direct: async (headers) => {
      const reading = new Request(`${ORIGIN}/auth/session`, {
        headers: { cookie: headers.get('cookie') ?? '' },
      })
      return (await PeerAuth(reading, peers)).json()
    },
  },
}

export function request(path, { cookie, method = 'GET', form } = {}) {
  return new Request(`${ORIGIN}/auth/${path}`, {
    method,
    headers: { host: 'app.test', accept: '*/*', 'user-agent': 'bench', ...(cookie && { cookie }) },
    ...(form && { body: new URLSearchParams(form) }),
  })
}

/** The cookies that a response sets, as a Cookie header. */
export function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}

/** A CSRF token and its cookies. */
export async function csrf(handle) {
  const response = await handle(request('csrf'))
  return { cookie: cookiesOf(response), csrfToken: (await response.json()).csrfToken }
}

export function credentialsRequest({ cookie, csrfToken }) {
  const form = { csrfToken, username: 'ada', password: 'right', callbackUrl: '/home' }
  return request('callback/credentials', { method: 'POST', cookie, form })
}

/** Both requests of a sign-in at a provider, without the time of the provider. */
export async function signInAtProvider(handle) {
  const { cookie, csrfToken } = await csrf(handle)
  const start = request('signin/op', { method: 'POST', cookie, form: { csrfToken } })
  const first = performance.now()
  const begun = await handle(start)
  const firstTime = performance.now() - first
  const { url } = await op.authorize(begun.headers.get('location'))
  const back = new Request(url, { headers: { cookie: `${cookie}; ${cookiesOf(begun)}` } })
  const second = performance.now()
  const response = await handle(back)
  return { response, time: firstTime + performance.now() - second }
}

/** Cookies of a browser after a sign-in, and one unrelated cookie. */
export async function signedInCookies({ handle, sessionCookie }) {
  const response = await handle(credentialsRequest(await csrf(handle)))
  const session = cookiesOf(response)
    .split('; ')
    .find((cookie) => cookie.startsWith(`${sessionCookie}=`))
  return `theme=dark; ${session}; consent=1`
}

/** Signs in with credentials at a running server; returns the session cookie. */
export async function signInAt(routes) {
  const asked = await fetch(`${routes}/csrf`)
  const { csrfToken } = await asked.json()
  const response = await fetch(`${routes}/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(asked) },
    body: new URLSearchParams({ csrfToken, username: 'ada', password: 'right' }),
  })
  const session = cookiesOf(response)
    .split('; ')
    .find((pair) => /^[\w.-]*session-token=/.test(pair))
  assert(session, `${routes}: the sign-in set no session cookie`)
  return session
}

export function assert(condition, message) {
  if (!condition) throw new Error(message)
}
