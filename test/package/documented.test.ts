/** Every public name has a documentation comment that editors show. */
import { createRequire } from 'node:module'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type TypeScript from '../apps/typescript-6.0/node_modules/typescript/lib/typescript.js'

const require = createRequire(import.meta.url)
const ts: typeof TypeScript = require('../apps/typescript-6.0/node_modules/typescript')

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The declaration files that `exports` names, without those of private modules. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const targets = Object.values<{ readonly types?: string } | string | null>(exports)
  return targets.flatMap((target) => {
    const types = Object(target).types ?? ''
    if (!types.includes('*')) return types === '' ? [] : [join(ROOT, types)]
    const folder = join(ROOT, dirname(types))
    const files = readdirSync(folder).filter((file) => /^[^_].*\.d\.ts$/.test(file))
    return files.map((file) => join(folder, file))
  })
}

test('every public name has a documentation comment', () => {
  const files = entryPoints()
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  }
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const names = files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
      const named = isAlias ? checker.getAliasedSymbol(symbol) : symbol
      const text = ts.displayPartsToString(named.getDocumentationComment(checker))
      return { name: `${file.slice(ROOT.length)}: ${symbol.name}`, text }
    })
  })
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter(({ text }) => text.length < 10).map(({ name }) => name)).toEqual([])
})
