import { appendFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { publishedFiles } from './bundle.mjs'

/**
 * Has each declaration file of an entry point refer to all modules that applications augment: TypeScript finds the module
 * of an augmentation only if a file of the program imports it. `lib-auth/types` declares the interfaces itself, because
 * TypeScript merges augmentations of a module that re-exports them in some orders only.
 */
export function linkTypes() {
  for (const path of [...Object.keys(publishedFiles()), 'types']) {
    const folder = relative(dirname(path), '.') || '.'
    const names = path === 'types' ? '*' : '{}'
    const file = new URL(`../dist/${path}.d.ts`, import.meta.url)
    appendFileSync(file, `export type ${names} from '${folder}/public-types.js'\n`)
  }
}
