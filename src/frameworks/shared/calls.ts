/** Sign-in, sign-out and session updates from code of the application, without a round trip. */
import { Auth } from '../../core/auth.ts'
import { oncePerKey } from '../../core/async/cache.ts'
import { readOptions } from '../../core/http/call-options.ts'
import type { CallOptions } from '../../core/http/call-options.ts'
import { isFromOrigin } from '../../core/checks/source.ts'
import { describeValue } from '../../core/config/describe-value.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { withoutError } from '../../core/errors/url.ts'
import { InvalidProvider, MissingCSRF } from '../../core/errors/classes.ts'
import { logError } from '../../core/call-result.ts'
import { findSite } from '../../core/get-session.ts'
import { createLogger } from '../../core/log/logger.ts'
import { markServerCall } from '../../core/http/server-call.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import { raw, skipCSRFCheck } from '../../core/symbols.ts'
import type { AccessToken, AccessTokenOptions } from '../../core/tokens/options.ts'
import { callForToken, readGrant } from '../../core/tokens/get-access-token.ts'
import type { Awaitable, ResponseCookie, ResponseInternal, Session } from '../../core/types.ts'
import type { CookieExchange } from './cookies.ts'
import { completeRequest } from './request-adapter.ts'
import type { RequestAdapter } from './request-adapter.ts'
import { currentHeaders } from './session-reader.ts'
import type { AuthorizationParams, ScopesOptions } from './types.ts'

/** The parts of a wrapper that the calls use. */
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
  /** @default 'application' */
  readonly parameters?: ParameterSource | undefined
  /** See `connect` of a server call. */
  readonly connect?: string
}

/** `redirect`: the URL that the `redirect` callback returned; the origin of the site if the route does not redirect. */
type Answer = ResponseInternal & { readonly redirect: string }

const checked = oncePerKey((config: AuthConfig) => ({ ...config, raw }) as const)
const unchecked = oncePerKey((config: AuthConfig) => ({ ...config, raw, skipCSRFCheck }) as const)

/** Headers that describe the body of the incoming request. */
const BODY_HEADERS = ['content-length', 'content-type', 'content-encoding', 'transfer-encoding']

const NO_ORIGIN =
  'The request does not show that a page of this site sent it: it has neither Sec-Fetch-Site: same-origin, nor the Origin of the site, nor a field csrfToken. Browsers send the headers with a form of method post, and not when a URL is opened: link to the route signin for that. A program must send the Origin header, or the token of the route csrf and its cookie.'

async function run<Req extends object>(
  req: Req,
  config: AuthConfig,
  { path, query, body, failures, parameters = 'application', connect }: Call,
  { adapter, cookies, csrf }: CallContext<Req>,
): Promise<Answer> {
  const headers = currentHeaders(req, adapter, cookies)
  const request = { ...completeRequest(req, adapter), headers }
  const { origin, basePath } = await findSite(request, config, 'same-origin')
  const isOwn = csrf === 'framework' || isFromOrigin(headers, origin)
  const hasToken = body instanceof URLSearchParams && body.has('csrfToken')
  if (!isOwn && !hasToken && !config.skipCSRFCheck)
    throw logError(new MissingCSRF(NO_ORIGIN), config)
  const url = new URL(`${basePath}/${path}?${query ?? ''}`, origin)
  for (const name of BODY_HEADERS) headers.delete(name)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  if (failures === 'redirected') headers.set('x-auth-return-redirect', '1')
  else headers.delete('x-auth-return-redirect')
  const { received } = adapter
  const call = markServerCall(new Request(url, { method: 'POST', headers, body }), {
    parameters,
    connect,
    received: received && (() => received(req)),
  })
  const answer = await Auth(call, (isOwn ? unchecked : checked)(config))
  cookies.set(req, answer.cookies)
  return { redirect: origin, ...answer }
}

/** The route of a sign-in; a code that was sent by e-mail completes it, as credentials do. */
function findRoute(
  { providers = [] }: AuthConfig,
  id: string | undefined,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  for (const provider of providers) {
    if (typeof provider === 'function' || provider.id !== id) continue
    const { type } = provider
    const completesSignIn =
      type === 'credentials' || (type === 'email' && Object.hasOwn(fields, 'code'))
    return `${completesSignIn ? 'callback' : 'signin'}/${id}`
  }
  return undefined
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

function returnUrl<Req extends object>(
  req: Req,
  { redirectTo }: CallOptions,
  { adapter, home = () => '/' }: CallContext<Req>,
): string {
  const referer = adapter.referer ? adapter.referer(req) : adapter.headers(req).get('referer')
  return redirectTo ?? (referer === null ? home() : withoutError(referer))
}

/** The arguments of `signIn`. */
export interface SignInCall {
  readonly provider: string | undefined
  readonly options: CallOptions
  readonly params?: AuthorizationParams | undefined
  readonly parameters?: ParameterSource | undefined
}

/** Returns where to redirect. @throws AuthError for rejected credentials and configuration errors */
export async function signIn<Req extends object>(
  req: Req,
  { provider, options, params, parameters }: SignInCall,
  context: CallContext<Req>,
): Promise<string> {
  const config = await context.configFor(req)
  const callbackUrl = returnUrl(req, options, context)
  const path = findRoute(config, provider, options.fields())
  if (path === undefined) {
    if (provider) createLogger(config).error(unknownProvider(provider, config))
    // Needs no cookie, so a page that cannot set cookies can redirect to it.
    const { origin, basePath } = await findSite(completeRequest(req, context.adapter), config)
    return `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
  }
  const query = new URLSearchParams(params)
  const body = new URLSearchParams({ ...options.fields(), callbackUrl })
  // A form can show a thrown credentials error; all other errors have an error page.
  const failures = path.startsWith('callback/') ? 'thrown' : 'redirected'
  const { redirect } = await run(req, config, { path, query, body, failures, parameters }, context)
  return redirect
}

/** Returns where to redirect. */
export async function signOut<Req extends object>(
  req: Req,
  options: CallOptions,
  context: CallContext<Req>,
): Promise<string> {
  const fields = { ...options.fields(), callbackUrl: returnUrl(req, options, context) }
  const call = { path: 'signout', body: new URLSearchParams(fields) }
  const { redirect } = await run(req, await context.configFor(req), call, context)
  return redirect
}

export async function update<Req extends object>(
  req: Req,
  data: unknown,
  context: CallContext<Req>,
): Promise<Session | null> {
  const call = { path: 'session', body: JSON.stringify({ data }) }
  const { body } = await run(req, await context.configFor(req), call, context)
  return isSession(body) ? body : null
}

/** The arguments of `getAccessToken`. */
export interface TokenArgs {
  readonly provider: string
  readonly options?: AccessTokenOptions | undefined
}

/** @throws AccessTokenError, AccessTokenUnavailable */
export async function getAccessToken<Req extends object>(
  req: Req,
  { provider, options = {} }: TokenArgs,
  { configFor, adapter, cookies }: CallContext<Req>,
): Promise<AccessToken> {
  const headers = currentHeaders(req, adapter, cookies)
  const request = { ...completeRequest(req, adapter), headers }
  const setCookies = (changes: readonly ResponseCookie[]) => cookies.store(req, changes)
  const call = { provider, options, setCookies }
  const { value, cookies: changes } = await callForToken(request, await configFor(req), call)
  try {
    if (changes.length > 0) cookies.set(req, changes)
  } catch {
    // The response has begun. Only the session was extended: a refresh makes sure that it can set cookies.
  }
  return value
}

/** The arguments of `requestScopes`. */
export interface ScopesArgs {
  readonly provider: string
  readonly scopes: readonly string[]
  readonly options?: ScopesOptions | undefined
}

/** Returns where to redirect. @throws AccessTokenError if there is no connected account */
export async function requestScopes<Req extends object>(
  req: Req,
  { provider, scopes, options = {} }: ScopesArgs,
  context: CallContext<Req>,
): Promise<string> {
  const { adapter, cookies, configFor } = context
  const config = await configFor(req)
  const request = {
    ...completeRequest(req, adapter),
    headers: currentHeaders(req, adapter, cookies),
  }
  const { account, redirectTo } = options
  const grant = await readGrant(request, config, { provider, scopes, account })
  const scope = [...new Set([...grant.scope, ...scopes])].join(' ')
  const callbackUrl = redirectTo ?? returnUrl(req, readOptions({}), context)
  const call = {
    path: `signin/${provider}`,
    query: new URLSearchParams({ scope }),
    body: new URLSearchParams({ callbackUrl }),
    failures: 'redirected',
    connect: grant.account,
  } as const
  const { redirect } = await run(req, config, call, context)
  return redirect
}
