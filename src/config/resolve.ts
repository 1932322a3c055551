import { lazily, oncePerKey, preload } from '../cache.ts'
import type { BoundProvider, Context, ResolvedConfig, SessionStrategy } from '../contracts.ts'
import { randomHex } from '../crypto/digest.ts'
import type { DatabaseSource } from '../database/database.ts'
import { MIN_SECRET_LENGTH, SESSION_MAX_AGE, SESSION_UPDATE_AGE } from '../defaults.ts'
import { InvalidConfiguration, MissingAdapter } from '../errors/classes.ts'
import { usesFormPost } from '../flows/oauth/endpoint-url.ts'
import type { OAuthSettings } from '../flows/oauth/provider.ts'
import { basePathOf } from '../http/path.ts'
import { matchStoredUser, matchUnstoredUser } from '../identity/users.ts'
import { createLogger, isFirstMessage } from '../log/logger.ts'
import type { Logger } from '../log/logger.ts'
import { jwtSessions } from '../session/jwt.ts'
import { skipCSRFCheck } from '../symbols.ts'
import { runsInProduction } from '../variables.ts'
import { adapterSource, EMAIL_WITHOUT_ADAPTER, strategyOf } from './adapter.ts'
import { cookiePolicies } from './cookies.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import { parseProviders } from './provider-list.ts'
import type { OAuthConfig, ProviderConfig } from './provider.ts'
import { asList, tokenSettings } from './token-settings.ts'
import type { AuthConfig } from './types.ts'
import { secretLengths, validate } from './validate.ts'

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

const sources = {
  oauth: [oauth.provider, oauth.begin],
  oidc: [oauth.provider, oauth.begin],
  email: [email.begin],
  credentials: [credentials],
} as const

interface BindSettings {
  readonly oauth: OAuthSettings
  readonly database: DatabaseSource | undefined
}

type Flow = Omit<BoundProvider, 'id' | 'name' | 'type'>

function oauthFlow(config: OAuthConfig, settings: OAuthSettings): Flow {
  const { style, authorization } = config
  const provider = lazily(async () => {
    const { forRequest, resolveProvider } = await oauth.provider()
    const resolved = resolveProvider(config, settings)
    return (ctx: Context) => forRequest(resolved, ctx)
  })
  return {
    // The state of the transaction protects against CSRF (RFC 6749 §10.12).
    guards: { GET: 'none', ...(usesFormPost(authorization) && { POST: 'none' }) },
    offer: { kind: 'button', brandColor: style?.brandColor ?? style?.bg, logo: style?.logo },
    async begin(ctx) {
      const { begin } = await oauth.begin()
      // While the user is at the provider.
      preload(oauth.complete)
      return begin(ctx, (await provider())(ctx))
    },
    complete: async (ctx) => (await oauth.complete()).complete(ctx, (await provider())(ctx)),
  }
}

function emailFlow(config: EmailConfig, database: DatabaseSource, settings: OAuthSettings): Flow {
  const provider = lazily(async () => {
    const { guardedFetch } = await import('../flows/oauth/fetch.ts')
    const fetch = guardedFetch(settings.fetch ?? globalThis.fetch, { http: settings.http })
    return { id: config.id, config, database: await database(), fetch }
  })
  return {
    // GET: the token in the link is the proof. POST: the confirmation page sends a CSRF token.
    guards: { GET: 'none', POST: 'csrf' },
    offer: { kind: 'email' },
    begin: async (ctx) => (await email.begin()).begin(ctx, await provider()),
    complete: async (ctx) => (await email.complete()).complete(ctx, await provider()),
  }
}

function credentialsFlow(config: CredentialsConfig): Flow {
  const { credentials: fields } = config
  return {
    guards: { POST: 'csrf' },
    offer: fields ? { kind: 'form', fields } : { kind: 'none' },
    begin: async (ctx) => (await credentials()).begin(ctx),
    complete: async (ctx) => (await credentials()).complete(ctx, config),
  }
}

/** The only code that branches on the type of a provider. */
function flowOf(config: ProviderConfig, settings: BindSettings): Flow {
  switch (config.type) {
    case 'oauth':
    case 'oidc':
      return oauthFlow(config, settings.oauth)
    case 'credentials':
      return credentialsFlow(config)
    case 'email':
      if (settings.database) return emailFlow(config, settings.database, settings.oauth)
      throw new MissingAdapter(EMAIL_WITHOUT_ADAPTER)
  }
}

function bindProviders(
  configs: readonly ProviderConfig[],
  settings: BindSettings,
): ResolvedConfig['providers'] {
  const bound = configs.map((config): [string, BoundProvider] => {
    const { id, name, type } = config
    return [id, Object.freeze({ id, name, type, ...flowOf(config, settings) })]
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

/** Logs configuration warnings that are not fatal, once for all configurations. */
function warn(config: AuthConfig, log: Logger, providers: readonly ProviderConfig[]): void {
  const ids = providers.map(({ id }) => id)
  const isProduction = runsInProduction()
  const isShort = secretLengths(config).some(([, length]) => length < MIN_SECRET_LENGTH)
  if (isShort && isFirstMessage('weak-secret', config)) {
    const message = `A secret is shorter than ${MIN_SECRET_LENGTH} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`
    if (isProduction) log.error(new InvalidConfiguration(message))
    else log.warn('weak-secret', message)
  }
  if (config.debug && isProduction) log.warnOnce('debug-enabled')
  if (config.experimental?.enableWebAuthn) log.warnOnce('experimental-webauthn')
  for (const id of ids.filter((each, index) => ids.indexOf(each) !== index))
    log.warnOnce(
      'duplicate-provider',
      `Several providers have the id "${id}"; the last one is used.`,
    )
  for (const { id, deprecated } of providers)
    if (deprecated)
      log.warnOnce('provider-deprecated', `The provider ${id} is deprecated. ${deprecated}`)
  if (config.skipCSRFCheck === skipCSRFCheck) log.debug?.('CSRF check disabled')
}

/** Loaded at the first call, so that an application never loads the strategy it does not use. */
function storedSessions({ session = {} }: AuthConfig, database: DatabaseSource): SessionStrategy {
  const load = lazily(async () => {
    const { databaseSessions } = await import('../session/database.ts')
    return databaseSessions({
      database: await database(),
      maxAge: session.maxAge ?? SESSION_MAX_AGE,
      updateAge: session.updateAge ?? SESSION_UPDATE_AGE,
      generateSessionToken: session.generateSessionToken ?? randomHex,
      stored: session.hashTokens ? 'hash' : 'token',
    })
  })
  return {
    read: async (ctx) => (await load()).read(ctx),
    create: async (ctx, facts, confirm) => (await load()).create(ctx, facts, confirm),
    update: async (ctx, data) => (await load()).update(ctx, data),
    destroy: async (ctx) => (await load()).destroy(ctx),
    identify: async (ctx) => (await load()).identify(ctx),
    subject: async (ctx) => (await load()).subject(ctx),
    endAll: async (ctx, userId, spare) => (await load()).endAll(ctx, userId, spare),
  }
}

function create(config: AuthConfig): ResolvedConfig {
  const http = runsInProduction() ? 'none' : 'loopback'
  const { redirectProxyUrl, redirectProxyAllowedOrigins, origin, trustHost } = config
  const entries = parseProviders(config.providers ?? [])
  validate({ ...entries, config, http })
  const { providers } = entries
  const log = createLogger(config)
  const adapter = adapterSource(config, providers)
  const database =
    adapter && lazily(async () => (await import('../database/database.ts')).databaseOf(adapter))
  const updateAge = config.session?.updateAge ?? SESSION_UPDATE_AGE
  const isStored = strategyOf(config) === 'database'
  warn(config, log, providers)
  return Object.freeze({
    basePath: basePathOf(config),
    secrets: asList(config.secret),
    proxySecrets: asList(config.redirectProxySecret ?? config.secret),
    providers: bindProviders(providers, {
      database,
      oauth: { fetch: config.fetch, http, redirectProxyUrl, redirectProxyAllowedOrigins },
    }),
    callbacks: config.callbacks ?? {},
    events: config.events ?? {},
    pages: { ...config.pages },
    theme: { ...config.theme },
    session:
      isStored && database
        ? storedSessions(config, database)
        : jwtSessions({ ...tokenSettings(config), updateAge }),
    matchUser: database
      ? matchStoredUser(database, isStored ? 'stored' : 'stated')
      : matchUnstoredUser,
    cookies: cookiePolicies(config),
    useSecureCookies: config.useSecureCookies,
    trust: {
      origin: origin?.replace(/\/$/, ''),
      trustHost: trustHost === true,
      trustedHosts: [...(config.trustedHosts ?? [])],
    },
    csrf: config.skipCSRFCheck === skipCSRFCheck ? 'skipped' : 'checked',
    log,
  })
}

/** Validates the configuration and fills in defaults, once per object. @throws the error of the first problem */
export const resolve: (config: AuthConfig) => ResolvedConfig = oncePerKey(create)
