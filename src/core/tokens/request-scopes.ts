import { toResult } from '../call-result.ts'
import { checkConfig } from '../config/check-config.ts'
import type { Answer, CallResult } from '../call-result.ts'
import { callRoute } from '../call-route.ts'
import type { RouteCaller } from '../call-route.ts'
import type { Provider } from '../config/provider.ts'
import type { TokenProviderId } from '../config/token-provider-id.ts'
import type { AuthConfig } from '../config/types.ts'
import { withoutError } from '../errors/url.ts'
import { readHeaders } from '../http/read-headers.ts'
import type { RequestLike } from '../http/read-headers.ts'
import { readGrant } from './get-access-token.ts'
import type { TypedConfig } from './get-access-token.ts'
import type { RequestScopesOptions } from './options.ts'

/** A request for more scopes. */
export interface ScopesCall {
  readonly provider: string
  readonly scopes: readonly string[]
  readonly options?: RequestScopesOptions | undefined
  /** Where the user returns without `redirectTo`. */
  readonly returnUrl: () => string
}

/** Returns the URL of the authorization request, and the cookies of its transaction. Logs the error that it throws. */
export async function callForScopes(
  request: RouteCaller,
  config: AuthConfig,
  { provider, scopes, options = {}, returnUrl }: ScopesCall,
): Promise<Answer<string>> {
  const grant = await readGrant(request, config, { provider, scopes, options })
  const scope = [...new Set([...grant.scope, ...scopes])].join(' ')
  const callbackUrl = options.redirectTo ?? returnUrl()
  const { redirect, cookies } = await callRoute(request, config, {
    path: `signin/${provider}`,
    query: new URLSearchParams({ scope }),
    body: new URLSearchParams({ callbackUrl }),
    failures: 'redirected',
    connect: grant.account,
  })
  return { value: redirect, cookies }
}

/**
 * Requests more scopes for the connected account of a provider. `value` is the URL to which you redirect the browser, with
 * `headers`, the cookies of the transaction. The user returns to `redirectTo` in the same session, with `error=AccessDenied`
 * if they declined.
 *
 * @param request - as for `getSession`; it must show by its headers `Origin` or `Sec-Fetch-Site` that a page of the site sent it
 * @throws AccessTokenError if no account of the provider is connected, or the visitor is not signed in
 * @throws AccessTokenUnavailable if the database or the store does not respond
 * @throws MissingCSRF if a page of another origin sent the request
 * @throws InvalidConfiguration if an argument is not valid
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import { requestScopes } from 'lib-auth'
 * import type { AuthConfig } from 'lib-auth'
 *
 * export async function connectCalendar(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value, headers } = await requestScopes(request, config, 'google', ['calendar'], {
 *     redirectTo: '/calendar',
 *   })
 *   headers.set('location', value)
 *   return new Response(null, { status: 303, headers })
 * }
 * ```
 */
export async function requestScopes<P extends Provider = Provider>(
  request: RequestLike,
  config: TypedConfig<P>,
  provider: TokenProviderId<P>,
  scopes: readonly string[],
  options?: RequestScopesOptions,
): Promise<CallResult<string>>
export async function requestScopes(
  request: RequestLike,
  config: AuthConfig,
  provider: string,
  scopes: readonly string[],
  options?: RequestScopesOptions,
): Promise<CallResult<string>> {
  checkConfig(config, 'requestScopes(request, config, provider, scopes)')
  const caller = readHeaders(request)
  const returnUrl = () => withoutError(caller.headers.get('referer') ?? '/')
  const call = { provider, scopes, options, returnUrl }
  return toResult(await callForScopes({ ...caller, csrf: 'checked' }, config, call))
}
