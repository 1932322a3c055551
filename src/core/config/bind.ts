/** Binds each provider to the flow of its type. */
import { lazily } from '../async/cache.ts'
import type { BoundProvider, ResolvedConfig, SessionContext } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import { AuthError } from '../errors/base.ts'
import { usesFormPost } from '../flows/oauth/endpoint-url.ts'
import type { OAuthSettings } from '../flows/oauth/provider.ts'
import { missingAdapter } from './adapter-problems.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import { passkeySupport } from './passkey-support.ts'
import type { Flow } from './passkey-support.ts'
import { findPasswordSupport } from './password-support.ts'
import type { OAuthConfig, ProviderConfig } from './provider.ts'
import { preload } from './preload.ts'

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
const endSession = lazily(() => import('../flows/oauth/end-session.ts'))
const credentials = lazily(() => import('../flows/credentials/authorize.ts'))

const sources = {
  oauth: [oauth.provider, oauth.begin],
  oidc: [oauth.provider, oauth.begin],
  email: [email.begin],
  credentials: [credentials],
  webauthn: [],
} as const

interface BindSettings {
  readonly oauth: OAuthSettings
  readonly database: DatabaseSource | undefined
}

function oauthFlow(config: OAuthConfig, settings: OAuthSettings): Flow {
  const { style, authorization } = config
  const provider = lazily(async () => {
    const { forRequest, resolveProvider } = await oauth.provider()
    const resolved = resolveProvider(config, settings)
    return (ctx: Pick<SessionContext, 'deadline' | 'secrets'>) => forRequest(resolved, ctx)
  })
  return {
    // The state of the transaction protects against CSRF (RFC 6749 §10.12).
    guards: { GET: 'none', ...(usesFormPost(authorization) && { POST: 'none' }) },
    offer: {
      kind: 'button',
      brandColor: style?.brandColor ?? style?.bg,
      logo: style?.logo,
      icon: style?.icon,
    },
    statesContext: 'trustsAssurance' in config && Boolean(config.trustsAssurance),
    async begin(ctx, stepUp) {
      const { begin } = await oauth.begin()
      // The user is at the provider while it loads.
      preload(oauth.complete)
      return begin(ctx, (await provider())(ctx), stepUp)
    },
    complete: async (ctx) => (await oauth.complete()).complete(ctx, (await provider())(ctx)),
    tokens: {
      issuedBy: JSON.stringify([config.issuer, config.wellKnown, config.token, config.clientId]),
      clientId: config.clientId ?? '',
      refresh: async (ctx, tokens) =>
        (await import('../flows/oauth/refresh.ts')).refresh(ctx, (await provider())(ctx), tokens),
      revoke: async (ctx, tokens) =>
        (await import('../flows/oauth/revoke.ts')).revoke(ctx, (await provider())(ctx), tokens),
    },
    logout: {
      clientId: config.clientId ?? '',
      verify: async (ctx, token) =>
        (await import('../flows/oauth/logout-token.ts')).verifyLogoutToken(
          (await provider())(ctx),
          token,
        ),
      framingOrigins: async (ctx) => (await endSession()).framingOrigins((await provider())(ctx)),
      hasEndSession: async (ctx) => (await endSession()).hasEndSession((await provider())(ctx)),
      start: async (ctx, request) =>
        (await endSession()).startEndSession(ctx, (await provider())(ctx), request),
      deployment: async (ctx, state) =>
        (await import('../flows/oauth/proxy.ts')).findLogoutDeployment(
          ctx,
          (await provider())(ctx),
          state,
        ),
    },
  }
}

function emailFlow(config: EmailConfig, database: DatabaseSource, settings: OAuthSettings): Flow {
  const provider = lazily(async () => {
    const { guardedFetch } = await import('../flows/oauth/fetch.ts')
    const fetch = guardedFetch(settings.fetch ?? globalThis.fetch, { http: settings.http })
    return { id: config.id, config, database: await database(), fetch }
  })
  return {
    // GET: the token in the link is the proof. POST: the form of a code, or the confirmation page, sends a CSRF token.
    guards: { GET: 'none', POST: 'csrf' },
    offer: { kind: 'email', method: config.method ?? 'link', isUnnamed: config.isUnnamed },
    begin: async (ctx, stepUp) => (await email.begin()).begin(ctx, await provider(), stepUp),
    complete: async (ctx) => (await email.complete()).complete(ctx, await provider()),
  }
}

function credentialsFlow(config: CredentialsConfig, database: DatabaseSource | undefined): Flow {
  const { credentials: fields } = config
  const support = findPasswordSupport(config)
  if (support && !database) throw missingAdapter(config.type)
  const passwords = database && support?.bind(config, database)
  return {
    guards: { POST: 'csrf' },
    offer: fields
      ? { kind: 'form', fields, ...(passwords && { passwords: passwords.links }) }
      : { kind: 'none' },
    begin: async (ctx) => (await credentials()).begin(ctx),
    async complete(ctx) {
      const { complete } = await credentials()
      if (!passwords) return complete(ctx, config)
      const { authorize, recheck } = passwords.check(ctx)
      return { ...(await complete(ctx, { ...config, authorize })), recheck }
    },
    ...(passwords && { passwords }),
  }
}

/** The only code that branches on the type of a provider. */
function bindFlow(config: ProviderConfig, settings: BindSettings): Flow {
  switch (config.type) {
    case 'oauth':
    case 'oidc':
      return oauthFlow(config, settings.oauth)
    case 'credentials':
      return credentialsFlow(config, settings.database)
    case 'email':
      if (settings.database) return emailFlow(config, settings.database, settings.oauth)
      throw missingAdapter(config.type)
    case 'webauthn': {
      const support = passkeySupport(config, `Provider ${config.id}`)
      if (support instanceof AuthError) throw support
      if (settings.database) return support.bind(config, settings.database)
      throw missingAdapter(config.type)
    }
  }
}

export function bindProviders(
  configs: readonly ProviderConfig[],
  settings: BindSettings,
): ResolvedConfig['providers'] {
  const bound = configs.map((config): [string, BoundProvider] => {
    const { id, name, type } = config
    return [id, Object.freeze({ id, name, type, ...bindFlow(config, settings) })]
  })
  const byId = new Map(bound)
  return {
    ids: [...byId.keys()],
    get: (id) => byId.get(id),
    preload() {
      for (const { type } of configs) preload(...sources[type])
    },
  }
}
