/** The redirect proxy: preview deployments sign in through the registered callback URL of another deployment. */
import type { Context, ResolvedConfig } from '../../contracts.ts'
import { randomBase64Url } from '../../crypto/digest.ts'
import { open, seal } from '../../crypto/seal.ts'
import { InvalidRequest, OAuthCallbackError } from '../../errors/classes.ts'
import { isAllowed, matchesOrigin } from './endpoint-url.ts'
import type { ConfiguredProvider, OAuthProvider, RedirectProxy } from './provider.ts'

const KEY = { salt: 'lib.redirect-proxy', family: 'internal' } as const
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

/** Why the redirect proxy does not forward a response to the callback URL; `null` if it does. */
function explainRejection(url: URL, proxy: RedirectProxy, id: string): string | null {
  const { origin, pathname } = url
  if (!isAllowed(url, proxy.http)) return 'that origin is not https.'
  // A forged Host header puts the attacker's host into the state (open redirect, RFC 9700 §4.11).
  if (!proxy.allowedOrigins.some((pattern) => matchesOrigin(origin, pattern)))
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
