import { lazily } from '../cache.ts'
import type { ResolvedConfig, SessionStrategy } from '../contracts.ts'
import { randomHex } from '../crypto/digest.ts'
import type { DatabaseSource } from '../database/database.ts'
import { SESSION_MAX_AGE, SESSION_UPDATE_AGE } from '../defaults.ts'
import { matchStoredUser, matchUnstoredUser } from '../identity/users.ts'
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

export function strategies(
  config: AuthConfig,
  database: DatabaseSource | undefined,
): Pick<ResolvedConfig, 'session' | 'matchUser'> {
  const updateAge = config.session?.updateAge ?? SESSION_UPDATE_AGE
  const isStored = strategyOf(config) === 'database'
  return {
    session:
      isStored && database
        ? storedSessions(config, database)
        : jwtSessions({ ...tokenSettings(config), updateAge }),
    matchUser: database
      ? matchStoredUser(database, { credentials: isStored ? 'stored' : 'stated' })
      : matchUnstoredUser,
  }
}
