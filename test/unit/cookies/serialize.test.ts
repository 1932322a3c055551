import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCookie, isCookieName, serializeCookie } from '../../../src/cookies/syntax.ts'
import type { CookieAttributes } from '../../../src/types.ts'

function serialize(options: CookieAttributes, name = 'a', value = '1'): string {
  return serializeCookie({ name, value, options })
}

describe('a Set-Cookie header', () => {
  // Covers: shape.cookie-option
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
