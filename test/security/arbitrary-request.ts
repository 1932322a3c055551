import * as fc from 'fast-check'
import { TYPED } from '../config.ts'
import { ORIGIN } from './recording-config.ts'

const ACTIONS = [
  'csrf',
  'providers',
  'session',
  'signin',
  'signout',
  'callback',
  'error',
  'verify-request',
  'webauthn-options',
  '__proto__',
]
const PROVIDERS = ['op', 'plain', 'password', 'absent', '__proto__', 'constructor']
const PARAMETERS = ['callbackUrl', 'csrfToken', 'code', 'state', 'iss', 'error', 'response']
const COOKIES = ['session-token', 'session-token.0', 'csrf-token', 'callback-url', 'state.0a1b2c3d']

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '/', '//evil.test', 'https://evil.test', 'javascript:alert(1)', '\ud800'),
  fc.constantFrom('null', '[object Object]', '%E0%A4%A', 'a\r\nset-cookie: b=c', '{}', '<script>'),
  fc.webUrl(),
)

const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('/auth/callback/password', '/auth/signin/plain', '/auth/signout'),
  },
  { weight: 4, arbitrary: fc.constantFrom(...ACTIONS).map((action) => `/auth/${action}`) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...ACTIONS), fc.constantFrom(...PROVIDERS))
      .map((segments) => `/auth/${segments.join('/')}`),
  },
  { weight: 1, arbitrary: fc.webPath() },
  { weight: 1, arbitrary: anyText.map((text) => `/auth/${text}`) },
)

const parameters = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), anyText), anyText), { maxLength: 4 })
  .map((pairs) => new URLSearchParams(pairs.map(([k, v]) => [k, v])))

/** Text that is valid in a header. */
const headerText = anyText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim())

const wildHeaders = fc.record(
  {
    accept: fc.oneof(fc.constantFrom('text/html', 'application/json', '*/*'), headerText),
    'x-auth-return-redirect': headerText,
    'x-forwarded-host': headerText,
    'x-forwarded-proto': fc.oneof(fc.constantFrom('http', 'https', 'https,http'), headerText),
    host: headerText,
    origin: fc.oneof(fc.constantFrom(ORIGIN, 'null'), headerText),
    'sec-fetch-site': fc.oneof(fc.constantFrom('same-origin', 'cross-site', 'none'), headerText),
    'content-length': fc.oneof(fc.constantFrom('0', '-1', '99999999', 'NaN'), headerText),
    authorization: headerText,
  },
  { requiredKeys: [] },
)

const headers = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    {},
    { accept: 'text/html' },
    { accept: 'application/json' },
    { 'x-auth-return-redirect': '1' },
  ),
  wildHeaders,
)

const body = fc.oneof(
  fc.constant(undefined),
  parameters,
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.oneof(fc.constantFrom(...PARAMETERS), anyText), fc.jsonValue())
    .map((value) => JSON.stringify(value)),
  anyText,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
)

const contentType = fc.oneof(
  fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'),
  headerText,
)

/** The CSRF token and the cookies of a signed-in browser. */
export interface BrowserState {
  readonly csrfToken: string
  readonly cookies: readonly string[]
}

/** The parts of a request, which are readable in the report of a failed property. */
export interface RequestParts {
  readonly method: string
  readonly scheme: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Record<string, string>
  readonly cookie: string
  readonly contentType: string
  readonly body: string | URLSearchParams | Uint8Array<ArrayBuffer> | undefined
}

/** The credentials form, with the correct password or another one. */
function formOf({ csrfToken }: BrowserState, other: string): URLSearchParams {
  const password = other.length % 2 === 0 ? TYPED.password : other
  return new URLSearchParams({ csrfToken, username: TYPED.username, password })
}

/** Cookies of a signed-in browser, some of them truncated, and made-up ones. */
function cookieHeader({ cookies }: BrowserState): fc.Arbitrary<string> {
  const genuine = fc.constantFrom(...cookies)
  const damaged = fc.tuple(genuine, fc.nat(200)).map(([cookie, at]) => cookie.slice(0, -at))
  const made = fc
    .tuple(fc.constantFrom(...COOKIES), headerText)
    .map(([name, value]) => `__Host-lib.${name}=${value}`)
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: genuine }, damaged, made, headerText), { maxLength: 8 })
    .map((all) => all.join('; '))
}

/** An arbitrary request, sometimes with a valid CSRF token. */
export function arbitraryRequest(state: BrowserState): fc.Arbitrary<RequestParts> {
  return fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'BREW'),
    scheme: fc.constantFrom('https:', 'https:', 'http:'),
    path,
    query: parameters,
    headers,
    cookie: cookieHeader(state),
    contentType,
    body: fc.oneof(
      body,
      fc.string().map((password) => formOf(state, password)),
    ),
  })
}

export function requestOf(parts: RequestParts): Request {
  const url = new URL(`${parts.scheme}//app.test`)
  url.pathname = parts.path
  url.search = parts.query.toString()
  const all = new Headers({ ...parts.headers, cookie: parts.cookie })
  if (!(parts.body instanceof URLSearchParams)) all.set('content-type', parts.contentType)
  const hasBody = parts.method !== 'GET' && parts.method !== 'HEAD' && parts.body !== undefined
  const init = { method: parts.method, headers: all, ...(hasBody && { body: parts.body }) }
  return new Request(url, init)
}
