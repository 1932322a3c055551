/**
 * The tokens of JavaScript and TypeScript, as far as it takes to tell an import from a text that looks like one: strings,
 * templates, comments, regular expressions and JSX are told apart.
 */

/** One token. */
export interface Token {
  /** `value`: a number, a regular expression, a template with expressions in it, or JSX. */
  readonly kind: 'word' | 'string' | 'template' | 'punctuator' | 'comment' | 'value'
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What there may be in a file. */
export interface Grammar {
  readonly jsx: boolean
}

/** Words after which an expression begins. */
const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  'await case default delete do else in instanceof new of return throw typeof void yield'.split(
    ' ',
  ),
)
/** Words whose parentheses are followed by a statement. */
const BEFORE_CONDITION: ReadonlySet<string> = new Set(['if', 'while', 'for', 'with'])
const AFTER_VALUE: ReadonlySet<string> = new Set([')', ']', '}', '++', '--'])

const SPACE = /\s+/y
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\.?\d[\w.]*/y
const LINE_COMMENT = /\/\/[^\n\r\u2028\u2029]*/y
const BLOCK_COMMENT = /\/\*[^]*?(?:\*\/|$)/y
const STRING = /'(?:[^'\\\n\r]|\\(?:\r\n|[^]))*'|"(?:[^"\\\n\r]|\\(?:\r\n|[^]))*"/y
const REGEX = /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[\p{ID_Continue}]*/uy
const PUNCTUATOR = /=>|\+\+|--|[^]/y
/** Up to what ends a piece of template. */
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y
const TAG_NAME = /[\p{ID_Continue}$.:-]*/uy
const JSX_STRING = /'[^']*'|"[^"]*"/y
/** Type parameters, which look like a tag until here. */
const TYPE_PARAMETERS = /<(?:const\s+)?[\p{ID_Continue}$]+(?:\s*,|\s+extends\s(?!\s*[=>/]))/uy

/** Tries at JSX that turned out to be none, after which it is not tried any more: each may read to the end. */
const MAX_FAILURES = 100

/** Reads all tokens of a file. What is no valid code gives some tokens, too. */
export function scan(source: string, grammar: Grammar): Token[] {
  const tokens: Token[] = []
  /** Words before parentheses that are open. */
  const open: string[] = []
  let at = 0
  let failures = 0
  let last: Token | undefined
  let closed = ''

  function match(pattern: RegExp): string {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? ''
  }

  function add(kind: Token['kind'], start: number, end: number): void {
    const added = { kind, start, end, text: source.slice(start, end) }
    tokens.push(added)
    if (kind !== 'comment') last = added
    at = end
  }

  /** Adds what the pattern finds here, if it finds something. */
  function take(kind: Token['kind'], pattern: RegExp): boolean {
    const text = match(pattern)
    if (text) add(kind, at, at + text.length)
    return text !== ''
  }

  /** Whether a value comes next, and no operator. */
  function expectsValue(): boolean {
    if (!last) return true
    if (last.kind === 'word') return BEFORE_EXPRESSION.has(last.text)
    if (last.kind !== 'punctuator') return false
    return last.text === ')' ? BEFORE_CONDITION.has(closed) : !AFTER_VALUE.has(last.text)
  }

  function template(): boolean {
    const start = at
    at += 1
    for (let isPlain = true; ; isPlain = false) {
      at += match(TEMPLATE_TEXT).length
      if (source[at] === '`') {
        add(isPlain ? 'template' : 'value', start, at + 1)
        return true
      }
      if (source[at] !== '$') return false
      at += 1
      if (!block()) return false
    }
  }

  /** What follows the name of a tag, up to its end; answers whether there are children. */
  function attributes(): 'children' | 'none' | 'broken' {
    while (at < source.length) {
      at += match(SPACE).length
      if (source.startsWith('/>', at)) {
        at += 2
        return 'none'
      }
      const char = source[at]
      if (char === '>') {
        at += 1
        return 'children'
      }
      const text = match(JSX_STRING) || match(LINE_COMMENT) || match(BLOCK_COMMENT)
      if (text) at += text.length
      else if (char === '{') {
        if (!block()) return 'broken'
      } else if (char === '<') {
        if (!element()) return 'broken'
      } else at += 1
    }
    return 'broken'
  }

  function children(name: string): boolean {
    while (at < source.length) {
      if (source.startsWith('</', at)) {
        at += 2
        at += match(SPACE).length
        const isSame = match(TAG_NAME) === name
        at = source.indexOf('>', at) + 1
        return isSame && at > 0
      }
      if (source[at] === '{') {
        if (!block()) return false
      } else if (source[at] === '<') {
        if (!element()) return false
      } else at += 1
    }
    return false
  }

  function element(): boolean {
    const start = at
    at += 1
    const name = match(TAG_NAME)
    at += name.length
    const rest = attributes()
    if (rest === 'broken' || (rest === 'children' && !children(name))) return false
    add('value', start, at)
    return true
  }

  /** JSX, if it is some. */
  function jsx(): boolean {
    if (!grammar.jsx || failures > MAX_FAILURES || !expectsValue()) return false
    if (!/[\p{ID_Start}$_>]/u.test(source[at + 1] ?? '') || match(TYPE_PARAMETERS)) return false
    const [begin, count, before, parentheses] = [at, tokens.length, last, [...open]]
    if (element()) return true
    failures += 1
    tokens.length = count
    open.splice(0, Infinity, ...parentheses)
    at = begin
    last = before
    return false
  }

  function punctuator(): void {
    const before = last?.kind === 'word' ? last.text : ''
    take('punctuator', PUNCTUATOR)
    if (last?.text === '(') open.push(before)
    if (last?.text === ')') closed = open.pop() ?? ''
  }

  /** One token; `false`: something in it does not end. */
  function token(): boolean {
    const char = source[at]
    if (char === '{') return block()
    if (char === '`') return template()
    if (take('comment', LINE_COMMENT) || take('comment', BLOCK_COMMENT)) return true
    if (take('word', WORD) || take('string', STRING) || take('value', NUMBER)) return true
    if (char === '/' && expectsValue() && take('value', REGEX)) return true
    if (char === '<' && jsx()) return true
    punctuator()
    return true
  }

  /** What is in braces, with them. */
  function block(): boolean {
    add('punctuator', at, at + 1)
    while (at < source.length) {
      at += match(SPACE).length
      if (source[at] === '}') {
        add('punctuator', at, at + 1)
        return true
      }
      if (at < source.length && !token()) return false
    }
    return false
  }

  if (source.startsWith('#!') || source.startsWith('\ufeff#!')) at = source.indexOf('\n') + 1
  while (at < source.length) {
    at += match(SPACE).length
    if (at < source.length) token()
  }
  return tokens
}
