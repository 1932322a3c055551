/** Lists, reads and replaces the files of an application. */
import * as fs from 'node:fs'
import { join } from 'node:path'

/** A file, or a folder that cannot be read. */
export interface SourceFile {
  readonly path: string
  readonly error?: Error
}

/** Folders that never contain source code of the application. */
const IGNORED: ReadonlySet<string> = new Set(
  'node_modules .git .hg .svn .yarn .pnpm-store .cache .next .open-next .nuxt .output .svelte-kit .turbo .vercel .netlify .wrangler storybook-static'.split(
    ' ',
  ),
)
/** Folders of build output next to a package.json; elsewhere they may be routes. */
const BUILT: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'coverage'])

/** All files below a folder. Symbolic links are not followed. */
export function* filesBelow(folder: string): Generator<SourceFile> {
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return yield { path: folder, error }
  }
  const isPackage = entries.some((entry) => entry.name === 'package.json')
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield { path }
    if (!entry.isDirectory() || IGNORED.has(entry.name)) continue
    if (!isPackage || !BUILT.has(entry.name)) yield* filesBelow(path)
  }
}

/** Larger files are generated. */
const MAX_LENGTH = 1024 * 1024

/** Reads a text file exactly, including a byte order mark; `null` if it is not UTF-8 text, or larger than 1 MB. */
export function readText(path: string): string | null {
  if (fs.statSync(path).size > MAX_LENGTH) return null
  const bytes = fs.readFileSync(path)
  const text = bytes.toString('utf8')
  return !bytes.includes(0) && Buffer.from(text).equals(bytes) ? text : null
}

/** The text of a file; empty without one, and where {@link readText} returns `null` or throws. */
export function readIfPossible(path: string): string {
  try {
    return readText(path) ?? ''
  } catch {
    return ''
  }
}

/** Replaces a file atomically and keeps its mode: readers see the old text or the new one. */
export function replaceText(path: string, text: string): void {
  fs.accessSync(path, fs.constants.W_OK)
  const { mode } = fs.statSync(path)
  const draft = `${path}.${process.pid}.tmp`
  // `wx` fails if the file exists: it is not a draft of this command.
  fs.writeFileSync(draft, '', { flag: 'wx' })
  try {
    fs.writeFileSync(draft, text)
    fs.chmodSync(draft, mode)
    fs.renameSync(draft, path)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}
