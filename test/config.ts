import type { AuthConfig, CallbacksOptions } from '../src/index.ts'
import type { Browser, Issuer } from '../src/testing/index.ts'
import type { CredentialsConfig } from '../src/core/config/credentials.ts'
import type { OIDCConfig } from '../src/core/config/provider.ts'

export const SECRET = 'a secret for tests, of more than 32 bytes'

/** A provider configuration for an issuer. */
export function oidc(op: Issuer, overrides: Partial<OIDCConfig> = {}): OIDCConfig {
  return {
    id: 'op',
    name: 'Test OP',
    type: 'oidc',
    issuer: op.url,
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    ...overrides,
  }
}

/** Recorded errors, warnings and debug messages. */
export interface Log {
  readonly errors: Error[]
  /** Warnings, each with `warn` in front. */
  readonly lines: unknown[][]
  readonly debug: unknown[][]
}

/** A logger that records its calls. */
export function silentLog(): { log: Log; logger: NonNullable<AuthConfig['logger']> } {
  const log: Log = { errors: [], lines: [], debug: [] }
  return {
    log,
    logger: {
      error: (error: Error) => void log.errors.push(error),
      warn: (...line: unknown[]) => void log.lines.push(['warn', ...line]),
      debug: (...line: unknown[]) => void log.debug.push(line),
    },
  }
}

/** A configuration with one issuer and a log that records. */
export function configFor(
  op: Issuer,
  overrides: Partial<AuthConfig> & { callbacks?: CallbacksOptions } = {},
): { config: AuthConfig; log: Log } {
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [oidc(op)],
    secret: SECRET,
    trustHost: true,
    fetch: op.fetch,
    logger,
    ...overrides,
  }
  return { config, log }
}

/** The credentials that {@link passwordConfig} accepts. */
export const TYPED = { username: 'ada', password: 'correct horse battery staple' }

/** A configuration with one credentials provider. */
export function passwordConfig(
  overrides: Partial<AuthConfig> = {},
  provider: Partial<CredentialsConfig> = {},
): { config: AuthConfig; log: Log } {
  const { log, logger } = silentLog()
  const credentials: CredentialsConfig = {
    id: 'password',
    name: 'Password',
    type: 'credentials',
    credentials: { username: {}, password: { type: 'password' } },
    authorize: ({ username, password }) =>
      username === TYPED.username && password === TYPED.password
        ? { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://app.test/ada' }
        : null,
    ...provider,
  }
  const config = { providers: [credentials], secret: SECRET, trustHost: true, logger, ...overrides }
  return { config, log }
}

/** Submits the credentials form of {@link passwordConfig}. */
export function enter(tab: Browser, fields: Record<string, string> = TYPED): Promise<Response> {
  return tab.post('callback/password', fields)
}
