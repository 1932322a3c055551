import { InvalidRequest } from '../errors/classes.ts'

const MAX_LENGTH = 100

/** A name that a user has chosen. @throws InvalidRequest */
export function parseChosenName(what: string, name: unknown): string {
  const trimmed = typeof name === 'string' ? name.trim() : ''
  // Databases cannot store NUL or a lone surrogate.
  if (trimmed && trimmed.length <= MAX_LENGTH && !/[\p{Cc}\p{Surrogate}]/u.test(trimmed))
    return trimmed
  throw new InvalidRequest(
    `The name of ${what} is not a text of 1 to ${MAX_LENGTH} characters without control characters.`,
  )
}
