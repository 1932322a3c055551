import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { JWTSessionError, MissingSecretError } from '../../../src/errors.ts'
import { decode, encode } from '../../../src/jwt.ts'
import type { JWT, JWTDecodeParams } from '../../../src/jwt.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../../config.ts'

const SALT = 'lib.session-token'
const THIRTY_DAYS = 30 * 24 * 60 * 60

afterEach(() => {
  vi.useRealTimers()
})

describe('encode', () => {
  test('keeps every claim and sets iat, exp and jti', async () => {
    vi.useFakeTimers({ now: new Date('2030-01-01') })
    const token = await encode({
      token: { sub: '1', roles: ['admin'] },
      secret: SECRET,
      salt: SALT,
    })
    const iat = Date.parse('2030-01-01') / 1000
    expect(await decode({ token, secret: SECRET, salt: SALT })).toEqual({
      sub: '1',
      roles: ['admin'],
      iat,
      exp: iat + THIRTY_DAYS,
      jti: expect.any(String),
    })
  })

  test('encrypts a token without claims', async () => {
    const token = await encode({ secret: SECRET, salt: SALT, maxAge: 60 })
    const claims = await decode({ token, secret: SECRET, salt: SALT })
    expect(Object.keys(claims ?? {})).toEqual(['iat', 'exp', 'jti'])
  })

  test('encrypts with the first secret of a list', async () => {
    const token = await encode({ token: {}, secret: ['new', 'old'], salt: SALT })
    expect(await decode({ token, secret: 'new', salt: SALT })).not.toBeNull()
    await expect(decode({ token, secret: 'old', salt: SALT })).rejects.toThrow(JWTSessionError)
    const former = await encode({ token: {}, secret: 'old', salt: SALT })
    expect(await decode({ token: former, secret: ['new', 'old'], salt: SALT })).not.toBeNull()
  })
})

describe('decode', () => {
  test.each([undefined, ''])('returns null without a token (%j)', async (token) => {
    expect(await decode({ token, secret: SECRET, salt: SALT })).toBeNull()
  })

  test('throws for an invalid token without the reason', async () => {
    vi.useFakeTimers({ now: new Date('2030-01-01') })
    const token = await encode({ token: {}, secret: SECRET, salt: SALT, maxAge: 60 })
    vi.setSystemTime(new Date('2030-01-02'))
    const expired = decode({ token, secret: SECRET, salt: SALT })
    const another = decode({ token: 'abc', secret: SECRET, salt: SALT })
    const errors = await Promise.all([expired, another].map((each) => each.catch((e: Error) => e)))
    for (const error of errors) expect(error).toBeInstanceOf(JWTSessionError)
    expect((errors[0] as Error).message).toBe((errors[1] as Error).message)
    expect((errors[0] as Error).message).not.toContain(SECRET)
  })

  test('decodes a session of this library, and encodes one that it accepts', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const salt = '__Host-lib.session-token'
    const token = tab.cookies.get(salt)?.value
    expect(await decode({ token, secret: SECRET, salt })).toMatchObject({
      sub: '1',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      picture: 'https://app.test/ada',
    })
    const made = await encode({ token: { name: 'Grace' }, secret: SECRET, salt })
    tab.cookies.set(salt, made)
    expect(await tab.session()).toMatchObject({ user: { name: 'Grace' } })
  })
})

test.each([
  ['empty', ''],
  ['an empty list', []],
  ['a list with an empty one', ['new', '']],
])('encode and decode reject a secret that is %s', async (_what, secret) => {
  await expect(encode({ token: {}, secret, salt: SALT })).rejects.toThrow(MissingSecretError)
  const token = 'not.looked.at'
  await expect(decode({ token, secret, salt: SALT })).rejects.toThrow(MissingSecretError)
})

test('the return type is that of the type argument', () => {
  expectTypeOf(encode).returns.resolves.toEqualTypeOf<string>()
  expectTypeOf((params: JWTDecodeParams) =>
    decode(params),
  ).returns.resolves.toEqualTypeOf<JWT | null>()
})
