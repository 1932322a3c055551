import type { OAuthConfig } from '../../config/provider.ts'
import type { BoundProvider } from '../../contracts.ts'
import { lazily } from '../../lazily.ts'
import { forRequest, resolveProvider } from './provider.ts'
import type { OAuthSettings } from './provider.ts'

// Loaded with the first sign-in: most requests only read a session.
const loadBegin = lazily(() => import('./begin.ts'))
const loadComplete = lazily(() => import('./complete.ts'))

/** Ties an `oauth` or `oidc` provider to its flow. */
export function bindOAuth(config: OAuthConfig, settings: OAuthSettings): BoundProvider {
  const provider = resolveProvider(config, settings)
  const { id, name, type, responseMode } = provider
  return {
    id,
    name,
    type,
    // The state of the attempt takes the place of a CSRF token (RFC 6749 §10.12).
    guards: responseMode === 'form_post' ? { GET: 'none', POST: 'none' } : { GET: 'none' },
    offer: {
      kind: 'button',
      brandColor: config.style?.brandColor ?? config.style?.bg,
      logo: config.style?.logo,
    },
    begin: async (ctx) => (await loadBegin()).begin(ctx, forRequest(provider, ctx)),
    complete: async (ctx) => (await loadComplete()).complete(ctx, forRequest(provider, ctx)),
  }
}
