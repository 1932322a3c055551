/** docs/reference/specification-coverage.md: each row names tests, and these are there. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { errorTable } from '../../src/errors/table.ts'
import { adapterCases } from '../../src/testing/index.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** How many rows each section has: nothing gets lost, and what is added is counted. */
const SECTIONS: Readonly<Record<string, number>> = {
  'What it is': 13,
  Environment: 18,
  Account: 12,
  Session: 2,
  User: 4,
  Profile: 6,
  Configuration: 19,
  'Session options': 4,
  Callbacks: 23,
  JWT: 18,
  Adapter: 29,
  'Shapes of options': 31,
  'Wrapper result': 5,
  'Decisions of the signIn callback': 5,
  'Triggers of the jwt callback': 4,
  'Core functions': 8,
  'Wrapper functions': 19,
  Routes: 36,
  Authentication: 14,
  Cookies: 12,
  OAuth: 18,
  'Links in e-mails': 17,
  Credentials: 6,
  Linking: 10,
  'Life of a session': 12,
  Events: 9,
  Errors: 20,
  'Types of errors': 41,
  Pages: 9,
  Limits: 14,
  Versions: 6,
  'Wrapper and browser clients, in particular': 40,
}

interface Row {
  readonly section: string
  readonly id: string
  readonly says: string
  /** What stands in the column of tests. */
  readonly cell: string
}

function rowsOf(document: string): Row[] {
  const sections = document.split(/^## /m).slice(1)
  return sections.flatMap((text) => {
    const [section = '', ...lines] = text.split('\n')
    return lines.flatMap((line) => {
      const [, id, says = '', cell = ''] = /^\| `(.+?)` +\| (.+?) +\| (.+?) +\|$/.exec(line) ?? []
      return id === undefined ? [] : [{ section, id, says, cell }]
    })
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** What is called: `test` of `test.each(…)(…)`. */
function nameOf(callee: unknown): unknown {
  if (!isObject(callee)) return undefined
  return callee['name'] ?? nameOf(callee['object'] ?? callee['callee'] ?? callee['tag'])
}

/** A title that is written out; placeholders of `test.each` stay. */
function titleOf(call: Readonly<Record<string, unknown>>): string | undefined {
  const [title]: unknown[] = Array.isArray(call['arguments']) ? call['arguments'] : []
  const value = isObject(title) ? title['value'] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The tests below a node, each under its own title and with those of the groups it is in. */
function testsIn(node: unknown, groups: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(node)) return node.flatMap((each) => testsIn(each, groups))
  if (!isObject(node)) return []
  const name = node['type'] === 'CallExpression' ? nameOf(node['callee']) : undefined
  const title = name === 'test' || name === 'describe' ? titleOf(node) : undefined
  const path = title === undefined ? groups : [...groups, title]
  const below = Object.values(node).flatMap((each) => testsIn(each, path))
  return name === 'test' && title !== undefined ? [path, ...below] : below
}

/** The functions that a file of types exports: each is compiled. */
function functionsIn(source: string): (readonly string[])[] {
  return [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = '']) => [name])
}

const known = new Map<string, readonly (readonly string[])[]>()

function testsOf(file: string): readonly (readonly string[])[] {
  const before = known.get(file)
  if (before) return before
  const source = existsSync(ROOT + file) ? readFileSync(ROOT + file, 'utf8') : ''
  const own = /-d\.tsx?$/.test(file)
    ? functionsIn(source)
    : testsIn(parseSync(file, source).program)
  // The cases of the suite for adapters are tests of the file that asks for them.
  const tests = source.includes('testAdapter(MemoryAdapter()')
    ? [...own, ...adapterCases.map(({ name }) => [name])]
    : own
  known.set(file, tests)
  return tests
}

/** Whether exactly one test is meant. */
function isTest(reference: string): boolean {
  const [, file, name] = /^`(test\/[\w./-]+)` › `([^`]+)`$/.exec(reference) ?? []
  if (file === undefined) return false
  const meant = testsOf(file).filter((path) => path.at(-1) === name || path.join(' › ') === name)
  return meant.length === 1
}

const rows = rowsOf(readFileSync(`${ROOT}docs/reference/specification-coverage.md`, 'utf8'))

describe('the coverage of the specification', () => {
  test('has all its sections, with all their rows', () => {
    const counts = Object.keys(SECTIONS).map((section) => [
      section,
      rows.filter((row) => row.section === section).length,
    ])
    expect(Object.fromEntries(counts)).toEqual(SECTIONS)
    expect(rows.filter(({ section }) => !(section in SECTIONS))).toEqual([])
  })

  test('has a name of its own for each row', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('names tests that are there, and each of them clearly', () => {
    const tested = rows.filter(({ cell }) => cell !== 'not yet built')
    expect(tested.length).toBeGreaterThan(300)
    const missing = tested.flatMap(({ id, cell }) =>
      cell.split('<br>').flatMap((reference) => (isTest(reference) ? [] : [`${id}: ${reference}`])),
    )
    expect(missing).toEqual([])
  })

  test('has a row for each type of error', () => {
    const types = rows
      .filter(({ section }) => section === 'Types of errors')
      .map(({ says }) => /^`(\w+)`: /.exec(says)?.[1])
    expect(types).toEqual(Object.keys(errorTable))
  })

  test('leaves out WebAuthn and single providers, and nothing else', () => {
    const leftOut = rows.filter(({ cell }) => cell === 'not yet built')
    expect(leftOut.filter(({ says }) => !/WebAuthn|single providers/i.test(says))).toEqual([])
  })
})
