/** Sign-in, sign-out and session updates from code of the application, without a round trip. */
import { Auth } from '../../core/auth.ts'
import { oncePerKey } from '../../core/async/cache.ts'
import type { CallOptions } from './call-options.ts'
import { isFromOrigin } from '../../core/checks/source.ts'
import { describeValue } from '../../core/config/describe-value.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { withoutError } from '../../core/errors/url.ts'
import { InvalidProvider, MissingCSRF } from '../../core/errors/classes.ts'
import { findSite, logError } from '../../core/get-session.ts'
import { createLogger } from '../../core/log/logger.ts'
import { markServerCall } from '../../core/http/server-call.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import { raw, skipCSRFCheck } from '../../core/symbols.ts'
import type { Awaitable, ResponseInternal, Session } from '../../core/types.ts'
import type { CookieExchange } from './cookies.ts'
import { currentHeaders } from './session-reader.ts'
import type { RequestAdapter } from './request-adapter.ts'
import type { AuthorizationParams } from './types.ts'

/** What the calls need of a wrapper. */
export interface CallContext<Req extends object> {
  readonly configFor: (req: Req) => Awaitable<AuthConfig>
  readonly adapter: RequestAdapter<Req>
  readonly cookies: CookieExchange<Req>
  /** `framework`: it rejects calls by pages of other origins itself. */
  readonly csrf: 'framework' | 'checked'
  /** The default return URL without a `Referer`. @default '/' */
  readonly home?: () => string
}

interface Call {
  readonly path: string
  readonly query?: URLSearchParams
  readonly body: URLSearchParams | string
  /** `redirected`: errors lead to the error page, except configuration errors. @default 'thrown' */
  readonly failures?: 'thrown' | 'redirected'
  /** @default 'code' */
  readonly source?: ParameterSource
}

/** `redirect`: the URL that the `redirect` callback returned; the origin of the site if the route does not redirect. */
type Answer = ResponseInternal & { readonly redirect: string }

const rawConfig = oncePerKey((config: AuthConfig): AuthConfig & { raw: typeof raw } => ({
  ...config,
  raw,
}))

const withoutCsrfCheck = oncePerKey((config: AuthConfig): AuthConfig => ({
  ...config,
  skipCSRFCheck,
}))

/** Headers that describe the body of the incoming request. */
const OF_THE_BODY = ['content-length', 'content-type', 'content-encoding', 'transfer-encoding']

const NO_ORIGIN =
  'The request does not show that a page of this site sent it: it has neither Sec-Fetch-Site: same-origin, nor the Origin of the site, nor a field csrfToken. Browsers send the headers with a form of method post, and not when a URL is opened: link to the route signin for that. A program must send the Origin header, or the token of the route csrf and its cookie.'

async function run<Req extends object>(
  req: Req,
  config: AuthConfig,
  { path, query, body, failures, source = 'code' }: Call,
  { adapter, cookies, csrf }: CallContext<Req>,
): Promise<Answer> {
  const headers = currentHeaders(req, adapter, cookies)
  const requestUrl = adapter.url?.(req)
  const request = { headers, ...(requestUrl && { url: requestUrl }) }
  const { origin, basePath } = await findSite(request, config, 'same-origin')
  const isOwn = csrf === 'framework' || isFromOrigin(headers, origin)
  const hasToken = body instanceof URLSearchParams && body.has('csrfToken')
  if (!isOwn && !hasToken && !config.skipCSRFCheck)
    throw logError(new MissingCSRF(NO_ORIGIN), config)
  const url = new URL(`${basePath}/${path}?${query ?? ''}`, origin)
  for (const name of OF_THE_BODY) headers.delete(name)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  if (failures === 'redirected') headers.set('x-auth-return-redirect', '1')
  else headers.delete('x-auth-return-redirect')
  const { received } = adapter
  const call = markServerCall(new Request(url, { method: 'POST', headers, body }), {
    parameters: source,
    received: received && (() => received(req)),
  })
  const answer = await Auth(call, rawConfig(isOwn ? withoutCsrfCheck(config) : config))
  cookies.set(req, answer.cookies)
  return { redirect: origin, ...answer }
}

/** The route of a sign-in; a code that was sent by e-mail completes it, as credentials do. */
function routeOf(
  { providers = [] }: AuthConfig,
  id: string | undefined,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  const provider = providers.find((each) => typeof each !== 'function' && each.id === id)
  if (!provider || typeof provider === 'function') return undefined
  const { type } = provider
  const completesSignIn =
    type === 'credentials' || (type === 'email' && Object.hasOwn(fields, 'code'))
  return `${completesSignIn ? 'callback' : 'signin'}/${provider.id}`
}

function unknownProvider(id: string, { providers = [] }: AuthConfig): InvalidProvider {
  const ids = providers.flatMap((each) => (typeof each === 'function' ? [] : `"${each.id}"`))
  return new InvalidProvider(
    `signIn was called with the provider ${describeValue(id)}, which is not configured, so it leads to the sign-in page. Configured ids: ${ids.join(', ') || 'none'}.`,
  )
}

function isSession(body: unknown): body is Session {
  return typeof body === 'object' && body !== null
}

/** Functions that return where to redirect. @throws AuthError for rejected credentials and configuration errors */
export interface Calls<Req> {
  readonly signIn: (
    req: Req,
    provider: string | undefined,
    options: CallOptions,
    params?: AuthorizationParams,
    source?: ParameterSource,
  ) => Promise<string>
  readonly signOut: (req: Req, options: CallOptions) => Promise<string>
  readonly update: (req: Req, data: unknown) => Promise<Session | null>
}

export function createCalls<Req extends object>(context: CallContext<Req>): Calls<Req> {
  const { configFor, adapter, home = () => '/' } = context

  const returnUrl = (req: Req, { redirectTo }: CallOptions): string => {
    const referer = adapter.referer ? adapter.referer(req) : adapter.headers(req).get('referer')
    return redirectTo ?? (referer === null ? home() : withoutError(referer))
  }

  return {
    async signIn(req, provider, options, params, source = 'code') {
      const config = await configFor(req)
      const callbackUrl = returnUrl(req, options)
      const path = routeOf(config, provider, options.fields())
      if (path === undefined) {
        if (provider) createLogger(config).error(unknownProvider(provider, config))
        // Needs no cookie, so a page that cannot set cookies can redirect to it.
        const url = adapter.url?.(req)
        const request = { headers: adapter.headers(req), ...(url && { url }) }
        const { origin, basePath } = await findSite(request, config)
        return `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
      }
      const query = new URLSearchParams(params)
      const body = new URLSearchParams({ ...options.fields(), callbackUrl })
      // A form can show a thrown credentials error; all other errors have an error page.
      const failures = path.startsWith('callback/') ? 'thrown' : 'redirected'
      const { redirect } = await run(req, config, { path, query, body, failures, source }, context)
      return redirect
    },
    async signOut(req, options) {
      const fields = { ...options.fields(), callbackUrl: returnUrl(req, options) }
      const call = { path: 'signout', body: new URLSearchParams(fields) }
      const { redirect } = await run(req, await configFor(req), call, context)
      return redirect
    },
    async update(req, data) {
      const call = { path: 'session', body: JSON.stringify({ data }) }
      const { body } = await run(req, await configFor(req), call, context)
      return isSession(body) ? body : null
    },
  }
}
