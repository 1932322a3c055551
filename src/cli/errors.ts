/** How a command fails, and what the user may have meant. */
import { nearestName } from '../core/config/nearest-name.ts'

/** The work could not be done: exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The arguments are not valid: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The message of an error. An `AggregateError` has none of its own: Node throws one for a host with several addresses. */
export function readMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('errors' in error ? String(error.errors) : error.name)
}

/** The code of an error of Node.js or of a driver, such as `EEXIST`. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Whether a package is not installed: as Node.js says it, or Yarn without `node_modules` (Plug'n'Play). */
export function isMissingPackage(error: unknown): boolean {
  const code = errorCode(error)
  const isPlugAndPlay = error instanceof Error && 'pnpCode' in error
  return code === 'ERR_MODULE_NOT_FOUND' || (isPlugAndPlay && code === 'MODULE_NOT_FOUND')
}

/** Imports an optional package of the application. @throws Failure with the command that installs it */
export async function importOptional<T>(name: string, from: () => Promise<T>): Promise<T> {
  try {
    return await from()
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause
    throw new Failure(`${name} is not installed. Run: npm install ${name}`, { cause })
  }
}

/** Suggests the most similar name, else one that starts with the word. */
export function suggestion(word: string, names: readonly string[], mark = ''): string {
  const found =
    nearestName(word, names) ?? names.find((name) => word !== '' && name.startsWith(word))
  return found === undefined ? '' : ` Did you mean ${mark}${found}?`
}
