import { lazily } from '../cache.ts'
import type { BoundProvider, Context, ProviderList } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import { MissingAdapter } from '../errors/configuration.ts'
import { usesFormPost } from '../flows/oauth/endpoint-url.ts'
import type { OAuthSettings } from '../flows/oauth/provider.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import type { OAuthConfig, ProviderConfig } from './provider.ts'
import { EMAIL_WITHOUT_ADAPTER } from './adapter.ts'

// Loaded at the first sign-in, because most requests only read a session.
const oauth = {
  provider: lazily(() => import('../flows/oauth/provider.ts')),
  begin: lazily(() => import('../flows/oauth/begin.ts')),
  complete: lazily(() => import('../flows/oauth/complete.ts')),
}
const email = {
  begin: lazily(() => import('../flows/email/begin.ts')),
  complete: lazily(() => import('../flows/email/complete.ts')),
}
const credentials = lazily(() => import('../flows/credentials/authorize.ts'))

export interface BindSettings {
  readonly oauth: OAuthSettings
  readonly database: DatabaseSource | undefined
}

function bindOAuth(config: OAuthConfig, settings: OAuthSettings): BoundProvider {
  const { id, name, type, style } = config
  const provider = lazily(async () => {
    const { forRequest, resolveProvider } = await oauth.provider()
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
    begin: async (ctx) => (await oauth.begin()).begin(ctx, (await provider())(ctx)),
    complete: async (ctx) => (await oauth.complete()).complete(ctx, (await provider())(ctx)),
  }
}

function bindEmail(config: EmailConfig, database: DatabaseSource): BoundProvider {
  const { id, name, type } = config
  const provider = async () => ({ id, config, database: await database() })
  return {
    id,
    name,
    type,
    // GET: the token in the link is the proof. POST: the confirmation page sends a CSRF token.
    guards: { GET: 'none', POST: 'csrf' },
    offer: { kind: 'email' },
    begin: async (ctx) => (await email.begin()).begin(ctx, await provider()),
    complete: async (ctx) => (await email.complete()).complete(ctx, await provider()),
  }
}

function bindCredentials(config: CredentialsConfig): BoundProvider {
  const { id, name, type, credentials: fields } = config
  return {
    id,
    name,
    type,
    guards: { POST: 'csrf' },
    offer: fields ? { kind: 'form', fields } : { kind: 'none' },
    begin: async (ctx) => (await credentials()).begin(ctx),
    complete: async (ctx) => (await credentials()).complete(ctx, config),
  }
}

/** The only code that branches on the type of a provider. */
function bindProvider(config: ProviderConfig, settings: BindSettings): BoundProvider {
  switch (config.type) {
    case 'oauth':
    case 'oidc':
      return bindOAuth(config, settings.oauth)
    case 'credentials':
      return bindCredentials(config)
    case 'email':
      if (settings.database) return bindEmail(config, settings.database)
      throw new MissingAdapter(EMAIL_WITHOUT_ADAPTER)
  }
}

/** Binds each provider on first use, because a configuration may list many. */
export function bindProviders(
  configs: readonly ProviderConfig[],
  settings: BindSettings,
): ProviderList {
  const byId = new Map(configs.map((config) => [config.id, config]))
  const bound = new Map<string, BoundProvider>()
  return {
    ids: [...byId.keys()],
    get(id) {
      const config = byId.get(id)
      if (!config) return undefined
      const provider = bound.get(id) ?? Object.freeze(bindProvider(config, settings))
      bound.set(id, provider)
      return provider
    },
  }
}
