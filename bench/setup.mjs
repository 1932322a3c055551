// The same site with lib-auth and with @auth/core.
import { Auth as PeerAuth, customFetch as peerFetch } from '@auth/core'
import { encode as peerEncode } from '@auth/core/jwt'
import { Auth, getSession } from 'lib-auth'
import { encode } from 'lib-auth/jwt'
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

const encoders = { 'lib-auth': encode, '@auth/core': peerEncode }

/**
 * Cookie headers of several sessions; `next` returns one after the other. `lib-auth` caches less than 1,000 decrypted tokens,
 * so with that many each read decrypts.
 */
/** @param options `claims`: returns further claims of each session */
export async function sessionCookies(name, { count = 1000, claims = () => ({}) } = {}) {
  const { sessionCookie: salt } = sites[name]
  const cookies = []
  for (let index = 0; index < count; index++) {
    const { image: picture, ...user } = ADA
    const token = { ...user, picture, sub: String(index), auth_time: 1, ...claims() }
    const value = await encoders[name]({ token, secret: SECRET, salt })
    cookies.push(cookieHeader(salt, value))
  }
  let at = 0
  return { next: () => cookies[at++ % cookies.length] }
}

/** Chunks of values that are too long for a cookie. */
function cookieHeader(name, value) {
  const size = 3900
  const chunks = Math.ceil(value.length / size)
  const pairs = Array.from(
    { length: chunks },
    (_, index) => `${name}.${index}=${value.slice(index * size, (index + 1) * size)}`,
  )
  return `theme=dark; ${chunks === 1 ? `${name}=${value}` : pairs.join('; ')}; consent=1`
}

/** The cookies of every contender; those of `lib-auth` for the limit, too. */
export async function cookiesOfAll(options) {
  return {
    'lib-auth': await sessionCookies('lib-auth', options),
    '@auth/core': await sessionCookies('@auth/core', options),
    limit: await sessionCookies('lib-auth', options),
  }
}

/** Signs in with credentials at a running server; returns the session cookie. */
export async function signInAt(routes) {
  const asked = await fetch(`${routes}/csrf`)
  // `@auth/sveltekit` has no such route: SvelteKit checks the origin of forms.
  const { csrfToken = '' } = asked.ok ? await asked.json() : {}
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
