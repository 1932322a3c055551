/** Lists the files of an application. */
import { readdirSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'

export type Found =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly cause: Error }

/** Folders that never contain source code of the application. */
const IGNORED: ReadonlySet<string> = new Set(
  'node_modules .git .hg .svn .yarn .pnpm-store .cache .next .open-next .nuxt .output .svelte-kit .turbo .vercel .netlify .wrangler storybook-static'.split(
    ' ',
  ),
)
/** Folders of build output next to a package.json; elsewhere they may be routes. */
const BUILT: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'coverage'])

/** All files below a folder. Symbolic links are not followed. */
export function* filesBelow(folder: string): Generator<Found> {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    yield { kind: 'unreadable', path: folder, cause: error }
    return
  }
  const isPackage = entries.some((entry) => entry.name === 'package.json')
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield { kind: 'file', path }
    if (!entry.isDirectory() || IGNORED.has(entry.name)) continue
    if (!isPackage || !BUILT.has(entry.name)) yield* filesBelow(path)
  }
}
