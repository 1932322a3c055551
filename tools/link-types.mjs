import { appendFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { publishedFiles } from './bundle.mjs'

/**
 * Has each declaration file of an entry point refer to all modules that applications augment: TypeScript finds the module
 * of an augmentation only if a file of the program imports it. The declarations of `lib-auth/types` are those of
 * `core/types`, which declares the interfaces itself: TypeScript merges augmentations of a module that re-exports them
 * in some orders only.
 */
export function linkTypes() {
  for (const path of [...Object.keys(publishedFiles()), 'core/types']) {
    const folder = relative(dirname(path), '.') || '.'
    const names = path === 'core/types' ? '*' : '{}'
    const file = new URL(`../dist/${path}.d.ts`, import.meta.url)
    appendFileSync(file, `export type ${names} from '${folder}/types.js'\n`)
  }
}
