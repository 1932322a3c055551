/** Every export of a module that `migrate-imports` replaces has the same name in the module that replaces it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shippedProviders, findTarget } from '../../src/cli/migrate-imports/replacements.ts'
import { rewrite } from '../../src/cli/migrate-imports/rewrite.ts'
import type TypeScript from '../apps/typescript-6.0/node_modules/typescript/lib/typescript.js'

const require = createRequire(import.meta.url)
const ts: typeof TypeScript = require('../apps/typescript-6.0/node_modules/typescript')
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const MODULES = [
  ...['', '/react', '/jwt', '/adapters', '/providers', '/webauthn'].map(
    (path) => `next-auth${path}`,
  ),
  ...['', '/types', '/errors', '/jwt', '/adapters', '/providers', '/providers/oauth'].map(
    (path) => `@auth/core${path}`,
  ),
  '@auth/express',
  '@hono/auth-js',
  '@hono/auth-js/react',
  ...[...shippedProviders()]
    .map((name) => `@auth/core/providers/${name}`)
    .filter((name) => existsSync(join(ROOT, 'node_modules', `${name}.d.ts`))),
]

/** Missing exports, which `migrate-imports` reports, except for `Awaited`, which TypeScript provides. */
const MISSING = `
  __NEXTAUTH Awaited OAuthChecks OIDCConfigInternal SemverString
  AuthEnv ConfigHandler GetSessionResult reqWithEnvUrl setEnvDefaults
  authConfigManager useOauthPopupLogin
`
  .trim()
  .split(/\s+/)

/** Names that each module exports. */
function exportsOf(modules: readonly string[]): Map<string, string[]> {
  const file = join(ROOT, '.cache/names.ts')
  const text = modules.map((name, index) => `import * as m${index} from '${name}'`).join('\n')
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const fileExists = host.fileExists.bind(host)
  const getSourceFile = host.getSourceFile.bind(host)
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...others) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...others)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const imports = program.getSourceFile(file)?.statements.filter(ts.isImportDeclaration) ?? []
  return new Map(
    imports.map(({ moduleSpecifier }, index) => {
      const symbol = checker.getSymbolAtLocation(moduleSpecifier)
      const names = symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : []
      return [modules[index] ?? '', names]
    }),
  )
}

test('each exported name exists in the module that migrate-imports writes, or is listed as missing', () => {
  const targets = new Map(
    MODULES.map((name) => [name, findTarget(name, shippedProviders()).to ?? '']),
  )
  const names = exportsOf([...MODULES, ...new Set(targets.values())])
  const missing = MODULES.flatMap((name) => {
    const ours = names.get(targets.get(name) ?? '') ?? []
    const theirs = names.get(name) ?? []
    expect(theirs, name).not.toEqual([])
    return theirs.filter((each) => !ours.includes(each))
  })
  expect([...new Set(missing)].toSorted()).toEqual(MISSING.toSorted())
})

test.each(MISSING.filter((name) => name !== 'Awaited'))('migrate-imports reports %s', (name) => {
  const module = name === '__NEXTAUTH' ? 'next-auth/react' : '@hono/auth-js'
  const { notes } = rewrite(`import { ${name} } from '${module}'`, shippedProviders())
  expect(notes.map(({ what }) => what).join()).toContain(name)
})
