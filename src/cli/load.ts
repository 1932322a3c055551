/** What a command needs of the project it runs in, and not everybody has. */
import { Failure } from './failure.ts'

/** Whether an import failed because the package is not there. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

/**
 * What `from` loads.
 *
 * @throws Failure that says what to install
 */
export async function load<T>(what: string, from: () => Promise<T>): Promise<T> {
  try {
    return await from()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new Failure(`${what} is not installed here. Run: npm install ${what}`, { cause })
  }
}
