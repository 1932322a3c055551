/** Converts TypeScript and JSX to JavaScript with a compiler of the application. */
import { readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Calls `owner[method]`; `undefined` if it does not exist. */
function call(owner: unknown, method: string, ...given: readonly unknown[]): unknown {
  const isObject = typeof owner === 'object' || typeof owner === 'function'
  const found: unknown = isObject && owner !== null ? Reflect.get(owner, method) : undefined
  return typeof found === 'function' ? Reflect.apply(found, owner, given) : undefined
}

/** A package of the application; `undefined` if it is not installed. */
function installed(name: string): unknown {
  try {
    return createRequire(resolve('package.json'))(name)
  } catch {
    return undefined
  }
}

type Compile = (text: string, path: string) => unknown

/** In order of preference. Node.js only removes types, and keeps imports of types that are not marked as such. */
const COMPILERS: readonly Compile[] = [
  (text, path) => {
    const parser = { syntax: 'typescript', tsx: path.endsWith('x') }
    const transform = { react: { runtime: 'automatic' } }
    const jsc = { parser, transform, target: 'es2022' }
    return call(installed('next/dist/build/swc'), 'transformSync', text, { jsc, swcrc: false })
  },
  (text, path) => {
    const loader = path.endsWith('x') ? 'tsx' : 'ts'
    const options = { loader, format: 'esm', target: 'es2022', jsx: 'automatic', tsconfigRaw: {} }
    return call(installed('esbuild'), 'transformSync', text, options)
  },
  (text, fileName) => {
    const compilerOptions = { module: 'esnext', target: 'es2022', jsx: 'react-jsx' }
    const options = { fileName, compilerOptions }
    return call(installed('typescript'), 'transpileModule', text, options)
  },
  (text, path) => (path.endsWith('x') ? undefined : call(module, 'stripTypeScriptTypes', text)),
]

/** The code in the result of a compiler, each of which has another shape. */
function codeOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result
  if (typeof result !== 'object' || result === null) return undefined
  const { code, outputText }: { code?: unknown; outputText?: unknown } = result
  return [code, outputText].find((each) => typeof each === 'string')
}

/** @throws Error if no compiler is available, or the code is not valid */
export function transpile(path: string): string {
  const text = readFileSync(path, 'utf8')
  let failure = `no TypeScript compiler: neither Next.js, esbuild nor TypeScript 5 or 6 is installed, and Node.js ${process.version} cannot strip types. Use Node.js 22.13 or newer, or run: npm install --save-dev esbuild`
  for (const compile of COMPILERS) {
    try {
      const code = codeOf(compile(text, path))
      if (code !== undefined) return code
    } catch (error) {
      const message = stripVTControlCharacters(String(error)).replace(/^Error: /, '')
      // The native part of Next.js is an optional dependency.
      if (message.startsWith('Failed to load bindings')) continue
      // What follows the first line is an excerpt of the code, and the stack of the compiler.
      failure = message
        .split(/\n\s*,-|\n\n/, 1)
        .join('')
        .trim()
      break
    }
  }
  throw new Error(`${path}: ${failure}`)
}
