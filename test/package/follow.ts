/** Follows a document in an empty folder: writes its files and runs its commands in order. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { frameworkFolder } from '../../tools/separate-installs.mjs'
import { waitForServer, run, start } from '../../tools/run.mjs'
import { findBlocks } from './snippets.ts'
import type { Block } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GITHUB = new URL('github.mjs', import.meta.url).href

/** The environment of the reader, without variables of the test run. */
const ENVIRONMENT = {
  NODE_ENV: undefined,
  // Vitest sets both.
  TEST: undefined,
  VITEST: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  npm_config_local_prefix: undefined,
  npm_config_prefer_offline: 'true',
  // An override of a package that the document installs has to be the same version.
  npm_config_save_exact: 'true',
}

/** Commands that start a server. */
const SERVER =
  /\b(?:next|vite|nuxt|astro|react-router) (?:dev|start|preview)\b|\breact-router-serve\b|\bsrvx --prod\b|^(?:[A-Z_]+=\S* )*node /

/** Of these, those that do not read `PORT`. */
const SERVER_OF_VITE = /\b(?:vite|astro|react-router)(?:\.js)? (?:dev|preview)\b/

/** Packages of a manifest, with their exact versions. */
interface Versions {
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, unknown>>
}

/** The folder and the settings with which a document is followed. */
interface Workspace {
  readonly folder: string
  readonly port: number
  readonly url: string
  /** The program that runs the commands. */
  readonly node: string
  readonly versions: Versions
  /** Replacements for texts of the document. */
  readonly substitutions: Readonly<Record<string, string>>
}

/** An application made by following a document. */
export interface Followed {
  readonly url: string
  /** The page at `/` after each start of a server. */
  readonly pages: readonly string[]
  /** What the last server has printed. */
  readonly output: () => string
  /** Runs a further command in the folder; a server runs until the next command. */
  readonly run: (line: string) => Promise<void>
  /** Stops the last server, and resolves with its output. */
  readonly stop: () => Promise<string>
}

/** Replaces the placeholders in a text of the document. */
function substitute(text: string, { url, substitutions }: Workspace): string {
  const sites = { 'https://your.site': url, 'http://localhost:3000': url }
  const all = Object.entries({ ...sites, ...substitutions })
  return all.reduce((result, [placeholder, value]) => result.replaceAll(placeholder, value), text)
}

/** Writes a file. Fills in the values that the reader has to supply. */
function write(workspace: Workspace, { file = '', code }: Block): void {
  const path = join(workspace.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  const filled = code.replaceAll('…', () => randomBytes(33).toString('base64'))
  writeFileSync(path, `${substitute(filled, workspace)}\n`)
}

/** Pins a package to the version of the manifest, which the npm cache contains. */
function pinned(word: string, { versions }: Workspace): string {
  const name = word.replace(/(?<=.)@.*/, '')
  if (name === 'lib-auth') return inject('tarball')
  const version = versions.devDependencies?.[name] ?? versions.dependencies?.[name]
  return version === undefined ? word : `${name}@${version}`
}

/** Writes the manifest of the reader, if the versions need overrides: `npm install` adds the rest. */
function writeOverrides({ folder, versions }: Workspace): void {
  if (versions.overrides === undefined) return
  const all = { ...versions.dependencies, ...versions.devDependencies }
  const entries = Object.entries(versions.overrides).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('$') ? all[value.slice(1)] : value,
  ])
  const overrides: unknown = Object.fromEntries(entries)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ overrides }))
}

/** Parses a command line into variables, and a program with its arguments. */
function parseCommand(
  line: string,
  workspace: Workspace,
): { env: Record<string, string>; words: string[] } {
  const filled = line.replaceAll('=…', () => `=${randomBytes(33).toString('base64')}`)
  const all = substitute(filled, workspace).split(' ')
  const begin = all.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const env = Object.fromEntries(all.slice(0, begin).map((pair) => pair.split(/=(.*)/, 2)))
  const [program = '', name = '', ...rest] = all.slice(begin)
  if (program === 'npm')
    return { env, words: ['npm', name, ...rest.map((each) => pinned(each, workspace))] }
  const port = SERVER_OF_VITE.test(line) ? ['--port', String(workspace.port)] : []
  if (program === 'node') return { env, words: [workspace.node, name, ...rest, ...port] }
  if (program !== 'npx') return { env, words: ['sh', '-c', line] }
  // Without a terminal, the command cannot ask for confirmation.
  const confirmation = name === 'lib-auth' && rest[0] === 'migrate' ? ['--yes'] : []
  const path = join(workspace.folder, 'node_modules/.bin', name)
  return { env, words: [workspace.node, path, ...rest, ...port, ...confirmation] }
}

/** How to follow a document. */
export interface FollowOptions {
  readonly folder: string
  /** Called after each start of the site; `output` returns what the server has printed. */
  readonly visit?: (url: string, output: () => string) => Promise<void>
  /** Replacements for placeholders of the document. */
  readonly substitutions?: Readonly<Record<string, string>>
  /** The application in `test/e2e/frameworks` that has the versions of packages. @default this repository */
  readonly framework?: string
  /** The program that runs the commands. @default this Node.js */
  readonly node?: string
  /** Modules that servers load before their own. @default the replacement of GitHub */
  readonly preload?: string
  /** The heading before which the reader stops: '## Next steps'. @default the end of the document */
  readonly until?: string
}

/**
 * Follows a document in a folder, with the packed package. A server runs until the next command, the last one until
 * `stop`. `github.mjs` replaces GitHub.
 */
export async function follow(document: string, options: FollowOptions): Promise<Followed> {
  const { folder, visit, substitutions = {}, framework, node = process.execPath } = options
  const { preload = GITHUB } = options
  const port = await freePort()
  const manifest = join(framework ? frameworkFolder(framework) : ROOT, 'package.json')
  const workspace: Workspace = {
    folder,
    port,
    url: `http://localhost:${port}`,
    substitutions,
    node,
    versions: JSON.parse(readFileSync(manifest, 'utf8')),
  }
  const pages: string[] = []
  let server: ReturnType<typeof start> | undefined
  const stop = async (): Promise<string> => {
    await server?.stop()
    return server?.output() ?? ''
  }
  const runLine = async (line: string): Promise<void> => {
    await stop()
    // A server that is stopped while it writes types leaves an incomplete file, which a build would check.
    rmSync(join(folder, '.next/dev/types'), { recursive: true, force: true })
    const { env, words } = parseCommand(line, workspace)
    const [program = '', ...args] = words
    const given = { ...ENVIRONMENT, ...env }
    if (!SERVER.test(line)) return void (await run(program, args, { cwd: folder, env: given }))
    const atPort = {
      ...given,
      HOST: 'localhost',
      PORT: String(port),
      NODE_OPTIONS: `--import=${preload}`,
    }
    const started = start(program, args, { cwd: folder, env: atPort })
    server = started
    await waitForServer(workspace.url, started)
    pages.push(await (await fetch(workspace.url)).text())
    await visit?.(workspace.url, started.output)
  }
  const [text = ''] = readFileSync(join(ROOT, document), 'utf8').split(options.until ?? /$/)
  const blocks = findBlocks(document, text)
  if (framework) writeOverrides(workspace)
  try {
    for (const block of blocks) {
      if (block.file !== undefined) write(workspace, block)
      const lines = block.language === 'sh' ? block.code.split('\n') : []
      for (const line of lines) await runLine(line)
    }
  } catch (cause) {
    await stop()
    throw new Error(`${document} cannot be followed.`, { cause })
  }
  return { url: workspace.url, pages, output: () => server?.output() ?? '', run: runLine, stop }
}
