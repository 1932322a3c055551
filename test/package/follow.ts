/** Does what a document says, in an empty folder: writes its files and runs its commands, one after the other. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/ports.mjs'
import { answers, run, start } from '../../tools/run.mjs'
import { findBlocks } from './snippets.ts'
import type { Block } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GITHUB = new URL('github.mjs', import.meta.url).href

/** What the reader has, without what this test was started with. */
const ENVIRONMENT = {
  NODE_ENV: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_local_prefix: undefined,
  npm_config_prefer_offline: 'true',
}

/** The package as it would be published, as a file in that folder. */
export async function pack(folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder]
  await run('npm', args, { cwd: ROOT, env: ENVIRONMENT })
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new Error(`npm pack left nothing in ${folder}.`)
  return join(folder, file)
}

/** Where a document is followed. */
interface Desk {
  readonly folder: string
  /** What stands for lib-auth at the registry. */
  readonly tarball: string
  readonly port: number
  readonly url: string
  /** What stands in the document, and what is meant here. */
  readonly meant: Readonly<Record<string, string>>
}

/** An application made by following a document. */
export interface Followed {
  readonly url: string
  /** What the page at `/` was, each time the document started a server. */
  readonly pages: readonly string[]
  /** Stops the last one, and resolves with what it printed. */
  readonly stop: () => Promise<string>
}

/** A text of the document, about what there is in this test. */
function here(text: string, { url, meant }: Desk): string {
  const all = Object.entries({ 'https://your.site': url, ...meant })
  return all.reduce((result, [said, own]) => result.replaceAll(said, own), text)
}

/** Writes a file. What the reader has to fill in is filled in, and the site is where it is in this test. */
function write(desk: Desk, { file = '', code }: Block): void {
  const path = join(desk.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  const filled = code.replaceAll('…', () => randomBytes(33).toString('base64'))
  writeFileSync(path, `${here(filled, desk)}\n`)
}

/** A package at the version this repository has: the same tomorrow, and to be had without a network. */
function pinned(name: string, { tarball }: Desk): string {
  if (name === 'lib-auth') return tarball
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return name in devDependencies ? `${name}@${devDependencies[name]}` : name
}

/** What a command line means here: variables, and the program with its arguments. */
function readCommand(line: string, desk: Desk): { env: Record<string, string>; words: string[] } {
  const all = here(line, desk).split(' ')
  const begin = all.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const env = Object.fromEntries(all.slice(0, begin).map((pair) => pair.split(/=(.*)/, 2)))
  const [program = '', name = '', ...rest] = all.slice(begin)
  if (program === 'npm')
    return { env, words: ['npm', name, ...rest.map((each) => pinned(each, desk))] }
  if (program !== 'npx') return { env, words: ['sh', '-c', line] }
  // Here is no terminal at which a reader would say yes.
  const agreed = name === 'lib-auth' && rest[0] === 'migrate' ? ['--yes'] : []
  const path = join(desk.folder, 'node_modules/.bin', name)
  return { env, words: [process.execPath, path, ...rest, ...agreed] }
}

/** What is in the folder when a document is opened, and what becomes of the servers that it starts. */
export interface FollowOptions {
  readonly folder: string
  /** Of the package: see {@link pack}. */
  readonly tarball: string
  /** What somebody does on the site each time it has been started. */
  readonly visit?: (url: string) => Promise<void>
  /** What stands in the document for something of the reader's, and what it is here. */
  readonly meant?: Readonly<Record<string, string>>
}

/**
 * Follows a document in a folder. What it starts goes on until the next command; what it starts last, until
 * `stop`. In place of GitHub, `github.mjs` answers.
 */
export async function follow(document: string, options: FollowOptions): Promise<Followed> {
  const { folder, tarball, visit, meant = {} } = options
  const port = await freePort()
  const desk: Desk = { folder, tarball, port, url: `http://localhost:${port}`, meant }
  const pages: string[] = []
  let server: ReturnType<typeof start> | undefined
  const stop = async (): Promise<string> => {
    await server?.stop()
    return server?.output() ?? ''
  }
  const runLine = async (line: string): Promise<void> => {
    await stop()
    // A reader ends it at leisure; stopped at work, it leaves half a file of types, which a build would check.
    rmSync(join(folder, '.next/dev/types'), { recursive: true, force: true })
    const { env, words } = readCommand(line, desk)
    const [program = '', ...args] = words
    const given = { ...ENVIRONMENT, ...env }
    if (!/\bnext (?:dev|start)\b/.test(line))
      return void (await run(program, args, { cwd: folder, env: given }))
    const atPort = { ...given, PORT: String(port), NODE_OPTIONS: `--import=${GITHUB}` }
    server = start(program, args, { cwd: folder, env: atPort })
    await answers(desk.url, server)
    pages.push(await (await fetch(desk.url)).text())
    await visit?.(desk.url)
  }
  const blocks = findBlocks(document, readFileSync(join(ROOT, document), 'utf8'))
  try {
    for (const block of blocks) {
      if (block.file !== undefined) write(desk, block)
      const lines = block.language === 'sh' ? block.code.split('\n') : []
      for (const line of lines) await runLine(line)
    }
  } catch (cause) {
    await stop()
    throw new Error(`${document} cannot be followed.`, { cause })
  }
  return { url: desk.url, pages, stop }
}
