/** `lib-auth migrate-imports`: puts the names of our modules where those of the established library are. */
import { statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { notesOf } from './project.ts'
import { rewrite } from './rewrite.ts'
import type { Change, Note } from './rewrite.ts'
import { filesBelow } from './source-files.ts'
import { shippedProviders } from './targets.ts'
import type { ExitCode, Terminal } from './terminal.ts'
import { readText, replaceText } from './text-file.ts'

/** What the command is told. */
export interface MigrateImportsOptions {
  /** Where the application is. */
  readonly folder: string
  /** `dry`: nothing is written. */
  readonly run: 'real' | 'dry'
}

/** What the command has found in one file. */
interface FileReport {
  readonly file: string
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
  /** Why it could not be done. */
  readonly failure?: string
}

const CODE = /\.[cm]?[jt]sx?$/
/** Files without any of these are not read any further. */
const MENTIONS = /next-auth|@auth\/core|lib-auth|authjs\.|NEXTAUTH_|"moduleResolution"/

function failureOf(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply to be read'
  return error instanceof Error ? error.message : String(error)
}

/** Looks at one file, and writes it where that is wanted. */
function migrateFile(
  path: string,
  run: MigrateImportsOptions['run'],
  providers: ReadonlySet<string>,
): Omit<FileReport, 'file'> | null {
  const nothing = { changes: [], notes: [] }
  const look = CODE.test(path) ? undefined : notesOf(basename(path))
  if (!look && !CODE.test(path)) return null
  try {
    const content = readText(path)
    if (content.kind === 'other')
      return { ...nothing, notes: [{ line: 1, what: `${content.why}, so it was not looked at.` }] }
    if (!MENTIONS.test(content.text)) return nothing
    if (look) return { ...nothing, notes: look(content.text) }
    const { text, changes, notes } = rewrite(path, content.text, providers)
    if (changes.length > 0 && run === 'real') replaceText(path, text)
    return { changes, notes }
  } catch (error) {
    return { ...nothing, failure: failureOf(error) }
  }
}

function folderProblem(folder: string): string | null {
  try {
    return statSync(folder).isDirectory() ? null : `${folder} is not a folder.`
  } catch (error) {
    return `${folder} cannot be read: ${failureOf(error)}`
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** What is said at the end whatever was found. */
const ALWAYS = [
  'Keep everybody signed in: set migrateSessions: true in the configuration, for as long as sessions last.',
  'Check the types: npx tsc --noEmit',
]
const GUIDE = 'node_modules/lib-auth/docs/guides/migrate-from-next-auth.md'

function report(
  files: readonly FileReport[],
  looked: number,
  { run }: MigrateImportsOptions,
  terminal: Terminal,
): ExitCode {
  const changed = files.filter(({ changes }) => changes.length > 0)
  for (const { file, changes } of changed) {
    terminal.print(file)
    for (const { line, from, to } of changes) terminal.print(`  ${line}: ${from} → ${to}`)
  }
  if (changed.length > 0) terminal.print('')
  const total = changed.reduce((sum, { changes }) => sum + changes.length, 0)
  const done = run === 'dry' ? 'would be rewritten; nothing was written' : 'rewritten'
  terminal.print(
    `${count(total, 'name of a module', 'names of modules')} in ${count(changed.length, 'file', 'files')} ${done}. ${count(looked, 'file', 'files')} looked at.`,
  )
  const notes = files.flatMap(({ file, notes: each }) =>
    each.map(({ line, what }) => `  ${file}:${line}: ${what}`),
  )
  if (total > 0 || notes.length > 0)
    for (const line of [
      '',
      'Left to do:',
      ...notes,
      ...ALWAYS.map((each) => `  ${each}`),
      `The guide: ${GUIDE}`,
    ])
      terminal.print(line)
  const failures = files.flatMap(({ file, failure }) =>
    failure === undefined ? [] : [`${file}: ${failure}`],
  )
  if (failures.length === 0) return 0
  terminal.complain('Not done:')
  for (const failure of failures) terminal.complain(`  ${failure}`)
  return 1
}

/** Runs the command. */
export function migrateImports(options: MigrateImportsOptions, terminal: Terminal): ExitCode {
  const problem = folderProblem(options.folder)
  if (problem !== null) {
    terminal.complain(problem)
    return 2
  }
  const folder = resolve(options.folder)
  const providers = shippedProviders()
  const files: FileReport[] = []
  let looked = 0
  for (const found of filesBelow(folder)) {
    const file = relative(folder, found.path) || '.'
    if (found.kind === 'unreadable') {
      files.push({ file, changes: [], notes: [], failure: found.cause.message })
      continue
    }
    const result = migrateFile(found.path, options.run, providers)
    if (!result) continue
    looked += 1
    if (looked % 100 === 0) terminal.progress(`${looked} files looked at`)
    files.push({ file, ...result })
  }
  terminal.progress('')
  return report(files, looked, options, terminal)
}
