import { describe, expect, test } from 'vitest'
import { redactError } from '../../../src/core/log/redact-error.ts'
import { plainText, redact } from '../../../src/core/log/redact.ts'

const HASH = /^sha256:[0-9a-f]{8}$/

describe('redact', () => {
  test.each([
    'access_token',
    'refreshToken',
    'id_token',
    'sessionToken',
    'csrfToken',
    'token',
    'code',
    'code_verifier',
    'codeVerifier',
    'state',
    'nonce',
    'client_secret',
    'clientSecret',
    'AUTH_SECRET',
    'client_assertion',
    'cookie',
    'set-cookie',
    'Authorization',
    'api_key',
    'apiKey',
    'private_key',
    'url',
    'callbackUrl',
    'callback_url',
  ])('replaces %s by a hash that is equal for equal values', (key) => {
    const [first, again, other] = ['one', 'one', 'two'].map(
      (value) => (redact({ [key]: value }) as Record<string, string>)[key],
    )
    expect(first).toMatch(HASH)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  test.each(['password', 'PASSWORD', 'passwd', 'pass', 'pin', 'otp', 'credentials', 'newPassword'])(
    'removes %s completely, because a hash would allow an offline guess',
    (key) => {
      expect(redact({ [key]: 'hunter2' })).toEqual({ [key]: '[redacted]' })
      expect(redact({ [key]: 1234 })).toEqual({ [key]: '[redacted]' })
    },
  )

  test.each<[string, unknown, unknown]>([
    ['null', null, null],
    ['undefined', undefined, undefined],
    ['a boolean', true, true],
    ['a number', 42, expect.stringMatching(HASH)],
    ['an object', { value: 'x' }, '[redacted]'],
    ['a list', ['x'], '[redacted]'],
    ['a function', () => 'x', '[redacted]'],
    ['a symbol', Symbol('x'), '[redacted]'],
    ['a bigint', 42n, '[redacted]'],
  ])('redacts %s under a secret key', (_name, value, expected) => {
    expect(redact({ token: value })).toEqual({ token: expected })
  })

  test.each([
    'token_type',
    'token_endpoint',
    'code_challenge_method',
    'provider',
    'status',
    'name',
  ])('keeps %s', (key) => {
    expect(redact({ [key]: 'value' })).toEqual({ [key]: 'value' })
  })

  test('redacts secrets at every depth that it prints', () => {
    const deep = { a: [{ b: { c: { token: 'x' } } }] }
    expect(JSON.stringify(redact(deep))).toMatch(
      /^\{"a":\[\{"b":\{"c":\{"token":"sha256:\w{8}"\}\}\}\]\}$/,
    )
  })

  const cyclic: Record<string, unknown> = { name: 'x' }
  cyclic['self'] = cyclic

  test.each<[string, unknown, string]>([
    ['a string', 'x', '"x"'],
    ['a bigint', { id: 7n }, '{"id":"7"}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an invalid date', new Date(NaN), 'null'],
    ['a function', { run: () => 1 }, '{"run":"function"}'],
    ['a symbol', { key: Symbol('x') }, '{"key":"symbol"}'],
    [
      'an error, without its stack',
      { problem: new TypeError('no') },
      '{"problem":{"name":"TypeError","message":"no"}}',
    ],
    [
      'a URL, without its query',
      { target: new URL('https://a.test/b?code=1#x') },
      '{"target":"https://a.test/b"}',
    ],
    ['a URL as text', { target: 'https://a.test/b?code=1' }, '{"target":"https://a.test/b"}'],
    ['text that only looks like a URL', { target: 'https:' }, '{"target":"https:"}'],
    [
      'a circular value',
      cyclic,
      '{"name":"x","self":{"name":"x","self":{"name":"x","self":{"name":"x","self":{"name":"x","self":{"name":"x","self":"…"}}}}}}',
    ],
    ['headers', { headers: new Headers({ cookie: 'x' }) }, '{"headers":{}}'],
    [
      'a key called __proto__',
      JSON.parse('{"__proto__":{"token":"x"}}'),
      '{"__proto__":{"token":"sha256:2d711642"}}',
    ],
  ])('serializes %s', (_name, value, json) => {
    expect(JSON.stringify(redact(value))).toBe(json)
  })

  test('prints [unreadable] for a getter that throws', () => {
    const value = {
      get name(): string {
        throw new Error('not now')
      },
    }
    expect(redact(value)).toBe('[unreadable]')
  })

  test('does not modify its argument', () => {
    const value = Object.freeze({ token: 'x', list: Object.freeze(['y']) })
    redact(value)
    expect(value).toEqual({ token: 'x', list: ['y'] })
  })
})

describe('plainText', () => {
  test.each([
    ['a line break', 'a\nb', 'a\\x0ab'],
    ['a carriage return', 'a\rb', 'a\\x0db'],
    ['an escape sequence', 'a\u001b[2Jb', 'a\\x1b[2Jb'],
    ['a C1 control', 'a\u009bb', 'a\\x9bb'],
    ['a NUL', 'a\u0000b', 'a\\x00b'],
    ['a line separator', 'a\u2028b', 'a\\x2028b'],
    ['letters of any script', 'ö 密码 🔑', 'ö 密码 🔑'],
  ])('escapes characters that could forge a log line: %s', (_name, text, plain) => {
    expect(plainText(text)).toBe(plain)
    expect(redact({ name: text })).toEqual({ name: plain })
  })

  test('truncates long text', () => {
    expect(plainText('x'.repeat(512))).toBe('x'.repeat(512))
    expect(plainText('x'.repeat(513))).toBe(`${'x'.repeat(512)}…`)
    expect(plainText('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`)
  })
})

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
    expect(redacted.stack).toContain('redact.test.ts')
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
      expect(allOf(redacted)).toMatch(/SyntaxError: \[redacted\]\n\s+at (?:JSON\.)?parse/)
    }
  })

  test('accepts a circular cause', () => {
    const error = new Error('x')
    error.cause = error
    expect(redactError(error, TYPED)).toBe(error)
  })
})
