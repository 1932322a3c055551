/** Module hooks that compile modules as a bundler would. Before Node.js 22.15 in a thread of their own: no state. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import type { LoadHook, ResolveHook } from 'node:module'
import { dirname, resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { errorCode } from '../errors.ts'
import { libraryPath, virtualModule, withImportMeta } from './virtual-modules.ts'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx', '.json']

/** The file of an import without extension, or with that of the compiled file. */
function findFile(path: string): string | undefined {
  const source = path.replace(/\.([mc]?)jsx?$/, '.$1ts')
  const paths = [path, `${path}/index`].flatMap((each) => ENDINGS.map((ending) => each + ending))
  return [...paths, source, `${source}x`].find(
    (each) => existsSync(each) && statSync(each).isFile(),
  )
}

interface CompilerConfig {
  readonly extends?: string | readonly string[]
  readonly compilerOptions?: {
    readonly baseUrl?: string
    readonly paths?: Readonly<Record<string, readonly string[]>>
  }
}

/** Reads JSON with comments and trailing commas. @throws Error if it is not valid */
function readCompilerConfig(path: string): CompilerConfig {
  const source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const plain = source.replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g, '$1')
  try {
    return JSON.parse(plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, '$1'))
  } catch (cause) {
    throw new Error(`${path} is not valid`, { cause })
  }
}

/** The paths that `compilerOptions.paths` maps an import to. */
function mappedPaths(specifier: string, path: string): readonly string[] {
  if (!existsSync(path)) return []
  const { extends: base, compilerOptions = {} } = readCompilerConfig(path)
  const { baseUrl = '.', paths } = compilerOptions
  // Of several that are extended, a later one replaces what those before it have set.
  const bases = paths ? [] : [base ?? []].flat().filter((each) => each.startsWith('.'))
  for (const each of bases.toReversed()) {
    const file = resolvePath(dirname(path), each.replace(/(?:\.json)?$/, '.json'))
    const found = mappedPaths(specifier, file)
    if (found.length > 0) return found
  }
  return Object.entries(paths ?? {}).flatMap(([pattern, targets]) => {
    const [start = '', end] = pattern.split('*')
    const length = specifier.length - (end?.length ?? 0)
    const isMatch = end === undefined ? specifier === pattern : specifier.endsWith(end)
    if (!isMatch || !specifier.startsWith(start)) return []
    const rest = specifier.slice(start.length, length)
    return targets.map((each) => resolvePath(dirname(path), baseUrl, each.replace('*', rest)))
  })
}

/** What the compiler of Next.js says about the code, and the line; `null` if it is not available. */
function syntaxProblem(output: string): string | null {
  const text = stripVTControlCharacters(output)
  // What follows is an excerpt of the code, and the stack of the compiler.
  const [message = ''] = text.split(/\n\s*,-|\n\n/, 1)
  if (/Failed to load bindings|Cannot find module|tried to access next/.test(message)) return null
  const [, line] = /\n\s*,-\[(?:.*:)?(\d+):\d+\]/.exec(text) ?? []
  return message.replace(/^Error:\s*/, '').trim() + (line ? ` (line ${line})` : '')
}

type StripTypes = (code: string, options?: { readonly mode: 'strip' | 'transform' }) => string

/** Keeps positions where it can: enums, namespaces and parameter properties are not only types. */
function withoutTypes(source: string, strip: StripTypes): string {
  try {
    return strip(source)
  } catch (error) {
    if (errorCode(error) !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error
    return strip(source, { mode: 'transform' })
  }
}

/** Compiles with the installed Next.js, else removes types with Node.js. @throws Error if the code is not valid */
function transpile(path: string): string {
  const source = readFileSync(path, 'utf8')
  const parser = { syntax: 'typescript', tsx: path.endsWith('x') }
  const transform = { react: { runtime: 'automatic' } }
  const options = { jsc: { parser, transform, target: 'es2022' }, swcrc: false }
  let problem: string | null
  try {
    const next = createRequire(resolvePath('package.json'))('next/dist/build/swc')
    return String(next.transformSync(source, options).code)
  } catch (error) {
    problem = syntaxProblem(String(error))
  }
  // Without the output of the compiler as the cause, because causes are printed.
  if (problem !== null) throw new Error(`${path}: ${problem}`)
  // Since Node.js 22.13.
  const { stripTypeScriptTypes } = module as { stripTypeScriptTypes?: StripTypes }
  if (stripTypeScriptTypes) return withoutTypes(source, stripTypeScriptTypes)
  throw new Error(
    `${path} is TypeScript: Next.js is not installed, and Node.js ${process.version} cannot strip types. Use Node.js 22.13 or newer, or name a JavaScript module: --config <file>`,
  )
}

function isOwn(url: string | undefined): url is string {
  return url !== undefined && url.startsWith('file:') && !url.includes('/node_modules/')
}

export const resolve: ResolveHook = (specifier, context, next) => {
  const virtual = virtualModule(specifier)
  if (virtual !== undefined) return next(virtual, context)
  // The package next has no `exports`, so Node.js needs the extension.
  if (/^next\/(?!dist\/)[\w/-]+$/.test(specifier)) return next(`${specifier}.js`, context)
  if (!isOwn(context.parentURL)) return next(specifier, context)
  const paths = /^\.{0,2}\//.test(specifier)
    ? [fileURLToPath(new URL(specifier, context.parentURL))]
    : ['tsconfig.json', 'jsconfig.json']
        .flatMap((name) => mappedPaths(specifier, resolvePath(name)))
        .concat(libraryPath(specifier))
  const file = paths.map(findFile).find((path) => path !== undefined)
  return next(file === undefined ? specifier : pathToFileURL(file).href, context)
}

export const load: LoadHook = (url, context, next) => {
  const path = isOwn(url) ? fileURLToPath(url) : ''
  if (path.endsWith('.json')) return next(url, { ...context, importAttributes: { type: 'json' } })
  if (/\.(?:m?tsx?|jsx)$/.test(path))
    return { format: 'module', source: withImportMeta(transpile(path)), shortCircuit: true }
  const source = /\.m?js$/.test(path) ? readFileSync(path, 'utf8') : ''
  const changed = withImportMeta(source)
  if (changed === source) return next(url, context)
  // `import.meta` exists only in modules of this format.
  return { format: 'module', source: changed, shortCircuit: true }
}
