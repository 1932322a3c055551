import type { Awaitable, Hook, User } from '../types.ts'
import type { CommonProviderOptions } from './provider.ts'

/** A field of a credentials form: its label, and attributes of the HTML input. */
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

/** A provider of type `credentials`: the application checks the credentials. */
export interface CredentialsConfig<
  C extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: 'credentials'
  /** Fields of the form; without them the built-in sign-in page shows no form. */
  credentials?: C | undefined
  /** Returns the user, or `null` to reject the credentials. Throw `CredentialsSignin` to pass a `code` on. */
  authorize?: Hook<
    [credentials: Partial<Record<keyof C, unknown>>, request: Request],
    Awaitable<User | null>
  >
  /** Accepts JSON values other than strings. Validate their types: an object can inject into a query. @default false */
  jsonValues?: boolean | undefined
  /** Creates users who are not in the database yet (session strategy `database`). @default false */
  createUser?: boolean | undefined
  /** Options of the application, deep-merged over the provider. */
  options?: Partial<Omit<CredentialsConfig<C>, 'options' | 'type'>> | undefined
}
