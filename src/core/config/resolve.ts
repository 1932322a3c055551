import { chain } from '../async/awaitable.ts'
import { lazily, oncePerKey } from '../async/cache.ts'
import type { AuditLog, MatchUser, ResolvedConfig, SessionStrategy } from '../contracts.ts'
import { toBytes } from '../crypto/digest.ts'
import type { Adapter } from '../database/adapter.ts'
import type { DatabaseSource } from '../database/database.ts'
import type { AccountColumns } from '../database/rules.ts'
import type { FindIssuer } from '../tokens/sealed-columns.ts'
import { MIN_SECRET_LENGTH, SESSION_MAX_AGE, SESSION_UPDATE_AGE } from './defaults.ts'
import { EventError, InvalidConfiguration } from '../errors/classes.ts'
import { readBasePath } from '../http/path.ts'
import type { userMatcher } from '../identity/match-user.ts'
import { createLogger, isFirstMessage } from '../log/logger.ts'
import type { Logger } from '../log/logger.ts'
import { recordAccess } from '../records/access.ts'
import { jwtSessions } from '../session/jwt.ts'
import type { LifetimeSettings } from '../session/terms.ts'
import { skipCSRFCheck } from '../symbols.ts'
import { nodeEnv, runsInProduction } from './variables.ts'
import { accountSettings } from './account.ts'
import { adapterSource, storesRecords, resolveStrategy } from './adapter.ts'
import { methodProblem } from './adapter-problems.ts'
import { bindProviders } from './bind.ts'
import { cookiePolicies } from './cookies.ts'
import { logoutSettings } from './logout.ts'
import type { Protection } from './protection-options.ts'
import { lacksClientAddress, resolveProtection } from './protection.ts'
import { parseProviders } from './provider-list.ts'
import type { ProviderConfig } from './provider.ts'
import { listedSessions } from './listed-sessions.ts'
import { listsSessions } from './session-list.ts'
import { sessionRevocations } from './session-revocation.ts'
import { asList, tokenSettings } from './token-settings.ts'
import type { Awaitable } from '../types.ts'
import type { AuthConfig, SessionOptions } from './types.ts'
import { listSecrets, validate } from './validate.ts'
import { preload } from './preload.ts'

/** Warns in development only, so that production does not load the names of all options and texts. */
function warnInDevelopment(
  config: AuthConfig,
  log: Logger,
  providers: readonly ProviderConfig[],
): void {
  if (nodeEnv() !== 'development') return
  preload(async () => {
    const { developmentWarnings } = await import('./development-warnings.ts')
    for (const [code, message] of developmentWarnings(config, providers))
      log.warnOnce(code, message)
  })
}

/** Logs configuration warnings that are not fatal, once for all configurations. */
function warn(config: AuthConfig, log: Logger, providers: readonly ProviderConfig[]): void {
  const ids = providers.map(({ id }) => id)
  const isProduction = runsInProduction()
  const isShort = listSecrets(config).some(
    ([, secret]) => toBytes(secret).length < MIN_SECRET_LENGTH,
  )
  if (isShort && isFirstMessage('weak-secret', config)) {
    const message = `A secret is shorter than ${MIN_SECRET_LENGTH} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`
    if (isProduction) log.error(new InvalidConfiguration(message))
    else log.warn('weak-secret', message)
  }
  if (isProduction && lacksClientAddress(config, providers))
    log.warnOnce(
      'no-client-address',
      'Limits by client address are off. Set protection.clientAddress to the header that your proxy sets, or to "none".',
    )
  if (config.debug && isProduction)
    log.warnOnce('debug-enabled', 'debug is on in production. Set it in development only.')
  if (config.experimental?.enableWebAuthn)
    log.warnOnce(
      'experimental-webauthn',
      'Passkeys are experimental: their options may change in a minor version.',
    )
  for (const id of ids.filter((each, index) => ids.indexOf(each) !== index))
    log.warnOnce(
      'duplicate-provider',
      `Several providers have the id "${id}"; the last one is used.`,
    )
  for (const { id, deprecated } of providers)
    if (deprecated)
      log.warnOnce('provider-deprecated', `The provider ${id} is deprecated. ${deprecated}`)
  warnInDevelopment(config, log, providers)
  if (config.skipCSRFCheck === skipCSRFCheck) log.debug?.('CSRF check disabled')
}

function lifetimes({
  maxAge = SESSION_MAX_AGE,
  // A session with a shorter idle timeout would expire before it is extended.
  updateAge = maxAge > SESSION_UPDATE_AGE ? SESSION_UPDATE_AGE : maxAge / 10,
  absoluteMaxAge = Infinity,
  lifetime,
}: SessionOptions): LifetimeSettings {
  return { maxAge, updateAge, absoluteMaxAge, hasLifetime: lifetime !== undefined }
}

/** Loaded at the first call, so that an application never loads the strategy it does not use. */
function storedSessions({ session = {} }: AuthConfig, database: DatabaseSource): SessionStrategy {
  const load = lazily(async () => {
    const { databaseSessions } = await import('../session/database.ts')
    return databaseSessions({
      database: await database(),
      ...lifetimes(session),
      generateSessionToken: session.generateSessionToken,
      stored: session.hashTokens ? 'hash' : 'token',
    })
  })
  return {
    isRevocable: true,
    read: async (ctx) => (await load()).read(ctx),
    readSubject: async (ctx) => (await load()).readSubject(ctx),
    readAssured: async (ctx) => (await load()).readAssured(ctx),
    create: async (ctx, facts, confirm) => (await load()).create(ctx, facts, confirm),
    update: async (ctx, data) => (await load()).update(ctx, data),
    destroy: async (ctx) => (await load()).destroy(ctx),
    identify: async (ctx) => (await load()).identify(ctx),
    subject: async (ctx) => (await load()).subject(ctx),
    isListed: true,
    list: async (ctx, userId) => (await load()).list(ctx, userId),
    endOne: async (ctx, userId, sid) => (await load()).endOne(ctx, userId, sid),
    endAll: async (ctx, userId, options) => (await load()).endAll(ctx, userId, options),
  }
}

/** Loaded at the first sign-in, because most requests only read a session. */
function lazyUserMatch(...of: Parameters<typeof userMatcher>): MatchUser {
  const load = lazily(async () => (await import('../identity/match-user.ts')).userMatcher(...of))
  return async (ctx, evidence) => (await load())(ctx, evidence)
}

function databaseSource(
  adapter: Adapter | (() => Awaitable<Adapter>),
  columns?: AccountColumns,
): DatabaseSource {
  return lazily(async () => {
    const { createDatabase } = await import('../database/database.ts')
    return createDatabase(adapter, { columns })
  })
}

/** What was encrypted is decrypted also after the option was changed: it is no token, and must not be sent as one. */
function tokenColumns(
  { tokens, secret }: AuthConfig,
  settings: { readonly log: Logger; readonly issuedBy: FindIssuer },
): AccountColumns {
  const isEncrypted = tokens !== undefined && tokens.stored !== 'plain'
  const load = lazily(async () => {
    const { sealedColumns } = await import('../tokens/sealed-columns.ts')
    return sealedColumns({ secrets: asList(secret), ...settings })
  })
  return {
    seal: async (row) => (isEncrypted ? (await load()).seal(row) : row),
    open: (row) => chain(load(), (columns) => columns.open(row)),
  }
}

/** Loaded with the first event. */
function lazyAuditLog(
  { audit }: AuthConfig,
  { protection, log }: { readonly protection: Protection | undefined; readonly log: Logger },
): AuditLog | undefined {
  if (!audit) return undefined
  const load = lazily(async () => {
    const { auditLog } = await import('../log/audit.ts')
    const { findClientAddress } = await import('../limits/client-address.ts')
    const clientAddress = (headers: Headers) =>
      findClientAddress(headers, protection?.clientAddress)
    return auditLog(audit, clientAddress)
  })
  const open = async (): Promise<AuditLog | null> => {
    try {
      return await load()
    } catch (cause) {
      log.error(new EventError('The module of the audit log could not be loaded.', { cause }))
      return null
    }
  }
  return {
    record: async (ctx, fact) => (await open())?.record(ctx, fact),
    recordFailure: async (ctx, error) => (await open())?.recordFailure(ctx, error),
  }
}

/** A session in a cookie tells when it began, also without the option. */
function keptAssurance(
  { session, account, secondStep }: AuthConfig,
  isStored: boolean,
): ResolvedConfig['assurance'] {
  if (session?.assurance === 'kept' || account || secondStep) return 'all'
  return isStored ? 'none' : 'time'
}

function create(config: AuthConfig): ResolvedConfig {
  const http = runsInProduction() ? 'none' : 'loopback'
  const { redirectProxyUrl, redirectProxyAllowedOrigins, origin, trustHost } = config
  const entries = parseProviders(config.providers ?? [])
  validate({ ...entries, config, http })
  const { providers } = entries
  const log = createLogger(config)
  const adapter = adapterSource(config.adapter, (loaded) =>
    methodProblem(loaded, config, providers),
  )
  const issuedBy: FindIssuer = (id) => bound.get(id)?.tokens?.issuedBy
  const database = adapter && databaseSource(adapter, tokenColumns(config, { log, issuedBy }))
  const store = config.store ? databaseSource(config.store) : database
  const records = store && storesRecords(config) ? recordAccess(store) : undefined
  const isStored = resolveStrategy(config) === 'database'
  const revocations = sessionRevocations(config, records)
  const { session = {} } = config
  const sessions =
    isStored && database
      ? storedSessions(config, database)
      : jwtSessions({ ...lifetimes(session), ...tokenSettings(config), revocations })
  const protection = resolveProtection(config, adapter)
  warn(config, log, providers)
  const bound = bindProviders(providers, {
    database,
    oauth: { fetch: config.fetch, http, redirectProxyUrl, redirectProxyAllowedOrigins },
  })
  return Object.freeze({
    basePath: readBasePath(config),
    secrets: asList(config.secret),
    proxySecrets: asList(config.redirectProxySecret ?? config.secret),
    providers: bound,
    callbacks: config.callbacks ?? {},
    events: config.events ?? {},
    pages: { ...config.pages },
    theme: { ...config.theme },
    session: listedSessions(sessions, config, records),
    lifetime: {
      // A token and its session end at the same time.
      ...lifetimes(isStored ? session : { ...session, maxAge: tokenSettings(config).maxAge }),
      choose: session.lifetime,
    },
    keepsFacts:
      config.tokens !== undefined ||
      revocations !== undefined ||
      config.logout !== undefined ||
      config.account !== undefined ||
      config.secondStep !== undefined ||
      config.session?.assurance === 'kept' ||
      session.lifetime !== undefined ||
      (isStored && session.absoluteMaxAge !== undefined) ||
      listsSessions(config),
    assurance: keptAssurance(config, isStored),
    matchUser: lazyUserMatch(database, isStored ? 'stored' : 'stated'),
    database,
    records,
    cookies: cookiePolicies(config),
    useSecureCookies: config.useSecureCookies,
    trust: {
      origin: origin?.replace(/\/$/, ''),
      trustHost: trustHost === true,
      trustedHosts: [...(config.trustedHosts ?? [])],
    },
    protection,
    csrf: config.skipCSRFCheck === skipCSRFCheck ? 'skipped' : 'checked',
    log,
    tokens: {
      ...config.tokens,
      isKept: config.tokens !== undefined,
    },
    logout: logoutSettings(config.logout),
    audit: lazyAuditLog(config, { protection, log }),
    account: accountSettings(config, { providers, http }),
    secondStep: config.secondStep,
  })
}

/** Validates the configuration and fills in defaults, once per object. @throws the error of the first problem */
export const resolve: (config: AuthConfig) => ResolvedConfig = oncePerKey(create)
