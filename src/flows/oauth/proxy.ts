/**
 * The redirect proxy: deployments whose URLs no provider knows borrow the registered URL of another one, which
 * sends the browser on to them.
 */
import type { Context, ResolvedConfig } from '../../contracts.ts'
import { randomBase64Url } from '../../crypto/random.ts'
import { open, seal } from '../../crypto/seal.ts'
import { InvalidRequest } from '../../errors/request.ts'
import { OAuthCallbackError } from '../../errors/sign-in.ts'
import { isAllowed } from './http-policy.ts'
import { matchesOrigin } from './origin-pattern.ts'
import type { ConfiguredProvider, OAuthProvider } from './provider.ts'

const KEY = { salt: 'lib.redirect-proxy', family: 'internal' } as const
/** What {@link randomBase64Url} makes. */
const OWN_STATE = /^[\w-]{43}$/

/** What the URL of a callback is made of. */
interface Place {
  readonly origin: string
  readonly config: Pick<ResolvedConfig, 'basePath'>
}

function ownCallbackUrl({ origin, config }: Place, { id }: Pick<ConfiguredProvider, 'id'>): string {
  return `${origin}${config.basePath}/callback/${id}`
}

/** The URL the provider sends the browser back to. */
export function redirectUri(
  ctx: Place,
  provider: Pick<ConfiguredProvider, 'id' | 'redirectProxy'>,
): string {
  const { id, redirectProxy } = provider
  const isBehind = redirectProxy !== undefined && redirectProxy.origin !== ctx.origin
  return isBehind ? `${redirectProxy.url}/callback/${id}` : ownCallbackUrl(ctx, provider)
}

/** The state of a new attempt: nobody can guess it, and it tells a proxy where the answer belongs. */
export async function createState(ctx: Context, provider: OAuthProvider): Promise<string> {
  const callbackUrl = ownCallbackUrl(ctx, provider)
  if (redirectUri(ctx, provider) === callbackUrl) return randomBase64Url()
  const { maxAge = 0 } = ctx.cookies.transaction.options
  // The `jti` that sealing adds makes it another one each time.
  return seal({ callbackUrl }, { secrets: ctx.config.proxySecrets, ...KEY, maxAge })
}

function refuse(provider: string, origin: string, why: string): never {
  throw new OAuthCallbackError(
    `The authorization response for ${origin} was not forwarded: ${why}`,
    { provider, origin },
  )
}

/** Whether the state is one that this site made for itself: a proxy receives those of other deployments, too. */
export function isOwnState(
  ctx: Context,
  { redirectProxy }: OAuthProvider,
  state: string | undefined,
): boolean {
  return redirectProxy?.origin !== ctx.origin || OWN_STATE.test(state ?? '')
}

/**
 * Where a proxy sends an answer on to: the callback URL of the deployment that its state names. `null`: the
 * answer is for this site, or for nobody.
 *
 * @throws InvalidRequest when there is no state to tell by
 * @throws OAuthCallbackError when it is for a deployment that may not have it
 */
export async function deploymentOf(
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
  // To itself, it would do so forever.
  if (origin === ctx.origin) return null
  if (!isAllowed(url, redirectProxy.http)) refuse(id, origin, 'that origin is not https.')
  // Who calls a deployment by a host of their own choice has a state that names it (RFC 9700 §4.11).
  if (!redirectProxy.allowedOrigins.some((pattern) => matchesOrigin(origin, pattern)))
    refuse(
      id,
      origin,
      'that origin is not allowed. If it is your deployment, add it to redirectProxyAllowedOrigins (AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS) of the redirect proxy.',
    )
  if (!pathname.endsWith(`/callback/${id}`))
    refuse(id, origin, `its path ${pathname} is not the callback of provider ${id}.`)
  return origin + pathname
}
