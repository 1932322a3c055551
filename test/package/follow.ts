/** Follows a document in an empty folder: writes its files and runs its commands in order. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/ports.mjs'
import { waitForServer, run, start } from '../../tools/run.mjs'
import { findBlocks } from './snippets.ts'
import type { Block } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GITHUB = new URL('github.mjs', import.meta.url).href

/** The environment of the reader, without variables of the test run. */
const ENVIRONMENT = {
  NODE_ENV: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_local_prefix: undefined,
  npm_config_prefer_offline: 'true',
}

/** Packs the package into a file of that folder. */
export async function pack(folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder]
  await run('npm', args, { cwd: ROOT, env: ENVIRONMENT })
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new Error(`npm pack created no file in ${folder}.`)
  return join(folder, file)
}

/** The folder and the settings with which a document is followed. */
interface Workspace {
  readonly folder: string
  /** Installed instead of lib-auth from the registry. */
  readonly tarball: string
  readonly port: number
  readonly url: string
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
  /** Stops the last server, and resolves with its output. */
  readonly stop: () => Promise<string>
}

/** Replaces the placeholders in a text of the document. */
function substitute(text: string, { url, substitutions }: Workspace): string {
  const all = Object.entries({ 'https://your.site': url, ...substitutions })
  return all.reduce((result, [placeholder, value]) => result.replaceAll(placeholder, value), text)
}

/** Writes a file. Fills in the values that the reader has to supply. */
function write(workspace: Workspace, { file = '', code }: Block): void {
  const path = join(workspace.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  const filled = code.replaceAll('…', () => randomBytes(33).toString('base64'))
  writeFileSync(path, `${substitute(filled, workspace)}\n`)
}

/** Pins a package to the version of this repository, which the npm cache contains. */
function pinned(name: string, { tarball }: Workspace): string {
  if (name === 'lib-auth') return tarball
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return name in devDependencies ? `${name}@${devDependencies[name]}` : name
}

/** Parses a command line into variables, and a program with its arguments. */
function parseCommand(
  line: string,
  workspace: Workspace,
): { env: Record<string, string>; words: string[] } {
  const all = substitute(line, workspace).split(' ')
  const begin = all.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const env = Object.fromEntries(all.slice(0, begin).map((pair) => pair.split(/=(.*)/, 2)))
  const [program = '', name = '', ...rest] = all.slice(begin)
  if (program === 'npm')
    return { env, words: ['npm', name, ...rest.map((each) => pinned(each, workspace))] }
  if (program === 'node') return { env, words: [process.execPath, name, ...rest] }
  if (program !== 'npx') return { env, words: ['sh', '-c', line] }
  // Without a terminal, the command cannot ask for confirmation.
  const confirmation = name === 'lib-auth' && rest[0] === 'migrate' ? ['--yes'] : []
  const path = join(workspace.folder, 'node_modules/.bin', name)
  return { env, words: [process.execPath, path, ...rest, ...confirmation] }
}

/** How to follow a document. */
export interface FollowOptions {
  readonly folder: string
  /** Of the package: see {@link pack}. */
  readonly tarball: string
  /** Called after each start of the site. */
  readonly visit?: (url: string) => Promise<void>
  /** Replacements for placeholders of the document. */
  readonly substitutions?: Readonly<Record<string, string>>
}

/**
 * Follows a document in a folder. A server runs until the next command, the last one until
 * `stop`. `github.mjs` replaces GitHub.
 */
export async function follow(document: string, options: FollowOptions): Promise<Followed> {
  const { folder, tarball, visit, substitutions = {} } = options
  const port = await freePort()
  const workspace: Workspace = {
    folder,
    tarball,
    port,
    url: `http://localhost:${port}`,
    substitutions,
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
    if (!/\bnext (?:dev|start)\b|^node /.test(line))
      return void (await run(program, args, { cwd: folder, env: given }))
    const atPort = { ...given, PORT: String(port), NODE_OPTIONS: `--import=${GITHUB}` }
    server = start(program, args, { cwd: folder, env: atPort })
    await waitForServer(workspace.url, server)
    pages.push(await (await fetch(workspace.url)).text())
    await visit?.(workspace.url)
  }
  const blocks = findBlocks(document, readFileSync(join(ROOT, document), 'utf8'))
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
  return { url: workspace.url, pages, output: () => server?.output() ?? '', stop }
}
