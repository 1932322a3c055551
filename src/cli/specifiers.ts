/** Finds where code names modules. */
import { scan } from './scan.ts'
import type { Grammar, Token } from './scan.ts'

/** The name of a module, in the code. */
export interface Specifier {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** What code names, and every other text in it. */
export interface Findings {
  readonly specifiers: readonly Specifier[]
  readonly texts: readonly Specifier[]
  /** Without comments. */
  readonly tokens: readonly Token[]
}

/** Functions of test runners whose first argument is a module, by the object they are a method of. */
const MOCKING: ReadonlySet<string> = new Set(['vi', 'vitest', 'jest', 'mock'])
const MOCKS: ReadonlySet<string> = new Set(
  'mock doMock dontMock unmock doUnmock deepUnmock setMock module importActual importMock requireActual requireMock unstable_mockModule createMockFromModule genMockFromModule'.split(
    ' ',
  ),
)

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text
}

/** Index of the word in front of type arguments that end before `index`; `index` where there are none. */
function beforeTypeArguments(tokens: readonly Token[], index: number): number {
  if (tokens[index]?.text !== '>') return index
  let depth = 0
  for (let at = index; at >= 0; at -= 1) {
    if (tokens[at]?.text === '>') depth += 1
    if (tokens[at]?.text === '<') depth -= 1
    if (depth === 0) return at - 1
  }
  return index
}

/** Whether the function whose name is at `index` takes a module. */
function takesModule(tokens: readonly Token[], index: number): boolean {
  const callee = tokens[index]
  if (callee?.kind !== 'word') return false
  if (tokens[index - 1]?.text !== '.') return ['import', 'require'].includes(callee.text)
  const object = tokens[index - 2]
  if (callee.text === 'resolve') return isWord(object, 'require') || isWord(object, 'meta')
  return object?.kind === 'word' && MOCKING.has(object.text) && MOCKS.has(callee.text)
}

/** Whether the text at `index` is the name of a module. */
function namesModule(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  if (before?.text === '(') {
    const isFirst = [',', ')'].includes(tokens[index + 1]?.text ?? '')
    return isFirst && takesModule(tokens, beforeTypeArguments(tokens, index - 2))
  }
  if (tokens[index]?.kind !== 'string' || tokens[index - 2]?.text === '.') return false
  if (isWord(before, 'module')) return isWord(tokens[index - 2], 'declare')
  return isWord(before, 'from') || isWord(before, 'import')
}

/** What `pattern` finds in a comment: its first group is the name of a module. */
function inComment({ start, text }: Token, pattern: RegExp): Specifier[] {
  return [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const [from, to] = indices?.[1] ?? []
    if (from === undefined || to === undefined) return []
    return [{ start: start + from, end: start + to, name: text.slice(from, to) }]
  })
}

const REFERENCE = /^\/\/\/\s*<reference\s+types\s*=\s*["']([^"']+)["']/dg
const IMPORT_TYPE = /\bimport\(\s*["']([^"']+)["']\s*\)/dg

/** Names in comments that a compiler reads: references, and in JavaScript types. */
function inComments(tokens: readonly Token[], language: Language): Specifier[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'comment') return []
    const isTyped = language === 'javascript' && token.text.startsWith('/**')
    return inComment(token, isTyped ? IMPORT_TYPE : REFERENCE)
  })
}

/** Whether types are written in code, or in comments. */
type Language = 'javascript' | 'typescript'

const JAVASCRIPT = /\.[cm]?jsx?$/
const WITH_JSX = /\.(?:jsx?|tsx)$/

/** What the file names. */
export function findSpecifiers(file: string, source: string): Findings {
  const grammar: Grammar = { jsx: WITH_JSX.test(file) }
  const all = scan(source, grammar)
  const tokens = all.filter(({ kind }) => kind !== 'comment')
  const specifiers = inComments(all, JAVASCRIPT.test(file) ? 'javascript' : 'typescript')
  const texts: Specifier[] = []
  tokens.forEach(({ kind, start, end }, index) => {
    if (kind !== 'string' && kind !== 'template') return
    const text = { start: start + 1, end: end - 1, name: source.slice(start + 1, end - 1) }
    if (namesModule(tokens, index)) specifiers.push(text)
    else texts.push(text)
  })
  return { specifiers, texts, tokens }
}
