/** The environment as Next.js loads it: that of the process, then the `.env` files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

export interface LoadedEnvironment {
  readonly env: Readonly<Record<string, string>>
  /** The file of each variable that is not in the environment of the process. */
  readonly sources: Readonly<Record<string, string>>
  readonly hasFiles: boolean
  readonly findings: readonly Finding[]
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
  const { ok, warning } = topic('environment')
  const mode = current['NODE_ENV'] || 'development'
  const names = [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']
  const files = names.filter(
    (name) => existsSync(join(folder, name)) && !(mode === 'test' && name === '.env.local'),
  )
  const raw = new Map(
    files
      .toReversed()
      .flatMap((file) =>
        Object.entries(parseEnv(readFileSync(join(folder, file), 'utf8'))).map(
          ([name, value = '']) => [name, { value, file }] as const,
        ),
      ),
  )
  const lookUp = (name: string, seen: readonly string[]): string | undefined => {
    const own = raw.get(name)?.value
    if (current[name] !== undefined || own === undefined || seen.includes(name))
      return current[name]
    return expand(own, (other) => lookUp(other, [...seen, name]))
  }
  const env: Record<string, string> = { NODE_ENV: mode }
  const sources: Record<string, string> = {}
  const places = [...files, 'the environment of the process'].join(', ')
  const findings = [ok`variables from ${places}, for NODE_ENV=${mode}.`]
  for (const [name, { value, file }] of raw) {
    if (current[name] !== undefined || name === 'NODE_ENV') continue
    env[name] = lookUp(name, []) ?? ''
    sources[name] = file
    if (/SECRET|PASSWORD|KEY/.test(name) && env[name] !== value.replaceAll('\\$', '$'))
      findings.push(
        warning`${name} in ${file} contains $, which Next.js expands as a variable. → Write \\$ for each $ in it.`,
      )
  }
  for (const [name, value] of Object.entries(current)) if (value !== undefined) env[name] = value
  return { env: { ...env, NODE_ENV: mode }, sources, hasFiles: files.length > 0, findings }
}
