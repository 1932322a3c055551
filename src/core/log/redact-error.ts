/** Redacts secrets in errors of application code that received them. */

/** Shorter values occur in any text. */
const MIN_LENGTH = 4
/** An error with more properties is treated as if it contained a secret. */
const MAX_PROPERTIES = 1000
/** With more values, an error is omitted, because the search would take too long. */
export const MAX_VALUES = 400
/** Characters searched, times texts searched for: a few milliseconds. */
const MAX_WORK = 4_000_000
const MAX_CAUSES = 3

/** The encodings in which a value may occur: raw, JSON, URL and form. */
function encodings(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value]
  const inForm = new URLSearchParams([['', value]]).toString().slice(1)
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), inForm]
}

/** All texts at any depth, longest first, so that a secret is redacted before its substrings. */
function textsToRedact(values: object): string[] {
  const seen = new Set<unknown>([values])
  const texts = new Set<string>()
  for (const value of seen) {
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) seen.add(item)
    if (seen.size > MAX_VALUES) throw new RangeError('There are too many values.')
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (text.length >= MIN_LENGTH) for (const each of encodings(text)) texts.add(each)
  }
  return [...texts].sort((a, b) => b.length - a.length)
}

/** Whether an object has all of its contents in own properties, unlike `Map`, `Headers` and `Request`. */
function isSearchable(object: object): boolean {
  if (Array.isArray(object) || object instanceof Error) return true
  const prototype: unknown = Object.getPrototypeOf(object)
  // Plain objects of another realm have another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether an object contains one of the texts; `true` if it is too large or cannot be searched. */
function containsAny(root: object, texts: readonly string[]): boolean {
  const seen = new Set<unknown>([root])
  let left = MAX_PROPERTIES
  let work = MAX_WORK
  for (const value of seen) {
    const text = /^(?:string|symbol|number|bigint)$/.test(typeof value) ? String(value) : ''
    work -= text.length * texts.length
    if (work < 0 || texts.some((each) => text.includes(each))) return true
    if (typeof value === 'function') return true
    if (typeof value !== 'object' || value === null) continue
    if (!isSearchable(value)) return true
    for (const key of Reflect.ownKeys(value)) {
      if (left-- === 0) return true
      seen.add(key).add(Reflect.get(value, key))
    }
  }
  return false
}

function redactTexts(texts: readonly string[], from: string): string {
  return texts.reduce((text, each) => text.replaceAll(each, '[redacted]'), from)
}

function listChain(error: Error): readonly Error[] {
  const chain = new Set([error])
  for (const { cause } of chain) if (cause instanceof Error) chain.add(cause)
  return [...chain]
}

function redactedCopy(error: Error, texts: readonly string[], depth: number): Error {
  const { name, message, stack, cause } = error
  const hidden = error instanceof SyntaxError && message ? [message, ...texts] : texts
  const inner =
    cause instanceof Error && depth > 0 ? redactedCopy(cause, texts, depth - 1) : undefined
  const clean = new Error(redactTexts(hidden, message), inner && { cause: inner })
  clean.name = redactTexts(texts, name)
  if (stack !== undefined) clean.stack = redactTexts(hidden, stack)
  return clean
}

export function redactSecrets(text: string, values: object): string {
  return redactTexts(textsToRedact(values), text)
}

/** The error, a redacted copy, or `undefined` if it is not an Error. Of a parser error only the stack is kept. */
export function redactError(error: Error, values: object): Error
export function redactError(error: unknown, values: object): Error | undefined
export function redactError(error: unknown, values: object): Error | undefined {
  // A thrown value that is not an Error may be anything, for example the tokens.
  if (!(error instanceof Error)) return undefined
  try {
    const texts = textsToRedact(values)
    const chain = listChain(error)
    const { length } = chain.map(({ stack = '', message }) => stack + message).join('')
    if (length * texts.length > MAX_WORK) throw new RangeError('The error is too long.')
    // A parser quotes the text around the error, which may be half of a token and thus match no secret.
    return containsAny(error, texts) || chain.some((each) => each instanceof SyntaxError)
      ? redactedCopy(error, texts, MAX_CAUSES)
      : error
  } catch {
    // A getter that throws, text that is not valid Unicode, or a search that would take too long.
    return new Error('The error is omitted because it could not be searched for secrets.')
  }
}
