/** The option `logout`: its problems, and its defaults. */
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isAllowed } from '../flows/oauth/endpoint-url.ts'
import type { LogoutSettings } from '../contracts.ts'
import { isOrigin } from '../http/origin.ts'
import { isRecord } from '../is-record.ts'
import { resolveStrategy, storesRecords } from './adapter.ts'
import { describeValue, mismatch } from './describe-value.ts'
import { endsByProvider } from './logout-options.ts'
import type { LogoutOptions } from './logout-options.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

function* originProblems(origins: unknown, http: HttpPolicy): Iterable<string> {
  if (!Array.isArray(origins)) {
    yield `${mismatch('logout.allowedOrigins', 'a list of origins', origins)} Write ['https://www.example.com'].`
    return
  }
  for (const [index, origin] of origins.entries()) {
    const isValid = typeof origin === 'string' && isOrigin(origin)
    if (!isValid || !isAllowed(new URL(origin), http))
      yield `${mismatch(`logout.allowedOrigins[${index}]`, 'an https origin', origin)} Write it like https://www.example.com.`
  }
}

type Providers = readonly Pick<ProviderConfig, 'id' | 'type'>[]

function* channelProblems(name: string, ids: unknown, providers: Providers): Iterable<string> {
  if (!Array.isArray(ids)) {
    yield `${mismatch(`logout.${name}`, 'a list of provider ids', ids)} Write ['keycloak'].`
    return
  }
  const known = providers.flatMap(({ id, type }) => (type === 'oidc' ? [id] : []))
  for (const id of ids.filter((each) => !known.includes(each)))
    yield `logout.${name} contains ${describeValue(id)}, which is not the id of a provider of type oidc. Configured ids: ${known.join(', ') || 'none'}.`
}

/** What a provider needs to end sessions. */
function* storageProblems(config: AuthConfig): Iterable<string> {
  const { adapter } = config
  if (!storesRecords(config))
    yield 'logout.backChannel and logout.frontChannel need records, which store the sessions of a user at the provider. Set store, for example to RedisAdapter(client), or pass with: ["records"] to an adapter for SQL.'
  if (
    typeof adapter === 'object' &&
    resolveStrategy(config) === 'database' &&
    !adapter.listSessions
  )
    yield 'logout.backChannel and logout.frontChannel need listSessions of the adapter to end sessions in the database. Add it, or set session.strategy to "jwt".'
}

export function* logoutProblems(
  config: AuthConfig,
  { http, providers }: { readonly http: HttpPolicy; readonly providers: Providers },
): Iterable<string> {
  const logout: unknown = config.logout
  if (logout === undefined) return
  if (!isRecord(logout)) {
    yield `${mismatch('logout', 'an object', logout)} Write logout: {}.`
    return
  }
  const { idTokenHint = 'kept', allowedOrigins = [], backChannel = [], frontChannel = [] } = logout
  if (idTokenHint !== 'kept' && idTokenHint !== 'none')
    yield mismatch('logout.idTokenHint', '"kept" or "none"', idTokenHint)
  yield* originProblems(allowedOrigins, http)
  yield* channelProblems('backChannel', backChannel, providers)
  yield* channelProblems('frontChannel', frontChannel, providers)
  if (endsByProvider(config.logout)) yield* storageProblems(config)
}

export function logoutSettings(logout: LogoutOptions | undefined): LogoutSettings | undefined {
  if (!logout) return undefined
  const { idTokenHint = 'kept', allowedOrigins = [], backChannel = [], frontChannel = [] } = logout
  return {
    keepsIdTokens: idTokenHint === 'kept',
    allowedOrigins,
    backChannel,
    frontChannel,
    async extend(ctx, sid) {
      if (ctx.config.records)
        await (await import('../logout/hints.ts')).extendHints(ctx, await sid())
    },
  }
}
