/** Every public name has a documentation comment that editors show. */
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type TypeScript from '../apps/typescript-6.0/node_modules/typescript/lib/typescript.js'

const require = createRequire(import.meta.url)
const ts: typeof TypeScript = require('../apps/typescript-6.0/node_modules/typescript')

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))

/** The declaration files of the entry points in `exports`. */
function entryPoints(): string[] {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  const isEntry =
    /^(?:(?:index|types|errors|jwt)|(?:adapters|providers)\/(?!_)[^/]+|(?:client|next|react|testing)\/index)\.d\.ts$/
  return files.map((file) => file.replaceAll('\\', '/')).filter((file) => isEntry.test(file))
}

test('every public name has a documentation comment', { timeout: 60_000 }, () => {
  const files = entryPoints().map((file) => join(DIST, file))
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
      return { name: `${file.slice(DIST.length + 1)}: ${symbol.name}`, text }
    })
  })
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter(({ text }) => text.length < 10).map(({ name }) => name)).toEqual([])
})
