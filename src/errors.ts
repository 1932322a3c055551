/**
 * Every error the library raises. What each one does (status, page, disclosure, log level) is one row
 * of `errors/table.ts`; what each one means to a developer is one anchor in `docs/errors.md`.
 */
export { AuthError, SignInError } from './errors/base.ts'
export type { ErrorCause, ErrorOptions, ErrorType } from './errors/base.ts'
export * from './errors/configuration.ts'
export * from './errors/request.ts'
export * from './errors/session.ts'
export * from './errors/sign-in.ts'
export { MissingSecretError as MissingSecret } from './errors/configuration.ts'
export { isClientError } from './errors/table.ts'
