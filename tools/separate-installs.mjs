// Folders that have a lockfile of their own, so that `npm ci` of the repository leaves them out: runtimes, the
// frameworks whose applications have to be built, of the tests and of the examples, and the documentation site.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = join(ROOT, 'test')
const FRAMEWORKS = join(TESTS, 'e2e/frameworks')
const EXAMPLES = join(ROOT, 'examples')

/** The folder of an application in `test/e2e/frameworks`. */
export const frameworkFolder = (name) => join(FRAMEWORKS, name)

/** The folder of an example. */
export const exampleFolder = (name) => join(EXAMPLES, name)

/** The folder of the documentation site. */
export const SITE = join(ROOT, 'site')

const RUNTIMES = join(TESTS, 'runtimes')

/** The programs, below `node_modules` of `test/runtimes`. */
const PROGRAMS = {
  'node-22': 'node-22/bin/node',
  'node-24': 'node-24/bin/node',
  bun: '@oven/bun-linux-x64/bin/bun',
  deno: '@deno/linux-x64-glibc/deno',
}

/** Written after an installation: the lockfile that it followed. */
const stamp = (folder) => join(folder, 'node_modules/.installed')

function lockfileHash(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}

/** Whether `node_modules` of the folder is what its lockfile describes. */
export function isInstalled(folder) {
  return existsSync(stamp(folder)) && readFileSync(stamp(folder), 'utf8') === lockfileHash(folder)
}

/** Path of a runtime, or `null` if it is not installed or has no build for this platform. */
export function runtimePath(name) {
  const path = join(RUNTIMES, 'node_modules', PROGRAMS[name])
  return isInstalled(RUNTIMES) && existsSync(path) ? path : null
}

function foldersIn(parent) {
  const folders = readdirSync(parent).map((name) => join(parent, name))
  return folders.filter((folder) => existsSync(join(folder, 'package-lock.json')))
}

/** Folders that are not installed yet. */
export function missingInstalls() {
  const all = [RUNTIMES, SITE, ...foldersIn(FRAMEWORKS), ...foldersIn(EXAMPLES)]
  return all.filter((folder) => !isInstalled(folder))
}

/** Installs a folder from its lockfile. */
export async function installFolder(folder) {
  // What npm passes to the scripts that it runs applies to the repository.
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { npm_config_local_prefix: undefined, INIT_CWD: undefined },
  })
  writeFileSync(stamp(folder), lockfileHash(folder))
}

/** Installs what is missing, two folders at a time: npm waits for the network, or for the disk. */
export async function installSeparately() {
  const folders = missingInstalls()
  const installNext = async () => {
    for (let folder = folders.shift(); folder; folder = folders.shift()) {
      console.log(`Installing ${folder}`)
      await installFolder(folder)
    }
  }
  await Promise.all([installNext(), installNext()])
}

/** Puts the build of lib-auth into an application, as npm does with the published package. */
export function installPackage(folder) {
  const target = join(folder, 'node_modules/lib-auth')
  rmSync(target, { recursive: true, force: true })
  for (const each of ['package.json', 'dist'])
    cpSync(join(ROOT, each), join(target, each), { recursive: true })
}
