/** `__NEXTAUTH`, private state that `next-auth/react` exports and `lib-auth/react` does not have. */
import type { Findings, Specifier } from './specifiers.ts'

const NAME = '__NEXTAUTH'
/** Words that begin the declaration around the name of a module. */
const BEGINS: ReadonlySet<string> = new Set(['import', 'export', 'const', 'let', 'var'])

/** Why an import of it stays. */
export const PRIVATE_STATE: string = `${NAME} is private state of next-auth/react, so this import is left: set basePath of SessionProvider in its place.`

/** Whether the declaration with this module takes the private state from it. */
export function takesPrivateState({ tokens }: Findings, { name, start }: Specifier): boolean {
  if (name !== 'next-auth/react') return false
  const end = tokens.findLastIndex((each) => each.start < start)
  const begin = tokens.findLastIndex(
    ({ kind, text }, index) =>
      index < end && kind === 'word' && BEGINS.has(text) && tokens[index + 1]?.text !== '(',
  )
  return begin !== -1 && tokens.slice(begin, end).some(({ text }) => text === NAME)
}
