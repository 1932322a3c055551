/** `lib-auth add` prints how to set up a provider, and prepares its environment variables. */
import { readdirSync, readFileSync } from 'node:fs'
import { callbackUrl } from './callback-url.ts'
import {
  appendToEnvLocal,
  changingEnvLocal,
  ENV_LOCAL,
  requireProject,
  variablesIn,
} from './env-files.ts'
import { suggestion, UsageError } from './errors.ts'
import { printedPage } from './print-page.ts'
import type { ExitCode, Terminal } from './terminal.ts'

const PAGES = new URL('../../docs/providers/', import.meta.url)
const GUIDE = 'node_modules/lib-auth/docs/guides/custom-provider.md'
/** Files of Next.js in which a variable may have a value that an empty one in `.env.local` would hide. */
const OTHER_FILES = ['', '.development', '.production', '.test']
  .flatMap((mode) => [`.env${mode}.local`, `.env${mode}`])
  .filter((file) => file !== ENV_LOCAL)

function providerNames(): readonly string[] {
  return readdirSync(PAGES).flatMap((file) => /^([^A-Z]+)\.md$/.exec(file)?.[1] ?? [])
}

function readPage(name: string): string {
  return readFileSync(new URL(`${name}.md`, PAGES), 'utf8')
}

/** Common names of services whose module has another name. */
const MODULES: Readonly<Record<string, string>> = {
  azure: 'microsoft-entra-id',
  entra: 'microsoft-entra-id',
  microsoft: 'microsoft-entra-id',
  hydra: 'ory-hydra',
  x: 'twitter',
}

/** Modules that need no account at a provider. */
const GUIDES: Readonly<Record<string, string>> = {
  credentials:
    'Passwords need no account at a provider: node_modules/lib-auth/docs/guides/credentials.md',
  password:
    'Passwords need no account at a provider: node_modules/lib-auth/docs/guides/passwords.md',
  passkey: 'Passkeys need no account at a provider: node_modules/lib-auth/docs/guides/passkeys.md',
  webauthn: 'Passkeys need no account at a provider: node_modules/lib-auth/docs/guides/passkeys.md',
}

/** Why a module is missing; the index lists the services that have ended. */
function explainMissing(name: string, names: readonly string[]): string {
  const guide = Object.hasOwn(GUIDES, name) && GUIDES[name]
  if (guide) return ` ${guide}`
  const row = new RegExp(`^\\| \`${name.replace(/[^a-z-]/g, '')}\` \\| (.+) \\| (.+) \\|$`, 'm')
  const [, reason, instead] = row.exec(readPage('README')) ?? []
  if (reason && instead)
    return ` ${reason}. Use instead: ${instead.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')}.`
  const module = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined
  return module ? ` Did you mean ${module}?` : suggestion(name, names)
}

/** The page of a provider, by the name of its module in any case. @throws UsageError */
function findPage(typed: string): string {
  const names = providerNames()
  const name = typed.toLowerCase()
  if (names.includes(name)) return readPage(name)
  throw new UsageError(
    `lib-auth has no provider ${typed}.${explainMissing(name, names)}\nAll providers: npx lib-auth add\nAny other OAuth or OpenID Connect provider: ${GUIDE}`,
  )
}

function listVariables(page: string): readonly string[] {
  const [, block = ''] = /^```ini\n([^]*?)^```$/m.exec(page) ?? []
  return [...block.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
}

/** The file that sets a variable; outside of `.env.local`, an empty variable is ignored. */
function fileWith(name: string, folder: string): string | undefined {
  if (variablesIn(folder, ENV_LOCAL)[name] !== undefined) return ENV_LOCAL
  return OTHER_FILES.find((file) => variablesIn(folder, file)[name])
}

/** Adds the missing variables without a value; returns the lines to print. */
function addVariables(names: readonly string[], folder: string, isDryRun: boolean): string[] {
  const existing = names.map((name) => [name, fileWith(name, folder)] as const)
  const missing = existing.flatMap(([name, file]) => (file === undefined ? [name] : []))
  const kept = existing.flatMap(([name, file]) =>
    file === undefined ? [] : [`${file} contains ${name} already and was not changed.`],
  )
  if (missing.length === 0) return kept
  requireProject(folder)
  const list = missing.join(', ')
  if (isDryRun) return [...kept, `Would add to ${ENV_LOCAL}: ${list}. Nothing was written.`]
  const lines = missing.map((name) => `${name}=`)
  const advice = appendToEnvLocal(folder, lines, 'it will contain secrets.')
  const added = `Added to ${ENV_LOCAL}, without a value: ${list}.`
  return [...kept, added, 'Set them as described above.', ...advice]
}

function listProviders(terminal: Terminal): void {
  const names = providerNames()
  const width = Math.max(...names.map(({ length }) => length))
  for (const name of names) {
    const [, title = ''] = /^# (.+)$/m.exec(readPage(name)) ?? []
    terminal.print(`${name.padEnd(width)}  ${title}`)
  }
}

/** Without a name, lists the providers. */
export function add(
  name: string | undefined,
  { folder, isDryRun }: { readonly folder: string; readonly isDryRun: boolean },
  terminal: Terminal,
): ExitCode {
  if (name === undefined) {
    listProviders(terminal)
    return 0
  }
  const page = findPage(name)
  for (const line of printedPage(page, 'providers/')) terminal.print(line)
  const [, id] = /\/callback\/([\w.~-]+)`/.exec(page) ?? []
  if (id !== undefined)
    terminal.print(`\nCallback URL of this application: ${callbackUrl(id, folder)}`)
  const lines = changingEnvLocal(() => addVariables(listVariables(page), folder, isDryRun))
  if (lines.length > 0) terminal.print('')
  for (const line of lines) terminal.print(line)
  return 0
}
