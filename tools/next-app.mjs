// Applications on Next.js 15 or 16, as they are outside of this repository: with the package as npm would install
// it, and the proxy file under the name in that version. Each has a folder of its own.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_COPIED = [
  '.next',
  'node_modules',
  'package.json',
  'next-env.d.ts',
  'next.config.ts',
  '.env.local',
  'demo.db',
]

/** The program of a version: 15 or 16. */
export function nextProgram(version) {
  const folder = version === 15 ? join(ROOT, 'test/apps/next-15') : ROOT
  return join(folder, 'node_modules/next/dist/bin/next')
}

/** Puts the package into a `node_modules` folder: the published files. */
function installPackage(modules) {
  const target = join(modules, 'lib-auth')
  mkdirSync(target, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(target, 'package.json'))
  cpSync(join(ROOT, 'dist'), join(target, 'dist'), { recursive: true })
}

/** Next.js 15 calls the proxy middleware; there it runs on the edge unless `runtime` is `nodejs`. */
function renameProxy(folder, runtime) {
  const from = join(folder, 'proxy.ts')
  if (!existsSync(from)) return
  const text = readFileSync(from, 'utf8')
    .replace('as proxy', 'as middleware')
    .replace('function proxy', 'function middleware')
    .replace('const proxy', 'const middleware')
    .replace('matcher:', runtime ? `runtime: '${runtime}', matcher:` : 'matcher:')
  writeFileSync(join(folder, 'middleware.ts'), text)
  rmSync(from)
}

/**
 * Makes an application out of the folder `from`, named `name`: one name for each test file, because Next
 * builds into its folder. `config` goes into its `next.config.mjs`, `runtime` is that of the middleware of
 * Next.js 15. Returns the folder.
 */
export function makeNextApp({ from, name, version = 16, runtime = '', config = {} }) {
  const folder = join(ROOT, `test/apps/next-${version}`, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(from, folder, {
    recursive: true,
    filter: (path) => !NOT_COPIED.some((each) => path === join(from, each)),
  })
  writeFileSync(
    join(folder, 'package.json'),
    `{ "name": "${name}", "private": true, "type": "module" }\n`,
  )
  const settings = { outputFileTracingRoot: ROOT, ...config }
  writeFileSync(join(folder, 'next.config.mjs'), `export default ${JSON.stringify(settings)}\n`)
  if (version === 15) {
    renameProxy(folder, runtime)
    // Next 16 has this declaration.
    writeFileSync(join(folder, 'css.d.ts'), "declare module '*.css'\n")
  }
  installPackage(join(folder, 'node_modules'))
  return folder
}
