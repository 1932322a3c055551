import type { OAuthConfig } from '../../config/provider.ts'
import type { BoundProvider, Context } from '../../contracts.ts'
import { lazily } from '../../lazily.ts'
import { usesFormPost } from './endpoint-url.ts'
import type { OAuthSettings } from './provider.ts'

// Loaded at the first sign-in, because most requests only read a session.
const loadProvider = lazily(() => import('./provider.ts'))
const loadBegin = lazily(() => import('./begin.ts'))
const loadComplete = lazily(() => import('./complete.ts'))

export function bindOAuth(config: OAuthConfig, settings: OAuthSettings): BoundProvider {
  const { id, name, type, style } = config
  const provider = lazily(async () => {
    const { forRequest, resolveProvider } = await loadProvider()
    const resolved = resolveProvider(config, settings)
    return (ctx: Context) => forRequest(resolved, ctx)
  })
  return {
    id,
    name,
    type,
    // The state of the transaction protects against CSRF (RFC 6749 §10.12).
    guards: { GET: 'none', ...(usesFormPost(config.authorization) && { POST: 'none' }) },
    offer: { kind: 'button', brandColor: style?.brandColor ?? style?.bg, logo: style?.logo },
    begin: async (ctx) => (await loadBegin()).begin(ctx, (await provider())(ctx)),
    complete: async (ctx) => (await loadComplete()).complete(ctx, (await provider())(ctx)),
  }
}
