import type { CredentialFields, CredentialsConfig } from '../core/config/credentials.ts'

export type {
  CredentialFields,
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderId,
  InputAttributes,
} from '../core/config/credentials.ts'

/**
 * Credentials that your application verifies.
 *
 * @example
 * ```ts
 * import Credentials from 'lib-auth/providers/credentials'
 *
 * declare function findUser(name: unknown, password: unknown): Promise<{ id: string } | null>
 *
 * export default Credentials({
 *   credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
 *   authorize: ({ username, password }) => findUser(username, password),
 * })
 * ```
 */
export default function Credentials<C extends CredentialFields = CredentialFields>(
  options: Partial<CredentialsConfig<C>>,
): CredentialsConfig<C> {
  return { id: 'credentials', name: 'Credentials', type: 'credentials', options }
}
