/** Rewrites the module specifiers of a source file to the modules of this library. */
import { viewCode } from '../code-view.ts'
import type { StringToken } from '../code-view.ts'
import { findManualSteps } from './manual-steps.ts'
import { LIBRARIES, findTarget } from './replacements.ts'
import type { Target } from './replacements.ts'

export interface Change {
  readonly line: number
  readonly from: string
  readonly to: string
}

/** Something that the user must change. */
export interface Note {
  readonly line: number
  readonly what: string
}

export interface Rewritten {
  readonly text: string
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
}

/** A quoted string that starts with the name of a library, and what follows it. */
const QUOTED = new RegExp(
  String.raw`(['"\`])((?:${LIBRARIES}|@next-auth\/[\w-]+|lib-auth)(?:\/[^'"\`\s]*)?)\1(\s*[,)])?`,
  'g',
)

/** The code in front of a specifier in a statement. */
const STATEMENT =
  /(?:(?<![.\w$])(?:from|import)|\bdeclare\s+module|\/\/\/\s*<reference\s+types\s*=)\s*$/
/** The code in front of a specifier that is the first argument of a call. */
const CALL =
  /(?:(?<![.\w$])(?:import|require|require\s*\.\s*resolve|import\s*\.\s*meta\s*\.\s*resolve)|\b(?:vi|vitest|jest|mock)\s*\.\s*(?:mock|doMock|dontMock|unmock|doUnmock|deepUnmock|setMock|module|importActual|importMock|requireActual|requireMock|unstable_mockModule|createMockFromModule|genMockFromModule)\s*(?:<[^;]*>)?)\s*\(\s*(?:\/\*[^*]*\*\/\s*)?$/
/** Characters in front of a specifier that are searched: enough for type arguments. */
const CONTEXT_LENGTH = 500

const PRIVATE_STATE =
  '__NEXTAUTH is private state of next-auth/react, so this import was not changed: set basePath of SessionProvider instead.'

/** Whether the declaration that this code ends with imports `__NEXTAUTH`, which `lib-auth/react` does not have. */
function importsPrivateState(before: string): boolean {
  const declarations = before.split(/\b(?:import|export|const|let|var)\b(?!\s*\()/)
  return declarations.at(-1)?.includes('__NEXTAUTH') ?? false
}

interface Specifier extends StringToken {
  /** The code in front of it. */
  readonly before: string
}

function findSpecifiers(source: string): readonly Specifier[] {
  return [...source.matchAll(QUOTED)].flatMap(({ index, 2: value = '', 3: end }) => {
    const before = source.slice(Math.max(0, index - CONTEXT_LENGTH), index)
    const isSpecifier = STATEMENT.test(before) || (end !== undefined && CALL.test(before))
    return isSpecifier ? [{ value, start: index + 1, before }] : []
  })
}

export function lineCounter(source: string): (at: number) => number {
  const breaks = [...source.matchAll(/\r\n|[\n\r]/g)].map(({ index }) => index)
  return (at) => breaks.filter((each) => each < at).length + 1
}

/**
 * Rewrites specifiers wherever they stand in an import, also in comments and texts with code. Notes are about code only.
 *
 * @param file - the name, whose extension shows the language
 */
export function rewrite(
  source: string,
  providers: ReadonlySet<string>,
  file: string = 'source.tsx',
): Rewritten {
  const view = viewCode(source, file)
  const findLine = lineCounter(source)
  const changes: Change[] = []
  const notes: Note[] = []
  const specifiers = findSpecifiers(source)
  // Others are a part of a comment or a text.
  const inCode = specifiers.filter(({ start, value }) =>
    view.strings.some((each) => each.start === start && each.value === value),
  )
  let text = ''
  let end = 0
  for (const specifier of specifiers) {
    const { value: name, start, before } = specifier
    const line = findLine(start)
    const isPrivate = name === 'next-auth/react' && importsPrivateState(before)
    const { to, note }: Target = isPrivate ? { note: PRIVATE_STATE } : findTarget(name, providers)
    if (note !== undefined && inCode.includes(specifier)) notes.push({ line, what: note })
    if (to === undefined) continue
    changes.push({ line, from: name, to })
    text += source.slice(end, start) + to
    end = start + name.length
  }
  for (const { at, what } of findManualSteps(view, inCode)) notes.push({ line: findLine(at), what })
  return { text: text + source.slice(end), changes, notes: notes.sort((a, b) => a.line - b.line) }
}
