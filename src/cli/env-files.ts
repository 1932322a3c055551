/** The environment as Next.js loads it: that of the process, then the `.env` files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export interface LoadedEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly files: readonly string[]
  /** The file of each variable that is not in the environment of the process. */
  readonly sources: Readonly<Record<string, string>>
}

const REFERENCE =
  /\\\$|\$(?:\{(?<braced>[A-Za-z_]\w*)(?::-(?<other>[^}]*))?\}|(?<plain>[A-Za-z_]\w*))/g

/** Replaces `$NAME`, `${NAME}` and `${NAME:-default}`. */
function expand(value: string, lookUp: (name: string) => string | undefined): string {
  return value.replace(REFERENCE, (...match) => {
    if (match[0] === '\\$') return '$'
    const groups: Readonly<Record<string, string | undefined>> = match.at(-1)
    return lookUp(groups['braced'] ?? groups['plain'] ?? '') || (groups['other'] ?? '')
  })
}

/** Loads the `.env` files of a folder, in the order of precedence of Next.js. */
export function loadEnvironment(
  folder: string,
  current: Readonly<Record<string, string | undefined>>,
): LoadedEnvironment {
  const mode = current['NODE_ENV'] || 'development'
  const local = mode === 'test' ? [] : ['.env.local']
  const names = [`.env.${mode}.local`, ...local, `.env.${mode}`, '.env']
  const files = names.filter((name) => existsSync(join(folder, name)))
  const values = new Map<string, string>()
  const sources = new Map<string, string>()
  for (const file of files.toReversed()) {
    const variables = parseEnv(readFileSync(join(folder, file), 'utf8'))
    for (const [name, value = ''] of Object.entries(variables)) {
      if (current[name] !== undefined || name === 'NODE_ENV') continue
      values.set(name, value)
      sources.set(name, file)
    }
  }
  const lookUp = (name: string, seen: readonly string[] = []): string | undefined => {
    const own = seen.includes(name) ? undefined : values.get(name)
    if (own === undefined) return current[name]
    return expand(own, (other) => lookUp(other, [...seen, name]))
  }
  const expanded = [...values.keys()].map((name) => [name, lookUp(name)] as const)
  return {
    env: { ...current, ...Object.fromEntries(expanded), NODE_ENV: mode },
    files,
    sources: Object.fromEntries(sources),
  }
}
