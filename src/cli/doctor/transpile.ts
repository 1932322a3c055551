/** TypeScript and JSX as JavaScript, by what the application has for that. */
import { readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { resolve } from 'node:path'

interface Source {
  readonly path: string
  readonly text: string
}

/** A function of a module of the application, if it has that module. */
function functionOf(
  packageName: string,
  name: string,
): ((...given: unknown[]) => unknown) | undefined {
  try {
    const loaded: unknown = createRequire(resolve('package.json'))(packageName)
    return method(loaded, name)
  } catch {
    return undefined
  }
}

function method(owner: unknown, name: string): ((...given: unknown[]) => unknown) | undefined {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined
  const found: unknown = Reflect.get(owner, name)
  if (typeof found !== 'function') return undefined
  return (...given) => Reflect.apply(found, owner, given)
}

function textIn(result: unknown, name: string): string | undefined {
  const text: unknown = typeof result === 'object' && result && Reflect.get(result, name)
  return typeof text === 'string' ? text : undefined
}

function withEsbuild({ path, text }: Source): string | undefined {
  const transform = functionOf('esbuild', 'transformSync')
  const loader = path.endsWith('x') ? 'tsx' : 'ts'
  const options = { loader, format: 'esm', target: 'es2022', jsx: 'automatic', tsconfigRaw: {} }
  return textIn(transform?.(text, options), 'code')
}

function withTypeScript({ path, text }: Source): string | undefined {
  const transpileModule = functionOf('typescript', 'transpileModule')
  const compilerOptions = { module: 'esnext', target: 'es2022', jsx: 'react-jsx' }
  return textIn(transpileModule?.(text, { fileName: path, compilerOptions }), 'outputText')
}

function withNode({ path, text }: Source): string | undefined {
  const result = path.endsWith('x') ? undefined : method(module, 'stripTypeScriptTypes')?.(text)
  return typeof result === 'string' ? result : undefined
}

/**
 * The code of a file. Node only takes the types away, which is not enough for an import that is one without saying
 * so: what the application has itself goes first.
 */
export function transpile(path: string): string {
  const source = { path, text: readFileSync(path, 'utf8') }
  const code = withEsbuild(source) ?? withTypeScript(source) ?? withNode(source)
  if (code !== undefined) return code
  throw new Error(
    `${path} cannot be read: it is TypeScript, this is Node ${process.version}, and the project has neither esbuild nor TypeScript 5 or 6. Use Node 22.13 or newer, or install one of them: npm install --save-dev esbuild.`,
  )
}
