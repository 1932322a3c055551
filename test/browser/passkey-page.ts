/** A page whose browser has one authenticator, and whose site answers as the routes do. */
import { vi } from 'vitest'
import { shared } from '../../src/browser/client/page-state.ts'

const PAGE = 'https://app.test/welcome?tab=2'
export const bytes = (text: string) => new TextEncoder().encode(text).buffer
export const encoded = (text: string) => Buffer.from(text).toString('base64url')

/** What the authenticator returns; some password managers return such an object without `toJSON`. */
const credential = {
  id: encoded('key~1?'),
  type: 'public-key',
  rawId: bytes('key~1?'),
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({ credProps: { rk: true } }),
}
export const assertion = {
  ...credential,
  response: {
    clientDataJSON: bytes('{"type":"webauthn.get"}'),
    authenticatorData: bytes('data'),
    signature: bytes('signed'),
    userHandle: bytes('user'),
  },
}
const attestation = {
  ...credential,
  response: {
    clientDataJSON: bytes('{"type":"webauthn.create"}'),
    attestationObject: bytes('attested'),
    getTransports: () => ['internal', 'hybrid'],
  },
}

const rest = { timeout: 60_000, challenge: encoded('challenge') }
const ceremonies = {
  authenticate: {
    ...rest,
    rpId: 'app.test',
    userVerification: 'required',
    allowCredentials: [{ type: 'public-key', id: encoded('key~1?'), transports: ['usb'] }],
  },
  register: {
    ...rest,
    rp: { id: 'app.test', name: 'App' },
    user: { id: encoded('handle'), name: 'ada@example.com', displayName: '' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [{ type: 'public-key', id: encoded('key~1?') }],
  },
}

export type Answer = [status: number, body: unknown]

/** What the page requested, sent and opened, and what its site answers instead of the usual response. */
export const page = {
  requests: Array<string>(),
  sent: Array<URLSearchParams>(),
  visited: Array<string>(),
  answers: {} as Partial<Record<string, Answer | 'none'>>,
}
export const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>()
export const create = vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>()

export async function answer(input: string, init?: RequestInit): Promise<Response> {
  const url = new URL(input, PAGE)
  const route = url.pathname.replace(/^\/(?:api\/)?auth\//, '')
  page.requests.push(`${init?.method ?? 'GET'} ${route}${url.search}`)
  if (init?.body instanceof URLSearchParams) page.sent.push(init.body)
  const action = url.searchParams.get('action') === 'register' ? 'register' : 'authenticate'
  const planned = page.answers[route.split('/')[0] ?? '']
  if (planned === 'none') throw new TypeError('Failed to fetch')
  const usual: Readonly<Record<string, unknown>> = {
    csrf: { csrfToken: 'token' },
    'webauthn-options': { action, options: ceremonies[action] },
    callback: { url: 'https://app.test/next' },
  }
  const [status, body] = planned ?? [200, usual[route.split('/')[0] ?? '']]
  return Response.json(body, { status })
}

const isConditionalMediationAvailable = async () => true

/** Opens the page. */
export function openPage(): void {
  // As in a page that was just loaded: other test files of this process set another one.
  shared.basePath = '/api/auth'
  Object.assign(page, { requests: [], sent: [], visited: [], answers: {} })
  get.mockReset().mockResolvedValue(assertion)
  create.mockReset().mockResolvedValue(attestation)
  vi.stubGlobal('window', globalThis)
  const { hostname } = new URL(PAGE)
  vi.stubGlobal('location', {
    href: PAGE,
    hostname,
    assign: (url: string) => page.visited.push(url),
  })
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('document', { hidden: false, querySelectorAll: () => [{}] })
  vi.stubGlobal('PublicKeyCredential', Object.assign(vi.fn(), { isConditionalMediationAvailable }))
  vi.stubGlobal('navigator', { credentials: { get, create } })
  vi.stubGlobal('fetch', answer)
  vi.spyOn(console, 'error').mockReturnValue()
}

export function closePage(): void {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}

/** Rejects when the request is aborted. */
export function untilAborted({ signal }: CredentialRequestOptions): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
  })
}
