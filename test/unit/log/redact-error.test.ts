import { describe, expect, test } from 'vitest'
import { redactError } from '../../../src/log/redact-error.ts'

const TYPED = { username: 'ada', password: 'hunter2 "quoted" & more' }

/** All own properties of an error at every depth. */
function allOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  return Reflect.ownKeys(error)
    .map((key) => `${String(key)}=${allOf(Reflect.get(error, key))}`)
    .join('\n')
}

describe('redactError', () => {
  const { password } = TYPED

  test.each<[string, Error]>([
    ['in its message', new Error(`no user with ${password}`)],
    ['in its message, as JSON', new Error(`bad body ${JSON.stringify(TYPED)}`)],
    ['in its message, in a URL', new Error(`GET /?p=${encodeURIComponent(password)} failed`)],
    ['in its name', Object.assign(new Error('x'), { name: password })],
    ['in a property', Object.assign(new Error('query failed'), { parameters: [password] })],
    ['deep in a property', Object.assign(new Error('x'), { a: { b: [{ c: { d: password } }] } })],
    ['in its cause', new Error('x', { cause: new Error(password) })],
    ['in a cause that is not an Error', new Error('x', { cause: { body: password } })],
    ['in errors it collects', new AggregateError([new Error(password)], 'x')],
  ])('removes a password %s', (_name, error) => {
    expect(allOf(error)).toMatch(/hunter2/)
    const redacted = redactError(error, TYPED)
    expect(allOf(redacted)).not.toMatch(/hunter2/)
    expect(redacted.stack).toContain('redact-error.test.ts')
  })

  test('keeps names, and messages apart from the secret', () => {
    const cause = new RangeError(`limit of ${password}`)
    const redacted = redactError(new TypeError(`cannot use ${password} here`, { cause }), TYPED)
    expect(redacted).toMatchObject({
      name: 'TypeError',
      message: 'cannot use [redacted] here',
      cause: { name: 'RangeError', message: 'limit of [redacted]' },
    })
  })

  test('returns the same error if it contains no secret', () => {
    const error = Object.assign(new TypeError('connection refused'), { code: 'ECONNREFUSED' })
    expect(redactError(error, TYPED)).toBe(error)
    expect(redactError(error, {})).toBe(error)
  })

  test('keeps values below four characters, which occur in any text', () => {
    const error = new Error('no user ada')
    expect(redactError(error, TYPED)).toBe(error)
  })

  test('redacts a value before its substrings', () => {
    const values = { name: 'hunter2', password: 'hunter2-and-more' }
    expect(redactError(new Error('x hunter2-and-more'), values).message).toBe('x [redacted]')
  })

  test.each<[string, Error]>([
    [
      'has too many properties',
      Object.assign(new Error('x'), { list: Array.from({ length: 2000 }, (_, at) => ({ at })) }),
    ],
    [
      'has a getter that throws',
      Object.defineProperty(new Error('x'), 'client', {
        get() {
          throw new Error('disconnected')
        },
      }),
    ],
  ])('copies an error that %s', (_name, error) => {
    const redacted = redactError(error, TYPED)
    expect(redacted).not.toBe(error)
    expect(Object.keys(redacted)).not.toContain('list')
  })

  test('keeps the stack of a parser error without the text it quotes', () => {
    const parse = () => JSON.parse(`{"token": ${password}}`) as unknown
    const thrown = (run: () => unknown): Error => {
      try {
        run()
      } catch (error) {
        if (error instanceof Error) return error
      }
      throw new Error('It did not fail.')
    }
    for (const error of [thrown(parse), new Error('x', { cause: thrown(parse) })]) {
      expect(allOf(error)).toContain('hunt')
      const redacted = redactError(error, { other: 'something else' })
      expect(allOf(redacted)).not.toContain('hunt')
      expect(allOf(redacted)).toMatch(/SyntaxError: \[redacted\]\n\s+at JSON.parse/)
    }
  })

  test('accepts a circular cause', () => {
    const error = new Error('x')
    error.cause = error
    expect(redactError(error, TYPED)).toBe(error)
  })
})
