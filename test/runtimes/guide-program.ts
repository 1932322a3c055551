/** Servers of `docs/guides/other-servers.md` as programs of one file, and how they are started. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import { start } from '../../tools/run.mjs'
import { SECRET } from '../config.ts'
import { findBlocks } from '../package/snippets.ts'
import type { RunningSite } from '../frameworks/conformance/site.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = 'docs/guides/other-servers.md'

export const ENVIRONMENT = {
  AUTH_SECRET: SECRET,
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
}

/** Resolves files to blocks of the guide, and the package to its source. */
function guidePlugin(config: string): Plugin {
  const blocks = findBlocks(GUIDE, readFileSync(join(ROOT, GUIDE), 'utf8'))
  const codeOf = new Map(blocks.map(({ file, code }) => [file, code]))
  const { exports }: { exports: Record<string, { default?: string } | null> } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  return {
    name: 'guide',
    setup(bundler) {
      bundler.onResolve({ filter: /^lib-auth/ }, ({ path }) => {
        const script = exports[path.replace('lib-auth', '.')]?.default
        return script
          ? { path: join(ROOT, script.replace('./dist', 'src').replace(/js$/, 'ts')) }
          : undefined
      })
      bundler.onResolve({ filter: /^\.\/config$/ }, () => ({
        path: join(ROOT, `test/runtimes/${config}-config.ts`),
      }))
      // Imports in the source have an extension.
      bundler.onResolve({ filter: /^\.\/\w+$/ }, ({ path }) => ({
        path: `${path.slice(2)}.ts`,
        namespace: 'guide',
      }))
      bundler.onLoad({ filter: /.*/, namespace: 'guide' }, ({ path }) => {
        const contents = codeOf.get(path)
        if (contents === undefined) throw new Error(`${GUIDE} has no block ${path}.`)
        return { contents, loader: 'ts', resolveDir: ROOT }
      })
    },
  }
}

interface BundleOptions {
  readonly platform?: 'neutral' | 'node'
  readonly banner?: string
  /** Packages that the program finds next to itself. */
  readonly external?: readonly string[]
  /** `site`: that of the 27 checks; `test`, `worker`: that of the test that loads the program. @default 'site' */
  readonly config?: 'site' | 'test' | 'worker'
}

/** Bundles code that imports blocks of the guide. */
export async function bundleGuide(
  contents: string,
  { platform = 'neutral', banner = '', external = [], config = 'site' }: BundleOptions = {},
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, sourcefile: 'entry.ts', loader: 'ts' },
    plugins: [guidePlugin(config)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform,
    banner: { js: banner },
    mainFields: ['module', 'main'],
    external: ['cloudflare:workers', 'node:*', ...external],
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  })
  return outputFiles[0]?.text ?? ''
}

/** The port that a program prints. */
export async function untilListening(
  { output, hasEnded }: ReturnType<typeof start>,
  printed: RegExp,
): Promise<string> {
  for (;;) {
    const port = printed.exec(output())?.[1]
    if (port !== undefined) return port
    if (hasEnded()) throw new Error(output())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Runs code that prints `port`, and the number of the port on which it listens. */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  { code, folder }: { readonly code: string; readonly folder: string },
): Promise<RunningSite> {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, code)
  const running = start(program, [...args, file], {
    cwd: folder,
    env: { ...ENVIRONMENT, PORT: '0', NODE_ENV: 'production' },
  })
  const port = await untilListening(running, /^port (\d+)$/m)
  return { origin: `http://127.0.0.1:${port}`, stop: () => running.stop() }
}

/** A recipe as a module that exports `listen`. */
export interface Recipe {
  readonly name: string
  readonly entry: string
  readonly banner?: string
  /** Packages that it finds next to itself. */
  readonly external?: readonly string[]
}

/** Bundles a recipe, which reads its configuration when it is loaded. */
export async function bundleRecipe(recipe: Recipe, file: string): Promise<void> {
  const { entry, banner = '', external = [] } = recipe
  const platform = external.length > 0 ? 'node' : 'neutral'
  writeFileSync(file, await bundleGuide(entry, { platform, banner, external, config: 'test' }))
}
