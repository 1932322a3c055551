/**
 * How the modules of an application are found and read without its bundler: what Node calls for each import. They
 * run in a thread of their own where Node is older than 22.15, so they know nothing but the current folder.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import type {
  LoadFnOutput,
  LoadHookContext,
  ResolveFnOutput,
  ResolveHookContext,
} from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { aliased } from './path-aliases.ts'
import { transpile } from './transpile.ts'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx', '.json']
const INDEXES = ['/index.ts', '/index.tsx', '/index.js', '/index.mjs']
/** Modules that are there to break a bundle that should not have them. */
const GUARDS = new Set(['server-only', 'client-only'])

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** The file that a path without its ending, or with that of what a compiler makes of it, stands for. */
function fileAt(path: string): string | undefined {
  const source = path.replace(/\.([mc]?)jsx?$/, '.$1ts')
  const paths = [...[...ENDINGS, ...INDEXES].map((ending) => path + ending), source, `${source}x`]
  return paths.find(isFile)
}

function isOwn(url: string | undefined): url is string {
  return url !== undefined && url.startsWith('file:') && !url.includes('/node_modules/')
}

/** What an import of the application means; `undefined`: what Node says. */
function target(specifier: string, parent: string | undefined): string | undefined {
  if (GUARDS.has(specifier)) return 'data:text/javascript,export {}'
  // Next has no `exports`, so that Node finds its modules only by their files.
  if (/^next\/(?!dist\/)[\w/-]+$/.test(specifier)) return `${specifier}.js`
  if (!isOwn(parent)) return undefined
  const paths = /^\.{0,2}\//.test(specifier)
    ? [fileURLToPath(new URL(specifier, parent))]
    : aliased(specifier)
  const found = paths.map(fileAt).find((path) => path !== undefined)
  return found && pathToFileURL(found).href
}

/** Called by Node for each import. */
export function resolve(
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context?: ResolveHookContext) => ResolveFnOutput,
): ResolveFnOutput {
  return next(target(specifier, context.parentURL) ?? specifier, context)
}

/** Called by Node for each module. */
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
