/** What the doctor looks at: a configuration, with what the environment adds to it. */
import { parseProviders } from '../../config/parse-providers.ts'
import { runsInProduction, withEnvDefaults } from '../../config/env.ts'
import type { ProviderConfig } from '../../config/provider.ts'
import type { AuthConfig } from '../../config/types.ts'
import { problemsOf } from '../../config/validate.ts'
import type { AuthError } from '../../errors.ts'
import type { HttpPolicy } from '../../flows/oauth/endpoint-url.ts'
import { redactSecrets } from '../../log/redact-error.ts'
import { plainText, secretsIn } from '../../log/redact.ts'
import type { WarningCode } from '../../types.ts'
import type { Environment } from '../../variables.ts'
import { messageOf } from '../message-of.ts'

/** A warning of the library. */
export interface Warning {
  readonly code: WarningCode
  readonly text: string
}

/** What is looked at. */
export interface Subject {
  /** As the application wrote it; empty when there is none to look at. */
  readonly given: AuthConfig
  /** With what the environment says. A secret that is only for development does not count. */
  readonly config: AuthConfig
  readonly providers: readonly ProviderConfig[]
  readonly problems: readonly AuthError[]
  readonly warnings: readonly Warning[]
  readonly env: Environment
  /** By name, the file of each variable that the process did not have. */
  readonly origins: Readonly<Record<string, string>>
  /** Which plain http is accepted from providers that do not say. */
  readonly http: HttpPolicy
  /** Whether there is a configuration; else it is only the environment that can be looked at. */
  readonly isLoaded: boolean
  /** What somebody else has to say, in one line and without secrets. */
  readonly quote: (error: unknown) => string
}

/** What there is to make it of. */
export interface Material {
  readonly given: AuthConfig | undefined
  readonly env: Environment
  readonly origins: Readonly<Record<string, string>>
  readonly basePath: string
}

const SECRET_VARIABLE = /SECRET|TOKEN|PASS|KEY|PRIVATE|CREDENTIAL|AUTH_.*_ID$/
/** Variables that say where something is, and who may log in there. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^/]*@/i

/** Everything of an environment and a configuration that nobody else is to see. */
function secretsOf(env: Environment, config: AuthConfig): unknown[] {
  const ofEnvironment = Object.entries(env).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    if (SECRET_VARIABLE.test(name)) return [value]
    if (!ADDRESS.test(value)) return []
    return [value, URL.canParse(value) ? new URL(value).password : []]
  })
  const own = [config.secret, config.jwt?.secret, config.redirectProxySecret]
  return [...ofEnvironment, ...own, ...secretsIn(config.providers)]
}

/** Makes what strangers say fit to be shown. */
export function quoter(env: Environment, config: AuthConfig): (error: unknown) => string {
  const secrets = secretsOf(env, config)
  return (error) => {
    const message = error instanceof Error ? messageOf(error) : String(error)
    const cause = error instanceof Error ? error.cause : undefined
    const inner = cause instanceof Error ? ` (${messageOf(cause)})` : ''
    const text = (message + inner).replace(/\s*\n\s*/g, ' ').trim()
    return plainText(redactSecrets(text, secrets))
  }
}

/** Puts it together. */
export function createSubject({ given = {}, env, origins, basePath }: Material): Subject {
  const warnings: Warning[] = []
  const logger = {
    error: () => undefined,
    warn: (code: WarningCode, ...message: unknown[]) =>
      void warnings.push({ code, text: message.join(' ') }),
    debug: () => undefined,
  }
  const filled = withEnvDefaults(
    env,
    { ...given, logger },
    { basePath, basePathWarning: 'suppressed' },
  )
  const isInvented = warnings.some(({ code }) => code === 'development-secret')
  const config = isInvented ? { ...filled, secret: [] } : filled
  const entries = parseProviders(config.providers ?? [])
  const http = runsInProduction() ? 'none' : 'loopback'
  return {
    given,
    config,
    providers: entries.providers,
    problems: problemsOf({ ...entries, config, http }),
    warnings,
    env,
    origins,
    http,
    isLoaded: false,
    quote: quoter(env, config),
  }
}
