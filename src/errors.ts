/** Errors of the library. `errors/table.ts` defines the response to each one, `docs/errors.md` explains it. */
export { AuthError, SignInError } from './errors/base.ts'
export type { ErrorCause, ErrorOptions, ErrorType } from './errors/base.ts'
export * from './errors/configuration.ts'
export * from './errors/request.ts'
export * from './errors/session.ts'
export * from './errors/sign-in.ts'
export { MissingSecretError as MissingSecret } from './errors/configuration.ts'
export { isClientError } from './errors/table.ts'
