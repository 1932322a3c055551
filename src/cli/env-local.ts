/** Adds variables to `.env.local`, and advises to keep the file out of the repository. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Failure, messageOf } from './errors.ts'

export const ENV_LOCAL = '.env.local'
/** Common patterns in `.gitignore` that match the file. */
const IGNORED =
  /^\/?(?:\.env\*|\.env\.\*|\.env\*\.local|\.env\.local|\*\.local|\.env\.\*\.local)\s*$/m

function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The variables of a file in the folder; a missing file has none. */
export function variablesIn(folder: string, file: string): NodeJS.Dict<string> {
  return parseEnv(readIfExists(join(folder, file)))
}

/** Appends lines. Only the user can read a file that it creates. */
export function appendToEnvLocal(folder: string, lines: readonly string[]): void {
  const path = join(folder, ENV_LOCAL)
  const gap = /(?:^|\n)$/.test(readIfExists(path)) ? '' : '\n'
  appendFileSync(path, `${gap}${lines.join('\n')}\n`, { mode: 0o600 })
}

/** Runs work that may change the file. @throws Failure if that is not possible */
export function changingEnvLocal<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new Failure(`${ENV_LOCAL} was not changed: ${messageOf(cause)}`, { cause })
  }
}

/** Advice if `.gitignore` does not match the file; `why` completes the sentence. */
export function gitignoreAdvice(folder: string, why: string): readonly string[] {
  const isIgnored = IGNORED.test(readIfExists(join(folder, '.gitignore')))
  return isIgnored ? [] : [`Add ${ENV_LOCAL} to .gitignore: ${why}`]
}
