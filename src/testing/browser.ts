import { Auth } from '../core/auth.ts'
import type { AuthConfig } from '../core/config/types.ts'
import type { Session } from '../core/types.ts'
import { cookieStore } from './cookies.ts'
import type { CookieStore, Initiator } from './cookies.ts'
import type { AuthorizationAnswer, Issuer, Values } from './types.ts'

/** Options of {@link browser}. */
export interface BrowserOptions {
  /** Origin of the site under test. @default 'https://app.test' */
  origin?: string
  /** Base path of the routes. @default '/auth' */
  basePath?: string
  /** The provider to sign in with. */
  issuer?: Issuer
  headers?: Record<string, string>
}

/** A request of a {@link Browser}: a form, a JSON object, or neither. */
export interface BrowserRequest {
  readonly method?: 'GET' | 'POST' | 'HEAD'
  readonly form?: Record<string, string> | URLSearchParams
  readonly json?: unknown
  readonly headers?: Record<string, string>
  /** Site that initiates the request. @default 'same-site' */
  readonly initiator?: Initiator
}

/** A pending sign-in with a provider, in one tab. */
export interface Attempt {
  /** The authorization URL. */
  readonly url: URL
  /** Authorizes as this user at the provider; returns the response of the site to the callback. */
  complete(person?: Values): Promise<Response>
  /** Sends a callback with this authorization response; returns the response of the site. */
  comeBack(answer: AuthorizationAnswer): Promise<Response>
}

/** A test browser: sends requests to `Auth` with the headers of a browser, and stores cookies. */
export interface Browser {
  readonly origin: string
  readonly cookies: CookieStore
  /** Sends one request, without following redirects. A path is relative to the base path. */
  request(target: string, request?: BrowserRequest): Promise<Response>
  /** Follows redirects within the routes of the site; returns the last response. */
  follow(response: Response): Promise<Response>
  /** The CSRF token; empty with `skipCSRFCheck`. */
  csrfToken(): Promise<string>
  /** Submits a form with its CSRF token. */
  post(route: string, fields?: Record<string, string>): Promise<Response>
  /** Starts a sign-in with a provider. */
  begin(providerId: string, fields?: Record<string, string>): Promise<Attempt>
  /** Starts and completes a sign-in with a provider. */
  signIn(providerId: string, person?: Values): Promise<Response>
  session(): Promise<Session | null>
}

const MAX_REDIRECTS = 10
const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The headers that a browser sends to its own site; those of the request take precedence. */
function headersFor(request: BrowserRequest, origin: string, defaults: Headers): Headers {
  const { method = 'GET', initiator = 'same-site', json } = request
  const isSameSite = initiator === 'same-site'
  const headers = new Headers(defaults)
  headers.set('sec-fetch-site', isSameSite ? 'same-origin' : 'cross-site')
  if (method === 'POST') headers.set('origin', isSameSite ? origin : 'null')
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value)
  if (json !== undefined) headers.set('content-type', 'application/json')
  return headers
}

/** Opens a test browser on a site with this configuration. */
export function browser(config: AuthConfig, options: BrowserOptions = {}): Browser {
  const { origin = 'https://app.test', basePath = '/auth', issuer } = options
  const cookies = cookieStore()

  async function send(target: string, request: BrowserRequest = {}): Promise<Response> {
    const { method = 'GET', initiator = 'same-site', form, json } = request
    const url = new URL(/^\w+:/.test(target) ? target : `${basePath}/${target}`, origin)
    const defaults = new Headers({ accept: ACCEPT, ...options.headers })
    const cookie = cookies.header({ url, method, initiator })
    if (cookie) defaults.set('cookie', cookie)
    const headers = headersFor(request, origin, defaults)
    const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json)
    const init = { method, headers, ...(body !== undefined && { body }) }
    const response = await Auth(new Request(url, init), config)
    for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
    return response
  }

  async function csrfToken(): Promise<string> {
    const response = await send('csrf')
    if (response.status === 404) return ''
    const body: { readonly csrfToken: string } = await response.json()
    return body.csrfToken
  }

  async function post(route: string, fields: Record<string, string> = {}): Promise<Response> {
    return send(route, { method: 'POST', form: { csrfToken: await csrfToken(), ...fields } })
  }

  async function sendCallback({ url, form }: AuthorizationAnswer): Promise<Response> {
    if (!form) return send(url, { initiator: 'cross-site' })
    const posted = await send(url, { method: 'POST', form, initiator: 'cross-site' })
    const location = posted.headers.get('location')
    return posted.status === 303 && location ? send(location, { initiator: 'cross-site' }) : posted
  }

  async function begin(providerId: string, fields?: Record<string, string>): Promise<Attempt> {
    const response = await post(`signin/${providerId}`, fields)
    const location = response.headers.get('location')
    if (!location)
      throw new Error(
        `signin/${providerId} answered with status ${response.status} and no redirect. Its body contains the error.`,
      )
    const url = new URL(location)
    return {
      url,
      comeBack: sendCallback,
      async complete(person) {
        if (!issuer) throw new Error('browser() was called without an issuer. Pass { issuer }.')
        return sendCallback(await issuer.authorize(url, person))
      },
    }
  }

  return {
    origin,
    cookies,
    request: send,
    csrfToken,
    post,
    begin,
    async follow(response) {
      let last = response
      for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
        const location = last.headers.get('location')
        if (!location?.startsWith(new URL(basePath, origin).href)) return last
        last = await send(location)
      }
      throw new Error(
        `More than ${MAX_REDIRECTS} redirects, the last one to ${last.headers.get('location')}.`,
      )
    },
    signIn: async (providerId, person) => (await begin(providerId)).complete(person),
    async session() {
      const response = await send('session')
      if (!response.ok) throw new Error(`session answered with status ${response.status}.`)
      const session: Session | null = await response.json()
      return session
    },
  }
}
