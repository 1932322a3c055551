// The example on Next.js 15: the same files, with the proxy under its former name, and the package as npm
// would install it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APP } from './demo-app.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WORKSPACE = join(ROOT, 'test/apps/next-15')

export const NEXT_15 = join(WORKSPACE, 'node_modules/next/dist/bin/next')

/** Puts the package into a `node_modules` folder: what is published, as it is published. */
function installPackage(modules) {
  const target = join(modules, 'lib-auth')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(target, 'package.json'))
  cpSync(join(ROOT, 'dist'), join(target, 'dist'), { recursive: true })
}

/** Makes the application, with its middleware on the edge unless `runtime` is `nodejs`; returns its folder. */
export function makeNext15App({ runtime } = {}) {
  for (const name of ['app', 'auth.ts', 'database.ts', 'tsconfig.json']) {
    rmSync(join(WORKSPACE, name), { recursive: true, force: true })
    cpSync(join(APP, name), join(WORKSPACE, name), { recursive: true })
  }
  const proxy = readFileSync(join(APP, 'proxy.ts'), 'utf8')
  const middleware = proxy
    .replace('as proxy', 'as middleware')
    .replace('matcher:', runtime ? `runtime: '${runtime}', matcher:` : 'matcher:')
  writeFileSync(join(WORKSPACE, 'middleware.ts'), middleware)
  writeFileSync(
    join(WORKSPACE, 'next.config.mjs'),
    `export default { outputFileTracingRoot: ${JSON.stringify(ROOT)} }\n`,
  )
  // Next 16 brings this along.
  writeFileSync(join(WORKSPACE, 'css.d.ts'), "declare module '*.css'\n")
  installPackage(join(WORKSPACE, 'node_modules'))
  return WORKSPACE
}
