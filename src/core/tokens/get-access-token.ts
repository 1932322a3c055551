import { lazily } from '../async/cache.ts'
import { toResult } from '../call-result.ts'
import { checkConfig } from '../config/check-config.ts'
import { logError } from '../log/logger.ts'
import type { Answer } from '../call-result.ts'
import { mismatch } from '../config/describe-value.ts'
import type { Provider } from '../config/provider.ts'
import type { TokenProviderId } from '../config/token-provider-id.ts'
import { resolve } from '../config/resolve.ts'
import type { AuthConfig } from '../config/types.ts'
import { backgroundContext, createContext } from '../context.ts'
import { createJar } from '../cookies/jar.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { readRequest } from '../http/read-headers.ts'
import type { ReadRequest, RequestLike } from '../http/read-headers.ts'
import { checkOptions, checkScopes } from './check-options.ts'
import type { Grant } from './access-token.ts'
import type { TokenCall } from './open-vault.ts'
import type { AccessToken, AccessTokenOptions, RequestScopesOptions } from './options.ts'

/** Applications that read no token of a provider never load it. */
const load = lazily(() => import('./access-token.ts'))

/** Headers of a request whose response a browser may drop, so that its cookies are lost. */
const PREVIEWS = ['sec-purpose', 'purpose', 'next-router-prefetch']

/** A prefetch, or a request for the headers alone. */
function isPreview({ headers, method }: ReadRequest): boolean {
  return method === 'HEAD' || PREVIEWS.some((name) => headers.get(name) !== null)
}

interface Call extends Pick<TokenCall, 'setCookies'> {
  readonly provider: string
  readonly options: AccessTokenOptions
}

export async function requestToken(
  caller: ReadRequest,
  config: AuthConfig,
  { provider, options, setCookies }: Call,
): Promise<Answer<AccessToken>> {
  checkOptions('getAccessToken', options)
  const jar = createJar(caller.headers.get('cookie'))
  const ctx = createContext(caller, jar, resolve(config))
  const call = { ctx, headers: caller.headers, isPreview: () => isPreview(caller), setCookies }
  const { findAccessToken } = await load()
  const value = await findAccessToken(call, provider, options)
  return { value, cookies: jar.changes() }
}

/** Logs the error that it throws. */
export async function callForToken(
  caller: ReadRequest,
  config: AuthConfig,
  call: Call,
): Promise<Answer<AccessToken>> {
  try {
    return await requestToken(caller, config, call)
  } catch (error) {
    throw logError(error, config)
  }
}

/** A request for more scopes. */
interface ScopesCall {
  readonly provider: string
  readonly scopes: readonly string[]
  readonly options: RequestScopesOptions
}

/** The account for which scopes can be requested, and the scopes that it has. Logs the error that it throws. */
export async function readGrant(
  caller: ReadRequest,
  config: AuthConfig,
  { provider, scopes, options }: ScopesCall,
): Promise<Grant> {
  try {
    checkScopes(provider, scopes, options)
    const jar = createJar(caller.headers.get('cookie'))
    const ctx = createContext(caller, jar, resolve(config))
    const { connectedGrant } = await load()
    return await connectedGrant(ctx, provider, options.account)
  } catch (error) {
    throw logError(error, config)
  }
}

/** A configuration from which the types of the providers are inferred. */
export type TypedConfig<P extends Provider> = AuthConfig & { readonly providers?: readonly P[] }

/** The result of {@link getAccessToken}. */
export interface AccessTokenResult {
  readonly value: AccessToken
  /** Set-Cookie headers, which must be added to the response: with tokens in cookies, they contain the new ones. */
  readonly headers: Headers
}

/**
 * Returns an access token of a provider for the user who is signed in, and refreshes it when it is due.
 *
 * @param request - as for `getSession`
 * @throws AccessTokenError if the user has to do something, by its `code`
 * @throws AccessTokenUnavailable if the provider or the store does not respond, and no valid token is left
 * @throws the errors of `getSession`
 */
export async function getAccessToken<P extends Provider = Provider>(
  request: RequestLike,
  config: TypedConfig<P>,
  provider: TokenProviderId<P>,
  options?: AccessTokenOptions,
): Promise<AccessTokenResult>
export async function getAccessToken(
  request: RequestLike,
  config: AuthConfig,
  provider: string,
  options: AccessTokenOptions = {},
): Promise<AccessTokenResult> {
  checkConfig(config, 'getAccessToken(request, config, provider)')
  const call = { provider, options, setCookies: () => undefined }
  return toResult(await callForToken(readRequest(request), config, call))
}

/** A user and a provider. */
export interface TokenOwner<Id extends string = string> {
  /** Id of the user in the database. */
  readonly userId: string
  readonly provider: Id
}

/** A session may have no id of its user, and a job no argument. @throws InvalidConfiguration */
function checkOwner({ userId }: TokenOwner): void {
  const id: unknown = userId
  if (typeof id !== 'string' || id === '')
    throw new InvalidConfiguration(
      `${mismatch('userId of getAccessTokenFor', 'the id of a user', id)} Pass that of the user in the database: getAccessTokenFor(config, { userId, provider }).`,
    )
}

/**
 * Returns an access token of a provider for any user, in a background job. Only where tokens are stored with the account.
 *
 * @throws AccessTokenError if the user has to do something, by its `code`
 * @throws AccessTokenUnavailable if the provider or the database does not respond, and no valid token is left
 * @throws InvalidConfiguration if tokens are not stored with the account
 */
export async function getAccessTokenFor<P extends Provider = Provider>(
  config: TypedConfig<P>,
  owner: TokenOwner<TokenProviderId<P>>,
  options?: AccessTokenOptions,
): Promise<AccessToken>
export async function getAccessTokenFor(
  config: AuthConfig,
  owner: TokenOwner,
  options: AccessTokenOptions = {},
): Promise<AccessToken> {
  try {
    checkOptions('getAccessTokenFor', options)
    checkOwner(owner)
    const ctx = backgroundContext(resolve(config))
    const { findTokenOfUser } = await load()
    return await findTokenOfUser(ctx, owner, options)
  } catch (error) {
    throw logError(error, config)
  }
}
