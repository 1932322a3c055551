import type { BoundProvider } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { ceremonies } from '../symbols.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'
import type { WebAuthnConfig } from './webauthn.ts'

/** The members of a bound provider that its type determines. */
export type Flow = Omit<BoundProvider, 'id' | 'name' | 'type'>

/** What the core needs for passkeys. Only the modules of passkey providers import it, because most applications have none. */
export interface PasskeySupport {
  /** `place`: where the provider is in the configuration, such as `providers[0]`. */
  problems(
    provider: WebAuthnConfig,
    place: string,
    draft: { readonly config: AuthConfig; readonly providers: readonly ProviderConfig[] },
  ): Iterable<AuthError>
  bind(provider: WebAuthnConfig, database: DatabaseSource): Flow
}

/** Another version of the package may have set another value. */
function isSupport(value: unknown): value is PasskeySupport {
  return isRecord(value) && 'problems' in value && 'bind' in value
}

/** The support that the provider module set, or an error for an object from elsewhere. */
export function passkeySupport(
  { [ceremonies]: support }: WebAuthnConfig,
  place: string,
): PasskeySupport | InvalidConfiguration {
  return isSupport(support)
    ? support
    : new InvalidConfiguration(
        `${place} is not a provider of this library. Import it from lib-auth/providers/passkey or lib-auth/providers/webauthn.`,
      )
}
