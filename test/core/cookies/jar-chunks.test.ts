import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deleteChunked, writeChunked, createJar } from '../../../src/core/cookies/jar.ts'
import { readChunked } from '../../../src/core/cookies/reader.ts'
import type { CookieJar } from '../../../src/core/cookies/jar.ts'
import { SessionTooLarge } from '../../../src/core/errors/classes.ts'
import { cookieStore } from '../../../src/testing/cookies.ts'
import type { CookieStore } from '../../../src/testing/cookies.ts'
import type { CookieAttributes, CookieOption } from '../../../src/core/types.ts'

const URL_OF_PAGE = new URL('https://app.test/some/path/page')
const NAME = 'lib.session-token'

function headerOf(store: CookieStore): string {
  return store.header({ url: URL_OF_PAGE, method: 'GET', initiator: 'same-site' })
}

/** Applies `change` in a request of this browser. */
function request(store: CookieStore, change: (jar: CookieJar) => void): readonly string[] {
  const jar = createJar(headerOf(store))
  change(jar)
  const headers = jar.headers()
  for (const header of headers) store.accept(header, URL_OF_PAGE)
  return headers
}

function write(store: CookieStore, cookie: CookieOption, value: string): readonly string[] {
  return request(store, (jar) => writeChunked(jar, cookie, { value, contents: {} }))
}

function read(store: CookieStore, name: string): readonly string[] {
  return readChunked(createJar(headerOf(store)), name)
}

const names = (store: CookieStore) => store.all().map(({ name }) => name)

type SameSite = NonNullable<CookieAttributes['sameSite']>

const attributes: fc.Arbitrary<CookieAttributes> = fc.record(
  {
    path: fc.constantFrom('/', '/some', '/some/path'),
    domain: fc.constantFrom('app.test', '.app.test'),
    httpOnly: fc.boolean(),
    secure: fc.constant(true),
    partitioned: fc.boolean(),
    sameSite: fc.constantFrom<SameSite>('lax', 'strict', 'none', true, false),
    priority: fc.constantFrom('low', 'medium', 'high'),
    maxAge: fc.integer({ min: 60, max: 10_000_000 }),
    expires: fc.integer({ min: 60, max: 10_000_000 }).map((s) => new Date(Date.now() + s * 1000)),
  },
  { requiredKeys: ['secure'] },
)

const cookie: fc.Arbitrary<CookieOption> = fc.record({
  name: fc.integer({ min: 1, max: 200 }).map((length) => `${NAME}-`.padEnd(length + 18, 'n')),
  options: attributes,
})

const units = ['grapheme-ascii', 'grapheme', 'binary'] as const

/** Texts of every length up to the limit, of characters that take one byte, three, or twelve. */
const text = fc
  .record({
    repeated: fc.constantFrom(...units).chain((unit) => fc.string({ unit, minLength: 1 })),
    length: fc.integer({ min: 1, max: 12_000 }),
    offset: fc.nat(100),
  })
  .map(({ repeated, length, offset }) => {
    const times = Math.floor(length / encodeURIComponent(repeated).length)
    return 'x'.repeat(offset) + repeated.repeat(times)
  })
  .filter((value) => value !== '')

describe('a chunked value', () => {
  test('is read back as it was written, and no cookie is longer than browsers keep', () => {
    fc.assert(
      fc.property(cookie, text, (option, value) => {
        const store = cookieStore()
        for (const header of write(store, option, value))
          expect(new TextEncoder().encode(header).byteLength).toBeLessThanOrEqual(4096)
        expect(read(store, option.name)).toEqual([value])
      }),
      { numRuns: 200 },
    )
  })

  test('deletes stale chunks of an older value, and no other cookie', () => {
    fc.assert(
      fc.property(cookie, text, text, (option, before, after) => {
        const store = cookieStore()
        const foreign = [`${option.name}-legacy`, `${option.name}.x`, `${option.name}.0.1`, 'other']
        for (const name of foreign) store.set(name, 'theirs')
        write(store, option, before)
        write(store, option, after)
        expect(read(store, option.name)).toEqual([after])
        request(store, (jar) => deleteChunked(jar, option))
        expect(read(store, option.name)).toEqual([])
        expect(names(store).sort()).toEqual(foreign.sort())
      }),
      { numRuns: 100 },
    )
  })

  test.each([
    ['just fits into one', 4096 - `${NAME}=`.length, [NAME]],
    ['is one byte too long for one', 4097 - `${NAME}=`.length, [`${NAME}.0`, `${NAME}.1`]],
    ['is as long as allowed', 12_288, [0, 1, 2, 3].map((index) => `${NAME}.${index}`)],
  ])('that %s takes as many as it needs', (_what, length, expected) => {
    const store = cookieStore()
    const headers = write(store, { name: NAME, options: {} }, 'x'.repeat(length))
    expect(names(store)).toEqual(expected)
    expect(headers[0]).toHaveLength(4096)
  })

  test('shrinks from three cookies to one, and the others are deleted', () => {
    const option = { name: NAME, options: { path: '/', secure: true, httpOnly: true } }
    const store = cookieStore()
    write(store, option, 'x'.repeat(9000))
    expect(names(store)).toEqual([`${NAME}.0`, `${NAME}.1`, `${NAME}.2`])
    const headers = write(store, option, 'short')
    expect(headers).toEqual([
      `${NAME}=short; Path=/; HttpOnly; Secure`,
      `${NAME}.0=; Max-Age=0; Path=/; HttpOnly; Secure`,
      `${NAME}.1=; Max-Age=0; Path=/; HttpOnly; Secure`,
      `${NAME}.2=; Max-Age=0; Path=/; HttpOnly; Secure`,
    ])
  })
})

describe('a value that this response has changed', () => {
  const option = { name: NAME, options: {} }
  const [before, after] = ['x'.repeat(9000), 'y'.repeat(5000)]

  test('is read as the browser will store it', () => {
    const store = cookieStore()
    write(store, option, before)
    request(store, (jar) => {
      expect(readChunked(jar, NAME)).toEqual([before])
      writeChunked(jar, option, { value: after, contents: {} })
      expect(readChunked(jar, NAME)).toEqual([after])
      deleteChunked(jar, option)
      expect(readChunked(jar, NAME)).toEqual([])
    })
  })
})

describe('a value that is too large', () => {
  test('is rejected with the names of its largest keys, and no cookie is set', () => {
    const store = cookieStore()
    write(store, { name: NAME, options: {} }, 'old')
    const jar = createJar(headerOf(store))
    const contents = { tiny: 1, groups: 'g'.repeat(900), picture: 'p'.repeat(9000), name: 'Ada' }
    const value = 'x'.repeat(12_289)
    const act = () => writeChunked(jar, { name: NAME, options: {} }, { value, contents })
    expect(act).toThrow(SessionTooLarge)
    expect(act).toThrow(/12289 bytes.*12288.*picture \(9002\), groups \(902\), name \(5\)/)
    expect(jar.changes()).toEqual([])
    expect(read(store, NAME)).toEqual(['old'])
  })

  test.each([4060, 4090])('is rejected when attributes of %i bytes leave no room', (length) => {
    const options = { path: `/${'p'.repeat(length)}` }
    const jar = createJar('')
    const act = () =>
      writeChunked(jar, { name: NAME, options }, { value: 'x'.repeat(200), contents: {} })
    expect(act).toThrow(SessionTooLarge)
    expect(jar.changes()).toEqual([])
  })
})

describe('reading and deleting a chunked value', () => {
  test.each<[string, string, readonly string[]]>([
    ['whole', `${NAME}=w`, ['w']],
    ['whole next to a chunk: first', `${NAME}.0=a; ${NAME}=w`, ['w', 'a']],
    ['whole twice: each in turn', `${NAME}=bad; ${NAME}=w`, ['bad', 'w']],
    ['in order', `${NAME}.0=a; ${NAME}.1=b; ${NAME}.2=c`, ['abc']],
    ['in order, sent in another', `${NAME}.2=c; ${NAME}.0=a; ${NAME}.1=b`, ['abc']],
    ['up to a gap', `${NAME}.0=a; ${NAME}.2=c`, ['a']],
    ['absent without a first chunk', `${NAME}.1=b; ${NAME}.2=c`, []],
    ['absent under a longer name', `${NAME}-legacy=x; ${NAME}x.0=y`, []],
    [
      'absent with suffixes that are not chunk numbers',
      ['-1', '01', '1e3', '0x0', '00', '9999', ' 0', ''].map((n) => `${NAME}.${n}=x`).join('; '),
      [],
    ],
    [
      'of at most ten chunks',
      Array.from({ length: 12 }, (_, index) => `${NAME}.${index}=${index % 10}`).join('; '),
      ['0123456789'],
    ],
    ['absent when the cookie is empty', `${NAME}=; ${NAME}.0=`, []],
  ])('finds the value %s', (_where, header, expected) => {
    expect(readChunked(createJar(header), NAME)).toEqual(expected)
  })

  test('deletes every numbered chunk, even one above the limit', () => {
    const jar = createJar(`${NAME}.0=a; ${NAME}.9999=b; ${NAME}.01=c; ${NAME}.-1=d; ${NAME}.1e3=e`)
    deleteChunked(jar, { name: NAME, options: {} })
    expect(jar.changes().map(({ name }) => name)).toEqual([
      `${NAME}.0`,
      `${NAME}.9999`,
      `${NAME}.01`,
    ])
  })
})
