import type { Context, Evidence, PasswordFlow } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import type { AuthError } from '../errors/base.ts'
import { isRecord } from '../is-record.ts'
import { passwordSupport } from '../symbols.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { PasswordOptions } from './password-options.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

/** A provider of passwords that is bound to its database. */
export interface BoundPasswords extends PasswordFlow {
  /** Checks a password for this request; `recheck`: whether it is still that of the user. */
  check(ctx: Context): Required<Pick<CredentialsConfig, 'authorize'>> & Pick<Evidence, 'recheck'>
}

/** What the core needs for passwords. Only `lib-auth/password` imports it, because most applications have none. */
export interface PasswordSupport {
  readonly options: PasswordOptions
  /** `place`: where the provider is in the configuration, such as `providers[0]`. */
  problems(
    provider: CredentialsConfig,
    place: string,
    draft: { readonly config: AuthConfig; readonly providers: readonly ProviderConfig[] },
  ): Iterable<AuthError>
  bind(provider: CredentialsConfig, database: DatabaseSource): BoundPasswords
}

/** Another version of the package may have set another value. */
function isSupport(value: unknown): value is PasswordSupport {
  return isRecord(value) && 'problems' in value && 'bind' in value
}

/** `null` for a provider whose passwords the application checks. */
export function findPasswordSupport({
  [passwordSupport]: support,
}: Pick<CredentialsConfig, typeof passwordSupport>): PasswordSupport | null {
  return isSupport(support) ? support : null
}
