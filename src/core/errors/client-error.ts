import { AuthError } from './base.ts'
import { findErrorRow } from './table.ts'

/** Whether the type of this error may be exposed to a browser. */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && findErrorRow(error)?.type === 'exposed'
}
