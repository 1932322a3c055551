/** Keeps secrets out of an error that code made which had been given them. */

/** Shorter values are part of any text, and guard nothing. */
const MIN_LENGTH = 4
/** Properties looked at before an error counts as one that may hold anything. */
const MAX_PROPERTIES = 1000
/** Values beyond which an error is not searched, because the search would take too long. */
export const MAX_VALUES = 400
/** Characters searched, times the texts searched for: a few milliseconds. */
const MAX_WORK = 4_000_000
/** Causes of an error that are kept. */
const MAX_CAUSES = 3

/** The spellings in which a value may turn up: as it is, in JSON, in a URL, and in a form. */
function spellings(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value]
  const inForm = new URLSearchParams([['', value]]).toString().slice(1)
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), inForm]
}

/**
 * The texts in a value, however deep; one that holds itself is looked at once.
 *
 * @throws RangeError when there are too many
 */
function textsIn(root: unknown): string[] {
  const seen = new Set<unknown>([root])
  const texts: string[] = []
  for (const value of seen) {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number') texts.push(String(value))
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) seen.add(item)
    if (seen.size > MAX_VALUES) throw new RangeError('There are too many values.')
  }
  return texts
}

/** Whether any of the texts is somewhere in an object; what cannot be looked through counts as yes. */
function holds(root: object, texts: readonly string[]): boolean {
  const seen = new Set<unknown>([root])
  let left = MAX_PROPERTIES
  let work = MAX_WORK
  for (const object of seen) {
    if (typeof object !== 'object' || object === null) continue
    for (const key of Reflect.ownKeys(object)) {
      if (left-- === 0) return true
      const value: unknown = Reflect.get(object, key)
      const text = typeof value === 'string' ? value : ''
      work -= text.length * texts.length
      if (work < 0 || texts.some((each) => text.includes(each))) return true
      seen.add(value)
    }
  }
  return false
}

function without(texts: readonly string[], from: string): string {
  return texts.reduce((text, each) => text.replaceAll(each, '[concealed]'), from)
}

/** Whether a parser failed: it quotes the text around the fault, half a token perhaps, which is no text we know. */
function isOfParser(error: Error): boolean {
  const seen = new Set<unknown>([error])
  for (const each of seen) {
    if (each instanceof SyntaxError) return true
    if (each instanceof Error) seen.add(each.cause)
  }
  return false
}

/** Name, message, stack and cause, without the texts. */
function copy(error: Error, texts: readonly string[], depth: number): Error {
  const { name, message, stack, cause } = error
  const hidden = error instanceof SyntaxError && message ? [message, ...texts] : texts
  const inner = cause instanceof Error && depth > 0 ? copy(cause, texts, depth - 1) : undefined
  const clean = new Error(without(hidden, message), inner && { cause: inner })
  clean.name = without(texts, name)
  if (stack !== undefined) clean.stack = without(hidden, stack)
  return clean
}

/** The values as texts, in every spelling; the longest first. */
function textsOf(values: object): string[] {
  const texts = textsIn(values).filter((text) => text.length >= MIN_LENGTH)
  return [...new Set(texts.flatMap(spellings))].sort((a, b) => b.length - a.length)
}

/** Characters of an error that {@link copy} searches. */
function lengthOf({ name, message, stack = '', cause }: Error, depth: number): number {
  const inner = cause instanceof Error && depth > 0 ? lengthOf(cause, depth - 1) : 0
  return name.length + message.length + stack.length + inner
}

/** A text of somebody else without the values. */
export function concealIn(text: string, values: object): string {
  return without(textsOf(values), text)
}

/**
 * The error if it holds none of the values, else a copy of what it says without them. Of what parsers say, only the
 * stack is kept; of an error that would take long to search, nothing.
 *
 * @param values - texts, and whatever holds some
 */
export function conceal(error: Error, values: object): Error {
  try {
    const texts = textsOf(values)
    if (lengthOf(error, MAX_CAUSES) * texts.length > MAX_WORK)
      throw new RangeError('The error is too long.')
    return holds(error, texts) || isOfParser(error) ? copy(error, texts, MAX_CAUSES) : error
  } catch {
    // A getter of the application that throws, text that is not Unicode, or a search that would take too long.
    return new Error('The error is omitted because it could not be searched for secrets.')
  }
}
