import { beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { MissingSecretError } from '../../src/errors.ts'
import * as jwt from '../../src/jwt.ts'
import { encode, getToken } from '../../src/jwt.ts'
import type { GetTokenParams, JWT } from '../../src/jwt.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../config.ts'

const HOST = '__Host-lib.session-token'
const PLAIN = 'lib.session-token'
const NAMES = [HOST, PLAIN]

const made = new Map<string, string>()
const tokenFor = (name: string) => made.get(name) ?? ''
const req = (headers: Record<string, string>) => new Request('https://app.test', { headers })
const withCookies = (cookie: string) => req({ cookie })

beforeAll(async () => {
  for (const salt of [...NAMES, 'mine'])
    made.set(salt, await encode({ token: { sub: salt }, secret: SECRET, salt }))
})

describe('from a cookie', () => {
  test.each(NAMES)('%s is found without a cookie name', async (name) => {
    const headers = { cookie: `${name}=${tokenFor(name)}` }
    const token = await getToken({ req: { headers }, secret: SECRET })
    expect(token?.sub).toBe(name)
  })

  test.each([
    [undefined, HOST],
    [true, HOST],
    [false, PLAIN],
  ])('with several of them, secureCookie %s reads %s', async (secureCookie, name) => {
    const all = NAMES.toReversed().map((each) => `${each}=${tokenFor(each)}`)
    const token = await getToken({ req: withCookies(all.join('; ')), secret: SECRET, secureCookie })
    expect(token?.sub).toBe(name)
  })

  test.each([
    [true, PLAIN],
    [false, HOST],
  ])('secureCookie %s does not read %s', async (secureCookie, name) => {
    const cookie = `${name}=${tokenFor(name)}`
    expect(await getToken({ req: withCookies(cookie), secret: SECRET, secureCookie })).toBeNull()
  })

  test('reads only the cookie with the given name', async () => {
    const cookie = `mine=${tokenFor('mine')}; ${HOST}=${tokenFor(HOST)}`
    const token = await getToken({ req: withCookies(cookie), secret: SECRET, cookieName: 'mine' })
    expect(token?.sub).toBe('mine')
    const other = { req: withCookies(`${HOST}=${tokenFor(HOST)}`), secret: SECRET }
    expect(await getToken({ ...other, cookieName: 'mine' })).toBeNull()
  })

  test('uses the given salt instead of the name', async () => {
    const request = withCookies(`other=${tokenFor('mine')}`)
    const params = { req: request, secret: SECRET, cookieName: 'other' }
    expect(await getToken(params)).toBeNull()
    expect((await getToken({ ...params, salt: 'mine' }))?.sub).toBe('mine')
  })

  test.each([
    ['first', (good: string) => `${HOST}=garbage; ${HOST}=${good}`],
    ['last', (good: string) => `${HOST}=${good}; ${HOST}=garbage`],
    ['under another name', (good: string) => `${HOST}=${good}; ${PLAIN}=x`],
    ['with percent signs', (good: string) => `${HOST}=%E0%A4%A; ${HOST}=${good}`],
    ['as chunks of the same cookie', (good: string) => `${HOST}.0=garbage; ${HOST}=${good}`],
  ])('a planted cookie does not hide the real one: %s', async (_where, cookie) => {
    const request = withCookies(cookie(tokenFor(HOST)))
    expect((await getToken({ req: request, secret: SECRET }))?.sub).toBe(HOST)
  })

  test('a planted plain cookie does not replace an invalid one of https', async () => {
    const cookie = `${HOST}=garbage; ${PLAIN}=${tokenFor(PLAIN)}`
    expect(await getToken({ req: withCookies(cookie), secret: SECRET })).toBeNull()
    expect(await getToken({ req: { headers: { cookie } }, secret: SECRET })).toBeNull()
  })

  test('joins the chunks of a session in any order', async () => {
    const { config } = passwordConfig({ callbacks: { jwt: (p) => ({ ...p.token, big: BIG }) } })
    const tab = browser(config)
    await enter(tab)
    const held = tab.cookies.all().filter(({ name }) => name.startsWith(`${HOST}.`))
    expect(held.length).toBeGreaterThan(1)
    const cookie = held.toReversed().map(({ name, value }) => `${name}=${value}`)
    const token = await getToken({ req: withCookies(cookie.join('; ')), secret: SECRET })
    expect(token?.['big']).toBe(BIG)
    const rest = cookie.slice(0, -1).join('; ')
    expect(await getToken({ req: withCookies(rest), secret: SECRET })).toBeNull()
  })

  const BIG = 'x'.repeat(6000)
})

describe('from an Authorization header (RFC 6750 §2.1)', () => {
  const authorized = (authorization: string) => ({ req: req({ authorization }), secret: SECRET })

  test.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme %s', async (scheme) => {
    expect((await getToken(authorized(`${scheme} ${tokenFor(HOST)}`)))?.sub).toBe(HOST)
  })

  test.each(NAMES)('reads a token for %s', async (name) => {
    const headers = { authorization: `Bearer ${tokenFor(name)}` }
    expect((await getToken({ req: { headers }, secret: SECRET }))?.sub).toBe(name)
  })

  test('decodes a percent-encoded token', async () => {
    const encoded = encodeURIComponent(tokenFor(HOST)).replaceAll('.', '%2E')
    expect((await getToken(authorized(`Bearer ${encoded}`)))?.sub).toBe(HOST)
  })

  test.each(['', 'Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'Bearer %E0%A4%A', 'Bearerabc'])(
    '"%s" holds no token',
    async (authorization) => {
      expect(await getToken(authorized(authorization))).toBeNull()
      expect(await getToken({ req: req({ authorization }), raw: true })).toBeNull()
    },
  )

  test('holds no token beyond 32 KiB, the limit of the Cookie header', async () => {
    const authorization = `Bearer ${'%41'.repeat(10_920)}`
    const limit = 32_768
    const [longest, longer] = ['', 'A'].map((end) => authorization.padEnd(limit, 'A') + end)
    const read = (header = '') => getToken({ req: req({ authorization: header }), raw: true })
    expect((await read(longest))?.length).toBe(10_921)
    expect((await read(longer))?.length).toBeUndefined()
  })

  test('prefers a cookie, even an invalid one', async () => {
    const authorization = `Bearer ${tokenFor(HOST)}`
    const other = await encode({ token: { sub: 'other' }, secret: SECRET, salt: HOST })
    const both = { authorization, cookie: `${HOST}=${other}` }
    expect((await getToken({ req: req(both), secret: SECRET }))?.sub).toBe('other')
    const unreadable = { authorization, cookie: `${HOST}=garbage` }
    expect(await getToken({ req: req(unreadable), secret: SECRET })).toBeNull()
  })
})

describe('the request can have', () => {
  const cookie = () => `${HOST}=${tokenFor(HOST)}`

  test.each<[string, () => GetTokenParams['req']]>([
    ['Headers', () => ({ headers: new Headers({ cookie: cookie() }) })],
    ['a headers object of Node', () => ({ headers: { cookie: cookie(), ':path': '/' } })],
    ['an object with other capitals', () => ({ headers: { Cookie: cookie() } })],
    ['a header sent twice', () => ({ headers: { cookie: ['a=1', cookie()] } })],
    ['headers of another realm', () => ({ headers: foreign({ cookie: cookie() }) })],
  ])('%s', async (_what, make) => {
    expect((await getToken({ req: make(), secret: SECRET }))?.sub).toBe(HOST)
  })

  /** Headers as another copy of the class makes them. */
  function foreign(values: Record<string, string>): Headers {
    return { get: (name: string) => values[name] ?? null } as unknown as Headers
  }

  test.each([{}, { cookie: undefined }, { authorization: [] }])('no token: %j', async (headers) => {
    expect(await getToken({ req: { headers }, secret: SECRET })).toBeNull()
  })
})

describe('secrets', () => {
  test('tries each secret of a list', async () => {
    const request = withCookies(`${HOST}=${tokenFor(HOST)}`)
    expect((await getToken({ req: request, secret: ['new', SECRET] }))?.sub).toBe(HOST)
    expect(await getToken({ req: request, secret: ['new'] })).toBeNull()
  })

  test.each<[unknown]>([[12345678], [[SECRET, 12345678]], [{}], [null]])(
    'rejects %j as a secret that is not a string, as encode and decode do',
    async (value) => {
      const secret = value as string
      const request = withCookies(`${HOST}=${tokenFor(HOST)}`)
      const params = { secret, salt: HOST }
      for (const call of [
        getToken({ req: request, secret }),
        encode({ token: {}, ...params }),
        jwt.decode({ token: tokenFor(HOST), ...params }),
      ]) {
        await expect(call).rejects.toThrow(MissingSecretError)
        await expect(call).rejects.not.toThrow('12345678')
      }
    },
  )

  test.each([[undefined], [''], [[]], [['']]])('rejects %j as a missing secret', async (secret) => {
    const request = withCookies(`${HOST}=${tokenFor(HOST)}`)
    await expect(getToken({ req: request, secret })).rejects.toThrow(MissingSecretError)
    expect(await getToken({ req: request, secret, raw: true })).toBe(tokenFor(HOST))
    expect(await getToken({ req: withCookies('a=1'), secret })).toBeNull()
  })
})

test('raw returns the token as sent, valid or not', async () => {
  expect(await getToken({ req: withCookies(`${HOST}=anything`), raw: true })).toBe('anything')
  const authorization = 'Bearer anything'
  expect(await getToken({ req: req({ authorization }), raw: true })).toBe('anything')
  expect(await getToken({ req: withCookies('a=1'), raw: true })).toBeNull()
})

describe('a custom decode function', () => {
  const request = () => withCookies(`${HOST}=one; ${HOST}=two`)

  test('receives the token, the secret as configured and the name of the cookie', async () => {
    const decode = vi.fn(({ token }: { token?: string | undefined }): JWT => ({
      sub: `read ${token}`,
    }))
    const params = { req: request(), secret: SECRET, decode }
    expect((await getToken(params))?.sub).toBe('read one')
    expect(decode.mock.calls).toEqual([[{ token: 'one', secret: SECRET, salt: HOST }]])
  })

  test('continues with the next candidate if it throws or returns null', async () => {
    const reads: unknown[] = []
    const decode = ({ token }: { token?: string | undefined }) => {
      reads.push(token)
      if (token === 'one') throw new Error('no')
      return null
    }
    expect(await getToken({ req: request(), secret: SECRET, decode })).toBeNull()
    expect(reads).toEqual(['one', 'two'])
  })
})

test('the return type depends on raw', () => {
  const request = withCookies('')
  const read = () => getToken({ req: request, secret: SECRET })
  const readRaw = () => getToken({ req: request, raw: true })
  const readEither = (raw: boolean) => getToken({ req: request, raw })
  expectTypeOf(read).returns.resolves.toEqualTypeOf<JWT | null>()
  expectTypeOf(readRaw).returns.resolves.toEqualTypeOf<string | null>()
  expectTypeOf(readEither).returns.resolves.toEqualTypeOf<string | JWT | null>()
})
