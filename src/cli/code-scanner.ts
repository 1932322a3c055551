/** Reads a source file, and records which parts of it are not code. */

/** A part of a source that is not code. */
export interface Blank {
  readonly start: number
  readonly end: number
  readonly kind: 'comment' | 'string' | 'text'
}

const SHEBANG = /#![^\n\r]*/y
const SPACE = /\s+/y
const COMMENT = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /(['"])((?:\\[\s\S]|(?!\1)[^\\\n\r])*)\1?/y
const ATTRIBUTE = /(["'])([\s\S]*?)(?:\1|$)/y
/** A name, a keyword or the digits of a number. */
const WORD = /[\p{ID_Continue}$#]+/uy
/** Operators before or after an expression, which leave what `/` and `<` mean. */
const UNARY = /\+\+|--|!/y
const REGULAR_EXPRESSION = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n\r])*\]|[^/\\[\n\r])+\/[a-z]*/y
const CHUNK = /(?:\\[\s\S]|\$(?!\{)|[^\\$`])*/y
const CHILDREN_TEXT = /[^<{]*/y
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

/** Each method reads what begins at a position, and returns the position after it; -1 if it has no end. */
class Scanner {
  blanks: Blank[] = []
  readonly #source: string
  readonly #hasElements: boolean
  /** Positions at which an element seems to begin, but has no end. */
  readonly #notElements = new Set<number>()

  constructor(source: string, hasElements: boolean) {
    this.#source = source
    this.#hasElements = hasElements
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at
    return pattern.exec(this.#source)?.[0] ?? ''
  }

  #blank(start: number, end: number, kind: Blank['kind']): number {
    this.blanks.push({ start, end, kind })
    return end
  }

  /** Returns `at` if no comment begins here. */
  #comment(at: number): number {
    const { length } = this.#match(COMMENT, at)
    return length > 0 ? this.#blank(at, at + length, 'comment') : at
  }

  #string(at: number, pattern: RegExp): number {
    const text = this.#match(pattern, at)
    const isClosed = text.length > 1 && text.endsWith(text[0] ?? '')
    this.#blank(at + 1, at + text.length - (isClosed ? 1 : 0), 'string')
    return at + text.length
  }

  #template(start: number): number {
    for (let at = start + 1; at < this.#source.length;) {
      at = this.#blank(at, at + this.#match(CHUNK, at).length, 'string')
      if (this.#source[at] !== '$') return at + 1
      at = this.#block(at + 1)
    }
    return this.#source.length
  }

  /** Code in braces. */
  #block(at: number): number {
    return this.code(at + 1, true) + 1
  }

  #children(start: number, name: string): number {
    const source = this.#source
    for (let at = start; at < source.length;) {
      at = this.#blank(at, at + this.#match(CHILDREN_TEXT, at).length, 'text')
      if (source[at] === '{') at = this.#block(at)
      else if (source[at + 1] === '/') {
        const close = source.indexOf('>', at)
        return this.#match(TAG, at + 2) === name && close !== -1 ? close + 1 : -1
      } else if (at < source.length) at = this.#element(at)
      if (at < 0) return -1
    }
    return -1
  }

  #element(start: number): number {
    const source = this.#source
    const name = this.#match(TAG, start + 1)
    const afterName = start + 1 + name.length
    for (let at = afterName + this.#match(TYPE_ARGUMENTS, afterName).length; at < source.length;) {
      const char = source[at]
      const afterComment = this.#comment(at)
      if (afterComment > at) at = afterComment
      else if (char === '{') at = this.#block(at)
      else if (char === '"' || char === "'") at = this.#string(at, ATTRIBUTE)
      else if (char === '>') return this.#children(at + 1, name)
      else if (source.startsWith('/>', at)) return at + 2
      else at++
    }
    return -1
  }

  /** A string, template, regular expression or element; returns `at` if none begins here. */
  #literal(at: number, endsExpression: boolean): number {
    const char = this.#source[at]
    if (char === '`') return this.#template(at)
    if (char === '"' || char === "'") return this.#string(at, STRING)
    if (endsExpression) return at
    if (char === '<') return this.#elementIfAny(at)
    const { length } = this.#match(REGULAR_EXPRESSION, at)
    if (length > 0) this.#blank(at + 1, at + length - 1, 'string')
    return at + length
  }

  #elementIfAny(at: number): number {
    if (!this.#hasElements || this.#notElements.has(at) || !this.#match(ELEMENT, at)) return at
    const before = this.blanks.length
    const end = this.#element(at)
    if (end !== -1) return end
    this.blanks = this.blanks.slice(0, before)
    this.#notElements.add(at)
    return at
  }

  /** Returns the position of the brace that ends the code, or the end of the source. */
  code(start: number, isNested: boolean): number {
    const source = this.#source
    let depth = 0
    let endsExpression = false
    for (let at = start; at < source.length;) {
      const begin = at
      at = this.#comment(at + this.#match(SPACE, at).length)
      if (at > begin) continue
      const char = source[at]
      const word = this.#match(WORD, at)
      if (char === '}' && depth === 0 && isNested) return at
      at = this.#literal(at, endsExpression)
      if (at > begin) endsExpression = true
      else if (word) {
        endsExpression = source[at - 1] === '.' || !BEFORE_EXPRESSION.has(word)
        at += word.length
      } else {
        const unary = this.#match(UNARY, at)
        depth += char === '{' ? 1 : char === '}' ? -1 : 0
        if (!unary) endsExpression = char === ')' || char === ']'
        at += unary.length || 1
      }
    }
    return source.length
  }

  run(): readonly Blank[] {
    this.code(this.#match(SHEBANG, 0).length, false)
    return this.blanks
  }
}

export function findBlanks(source: string, hasElements: boolean): readonly Blank[] {
  return new Scanner(source, hasElements).run()
}
