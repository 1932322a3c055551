import { lazily } from '../cache.ts'
import type { ResolvedConfig } from '../contracts.ts'
import { randomHex } from '../crypto/digest.ts'
import type { DatabaseSource } from '../database/database.ts'
import { SESSION_MAX_AGE, SESSION_UPDATE_AGE } from '../defaults.ts'
import { matchStoredUser, matchUnstoredUser } from '../identity/users.ts'
import { deferredSessions } from '../session/deferred.ts'
import { jwtSessions } from '../session/jwt.ts'
import { tokenSettings } from './token-settings.ts'
import type { AuthConfig, SessionOptions } from './types.ts'

/** The configured strategy, else `database` if there is an adapter. */
export function strategyOf({
  adapter,
  session,
}: Pick<AuthConfig, 'adapter' | 'session'>): NonNullable<SessionOptions['strategy']> {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

function tokenSessions(config: AuthConfig) {
  const updateAge = config.session?.updateAge ?? SESSION_UPDATE_AGE
  return jwtSessions({ ...tokenSettings(config), updateAge })
}

function storedSessions({ session = {} }: AuthConfig, database: DatabaseSource) {
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
  return deferredSessions(load)
}

export function strategies(
  config: AuthConfig,
  database: DatabaseSource | undefined,
): Pick<ResolvedConfig, 'session' | 'matchUser'> {
  if (!database) return { session: tokenSessions(config), matchUser: matchUnstoredUser }
  const isStored = strategyOf(config) === 'database'
  return {
    session: isStored ? storedSessions(config, database) : tokenSessions(config),
    matchUser: matchStoredUser(database, { credentials: isStored ? 'stored' : 'stated' }),
  }
}
