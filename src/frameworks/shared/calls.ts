/** Sign-in, sign-out and session updates from code of the application, without a round trip. */
import { callRoute } from '../../core/call-route.ts'
import type { RouteAnswer, RouteCall, RouteCaller } from '../../core/call-route.ts'
import { readOptions } from '../../core/http/call-options.ts'
import type { CallOptions } from '../../core/http/call-options.ts'
import { describeValue } from '../../core/config/describe-value.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { withoutError } from '../../core/errors/url.ts'
import { InvalidProvider } from '../../core/errors/classes.ts'
import { findSite } from '../../core/get-session.ts'
import { createLogger } from '../../core/log/logger.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import type { AccessToken, AccessTokenOptions } from '../../core/tokens/options.ts'
import { callForToken } from '../../core/tokens/get-access-token.ts'
import { callForScopes } from '../../core/tokens/request-scopes.ts'
import type { ScopesCall } from '../../core/tokens/request-scopes.ts'
import type { Awaitable, ResponseCookie, Session } from '../../core/types.ts'
import type { CookieExchange } from './cookies.ts'
import { completeRequest } from './request-adapter.ts'
import type { RequestAdapter } from './request-adapter.ts'
import { currentHeaders } from './session-reader.ts'
import type { AuthorizationParams } from './types.ts'

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

async function run<Req extends object>(
  req: Req,
  config: AuthConfig,
  call: RouteCall,
  context: CallContext<Req>,
): Promise<RouteAnswer> {
  const answer = await callRoute(callerOf(req, context), config, call)
  context.cookies.set(req, answer.cookies)
  return answer
}

export function callerOf<Req extends object>(
  req: Req,
  { adapter, cookies, csrf }: CallContext<Req>,
): RouteCaller {
  const { received } = adapter
  return {
    ...completeRequest(req, adapter),
    headers: currentHeaders(req, adapter, cookies),
    received: received && (() => received(req)),
    csrf,
  }
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

export function returnUrl<Req extends object>(
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
export type ScopesArgs = Omit<ScopesCall, 'returnUrl'>

/** Returns where to redirect. @throws AccessTokenError if there is no connected account */
export async function requestScopes<Req extends object>(
  req: Req,
  args: ScopesArgs,
  context: CallContext<Req>,
): Promise<string> {
  const call = { ...args, returnUrl: () => returnUrl(req, readOptions({}), context) }
  const { value, cookies } = await callForScopes(
    callerOf(req, context),
    await context.configFor(req),
    call,
  )
  context.cookies.set(req, cookies)
  return value
}
