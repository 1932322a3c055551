/** `compilerOptions.paths` of tsconfig.json (or jsconfig.json), which bundlers follow and Node does not. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

interface Aliases {
  /** What the paths are relative to. */
  readonly base: string
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[]
}

const NONE: Aliases = { base: '', paths: [] }

/** JSON with comments, and with commas behind the last entry. */
function parseLoosely(text: string): unknown {
  const token = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g
  const plain = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (each) =>
    each.startsWith('"') ? each : '',
  )
  return JSON.parse(plain.replace(token, (each) => (each.startsWith('"') ? each : '')))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The aliases of a file, or of the one that it extends. */
function aliasesOf(path: string): Aliases {
  if (!existsSync(path)) return NONE
  const config = parseLoosely(readFileSync(path, 'utf8'))
  const options = member(config, 'compilerOptions')
  const paths = member(options, 'paths')
  if (typeof paths !== 'object' || paths === null) {
    const parent = member(config, 'extends')
    return isText(parent) && parent.startsWith('.')
      ? aliasesOf(resolve(dirname(path), parent))
      : NONE
  }
  const baseUrl = member(options, 'baseUrl')
  return {
    base: resolve(dirname(path), isText(baseUrl) ? baseUrl : '.'),
    paths: Object.entries(paths).map(([pattern, targets]) => [
      pattern,
      Array.isArray(targets) ? targets.filter(isText) : [],
    ]),
  }
}

function found(): Aliases {
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    try {
      const aliases = aliasesOf(resolve(name))
      if (aliases.paths.length > 0) return aliases
    } catch {
      // What cannot be read has no aliases: the import that needs one fails, and that is said.
      return NONE
    }
  }
  return NONE
}

/** The paths that an import may stand for, in the current folder. */
export function aliased(specifier: string): readonly string[] {
  const { base, paths } = found()
  return paths.flatMap(([pattern, targets]) => {
    const [start = '', end] = pattern.split('*')
    const rest = specifier.slice(start.length, specifier.length - (end ?? '').length)
    const isMatch =
      end === undefined
        ? specifier === pattern
        : specifier.startsWith(start) && specifier.endsWith(end)
    return isMatch ? targets.map((target) => resolve(base, target.replace('*', rest))) : []
  })
}
