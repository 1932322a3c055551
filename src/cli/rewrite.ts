/** Rewrites the module specifiers of a source file to the modules of this library. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findManualSteps, VERSION_4 } from './manual-steps.ts'

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

/** The modules whose path is another one here. */
const RENAMED: Readonly<Record<string, string>> = {
  'next-auth': 'lib-auth/next',
  '@auth/express': 'lib-auth/express',
  '@auth/sveltekit': 'lib-auth/sveltekit',
  '@auth/sveltekit/client': 'lib-auth/svelte',
  '@hono/auth-js': 'lib-auth/hono',
}

const SUBPATHS: Readonly<Record<string, readonly string[]>> = {
  'next-auth': ['/react', '/jwt', '/adapters', '/providers', '/webauthn'],
  '@auth/core': ['', '/types', '/errors', '/jwt', '/adapters', '/providers'],
  '@auth/express': ['/types', '/adapters', '/providers'],
  '@auth/sveltekit': ['/adapters', '/providers'],
  '@hono/auth-js': ['/react'],
}

const FROM_SVELTEKIT =
  'see node_modules/lib-auth/docs/guides/migrate-from-next-auth.md#from-authsveltekit'

/** Why some subpaths have no equivalent. */
const MISSING = [
  [/^\/(?:next|middleware|core(?:\/types)?|client\/_utils|utils)$/, VERSION_4],
  [/^\/components$/, `has no equivalent, write a form: ${FROM_SVELTEKIT}`],
] as const

/** What else to change where a module is imported. */
const FURTHER: Readonly<Record<string, string>> = {
  '@auth/sveltekit': `lib-auth/sveltekit does not read .env in development: ${FROM_SVELTEKIT}`,
  '@auth/sveltekit/client': `lib-auth/svelte needs setSession in the root layout: ${FROM_SVELTEKIT}`,
}

/** Notes about the application, whichever of its files imports the module. */
export const ONCE: ReadonlySet<string> = new Set(Object.values(FURTHER))

const PROVIDERS = 'node_modules/lib-auth/docs/providers/README.md'

/** The provider modules of the package, by their files. */
export function shippedProviders(): ReadonlySet<string> {
  const files = readdirSync(fileURLToPath(new URL('../providers', import.meta.url)))
  const names = files.map((file) => file.replace(/(?:\.d)?\.[jt]s$/, ''))
  return new Set(names.filter((name) => name !== 'index' && !name.startsWith('_')))
}

const SPECIFIER = /^(next-auth|@auth\/(?:core|express|sveltekit)|@hono\/auth-js)(\/.*)?$/

/** What becomes of a specifier: `note` explains why it is not changed, or what else to change. */
interface Target {
  readonly to?: string
  readonly note?: string
}

/** Returns an empty target for modules of other libraries. */
export function targetOf(name: string, providers: ReadonlySet<string>): Target {
  if (name.startsWith('@next-auth/'))
    return {
      note: `${name} is an adapter of version 4; install ${name.replace('@next-auth/', '@auth/')} and import that.`,
    }
  const [, library = '', path = ''] = SPECIFIER.exec(name) ?? []
  if (library === '') return {}
  const renamed = RENAMED[name]
  const note = FURTHER[name]
  if (renamed !== undefined) return { to: renamed, ...(note !== undefined && { note }) }
  if (path === '/providers/oauth') return { to: 'lib-auth/providers' }
  const provider = /^\/providers\/([^/]+)$/.exec(path)?.[1] ?? ''
  if (SUBPATHS[library]?.includes(path) || providers.has(provider)) return { to: `lib-auth${path}` }
  const missing = MISSING.find(([pattern]) => pattern.test(path))?.[1]
  const other =
    provider === ''
      ? `has no equivalent in lib-auth; without ${library} this import fails.`
      : `is a provider that lib-auth does not contain. The import was not changed and works as long as ${library} is installed. What to use instead: ${PROVIDERS}`
  return { note: `${name} ${missing ?? other}` }
}

/** A quoted string that starts with the name of a library, and what follows it. */
const QUOTED =
  /(['"`])((?:next-auth|@auth\/(?:core|express|sveltekit)|@hono\/auth-js|@next-auth\/[\w-]+|lib-auth)(?:\/[^'"`\s]*)?)\1(\s*[,)])?/g

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

export function lineCounter(source: string): (at: number) => number {
  const breaks = [...source.matchAll(/\r\n|[\n\r]/g)].map(({ index }) => index)
  return (at) => breaks.filter((each) => each < at).length + 1
}

/** Rewrites specifiers wherever they stand in an import, also in comments and texts with code. */
export function rewrite(source: string, providers: ReadonlySet<string>): Rewritten {
  const lineOf = lineCounter(source)
  const changes: Change[] = []
  const notes: Note[] = []
  const specifiers = findSpecifiers(source)
  let text = ''
  let end = 0
  for (const { name, start, before } of specifiers) {
    const line = lineOf(start)
    const isPrivate = name === 'next-auth/react' && importsPrivateState(before)
    const { to, note }: Target = isPrivate ? { note: PRIVATE_STATE } : targetOf(name, providers)
    if (note !== undefined) notes.push({ line, what: note })
    if (to === undefined) continue
    changes.push({ line, from: name, to })
    text += source.slice(end, start) + to
    end = start + name.length
  }
  for (const { at, what } of findManualSteps(source, specifiers))
    notes.push({ line: lineOf(at), what })
  return { text: text + source.slice(end), changes, notes: notes.sort((a, b) => a.line - b.line) }
}
