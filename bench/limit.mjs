// The limit: the same session, read with node:crypto and nothing else. It knows the name of the cookie, checks
// authenticity and expiry, and returns the same bytes.
import {
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { SECRET, sites } from './setup.mjs'

const NAME = sites['lib-auth'].sessionCookie
const INFO = `Lib Generated Encryption Key (${NAME})`
const bytes = new Uint8Array(hkdfSync('sha256', SECRET, NAME, INFO, 64))
const macKey = createSecretKey(bytes.subarray(0, 32))
const contentKey = createSecretKey(bytes.subarray(32))

function open(token) {
  const [header, , iv64, text64, tag64] = token.split('.')
  const iv = Buffer.from(iv64, 'base64url')
  const text = Buffer.from(text64, 'base64url')
  const tag = Buffer.from(tag64, 'base64url')
  const length = Buffer.alloc(8)
  length.writeUInt32BE(header.length * 8, 4)
  const mac = createHmac('sha512', macKey).update(header).update(iv).update(text).update(length)
  if (!timingSafeEqual(mac.digest().subarray(0, 32), tag)) return null
  const decipher = createDecipheriv('aes-256-cbc', contentKey, iv)
  return JSON.parse(decipher.update(text, undefined, 'utf8') + decipher.final('utf8'))
}

/** The token in a Cookie header, whole or chunked. */
function tokenIn(cookie) {
  const at = cookie.indexOf(`${NAME}=`)
  if (at === -1) return joinChunks(cookie)
  const from = at + NAME.length + 1
  const end = cookie.indexOf(';', from)
  return cookie.slice(from, end === -1 ? undefined : end)
}

function joinChunks(cookie) {
  let token = ''
  for (let at = cookie.indexOf(`${NAME}.`); at !== -1;) {
    const from = cookie.indexOf('=', at) + 1
    const end = cookie.indexOf(';', from)
    token += cookie.slice(from, end === -1 ? undefined : end)
    at = cookie.indexOf(`${NAME}.`, from)
  }
  return token
}

/** The session in a Cookie header. */
export function readByHand(cookie) {
  const token = tokenIn(cookie)
  const claims = token && open(token)
  if (!claims || claims.exp < Date.now() / 1000) return null
  const { name, email, picture: image, exp } = claims
  return { user: { name, email, image }, expires: new Date(exp * 1000).toISOString() }
}

const HEADERS = new Headers({
  'cache-control': 'private, no-store',
  vary: 'Cookie',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-type': 'application/json',
})

/** The session with a token in the database. */
export async function lookUpByHand(adapter, cookie) {
  const found = await adapter.getSessionAndUser(tokenIn(cookie))
  if (!found || found.session.expires < new Date()) return null
  const { name, email, image } = found.user
  return { user: { name, email, image }, expires: found.session.expires.toISOString() }
}

/** The session route; `read` finds the session in a Cookie header. */
export async function handleByHand(request, read = readByHand) {
  const { pathname } = new URL(request.url)
  if (pathname !== '/auth/session') return new Response(null, { status: 404 })
  const session = await read(request.headers.get('cookie') ?? '')
  return new Response(JSON.stringify(session), { headers: HEADERS })
}
