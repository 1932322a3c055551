/** `lib-auth migrate-imports` rewrites imports of `next-auth`, and of `@auth/core` and its siblings. */
import { statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { viewCode } from '../code-view.ts'
import { readMessage, UsageError } from '../errors.ts'
import { filesBelow, readText, replaceText } from '../files.ts'
import { projectFile, setsSecret } from './project-files.ts'
import { LIBRARIES, ONCE, shippedProviders } from './replacements.ts'
import { lineCounter, rewrite } from './rewrite.ts'
import type { Rewritten } from './rewrite.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

interface FileReport extends Pick<Rewritten, 'changes' | 'notes'> {
  readonly file: string
  /** Whether the file sets the secret of the configuration. */
  readonly hasSecret?: boolean
  readonly failure?: string
}

const UNCHANGED = { changes: [], notes: [] }
const CODE = /\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/
/** Files without any of these need no change. */
const MENTIONS = new RegExp(
  String.raw`${LIBRARIES}|@next-auth\/|@sidebase\/nuxt-auth|['"]#auth['"]|lib-auth|authjs\.|NEXTAUTH_|"moduleResolution"|\bsignIn\b|http:\/\/`,
)
/** The secret in a configuration, or its variable. */
const SECRET = /(?<![.\w$])secret\s*[:,}]|\b(?:NEXTAUTH|AUTH|LIB)_SECRET\b/
const NO_SECRET =
  'No AUTH_SECRET was found. In development, version 4 needs none; lib-auth needs one in production and warns in development: npx lib-auth secret'
const GUIDE = 'node_modules/lib-auth/docs/guides/migrate-from-next-auth.md'

function migrateFile(
  path: string,
  isDryRun: boolean,
  providers: ReadonlySet<string>,
): Omit<FileReport, 'file'> {
  const source = readText(path)
  if (source === null) {
    const what = 'is not UTF-8 text of at most 1 MB, so it was skipped.'
    return { ...UNCHANGED, notes: [{ line: 1, what }] }
  }
  if (!MENTIONS.test(source)) return { ...UNCHANGED, hasSecret: setsSecret(path, source) }
  const steps = projectFile(path)?.(source)
  if (steps) {
    const findLine = lineCounter(source)
    const notes = steps.map(({ at, what }) => ({ line: findLine(at), what }))
    return { ...UNCHANGED, notes, hasSecret: setsSecret(path, source) }
  }
  const { text, changes, notes } = rewrite(source, providers, path)
  if (changes.length > 0 && !isDryRun) replaceText(path, text)
  const hasSecret = changes.length > 0 && SECRET.test(viewCode(source, path).withStrings)
  return { changes, notes, hasSecret }
}

function migrateFiles(folder: string, isDryRun: boolean, terminal: Terminal): FileReport[] {
  const root = resolve(folder)
  const providers = shippedProviders()
  const reports: FileReport[] = []
  for (const { path, error } of filesBelow(root)) {
    if (!error && !CODE.test(path) && !projectFile(path)) continue
    const file = relative(root, path) || '.'
    try {
      if (error) throw error
      reports.push({ file, ...migrateFile(path, isDryRun, providers) })
    } catch (cause) {
      reports.push({ file, ...UNCHANGED, failure: readMessage(cause) })
    }
    if (reports.length % 100 === 0) terminal.progress(`${reports.length} files checked`)
  }
  terminal.progress('')
  return withSecret(reports)
}

const IS_VERSION_4 = /^next-auth is installed in version 4/

/** Whether a file belongs to the package in a folder, or is in a folder above it. */
function belongsTo(packageFolder: string, file: string): boolean {
  const isBelow = (path: string, folder: string) => folder === '.' || path.startsWith(folder + sep)
  return isBelow(file, packageFolder) || isBelow(packageFolder + sep, dirname(file))
}

/** Adds a note for each package that has version 4, and in which nothing sets the secret. */
function withSecret(reports: readonly FileReport[]): FileReport[] {
  const secrets = reports.filter(({ hasSecret }) => hasSecret)
  return reports.map((report) => {
    const found = report.notes.find(({ what }) => IS_VERSION_4.test(what))
    const folder = dirname(report.file)
    if (!found || secrets.some(({ file }) => belongsTo(folder, file))) return report
    return { ...report, notes: [...report.notes, { line: found.line, what: NO_SECRET }] }
  })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function* reportLines(reports: readonly FileReport[], isDryRun: boolean): Generator<string> {
  const changed = reports.filter(({ changes }) => changes.length > 0)
  for (const { file, changes } of changed) {
    yield file
    for (const { line, from, to } of changes) yield `  ${line}: ${from} → ${to}`
  }
  if (changed.length > 0) yield ''
  const total = changed.flatMap(({ changes }) => changes).length
  const done = isDryRun ? 'would be rewritten; nothing was written' : 'rewritten'
  yield `${count(total, 'import')} in ${count(changed.length, 'file')} ${done}. ${count(reports.length, 'file')} checked.`
  const printed = new Set<string>()
  const notes = reports.flatMap(({ file, notes: each }) =>
    each.flatMap(({ line, what }) => {
      const isRepeated = ONCE.has(what) && printed.has(what)
      printed.add(what)
      return isRepeated ? [] : `  ${file}:${line}: ${what}`
    }),
  )
  if (total === 0 && notes.length === 0) return
  yield '\nRemaining manual steps:'
  yield* notes
  yield '  Keep users signed in: set migrateSessions: true in the configuration until their sessions have expired.'
  yield '  Check the types: npx tsc --noEmit'
  yield `Guide: ${GUIDE}`
}

/** Whether a file below the folder has an import to rewrite. */
export function importsOthers(folder: string, terminal: Terminal): boolean {
  return migrateFiles(folder, true, terminal).some(({ changes }) => changes.length > 0)
}

export function migrateImports(folder: string, isDryRun: boolean, terminal: Terminal): ExitCode {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory())
    throw new UsageError(`${folder} ${stats ? 'is not a folder' : 'does not exist'}.`)
  const reports = migrateFiles(folder, isDryRun, terminal)
  for (const line of reportLines(reports, isDryRun)) terminal.print(line)
  const failures = reports.filter(({ failure }) => failure !== undefined)
  if (failures.length === 0) return 0
  terminal.warn('Failed:')
  for (const { file, failure } of failures) terminal.warn(`  ${file}: ${failure}`)
  return 1
}
