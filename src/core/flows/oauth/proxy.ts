/** The redirect proxy: preview deployments sign in through the registered callback URL of another deployment. */
import type { Context, ResolvedConfig, SessionContext } from '../../contracts.ts'
import { randomBase64Url } from '../../crypto/digest.ts'
import { open, seal } from '../../crypto/seal.ts'
import { TRANSACTION_MAX_AGE } from '../../config/defaults.ts'
import { InvalidRequest, OAuthCallbackError } from '../../errors/classes.ts'
import { isAllowed, matchesOrigin } from './endpoint-url.ts'
import type { ConfiguredProvider, OAuthProvider, RedirectProxy } from './provider.ts'

const KEY = { salt: 'lib.redirect-proxy', family: 'internal' } as const
const LOGOUT_KEY = { salt: 'lib.logout-proxy', family: 'internal' } as const
/** Format of {@link randomBase64Url}. */
const OWN_STATE = /^[\w-]{43}$/

interface Site {
  readonly origin: string
  readonly config: Pick<ResolvedConfig, 'basePath'>
}

export function redirectUri(
  { origin, config }: Site,
  { id, redirectProxy }: Pick<ConfiguredProvider, 'id' | 'redirectProxy'>,
): string {
  const isBehind = redirectProxy !== undefined && redirectProxy.origin !== origin
  return `${isBehind ? redirectProxy.url : origin + config.basePath}/callback/${id}`
}

/** Where the provider redirects after a sign-out: to the redirect proxy, if there is one. */
export function postLogoutUri(
  { origin, config }: Site,
  { redirectProxy }: Pick<ConfiguredProvider, 'redirectProxy'>,
): string {
  const isBehind = redirectProxy !== undefined && redirectProxy.origin !== origin
  return `${isBehind ? redirectProxy.url : origin + config.basePath}/post-logout`
}

/** The state of a sign-out: a random value, or, behind a redirect proxy, the sealed URL to which it forwards. */
export async function createLogoutState(
  ctx: Pick<SessionContext, 'origin' | 'config'>,
  { redirectProxy }: Pick<ConfiguredProvider, 'redirectProxy'>,
): Promise<string> {
  const url = postLogoutUri(ctx, { redirectProxy: undefined })
  if (postLogoutUri(ctx, { redirectProxy }) === url) return randomBase64Url()
  const sealing = { secrets: ctx.config.proxySecrets, ...LOGOUT_KEY, maxAge: TRANSACTION_MAX_AGE }
  return seal({ url }, sealing)
}

/** Where a redirect proxy forwards the return from a sign-out; `null` if it is for this site, or not allowed. */
export async function findLogoutDeployment(
  ctx: Pick<SessionContext, 'origin' | 'config'>,
  { redirectProxy }: Pick<ConfiguredProvider, 'redirectProxy'>,
  state: string,
): Promise<string | null> {
  if (redirectProxy?.origin !== ctx.origin) return null
  const claims = await open(state, { secrets: ctx.config.proxySecrets, ...LOGOUT_KEY })
  const stated = claims?.['url']
  if (typeof stated !== 'string' || !URL.canParse(stated)) return null
  const { origin, pathname } = new URL(stated)
  const isForeign = origin !== ctx.origin && pathname.endsWith('/post-logout')
  return isForeign && isForwarded(new URL(origin), redirectProxy) ? origin + pathname : null
}

/** Creates the state: a random value, or, behind a redirect proxy, the sealed callback URL. */
export async function createState(ctx: Context, provider: OAuthProvider): Promise<string> {
  const { id, redirectProxy } = provider
  const callbackUrl = redirectUri(ctx, { id, redirectProxy: undefined })
  if (redirectUri(ctx, { id, redirectProxy }) === callbackUrl) return randomBase64Url()
  const { maxAge = 0 } = ctx.cookies.transaction.options
  // The `jti` that `seal` adds makes the value unique.
  return seal({ callbackUrl }, { secrets: ctx.config.proxySecrets, ...KEY, maxAge })
}

/** Whether this site created the state for itself; a redirect proxy also receives states of other deployments. */
export function isOwnState(
  ctx: Context,
  { redirectProxy }: OAuthProvider,
  state: string | undefined,
): boolean {
  return redirectProxy?.origin !== ctx.origin || OWN_STATE.test(state ?? '')
}

/** A forged Host header puts the attacker's host into the state (open redirect, RFC 9700 §4.11). */
function isForwarded(url: URL, { http, allowedOrigins }: RedirectProxy): boolean {
  return isAllowed(url, http) && allowedOrigins.some((each) => matchesOrigin(url.origin, each))
}

/** Why the redirect proxy does not forward a response to the callback URL; `null` if it does. */
function explainRejection(url: URL, proxy: RedirectProxy, id: string): string | null {
  const { pathname } = url
  if (!isAllowed(url, proxy.http)) return 'that origin is not https.'
  if (!isForwarded(url, proxy))
    return 'that origin is not allowed. If it is your deployment, add it to redirectProxyAllowedOrigins (AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS) of the redirect proxy.'
  if (pathname.endsWith(`/callback/${id}`)) return null
  return `its path ${pathname} is not the callback of provider ${id}.`
}

/**
 * Returns the callback URL that a redirect proxy forwards the response to; `null` if the response is for this site or
 * its state is invalid. @throws InvalidRequest without a state, OAuthCallbackError if the deployment is not allowed
 */
export async function findDeployment(
  ctx: Context,
  { id, redirectProxy }: OAuthProvider,
  state: string | null,
): Promise<string | null> {
  if (redirectProxy?.origin !== ctx.origin) return null
  if (!state)
    throw new InvalidRequest(
      `The response of provider ${id} has no state, so the redirect proxy cannot tell which deployment it belongs to.`,
    )
  const claims = await open(state, { secrets: ctx.config.proxySecrets, ...KEY })
  const stated = claims?.['callbackUrl']
  if (typeof stated !== 'string' || !URL.canParse(stated)) return null
  const url = new URL(stated)
  const { origin, pathname } = url
  // Forwarding to this site would be a redirect loop.
  if (origin === ctx.origin) return null
  const reason = explainRejection(url, redirectProxy, id)
  if (reason === null) return origin + pathname
  const message = `The authorization response for ${origin} was not forwarded: ${reason}`
  throw new OAuthCallbackError(message, { provider: id, origin })
}
