/** Errors of the library. Each class states the response to it, `docs/errors.md` explains it. */
export { AuthError, SignInError } from './core/errors/base.ts'
export type { ErrorCause, ErrorOptions } from './core/errors/base.ts'
export type { ErrorResponse } from './core/errors/response.ts'
export type { ErrorType } from './core/errors/error-type.ts'
export * from './core/errors/classes.ts'
export { MissingSecretError as MissingSecret } from './core/errors/classes.ts'
export { isClientError } from './core/errors/client-error.ts'
