/**
 * Module hooks that resolve and load the modules of an application as its bundler would. Before Node.js 22.15 they run
 * in a thread of their own, so they depend only on the current folder.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import type {
  LoadFnOutput,
  LoadHookContext,
  ResolveFnOutput,
  ResolveHookContext,
} from 'node:module'
import { dirname, resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transpile } from './transpile.ts'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx', '.json']
const INDEXES = ['/index.ts', '/index.tsx', '/index.js', '/index.mjs']
/** Packages that throw outside of a bundler. */
const GUARDS = new Set(['server-only', 'client-only'])

/** The file of an import without extension, or with that of the compiled file. */
function findFile(path: string): string | undefined {
  const source = path.replace(/\.([mc]?)jsx?$/, '.$1ts')
  const paths = [...[...ENDINGS, ...INDEXES].map((ending) => path + ending), source, `${source}x`]
  return paths.find((each) => existsSync(each) && statSync(each).isFile())
}

interface CompilerConfig {
  readonly extends?: string
  readonly compilerOptions?: {
    readonly baseUrl?: string
    readonly paths?: Readonly<Record<string, readonly string[]>>
  }
}

/** Parses JSON with comments and trailing commas. */
function parseConfig(path: string): CompilerConfig {
  const text = readFileSync(path, 'utf8')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')
  return JSON.parse(text)
}

/** The paths that `compilerOptions.paths` maps an import to. A config file that cannot be parsed maps nothing. */
function mappedPaths(specifier: string, path: string): readonly string[] {
  if (!existsSync(path)) return []
  let config: CompilerConfig
  try {
    config = parseConfig(path)
  } catch {
    return []
  }
  const { baseUrl = '.', paths } = config.compilerOptions ?? {}
  if (!paths && config.extends?.startsWith('.'))
    return mappedPaths(specifier, resolvePath(dirname(path), config.extends))
  return Object.entries(paths ?? {}).flatMap(([pattern, targets]) => {
    const [start = '', end] = pattern.split('*')
    const isMatch =
      end === undefined
        ? specifier === pattern
        : specifier.startsWith(start) && specifier.endsWith(end)
    const rest = specifier.slice(start.length, specifier.length - (end?.length ?? 0))
    return isMatch
      ? targets.map((target) => resolvePath(dirname(path), baseUrl, target.replace('*', rest)))
      : []
  })
}

function isOwn(url: string | undefined): url is string {
  return url !== undefined && url.startsWith('file:') && !url.includes('/node_modules/')
}

export function resolve(
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context?: ResolveHookContext) => ResolveFnOutput,
): ResolveFnOutput {
  if (GUARDS.has(specifier)) return next('data:text/javascript,export {}', context)
  // The package next has no `exports`, so Node.js needs the extension.
  if (/^next\/(?!dist\/)[\w/-]+$/.test(specifier)) return next(`${specifier}.js`, context)
  if (!isOwn(context.parentURL)) return next(specifier, context)
  const paths = /^\.{0,2}\//.test(specifier)
    ? [fileURLToPath(new URL(specifier, context.parentURL))]
    : ['tsconfig.json', 'jsconfig.json'].flatMap((name) =>
        mappedPaths(specifier, resolvePath(name)),
      )
  const file = paths.map(findFile).find((path) => path !== undefined)
  return next(file === undefined ? specifier : pathToFileURL(file).href, context)
}

export function load(
  url: string,
  context: LoadHookContext,
  next: (url: string, context?: LoadHookContext) => LoadFnOutput,
): LoadFnOutput {
  if (!isOwn(url)) return next(url, context)
  const path = fileURLToPath(url)
  if (path.endsWith('.json') && !context.importAttributes['type']) {
    const source = `export default ${readFileSync(path, 'utf8')}`
    return { format: 'module', source, shortCircuit: true }
  }
  if (!/\.(?:m?tsx?|jsx)$/.test(path)) return next(url, context)
  return { format: 'module', source: transpile(path), shortCircuit: true }
}
