/** The environment as Next.js makes it: what the process has, and what `.env` files add to it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Finding } from './finding.ts'
import { topic } from './finding.ts'

/** Variables, and where they are from. */
export interface LoadedEnvironment {
  readonly env: Readonly<Record<string, string>>
  /** The files that were there, best first. */
  readonly files: readonly string[]
  /** By name, the file of each variable that the process did not have. */
  readonly origins: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
}

const about = topic('environment')

/** Names of the files, best first: what is local is not for tests, which run everywhere the same. */
function fileNames(mode: string): string[] {
  const local = mode === 'test' ? [] : ['.env.local']
  return [`.env.${mode}.local`, ...local, `.env.${mode}`, '.env']
}

const REFERENCE =
  /\\\$|\$(?:\{(?<braced>[A-Za-z_]\w*)(?::-(?<other>[^}]*))?\}|(?<plain>[A-Za-z_]\w*))/g

/** A value with other variables in place of `$NAME`, `${NAME}` and `${NAME:-other}`. */
function expand(value: string, known: (name: string) => string | undefined): string {
  return value.replace(REFERENCE, (...match) => {
    if (match[0] === '\\$') return '$'
    const groups: Readonly<Record<string, string | undefined>> = match.at(-1)
    return known(groups['braced'] ?? groups['plain'] ?? '') || (groups['other'] ?? '')
  })
}

/** What a file says that nobody has said before. */
function read(path: string): Readonly<Record<string, string | undefined>> {
  return parseEnv(readFileSync(path, 'utf8'))
}

function problemsWith(name: string, file: string, { raw, value }: Record<'raw' | 'value', string>) {
  if (value === raw || raw.replaceAll('\\$', '$') === value || !/SECRET|PASSWORD|KEY/.test(name))
    return []
  return [
    about.warning(
      `${name} in ${file} holds a $, and Next.js puts another variable in its place.`,
      `Write \\$ for each $ in it.`,
    ),
  ]
}

/** Reads the files of a folder; what the process has goes before them. */
export function loadEnvironment(
  folder: string,
  current: Readonly<Record<string, string | undefined>>,
): LoadedEnvironment {
  const mode = current['NODE_ENV'] || 'development'
  const files = fileNames(mode).filter((name) => existsSync(join(folder, name)))
  const raw = new Map<string, { readonly value: string; readonly file: string }>()
  for (const file of files)
    for (const [name, value] of Object.entries(read(join(folder, file))))
      if (value !== undefined && !raw.has(name)) raw.set(name, { value, file })

  const lookUp = (name: string, seen: readonly string[]): string | undefined => {
    const own = raw.get(name)?.value
    if (current[name] !== undefined || own === undefined || seen.includes(name))
      return current[name]
    return expand(own, (other) => lookUp(other, [...seen, name]))
  }
  const env: Record<string, string> = {}
  const origins: Record<string, string> = {}
  const findings: Finding[] = []
  for (const [name, value] of Object.entries(current)) if (value !== undefined) env[name] = value
  env['NODE_ENV'] = mode
  for (const [name, { value: text, file }] of raw) {
    if (current[name] !== undefined || name === 'NODE_ENV') continue
    const value = lookUp(name, []) ?? ''
    env[name] = value
    origins[name] = file
    findings.push(...problemsWith(name, file, { raw: text, value }))
  }
  return { env, files, origins, findings }
}
