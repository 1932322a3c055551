/** `lib-auth migrate-imports` rewrites imports of `next-auth`, and of `@auth/core` and its siblings. */
import { statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { messageOf, UsageError } from './errors.ts'
import { filesBelow, readText, replaceText } from './files.ts'
import { projectFile } from './manual-steps.ts'
import { lineCounter, ONCE, rewrite, shippedProviders } from './rewrite.ts'
import type { Rewritten } from './rewrite.ts'
import type { ExitCode, Terminal } from './terminal.ts'

interface FileReport extends Pick<Rewritten, 'changes' | 'notes'> {
  readonly file: string
  readonly failure?: string
}

const UNCHANGED = { changes: [], notes: [] }
const CODE = /\.(?:[cm]?[jt]sx?|svelte|vue)$/
/** Files without any of these need no change. */
const MENTIONS =
  /next-auth|@auth\/(?:core|express|sveltekit)|@hono\/auth-js|@sidebase\/nuxt-auth|['"]#auth['"]|lib-auth|authjs\.|NEXTAUTH_|"moduleResolution"/
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
  if (!MENTIONS.test(source)) return UNCHANGED
  const steps = projectFile(basename(path))?.(source)
  if (steps) {
    const lineOf = lineCounter(source)
    return { ...UNCHANGED, notes: steps.map(({ at, what }) => ({ line: lineOf(at), what })) }
  }
  const { text, changes, notes } = rewrite(source, providers)
  if (changes.length > 0 && !isDryRun) replaceText(path, text)
  return { changes, notes }
}

function migrateFiles(folder: string, isDryRun: boolean, terminal: Terminal): FileReport[] {
  const root = resolve(folder)
  const providers = shippedProviders()
  const reports: FileReport[] = []
  for (const { path, error } of filesBelow(root)) {
    if (!error && !CODE.test(path) && !projectFile(basename(path))) continue
    const file = relative(root, path) || '.'
    try {
      if (error) throw error
      reports.push({ file, ...migrateFile(path, isDryRun, providers) })
    } catch (cause) {
      reports.push({ file, ...UNCHANGED, failure: messageOf(cause) })
    }
    if (reports.length % 100 === 0) terminal.progress(`${reports.length} files checked`)
  }
  terminal.progress('')
  return reports
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
