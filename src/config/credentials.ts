/** A provider whose proof the application checks itself. */
import type { Awaitable, Hook, User } from '../types.ts'
import type { CommonProviderOptions } from './provider.ts'

/** One field of a credentials form: attributes of an HTML input, and its label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string | number | readonly string[]
  required?: boolean
  autoComplete?: string
  autoFocus?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  inputMode?: string
  [attribute: string]: unknown
}

/** A provider whose proof the application checks itself. */
export interface CredentialsConfig<
  C extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: 'credentials'
  /** The fields of the form. Without them the built-in sign-in page shows none. */
  credentials?: C | undefined
  /**
   * Decides whether these credentials are good: answers the user, or `null`. Throw `CredentialsSignin`
   * to send a `code` along.
   */
  authorize?: Hook<
    [credentials: Partial<Record<keyof C, unknown>>, request: Request],
    Awaitable<User | null>
  >
  /**
   * Accept JSON values other than text. Check their types yourself then: an object in place of a password
   * is an attack on your database query.
   *
   * @default false
   */
  jsonValues?: boolean | undefined
  /**
   * With session strategy `database`: creates a user who is not in the database yet.
   *
   * @default false
   */
  createUser?: boolean | undefined
  /** What the application set; deep-merged over the rest. */
  options?: Partial<Omit<CredentialsConfig<C>, 'options' | 'type'>> | undefined
}
