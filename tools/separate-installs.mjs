// Folders of the tests that have a lockfile of their own, so that `npm ci` of the repository leaves them out: runtimes,
// and frameworks whose applications have to be built.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

const TESTS = fileURLToPath(new URL('../test', import.meta.url))
const FRAMEWORKS = join(TESTS, 'frameworks')

/** The folder of an application in `test/frameworks`. */
export const frameworkFolder = (name) => join(FRAMEWORKS, name)

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

function allFolders() {
  const names = readdirSync(FRAMEWORKS).filter((name) =>
    existsSync(join(frameworkFolder(name), 'package-lock.json')),
  )
  return [RUNTIMES, ...names.map(frameworkFolder)]
}

/** Folders that are not installed yet. */
export const missingInstalls = () => allFolders().filter((folder) => !isInstalled(folder))

/** Installs what is missing, one folder after the other. */
export async function installSeparately() {
  for (const folder of missingInstalls()) {
    console.log(`Installing ${folder}`)
    // What npm passes to the scripts that it runs applies to the repository.
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: { npm_config_local_prefix: undefined, INIT_CWD: undefined },
      stdio: 'inherit',
    })
    writeFileSync(stamp(folder), lockfileHash(folder))
  }
}
