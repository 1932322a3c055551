import type { OAuthProviderContext } from '../../config/provider.ts'
import type { Context } from '../../contracts.ts'
import type { OAuthProvider } from './provider.ts'
import { configured } from './server.ts'
import type { EndpointName } from './server.ts'

function endpoint(provider: OAuthProvider, name: EndpointName): { readonly url: URL } | undefined {
  const url = configured(provider, name)
  return url && URL.canParse(url) ? { url: new URL(url) } : undefined
}

export function hookContext(ctx: Context, provider: OAuthProvider): OAuthProviderContext {
  const { id, name, type, issuer, clientSecret, clientId = '', fetch } = provider
  const base = `${ctx.origin}${ctx.config.basePath}`
  const authorization = endpoint(provider, 'authorization_endpoint')
  const token = endpoint(provider, 'token_endpoint')
  const userinfo = endpoint(provider, 'userinfo_endpoint')
  return {
    id,
    name,
    type,
    clientId,
    fetch,
    signinUrl: `${base}/signin/${id}`,
    callbackUrl: `${base}/callback/${id}`,
    ...(issuer !== undefined && { issuer }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(authorization && { authorization }),
    ...(token && { token }),
    ...(userinfo && { userinfo }),
  }
}
