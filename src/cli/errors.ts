/** How a command fails, and what the user may have meant. */

/** The work could not be done: exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The arguments are not valid: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The message of an error. An `AggregateError` has none of its own: Node throws one for a host with several addresses. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('errors' in error ? String(error.errors) : error.name)
}

/** Imports an optional package of the application. @throws Failure with the command that installs it */
export async function importOptional<T>(name: string, from: () => Promise<T>): Promise<T> {
  try {
    return await from()
  } catch (cause) {
    const isMissing =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw cause
    throw new Failure(`${name} is not installed. Run: npm install ${name}`, { cause })
  }
}

/** The number of characters to insert, delete or replace (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1]
    for (let index = 0; index < to.length; index += 1) {
      const replaced = (row[index] ?? 0) + (from[at] === to[index] ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Suggests the most similar name, else one that starts with the word. */
export function suggestion(word: string, names: readonly string[], mark = ''): string {
  const limit = Math.min(word.length - 1, Math.max(2, word.length / 3))
  const near = names
    .filter((name) => distance(word, name) <= limit)
    .sort((a, b) => distance(word, a) - distance(word, b))
  const found = near[0] ?? names.find((name) => word !== '' && name.startsWith(word))
  return found === undefined ? '' : ` Did you mean ${mark}${found}?`
}
