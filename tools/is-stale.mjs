import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Whether a file in src/ is newer than dist/.
 *
 * @returns {boolean}
 */
export function isStale() {
  const src = fileURLToPath(new URL('../src/', import.meta.url))
  const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  return files.some((file) => statSync(src + file).mtimeMs > mtimeMs)
}
