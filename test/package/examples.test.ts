/** The code in the documentation and in comments of the source compiles. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findFramework } from '../services.ts'
import { findBlocks, findSnippets } from './snippets.ts'
import type { Snippet } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.cache/examples')

/** A snippet with its file. */
interface Placed extends Snippet {
  /** From {@link FOLDER}. */
  readonly path: string
}

/**
 * Gives each snippet a file. Those of one document that are shown as files are together, so that they can
 * import each other; when a document shows a file again, it starts over.
 */
function place(snippets: readonly Snippet[]): Placed[] {
  const used = new Set<string>()
  const starts = new Map<string, number>()
  return snippets.map((snippet) => {
    const { source, line, file, extension } = snippet
    if (file === undefined) return { ...snippet, path: `${source}/line-${line}.${extension}` }
    const inFolder = () => `${source}/${starts.get(source) ?? 1}/${file}`
    if (used.has(inFolder())) starts.set(source, (starts.get(source) ?? 1) + 1)
    used.add(inFolder())
    return { ...snippet, path: inFolder() }
  })
}

/** The source file of each published subpath. */
function paths(): Record<string, string[]> {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const entries = Object.entries<{ default?: string } | string | null>(exports).flatMap(
    ([subpath, target]) => {
      const script = typeof target === 'object' ? target?.default : undefined
      if (!script) return []
      const file = script.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
      return [[subpath.replace('.', name), [relative(FOLDER, join(ROOT, file))]]]
    },
  )
  return Object.fromEntries(entries)
}

/** The packages of recipes, which are installed on their own. */
const RECIPES: Readonly<Record<string, string>> = {
  '@nestjs/common': '@nestjs/common',
  '@nestjs/core': '@nestjs/core',
  elysia: 'elysia',
  h3: 'h3',
  koa: '@types/koa',
}

const recipes = await findFramework('recipes')

function recipePaths(): Record<string, string[]> {
  const modules = join(relative(FOLDER, recipes ?? ''), 'node_modules')
  const entries = Object.entries(RECIPES).map(([name, folder]) => [name, [join(modules, folder)]])
  return recipes ? Object.fromEntries(entries) : {}
}

/** Compiled by the test of its guide, with the types that the framework generates from the files of the routes. */
const TESTED_WITH_ROUTES = 'docs/guides/tanstack-start.md'

/** Whether the packages that it imports are installed. */
function isInstalled({ source, code }: Snippet): boolean {
  if (source === TESTED_WITH_ROUTES) return false
  const names = [...code.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name)
  return recipes !== null || !names.some((name) => Object.hasOwn(RECIPES, name))
}

/** As strict as the strictest application, with the module resolution of bundlers. */
function writeProject(): void {
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      noEmit: true,
      rootDir: '../..',
      types: ['node'],
      module: 'preserve',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: false,
      isolatedDeclarations: false,
      declaration: false,
      allowJs: true,
      declarationMap: false,
      sourceMap: false,
      noPropertyAccessFromIndexSignature: false,
      noUnusedLocals: false,
      experimentalDecorators: true,
      paths: { ...paths(), ...recipePaths() },
    },
    include: ['**/*.ts', '**/*.tsx'],
    files: [
      '../../src/frameworks/tanstack-start/react-start.d.ts',
      '../../test/fixtures/platforms.d.ts',
    ],
  }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config, null, 2))
}

/** Modules of JavaScript that the snippets of a document import. */
function writeModules(source: string): void {
  const text = readFileSync(join(ROOT, source), 'utf8')
  for (const { file, code } of findBlocks(source, text))
    if (file?.endsWith('.mjs') && text.includes(` from './${file}'`))
      writeFileSync(join(FOLDER, source, '1', file), code)
}

/** The errors of the compiler, by file. */
function compile(): Map<string, string[]> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', FOLDER, '--pretty', 'false'], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  const problems = new Map<string, string[]>()
  let current: string[] = []
  for (const line of stdout.split('\n').filter(Boolean)) {
    const [, file = '', row = '', message = ''] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? []
    if (file) {
      current = problems.get(normalize(file)) ?? []
      problems.set(normalize(file), current)
      current.push(`${row}: ${message}`)
    } else {
      current.push(line)
      if (problems.size === 0) problems.set('', current)
    }
  }
  return problems
}

rmSync(FOLDER, { recursive: true, force: true })
const placed = place(findSnippets(ROOT).filter(isInstalled))
for (const { path, code } of placed) {
  mkdirSync(dirname(join(FOLDER, path)), { recursive: true })
  writeFileSync(join(FOLDER, path), code)
}
const withFiles = placed.filter(({ file }) => file)
for (const document of new Set(withFiles.map(({ source }) => source))) writeModules(document)
writeProject()
const problems = compile()

const named = placed.map((snippet) => [`${snippet.source}:${snippet.line}`, snippet] as const)

test.each(named)('the example at %s compiles', (_name, { path, source, line }) => {
  const places = (problems.get(normalize(path)) ?? []).map((problem) => {
    const [row = '', ...message] = problem.split(': ')
    return `${source}:${Number(row) + line - 1}: ${message.join(': ')}`
  })
  expect(places).toEqual([])
})

test('the compiler reports no error outside the examples', () => {
  const examplePaths = new Set(placed.map(({ path }) => normalize(path)))
  expect([...problems].filter(([file]) => !examplePaths.has(file))).toEqual([])
})

test('the source, the README and the documentation contain examples', () => {
  for (const start of ['src/', 'README.md', 'docs/'])
    expect(placed.filter(({ source }) => source.startsWith(start)).length).toBeGreaterThan(2)
})
