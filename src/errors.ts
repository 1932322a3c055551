/** Errors of the library. `errors/table.ts` defines the response to each one, `docs/errors.md` explains it. */
export { AuthError, SignInError } from './errors/base.ts'
export type { ErrorCause, ErrorOptions, ErrorType } from './errors/base.ts'
export * from './errors/classes.ts'
export { MissingSecretError as MissingSecret } from './errors/classes.ts'
export { isClientError } from './errors/client-error.ts'
