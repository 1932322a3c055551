/** Functions stay short: at most 60 lines, without the functions inside them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const MAX_LINES = 60
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

interface Span {
  readonly start: number
  readonly end: number
}

function isSpan(value: unknown): value is Span & Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value
}

/** The outermost functions below a node, without the node itself. */
function functionsBelow(node: unknown): Span[] {
  const children = typeof node === 'object' && node !== null ? Object.values(node) : []
  return children.flatMap((child) =>
    isSpan(child) && FUNCTIONS.has(String(child['type'])) ? [child] : functionsBelow(child),
  )
}

/** The functions with too many lines of their own, as `file:line (lines)`. */
function longFunctions(file: string): string[] {
  const source = readFileSync(join(SOURCE, file), 'utf8')
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  const check = (node: unknown): string[] =>
    functionsBelow(node).flatMap((span) => {
      const nested = functionsBelow(span).flatMap(({ start, end }) =>
        Array.from(
          { length: lineOf(end) - lineOf(start) + 1 },
          (_, index) => lineOf(start) + index,
        ),
      )
      const own = lineOf(span.end) - lineOf(span.start) + 1 - new Set(nested).size
      const long = own > MAX_LINES ? [`${file}:${lineOf(span.start)} (${own} lines)`] : []
      return long.concat(check(span))
    })
  return check(parseSync(file, source).program)
}

test('no function of src has more than 60 lines of its own', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap(longFunctions)).toEqual([])
})
