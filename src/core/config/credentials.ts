import type { passwordSupport } from '../symbols.ts'
import type { Awaitable, Hook, User } from '../types.ts'
import type { CommonProviderOptions } from './provider-options.ts'

/** Default id of the credentials provider. */
export type CredentialsProviderId = 'credentials'

/** An attribute, or an object that has it as `value`, such as a signal of Preact. */
export type InputAttribute<T> = T | { readonly value: T | undefined } | undefined

/** The attributes of an HTML input that have a type here. */
export interface InputAttributes {
  label?: string | undefined
  type?: InputAttribute<string>
  placeholder?: InputAttribute<string>
  value?: InputAttribute<string | number | readonly string[]>
  required?: InputAttribute<boolean>
  autoComplete?: InputAttribute<string>
  autoFocus?: InputAttribute<boolean>
  minLength?: InputAttribute<number>
  maxLength?: InputAttribute<number>
  pattern?: InputAttribute<string>
  inputMode?: InputAttribute<string>
}

/** A field of a credentials form: its label, and attributes of the HTML input. */
export interface CredentialInput extends InputAttributes {
  [attribute: string]: unknown
}

/** Fields of a credentials form by name. An interface without an index signature fits as well. */
export type CredentialFields = Record<string, CredentialInput | InputAttributes>

/** A provider of type `credentials`: the application checks the credentials. */
export interface CredentialsConfig<
  C extends CredentialFields = CredentialFields,
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
  [passwordSupport]?: unknown
  /** Options of the application, deep-merged over the provider. */
  options?:
    Partial<Omit<CredentialsConfig<C>, 'options' | 'type' | typeof passwordSupport>> | undefined
}
