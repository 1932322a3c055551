/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0): where a user signs out at the provider. */
import type { SessionContext } from '../../contracts.ts'
import type { EndSession, EndSessionRequest } from '../../logout/logout-hint.ts'
import { endpointUrl } from './endpoint-url.ts'
import { decodePart } from './id-token.ts'
import type { OAuthProvider } from './provider.ts'
import { createLogoutState, postLogoutUri } from './proxy.ts'
import { discover, readParameters } from './server.ts'

/** Servers reject longer URLs. */
const MAX_URL_LENGTH = 8 * 1024

/** Microsoft Entra ID asks which account signs out, whatever the ID token says, unless it receives this claim. */
function loginHintOf(idToken: string): string | undefined {
  const { login_hint: hint } = decodePart(idToken, 'claims')
  return typeof hint === 'string' ? hint : undefined
}

async function findEndpoint(provider: OAuthProvider): Promise<URL | null> {
  const { id, http, endSession } = provider
  const stated = endSession.url ?? (await discover(provider))?.end_session_endpoint
  if (stated === undefined) return null
  return endpointUrl(stated, http, `The end_session_endpoint of provider ${id}`)
}

export async function hasEndSession(provider: OAuthProvider): Promise<boolean> {
  return (await findEndpoint(provider)) !== null
}

/** The issuer and the end-session endpoint: the pages at which the provider loads frames of its clients. */
export async function framingOrigins(provider: OAuthProvider): Promise<readonly string[]> {
  const urls = [(await discover(provider))?.issuer ?? provider.issuer, await findEndpoint(provider)]
  return [...new Set(urls.flatMap((url) => (url ? [new URL(url).origin] : [])))]
}

/** `null` if the provider has no endpoint. @throws InvalidEndpoints */
export async function startEndSession(
  ctx: SessionContext,
  provider: OAuthProvider,
  { idToken, logoutHint, locale }: EndSessionRequest,
): Promise<EndSession | null> {
  const endpoint = await findEndpoint(provider)
  if (!endpoint) return null
  const { endSession, clientIdParameter = 'client_id', clientId = '' } = provider
  const state = await createLogoutState(ctx, provider)
  const { redirectParameter = 'post_logout_redirect_uri', returnsWithoutHint = true } = endSession
  const returnParameters = { [redirectParameter]: postLogoutUri(ctx, provider), state }
  const createUrl = (hint: Readonly<Record<string, string | undefined>>): string => {
    const url = new URL(endpoint)
    const isReturned = hint['id_token_hint'] !== undefined || returnsWithoutHint
    const parameters = {
      ...hint,
      ui_locales: locale,
      ...Object.fromEntries(readParameters(endSession)),
      [clientIdParameter]: clientId,
      ...(isReturned ? returnParameters : { [redirectParameter]: undefined, state: undefined }),
    }
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value)
    return url.href
  }
  const whole =
    idToken === undefined
      ? ''
      : createUrl({ id_token_hint: idToken, logout_hint: loginHintOf(idToken) })
  const isUsable = whole !== '' && whole.length <= MAX_URL_LENGTH
  return { state, url: isUsable ? whole : createUrl({ logout_hint: logoutHint }) }
}
