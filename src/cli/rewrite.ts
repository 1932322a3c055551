/** Rewrites the module specifiers of a source file. */
import { findLeftovers } from './leftovers.ts'
import { targetOf } from './targets.ts'

export interface Change {
  readonly line: number
  readonly from: string
  readonly to: string
}

/** Something to do by hand. */
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
const QUOTED =
  /(['"`])((?:next-auth|@auth\/core|@next-auth\/[\w-]+|lib-auth)(?:\/[^'"`\s]*)?)\1(\s*[,)])?/g

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

interface Specifier {
  readonly name: string
  readonly start: number
  readonly before: string
}

function findSpecifiers(source: string): readonly Specifier[] {
  return [...source.matchAll(QUOTED)].flatMap(({ index, 2: name = '', 3: end }) => {
    const before = source.slice(Math.max(0, index - CONTEXT_LENGTH), index)
    const isSpecifier = STATEMENT.test(before) || (end !== undefined && CALL.test(before))
    return isSpecifier ? [{ name, start: index + 1, before }] : []
  })
}

/** Rewrites specifiers wherever they stand in an import, also in comments and texts with code. */
export function rewrite(source: string, providers: ReadonlySet<string>): Rewritten {
  const breaks = [...source.matchAll(/\r\n|[\n\r]/g)].map(({ index }) => index)
  const lineOf = (at: number) => breaks.filter((each) => each < at).length + 1
  const changes: Change[] = []
  const notes: Note[] = []
  const specifiers = findSpecifiers(source)
  let text = ''
  let end = 0
  for (const { name, start, before } of specifiers) {
    const line = lineOf(start)
    const isPrivate = name === 'next-auth/react' && importsPrivateState(before)
    const target = isPrivate
      ? ({ kind: 'kept', note: PRIVATE_STATE } as const)
      : targetOf(name, providers)
    if (target?.kind === 'kept') notes.push({ line, what: target.note })
    if (target?.kind !== 'renamed') continue
    changes.push({ line, from: name, to: target.name })
    text += source.slice(end, start) + target.name
    end = start + name.length
  }
  const places = new Set(specifiers.map(({ start }) => start))
  const names = specifiers.map(({ name }) => name)
  for (const { at, what } of findLeftovers(source, { names, places }))
    notes.push({ line: lineOf(at), what })
  return { text: text + source.slice(end), changes, notes: notes.sort((a, b) => a.line - b.line) }
}
