/** Applications of frameworks that have to be built, with the package as npm installs it. */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { installPackage } from '../../../tools/separate-installs.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

function hashOf(folder: string, excluded: readonly string[]): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = join(path, entry.name)
      if (excluded.includes(name)) continue
      if (entry.isDirectory()) add(name)
      else hash.update(name).update(readFileSync(join(folder, name)))
    }
  }
  add('')
  return hash.digest('hex')
}

/** How an application is built. */
export interface Build {
  /** The program and its arguments; relative to `node_modules`: `['vite/bin/vite.js', 'build']`. */
  readonly command: readonly string[]
  /** The folder that the build writes. */
  readonly output: string
  /** Other folders that it writes. */
  readonly writes?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Builds the application in a folder of `test/e2e/frameworks`, unless its files and those of the package are the same as in
 * the last build.
 *
 * @returns what the build printed; '' if there was nothing to build
 */
export async function buildApplication(folder: string, build: Build): Promise<string> {
  const { command, output, writes = [], env } = build
  const excluded = ['node_modules', '.sites', '.guide', output, ...writes]
  const stamp = join(folder, 'node_modules/.built')
  const hash = hashOf(folder, excluded) + hashOf(join(ROOT, 'dist'), [])
  const isBuilt = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isBuilt && existsSync(join(folder, output))) return ''
  installPackage(folder)
  rmSync(join(folder, output), { recursive: true, force: true })
  const [program = '', ...args] = command
  const printed = await run(process.execPath, [resolve(folder, 'node_modules', program), ...args], {
    cwd: folder,
    env: { NODE_ENV: 'production', CI: '1', ...env },
  })
  writeFileSync(stamp, hash)
  return printed
}

/** Runs a long test file with another Node, and environment variables that select the application. */
export function runTests(
  node: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  return run(node, [vitest, 'run', '--project', 'long', file], {
    cwd: ROOT,
    env: { ...env, TARBALL: inject('tarball'), NO_COLOR: '1' },
  })
}

/** A copy of a build, whose modules are loaded once more. */
export interface Copy {
  readonly path: string
  readonly remove: () => void
}

/**
 * Copies a build within its application, for one site: the server modules of the copy are fresh, and read the
 * configuration of {@link loadWith}.
 *
 * @param target - the folder of the copy in which the server expects the build
 */
export function copyBuild(folder: string, output: string, target: string = ''): Copy {
  const copies = join(folder, '.sites')
  mkdirSync(copies, { recursive: true })
  const path = mkdtempSync(join(copies, 'site-'))
  cpSync(join(folder, output), join(path, target), {
    recursive: true,
    filter: (from) => from !== join(folder, output, 'cache'),
  })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const SITE = Symbol.for('lib-auth.site')
const queue: { last: Promise<unknown> } = { last: Promise.resolve() }

/**
 * Loads an application while `globalThis[Symbol.for('lib-auth.site')]` is the site from which its authentication module
 * reads the configuration, and with these environment variables. One after the other.
 */
export async function loadWith<T>(
  site: object,
  env: Readonly<Record<string, string>>,
  load: () => Promise<T>,
): Promise<T> {
  const loadNow = async () => {
    const before = { ...process.env }
    Object.assign(globalThis, { [SITE]: site })
    Object.assign(process.env, env)
    try {
      return await load()
    } finally {
      Reflect.deleteProperty(globalThis, SITE)
      for (const name of Object.keys(env))
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
        else process.env[name] = before[name]
    }
  }
  const result = queue.last.then(loadNow, loadNow)
  queue.last = result
  return result
}
