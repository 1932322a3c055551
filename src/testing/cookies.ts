/** The cookie rules of browsers, as far as one site needs them (RFC 6265bis §5). */

/** Relation of the site that initiates a request to its target. */
export type Initiator = 'same-site' | 'cross-site'

/** A cookie in a {@link CookieStore}. */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: 'strict' | 'lax' | 'none'
  /** Milliseconds since the epoch; `Infinity` for a session cookie. */
  readonly expires: number
}

/** The request for which a browser selects cookies. */
export interface CookieRequest {
  readonly url: URL
  readonly method: string
  readonly initiator: Initiator
}

/** The cookies of a test browser for one site. */
export interface CookieStore {
  /** Stores the cookie of a Set-Cookie header. @throws Error if a browser would reject it */
  accept(setCookie: string, url: URL): void
  /** The Cookie header of a request; empty without cookies. */
  header(request: CookieRequest): string
  get(name: string): StoredCookie | undefined
  set(name: string, value: string): void
  delete(name: string): void
  all(): readonly StoredCookie[]
}

function parseAttributes(parts: readonly string[]): Map<string, string> {
  return new Map(
    parts.map((part) => {
      const [name = '', ...value] = part.trim().split('=')
      return [name.toLowerCase(), value.join('=')]
    }),
  )
}

function readExpiry(attributes: Map<string, string>): number {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1000
  const expires = attributes.get('expires')
  return expires === undefined ? Infinity : Date.parse(expires)
}

function readSameSite(attributes: Map<string, string>): StoredCookie['sameSite'] {
  const value = attributes.get('samesite')?.toLowerCase()
  return value === 'strict' || value === 'none' ? value : 'lax'
}

function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || url.hostname === 'localhost' || url.hostname === '127.0.0.1'
}

/** Throws, because a cookie that is ignored silently makes a test hard to debug. */
function assertAcceptable(cookie: StoredCookie, attributes: Map<string, string>, url: URL): void {
  const { name, secure, path, sameSite } = cookie
  const reject = (reason: string): never => {
    throw new Error(`Browsers reject the cookie ${name}: ${reason}.`)
  }
  if (secure && !isTrustworthy(url)) reject(`it is Secure, but ${url.origin} is not`)
  if (sameSite === 'none' && !secure) reject('it is SameSite=None without Secure')
  if (/^__(?:Host|Secure)-/.test(name) && !secure) reject('its prefix requires Secure')
  if (name.startsWith('__Host-') && (attributes.has('domain') || path !== '/'))
    reject('its prefix requires Path=/ and no Domain')
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domain && !`.${url.hostname}`.endsWith(`.${domain}`))
    reject(`its Domain is ${domain}, but the host is ${url.hostname}`)
}

function isSent(cookie: StoredCookie, { url, method, initiator }: CookieRequest): boolean {
  if (cookie.expires <= Date.now()) return false
  if (!url.pathname.startsWith(cookie.path)) return false
  if (cookie.secure && !isTrustworthy(url)) return false
  if (initiator === 'same-site' || cookie.sameSite === 'none') return true
  return cookie.sameSite === 'lax' && method === 'GET'
}

export function cookieStore(): CookieStore {
  const cookies = new Map<string, StoredCookie>()
  return {
    accept(setCookie, url) {
      const [pair = '', ...parts] = setCookie.split(';')
      const at = pair.indexOf('=')
      const attributes = parseAttributes(parts)
      const cookie: StoredCookie = {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        path: attributes.get('path') || '/',
        secure: attributes.has('secure'),
        httpOnly: attributes.has('httponly'),
        sameSite: readSameSite(attributes),
        expires: readExpiry(attributes),
      }
      assertAcceptable(cookie, attributes, url)
      // An insecure origin cannot overwrite secure cookies (RFC 6265bis §5.7, step 17).
      const isProtected = !cookie.secure && url.protocol === 'http:'
      if (isProtected && cookies.get(cookie.name)?.secure) return
      if (cookie.expires <= Date.now()) cookies.delete(cookie.name)
      else cookies.set(cookie.name, cookie)
    },
    header: (request) =>
      [...cookies.values()]
        .filter((cookie) => isSent(cookie, request))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    get: (name) => cookies.get(name),
    set(name, value) {
      const rest = { path: '/', secure: false, httpOnly: true, sameSite: 'lax' } as const
      cookies.set(name, { name, value, ...rest, expires: Infinity })
    },
    delete: (name) => void cookies.delete(name),
    all: () => [...cookies.values()],
  }
}
