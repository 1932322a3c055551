import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJar } from '../../../src/core/cookies/jar.ts'
import type { CookieJar } from '../../../src/core/cookies/jar.ts'
import { cookieStore } from '../../../src/testing/cookies.ts'
import type { CookieAttributes } from '../../../src/core/types.ts'

const OPTIONS: CookieAttributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' }
const SITE = new URL('https://app.test/')

/** A change of one cookie. */
type Step =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value: undefined }

const name = fc.constantFrom('a', 'b', 'lib.a', 'lib.b', '__proto__', '__Host-lib.c')
const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const step: fc.Arbitrary<Step> = fc.record({ name, value: fc.option(value, { nil: undefined }) })

function applySteps(jar: CookieJar, steps: readonly Step[]): void {
  for (const each of steps) {
    if (each.value === undefined) jar.delete({ name: each.name, options: OPTIONS })
    else jar.set({ name: each.name, value: each.value, options: OPTIONS })
  }
}

describe('the jar', () => {
  test('returns the cookies that a browser would store after the response', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.array(step, { maxLength: 12 }), (held, steps) => {
        const store = cookieStore()
        for (const [each, text] of Object.entries(held)) store.set(each, encodeURIComponent(text))
        const jar = createJar(store.header({ url: SITE, method: 'GET', initiator: 'same-site' }))
        applySteps(jar, steps)
        for (const header of jar.headers()) store.accept(header, SITE)
        for (const each of [...steps.map((done) => done.name), ...Object.keys(held)]) {
          const stored = store.get(each)?.value
          const expected = stored === undefined ? undefined : decodeURIComponent(stored)
          expect(jar.get(each)).toBe(expected)
          expect(jar.getAll(each)).toEqual(expected === undefined ? [] : [expected])
        }
      }),
    )
  })

  test('sets each name once, with the last value', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const jar = createJar('a=sent')
        applySteps(jar, steps)
        const last = new Map(steps.map((each) => [each.name, each.value ?? '']))
        const changes = jar.changes().map((change): [string, string] => [change.name, change.value])
        expect(new Map(changes)).toEqual(last)
        expect(changes).toHaveLength(last.size)
        expect(jar.headers()).toHaveLength(last.size)
      }),
    )
  })

  test('returns no header without a change', () => {
    const jar = createJar('a=1; b=2')
    expect(jar.get('a')).toBe('1')
    expect(['a', 'b', 'c'].flatMap((each) => jar.names(each))).toEqual(['a', 'b'])
    expect(jar.changes()).toEqual([])
    expect(jar.headers()).toEqual([])
  })

  test.each([null, undefined, ''])('is empty without a Cookie header (%o)', (header) => {
    const jar = createJar(header)
    expect(jar.get('a')).toBeUndefined()
    expect(jar.getAll('a')).toEqual([])
    expect(['a', 'b'].flatMap((each) => jar.names(each))).toEqual([])
  })

  test('lists the cookies of the browser first, then new ones, each once', () => {
    const jar = createJar('lib.b=1; x=2; lib.a=3')
    applySteps(jar, [
      { name: 'lib.c', value: '4' },
      { name: 'lib.a', value: '5' },
    ])
    expect(jar.names('lib.')).toEqual(['lib.b', 'lib.a', 'lib.c'])
  })

  test('returns every value of a name that was sent twice', () => {
    expect(createJar('a=1; b=x; a=2; a=').getAll('a')).toEqual(['1', '2'])
  })

  test.each<[string, CookieAttributes, string]>([
    ['path and domain', { path: '/x', domain: 'a.test' }, 'a=; Max-Age=0; Domain=a.test; Path=/x'],
    [
      'security',
      { secure: true, httpOnly: true, sameSite: 'none', path: '/' },
      'a=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=None',
    ],
    ['its partition', { partitioned: true, secure: true }, 'a=; Max-Age=0; Secure; Partitioned'],
    ['no lifetime', { maxAge: 900, expires: new Date(Date.now() + 9e8) }, 'a=; Max-Age=0'],
  ])('deletes a cookie with %s as it was set, else browsers keep it', (_what, options, header) => {
    const jar = createJar('a=1')
    jar.delete({ name: 'a', options })
    expect(jar.headers()).toEqual([header])
    expect(jar.get('a')).toBeUndefined()
  })

  test('rejects invalid characters at once, and keeps the cookies set before', () => {
    const jar = createJar('')
    jar.set({ name: 'a', value: '1', options: OPTIONS })
    const encode = (text: string) => text
    expect(() => jar.set({ name: 'b', value: 'x;y', options: { encode } })).toThrow(TypeError)
    expect(() => jar.delete({ name: 'b c', options: OPTIONS })).toThrow(TypeError)
    expect(jar.headers()).toEqual(['a=1; Path=/; HttpOnly; Secure; SameSite=Lax'])
  })

  test('sets a cookie of 4096 bytes, and rejects a longer one', () => {
    const jar = createJar('a=old')
    jar.set({ name: 'a', value: 'x'.repeat(4094), options: {} })
    expect(jar.headers()[0]).toHaveLength(4096)
    const long = { name: 'a', value: 'x'.repeat(4095), options: {} }
    expect(() => jar.set(long)).toThrow(RangeError)
    expect(jar.get('a')).toHaveLength(4094)
  })
})
