/** The `.env` files of an application: read as Next.js does, and written by `lib-auth add` and `lib-auth secret`. */
import { isUtf8 } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseEnv } from 'node:util'
import { MIN_SECRET_LENGTH } from '../core/config/defaults.ts'
import { Failure, readMessage } from './errors.ts'

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

/** Decodes UTF-8 without the byte order mark, which would become part of the first name. */
function decode(bytes: Buffer): string {
  return new TextDecoder().decode(bytes)
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
    const variables = parseEnv(decode(readFileSync(join(folder, file))))
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

export const ENV_LOCAL = '.env.local'
/** Common patterns in `.gitignore` that match the file, or exclude it with `!`. */
const IGNORED =
  /^(?<not>!?)\/?(?:\.env\*|\.env\.\*|\.env\*\.local|\.env\.local|\*\.local|\.env\.\*\.local)\s*$/gm

/** The text of a file in the folder; a missing file is empty. @throws Failure if it is not UTF-8, such as UTF-16 */
function readText(folder: string, file: string): string {
  const path = join(folder, file)
  if (!existsSync(path)) return ''
  const bytes = readFileSync(path)
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new Failure(`${file} is not UTF-8 text. Save it with the encoding UTF-8.`)
  return decode(bytes)
}

/** The variables of a file in the folder; a missing file has none. */
export function variablesIn(folder: string, file: string): NodeJS.Dict<string> {
  return parseEnv(readText(folder, file))
}

/** Asks git; without git or a repository, the last matching line of `.gitignore` decides. */
function isIgnored(folder: string): boolean {
  const arguments_ = ['check-ignore', '--quiet', ENV_LOCAL]
  const { status } = spawnSync('git', arguments_, { cwd: folder, stdio: 'ignore', timeout: 5000 })
  if (status === 0 || status === 1) return status === 0
  const path = join(folder, '.gitignore')
  const lines = existsSync(path) ? decode(readFileSync(path)).matchAll(IGNORED) : []
  return [...lines].at(-1)?.groups?.['not'] === ''
}

const MANIFESTS = ['package.json', 'deno.json', 'deno.jsonc']

/** In another folder, such as a parent or `src`, the application would not read the file. @throws Failure */
export function requireProject(folder: string): void {
  if (!MANIFESTS.some((name) => existsSync(join(folder, name))))
    throw new Failure(
      `${folder} has no package.json. Run this command in the folder of your application, or create one with: npm init`,
    )
}

/** A link inside the folder is followed. @throws Failure */
function rejectLinkOutside(folder: string): void {
  const path = join(folder, ENV_LOCAL)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  const target = existsSync(path) ? realpathSync(path) : ''
  if (!target.startsWith(realpathSync(folder) + sep))
    throw new Failure(
      `it is a symbolic link to ${target ? `${target}, outside the folder` : 'a missing file'}. Write the variables to the target yourself, or replace the link with a file.`,
    )
}

/** Appends lines; only the user can read a file that it creates. Returns advice if git does not ignore it. */
export function appendToEnvLocal(folder: string, lines: readonly string[], why: string): string[] {
  requireProject(folder)
  rejectLinkOutside(folder)
  const gap = /(?:^|\n)$/.test(readText(folder, ENV_LOCAL)) ? '' : '\n'
  appendFileSync(join(folder, ENV_LOCAL), `${gap}${lines.join('\n')}\n`, { mode: 0o600 })
  return isIgnored(folder) ? [] : [`Add ${ENV_LOCAL} to .gitignore: ${why}`]
}

/** Runs work that may change the file. @throws Failure if that is not possible */
export function changingEnvLocal<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new Failure(`${ENV_LOCAL} was not changed: ${readMessage(cause)}`, { cause })
  }
}

export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** A short secret must be replaced: with rotation, it would still be accepted. */
function advice(secret: string): string {
  const bytes = Buffer.byteLength(secret)
  return bytes < MIN_SECRET_LENGTH
    ? `It has ${bytes} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print`
    : 'To rotate it without signing out users, set AUTH_SECRET_1 to a new one: npx lib-auth secret --print'
}

/** Writes a secret unless there is one, whose loss would sign out all users; returns the lines to print. */
export function writeSecret(folder: string): readonly string[] {
  return changingEnvLocal(() => {
    for (const file of [ENV_LOCAL, '.env']) {
      const { AUTH_SECRET } = variablesIn(folder, file)
      if (AUTH_SECRET)
        return [`${file} contains AUTH_SECRET already and was not changed.`, advice(AUTH_SECRET)]
    }
    const why = 'with the secret, an attacker can forge sessions.'
    const added = appendToEnvLocal(folder, [`AUTH_SECRET="${newSecret()}"`], why)
    return [`Wrote a new AUTH_SECRET to ${ENV_LOCAL}.`, ...added]
  })
}
