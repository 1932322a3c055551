// npm run api: writes etc/api.txt, the record of all public types, from the declaration files of the package. With
// `--check` it compares. File names and comments are left out: to move a file changes nothing for users.
// Needs TypeScript 6, whose compiler has an API: node tools/services.mjs --install.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { writeGenerated } from './generated-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ts = createRequire(`${ROOT}test/apps/typescript-6.0/package.json`)('typescript')

const byText = (one, other) => (one < other ? -1 : 1)
const isModule = (file) => file.endsWith('.d.ts') && !file.startsWith('_') && file !== 'index.d.ts'

/** Subpaths and their declaration files; a wildcard stands for each module of its folder that is not internal. */
function entryPoints() {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const found = new Map()
  for (const [subpath, target] of Object.entries(exports)) {
    const { types } = target ?? {}
    if (!types) continue
    if (!subpath.includes('*')) found.set(subpath, types)
    else
      for (const file of readdirSync(`${ROOT}${types.slice(0, types.indexOf('*'))}`).filter(
        isModule,
      ))
        found.set(
          subpath.replace('*', file.slice(0, -'.d.ts'.length)),
          types.replace('*.d.ts', file),
        )
  }
  return [...found].sort(([one], [other]) => byText(one, other))
}

const entries = entryPoints().map(([subpath, file]) => [
  subpath.replace(/^\./, 'lib-auth'),
  `${ROOT}${file}`,
])
const program = ts.createProgram(
  entries.map(([, file]) => file),
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  },
)
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: true })

const resolve = (symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

const ownDeclarations = (symbol) =>
  (symbol.declarations ?? []).filter((each) => {
    const { fileName } = each.getSourceFile()
    return fileName.startsWith(`${ROOT}dist/`) && !ts.isSourceFile(each)
  })

/** Part of `declare module` or `declare global`: applications see it in the types of the framework. */
const isAugmentation = (symbol) =>
  ownDeclarations(symbol).every((each) => {
    let node = each.parent
    while (node && !ts.isModuleDeclaration(node)) node = node.parent
    return node !== undefined
  })

/**
 * The statement of a declaration, without `export`, so that the way of exporting does not matter. Of constants with texts,
 * only the keys are recorded: texts may change. Quotes are those of TypeScript 7, and not those of 6.
 */
function print(declaration) {
  const isConstant = ts.isVariableDeclaration(declaration)
  const statement = isConstant ? declaration.parent.parent : declaration
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
  const body = text.replace(/^(?:export )?(?:default )?(?:declare )?/, '')
  if (!isConstant) return body
  return body
    .replace(/^( +\w.*: )['"].*;$/gm, '$1string;')
    .replace(/^( +)"(.*)"(,?)$/gm, "$1'$2'$3")
}

/** What a declaration refers to in this package. */
function references(declaration) {
  const found = []
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node)
      if (symbol) found.push(resolve(symbol))
    }
    if (ts.isImportTypeNode(node) && node.qualifier === undefined) {
      const symbol = checker.getSymbolAtLocation(node.argument.literal ?? node)
      if (symbol) found.push(resolve(symbol))
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(declaration, visit)
  return found.filter((symbol) =>
    ownDeclarations(symbol).some(
      (each) =>
        ts.isInterfaceDeclaration(each) ||
        ts.isTypeAliasDeclaration(each) ||
        ts.isClassDeclaration(each) ||
        ts.isFunctionDeclaration(each) ||
        ts.isVariableDeclaration(each),
    ),
  )
}

const exported = new Map()
const sections = entries.map(([name, file]) => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is not a module. Run: npm run build`)
  const lines = checker.getExportsOfModule(module).map((each) => {
    const symbol = resolve(each)
    if (ownDeclarations(symbol).length > 0) exported.set(symbol, symbol.name)
    const from = ownDeclarations(symbol).length > 0 ? '' : ' (of another package)'
    return `  ${each.name}${each.name === symbol.name ? '' : ` = ${symbol.name}`}${from}`
  })
  return [name, ...lines.toSorted(byText)].join('\n')
})

const reachable = new Set(exported.keys())
for (const symbol of reachable)
  for (const declaration of ownDeclarations(symbol))
    for (const reference of references(declaration)) reachable.add(reference)

for (const symbol of reachable) if (isAugmentation(symbol)) exported.set(symbol, symbol.name)

const textOf = (symbol) => ownDeclarations(symbol).map(print).join('\n')
const printed = [...new Set([...exported.keys()].map(textOf))].toSorted(byText)
const hidden = [...reachable].filter((each) => !exported.has(each)).map((each) => each.name)
if (hidden.length > 0)
  throw new Error(
    `Exported types use declarations that no entry point exports: ${hidden.join(', ')}. Export them, for example from src/types.ts.`,
  )

const text = `Generated by npm run api.

# Entry points

${sections.join('\n\n')}

# Declarations

${printed.join('\n\n')}
`
console.log(`${entries.length} entry points, ${exported.size} exports.`)
writeGenerated(new Map([['etc/api.txt', text]]), { folders: [], command: 'npm run api' })
