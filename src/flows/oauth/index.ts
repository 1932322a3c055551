import type { OAuthConfig } from '../../config/provider.ts'
import type { BoundProvider } from '../../contracts.ts'
import { resolveProvider } from './provider.ts'
import type { OAuthSettings } from './provider.ts'

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
    offer: { kind: 'button', brandColor: config.style?.brandColor ?? config.style?.bg },
    // Loaded with the first sign-in: most requests only read a session.
    begin: async (ctx) => (await import('./begin.ts')).begin(ctx, provider),
    complete: async (ctx) => (await import('./complete.ts')).complete(ctx, provider),
  }
}
