/** Finds what is code in a source file: not comments, the text of pages, or the content of strings. */

/** A string, or a part of a template without substitutions. */
export interface StringToken {
  /** Position of its first character, after the quote. */
  readonly start: number
  readonly value: string
}

/** Two copies of a source, of the same length, in which spaces replace what is not code. */
export interface CodeView {
  /** Without comments, text of pages, and contents of strings and regular expressions. */
  readonly code: string
  /** Without comments and text of pages. */
  readonly withStrings: string
  readonly strings: readonly StringToken[]
}

interface Blank {
  readonly start: number
  readonly end: number
  readonly kind: 'comment' | 'string' | 'text'
}

const COMMENT = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /(['"])((?:\\[\s\S]|(?!\1)[^\\\n\r])*)\1?/y
const ATTRIBUTE = /(["'])([\s\S]*?)(?:\1|$)/y
/** A name, a keyword or the digits of a number. */
const WORD = /[\p{ID_Continue}$#]+/uy
/** Operators before or after an expression, which leave what `/` and `<` mean. */
const UNARY = /\+\+|--|!/y
const REGULAR_EXPRESSION = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n\r])*\]|[^/\\[\n\r])+\/[a-z]*/y
const CHUNK = /(?:\\[\s\S]|\$(?!\{)|[^\\$`])*/y
const TAG = /[\w$.:-]*/y
/** The start of an element, and not of type parameters such as `<T,>` and `<T extends object>`. */
const ELEMENT = /<(?:>|[A-Za-z_$][\w$.:-]*(?=[\s/>{<])(?!\s+extends\s+[^=\s]))/y

const TYPE_ARGUMENTS = /<(?:[^<>]|<[^<>]*>)*>/y

/** After these words, an expression begins. */
const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  'await case default delete do else extends export in instanceof new of return throw typeof void yield'.split(
    ' ',
  ),
)

/** Reads a source from the start to its end, and records what is not code. */
function scan(source: string, hasElements: boolean): readonly Blank[] {
  let blanks: Blank[] = []
  /** Where an element seemed to begin that has no end. */
  const notElements = new Set<number>()

  const match = (pattern: RegExp, at: number): string => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? ''
  }
  const blank = (start: number, end: number, kind: Blank['kind']): number => {
    blanks.push({ start, end, kind })
    return end
  }
  const string = (at: number, pattern: RegExp): number => {
    const text = match(pattern, at)
    const isClosed = text.length > 1 && text.endsWith(text[0] ?? '')
    blank(at + 1, at + text.length - (isClosed ? 1 : 0), 'string')
    return at + text.length
  }

  const template = (start: number): number => {
    for (let at = start + 1; at < source.length;) {
      at = blank(at, at + match(CHUNK, at).length, 'string')
      if (source[at] !== '$') return at + 1
      at = code(at + 2, true) + 1
    }
    return source.length
  }

  /** Returns the end of the children, or -1. */
  const children = (start: number, name: string): number => {
    for (let at = start; at < source.length;) {
      const next = /[<{]/g
      next.lastIndex = at
      const end = next.exec(source)?.index ?? source.length
      at = blank(at, end, 'text')
      if (source[at] === '{') at = code(at + 1, true) + 1
      else if (source[at + 1] === '/') {
        const closing = match(TAG, at + 2)
        const close = source.indexOf('>', at)
        return closing === name && close !== -1 ? close + 1 : -1
      } else if (at < source.length) at = element(at)
      if (at < 0) return -1
    }
    return -1
  }

  /** Returns the end of the element, or -1 if it has none. */
  const element = (start: number): number => {
    const name = match(TAG, start + 1)
    const afterName = start + 1 + name.length
    for (let at = afterName + match(TYPE_ARGUMENTS, afterName).length; at < source.length;) {
      const char = source[at] ?? ''
      const comment = match(COMMENT, at)
      if (comment !== '') at = blank(at, at + comment.length, 'comment')
      else if (char === '{') at = code(at + 1, true) + 1
      else if (char === '"' || char === "'") at = string(at, ATTRIBUTE)
      else if (char === '>') return children(at + 1, name)
      else if (source.startsWith('/>', at)) return at + 2
      else at++
    }
    return -1
  }

  /** Returns the position after the element that begins here; -1 if none does. */
  const elementAt = (at: number): number => {
    if (!hasElements || notElements.has(at) || match(ELEMENT, at) === '') return -1
    const before = blanks.length
    const end = element(at)
    if (end !== -1) return end
    blanks = blanks.slice(0, before)
    notElements.add(at)
    return -1
  }

  /** Returns the position of the brace that ends the code, or the end of the source. */
  const code = (start: number, isNested: boolean): number => {
    let depth = 0
    let endsExpression = false
    for (let at = start; at < source.length;) {
      const char = source[at] ?? ''
      const comment = match(COMMENT, at)
      const word = match(WORD, at)
      const regular = endsExpression ? '' : match(REGULAR_EXPRESSION, at)
      const end = char === '<' && !endsExpression ? elementAt(at) : -1
      if (/\s/.test(char)) at++
      else if (comment !== '') at = blank(at, at + comment.length, 'comment')
      else if (char === '}' && depth === 0 && isNested) return at
      else if (regular !== '') {
        blank(at + 1, at + regular.length - 1, 'string')
        at += regular.length
        endsExpression = true
      } else if (end !== -1) {
        at = end
        endsExpression = true
      } else if (char === '`' || char === '"' || char === "'") {
        at = char === '`' ? template(at) : string(at, STRING)
        endsExpression = true
      } else if (word !== '') {
        endsExpression = source[at - 1] === '.' || !BEFORE_EXPRESSION.has(word)
        at += word.length
      } else {
        const unary = match(UNARY, at)
        depth += char === '{' ? 1 : char === '}' ? -1 : 0
        if (unary === '') endsExpression = char === ')' || char === ']'
        at += unary.length || 1
      }
    }
    return source.length
  }

  code(match(/#![^\n\r]*/y, 0).length, false)
  return blanks
}

/** The parts of a component file that are scripts. */
const SCRIPTS = /^(?:\ufeff?\s*)---\r?\n([\s\S]*?)\r?\n---|<script\b[^>]*>([\s\S]*?)<\/script>/gi

/** Replaces all characters but line breaks. */
function spaces(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}

function keepScripts(source: string): string {
  let scripts = ''
  for (const { 0: all, 1: front, 2: script = front ?? '', index } of source.matchAll(SCRIPTS)) {
    const start = index + all.lastIndexOf(script)
    scripts += spaces(source.slice(scripts.length, start)) + script
  }
  return scripts + spaces(source.slice(scripts.length))
}

function without(source: string, blanks: readonly Blank[]): string {
  let text = ''
  for (const { start, end } of blanks)
    if (start >= text.length)
      text += source.slice(text.length, start) + spaces(source.slice(start, end))
  return text + source.slice(text.length)
}

/** @param file - name of the file, whose extension shows whether it can contain elements */
export function viewCode(source: string, file: string): CodeView {
  const text = /\.(?:svelte|vue|astro)$/.test(file) ? keepScripts(source) : source
  const all = scan(text, !/\.(?:[cm]?ts|svelte|vue|astro)$/.test(file))
  const blanks = [...all].sort((a, b) => a.start - b.start || b.end - a.end)
  return {
    code: without(text, blanks),
    withStrings: without(
      text,
      blanks.filter(({ kind }) => kind !== 'string'),
    ),
    strings: blanks
      .filter(({ kind }) => kind === 'string')
      .map(({ start, end }) => ({ start, value: text.slice(start, end) })),
  }
}

/** A place in a file at which the user has to change something. */
export interface ManualStep {
  readonly at: number
  readonly what: string
}

/** Describes each match of a pattern by its groups. */
export function find(
  source: string,
  pattern: RegExp,
  describe: (first: string, second: string) => string | undefined,
): ManualStep[] {
  return [...source.matchAll(pattern)].flatMap(({ index: at, 1: first = '', 2: second = '' }) => {
    const what = describe(first, second)
    return what ? [{ at, what }] : []
  })
}

/** Describes each string that fulfils a condition. */
export function findStrings(
  { strings }: CodeView,
  condition: (token: StringToken) => boolean,
  describe: (value: string) => string,
): ManualStep[] {
  return strings
    .filter(condition)
    .map(({ start, value }) => ({ at: start - 1, what: describe(value) }))
}
