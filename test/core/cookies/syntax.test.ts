import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cookieNames, readCookies } from '../../../src/core/cookies/reader.ts'
import { isCookieName, serializeCookie } from '../../../src/core/cookies/syntax.ts'
import type { CookieAttributes } from '../../../src/core/types.ts'

const TOKEN = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const cookieName = fc
  .array(fc.constantFrom(...TOKEN.split('')), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join(''))

function findCookies(header: string, name: string): readonly string[] {
  return readCookies(header).getAll(name)
}

function findPrefixed(header: string, prefix: string): ReadonlyMap<string, string> {
  return readCookies(header).getPrefixed(prefix)
}

function findCookie(header: string, name: string): string | undefined {
  return findPrefixed(header, name).get(name)
}

/** Few different names, so that some are sent twice and some begin with another. */
const likelyName = fc.oneof(
  fc.constantFrom('a', 'aa', 'a.0', 'a.1', '__proto__', 'constructor'),
  cookieName,
)
const space = fc.constantFrom('', ' ', '\t', '  ')

const sent = fc.array(
  fc.record({ name: likelyName, value: fc.string({ unit: 'grapheme' }), space }),
  { maxLength: 12 },
)

function headerOf(cookies: readonly { name: string; value: string; space: string }[]): string {
  return cookies
    .map((each) => `${each.space}${each.name}${each.space}=${encodeURIComponent(each.value)}`)
    .join(';')
}

describe('reading cookies', () => {
  test.each([
    ['alone', 'a=1', '1'],
    ['between others', 'b=0; a=1; c=2', '1'],
    ['after a tab and without spaces', 'b=0;\ta=1;c=2', '1'],
    ['with spaces around', ' a = 1 ', '1'],
    ['the first of two', 'a=1; a=2', '1'],
    ['with an equals sign inside', 'a=1=2', '1=2'],
    ['with quotes, which are part of it', 'a="1"', '"1"'],
    ['percent-encoded', 'a=%7B%22x%22%3A1%7D', '{"x":1}'],
    ['wrongly percent-encoded, as it was sent', 'a=%E0%A4%A', '%E0%A4%A'],
    ['empty', 'a=', ''],
    ['absent', 'b=1', undefined],
    ['absent when only a longer name is there', 'aa=1; a.0=2; xa=3', undefined],
    ['absent when only a value looks like it', 'b=a=1; c=x a=2', undefined],
    ['absent when there is no equals sign', 'a; b=1', undefined],
    ['absent from an empty header', '', undefined],
    ['behind separators without a cookie', ';; ;=x; a=1', '1'],
  ])('finds the value that is %s', (_where, header, expected) => {
    expect(findCookie(header, 'a')).toBe(expected)
  })

  test('reads names of JavaScript properties like any other', () => {
    const header = '__proto__=1; constructor=2; toString=3'
    expect(findCookie(header, '__proto__')).toBe('1')
    expect(findCookie(header, 'constructor')).toBe('2')
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(cookieNames(readCookies(header), name)).toEqual([name])
    expect(findCookie('a=1', 'hasOwnProperty')).toBeUndefined()
  })

  test('finds every cookie of a name in the order sent', () => {
    fc.assert(
      fc.property(sent, likelyName, (cookies, wanted) => {
        const header = headerOf(cookies)
        const values = cookies.filter(({ name }) => name === wanted).map(({ value }) => value)
        expect(findCookies(header, wanted)).toEqual(values.filter(Boolean))
        expect(findCookie(header, wanted)).toBe(values[0])
      }),
    )
  })

  test('finds the first cookie of every name with a prefix', () => {
    fc.assert(
      fc.property(sent, fc.constantFrom('a', 'a.', '__'), (cookies, prefix) => {
        const header = headerOf(cookies)
        const names = cookies.map(({ name }) => name).filter((name) => name.startsWith(prefix))
        const values = names.map((name): [string, unknown] => [name, findCookie(header, name)])
        expect(findPrefixed(header, prefix)).toEqual(new Map(values))
      }),
    )
  })

  test.each(['a.0', 'b=a.0=1', 'a.0; b=1', 'xa.0=1', '"a.0=1'])(
    'does not find a prefix within another cookie: %s',
    (header) => {
      expect(findPrefixed(header, 'a.')).toEqual(new Map())
    },
  )

  test('does not trim white space other than space and tab from names', () => {
    const header = 'a.0\u00a0=1; a.0\v=2; a.0 \t=3'
    expect([...findPrefixed(header, 'a.')]).toEqual([
      ['a.0\u00a0', '1'],
      ['a.0\v', '2'],
      ['a.0', '3'],
    ])
    expect(findCookie(header, 'a.0')).toBe('3')
  })

  test('lists each name once, in the order sent', () => {
    fc.assert(
      fc.property(sent, (cookies) => {
        const names = cookies.map(({ name }) => name).filter((name) => name.startsWith('a'))
        expect(cookieNames(readCookies(headerOf(cookies)), 'a')).toEqual([...new Set(names)])
      }),
    )
  })

  test('omits names that are not valid for Set-Cookie', () => {
    const header = 'lib.a(b)=1; lib.a@b=2; lib.é=3; lib.; lib.c=4'
    expect(cookieNames(readCookies(header), 'lib.')).toEqual(['lib.c'])
  })

  test('lists at most a hundred names', () => {
    const header = Array.from({ length: 500 }, (_, index) => `lib.${index}=x`).join('; ')
    const names = cookieNames(readCookies(header), 'lib.')
    expect(names).toHaveLength(100)
    expect(names[99]).toBe('lib.99')
  })
})

describe('a Cookie header that is too long', () => {
  test.each([null, undefined, ''])('is not, when it is %o', (header) => {
    expect(readCookies(header).isTruncated).toBe(false)
  })

  test('is parsed up to 32 KiB', () => {
    const value = 'x'.repeat(32_766)
    expect(findCookie(`a=${value}`, 'a')).toBe(value)
  })

  test('is truncated before the first incomplete cookie', () => {
    const long = 'x'.repeat(32_754)
    const header = `a=1; b=${long}; session=${'y'.repeat(100)}`
    expect(['a', 'b', 'session'].map((name) => findCookie(header, name))).toEqual([
      '1',
      long,
      undefined,
    ])
    expect(readCookies(header).isTruncated).toBe(true)
  })

  test('is empty when its first cookie is too long', () => {
    expect(findCookie(`a=${'x'.repeat(40_000)}`, 'a')).toBeUndefined()
  })

  test('never yields a value that was not sent', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { minLength: 6, maxLength: 30 }), (lengths) => {
        const values = lengths.map((length) => 'x'.repeat(length))
        const header = values.map((value, index) => `c${index}=${value}`).join('; ')
        for (const [index, value] of values.entries())
          expect([value, undefined]).toContain(findCookie(header, `c${index}`))
      }),
    )
  })
})

function serialize(options: CookieAttributes, name = 'a', value = '1'): string {
  return serializeCookie({ name, value, options })
}

describe('a Set-Cookie header', () => {
  test.each<[CookieAttributes, string]>([
    [{}, 'a=1'],
    [{ maxAge: 0 }, 'a=1; Max-Age=0'],
    [{ maxAge: -1 }, 'a=1; Max-Age=-1'],
    [{ domain: 'example.com' }, 'a=1; Domain=example.com'],
    [{ domain: '.example.com' }, 'a=1; Domain=.example.com'],
    [{ path: '/base path' }, 'a=1; Path=/base path'],
    [{ expires: new Date(0) }, 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    [{ httpOnly: true }, 'a=1; HttpOnly'],
    [{ httpOnly: false, secure: false, partitioned: false }, 'a=1'],
    [{ secure: true }, 'a=1; Secure'],
    [{ partitioned: true }, 'a=1; Partitioned'],
    [{ priority: 'high' }, 'a=1; Priority=High'],
    [{ sameSite: true }, 'a=1; SameSite=Strict'],
    [{ sameSite: false }, 'a=1'],
    [{ sameSite: 'lax' }, 'a=1; SameSite=Lax'],
    [{ sameSite: 'none' }, 'a=1; SameSite=None'],
    [{ sameSite: 'Lax' as 'lax' }, 'a=1; SameSite=Lax'],
    [{ encode: (value) => `<${value}>` }, 'a=<1>'],
    [
      { sameSite: 'lax', secure: true, httpOnly: true, path: '/', domain: 'a.test', maxAge: 5 },
      'a=1; Max-Age=5; Domain=a.test; Path=/; HttpOnly; Secure; SameSite=Lax',
    ],
  ])('contains the attributes %o', (options, expected) => {
    expect(serialize(options)).toBe(expected)
  })

  test.each<[string, CookieAttributes]>([
    ['a lifetime in fractions', { maxAge: 1.5 }],
    ['a lifetime that is NaN', { maxAge: NaN }],
    ['an endless lifetime', { maxAge: Infinity }],
    ['a domain with a separator', { domain: 'a.test; Path=/x' }],
    ['a domain with a line break', { domain: 'a.test\r\nSet-Cookie: b=2' }],
    ['a path with a separator', { path: '/; Domain=evil.test' }],
    ['a path with a line break', { path: '/\r\n' }],
    ['an invalid date', { expires: new Date(NaN) }],
    ['a SameSite that does not exist', { sameSite: 'sometimes' as 'lax' }],
    ['a priority that does not exist', { priority: 'constructor' as 'low' }],
    ['a value that is not encoded', { encode: () => 'x; Path=/' }],
    ['a value with a line break', { encode: () => 'x\r\nSet-Cookie: b=2' }],
    ['a value beyond ASCII', { encode: () => 'ü' }],
  ])('is rejected with %s', (_what, options) => {
    expect(() => serialize(options)).toThrow(TypeError)
  })

  test.each(['', 'a b', 'a;b', 'a=b', 'a,b', 'ä', 'a\n', 'a"'])(
    'is rejected with the name %j',
    (name) => {
      expect(isCookieName(name)).toBe(false)
      expect(() => serialize({}, name)).toThrow(TypeError)
    },
  )

  test('encodes any text, which is decoded to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const header = serializeCookie({ name: 'a', value, options: { path: '/' } })
        expect(header).toMatch(/^a=[\x21-\x7e]*; Path=\/$/)
        expect(findCookie(header, 'a')).toBe(value)
      }),
    )
  })
})
