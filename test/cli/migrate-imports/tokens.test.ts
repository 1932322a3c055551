/** `decode` and `getToken` accept tokens of `next-auth`. */
import { describe, expect, test } from 'vitest'
import { keyFor } from '../../../src/core/crypto/seal.ts'
import { JWTSessionError } from '../../../src/errors.ts'
import { decode, encode, getToken } from '../../../src/jwt.ts'
import { SECRET } from '../../config.ts'
import { SESSION } from '../../sessions.ts'
import { OLD_PLAIN, OLD_SECURE, oldCookie } from './next-auth-site.ts'

const ADA = { sub: '1', name: 'Ada Lovelace' }

describe('a next-auth token', () => {
  test.each([
    [
      'as next-auth writes it',
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..w1p73KzkHfoBt63NGyDc7Q.Q2g3DkiQuQxHxIwSp7PuqSliInyMfEh5YlkQc2HTnA8.jcxRxeafsXn4TuTv1d8MlSVKHuy2Hnhxp-VGFCQkLMg',
    ],
    [
      'in another encryption that next-auth accepts',
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..xDa_Yd4fHhJrMmUQ.FseKqG3iMfxgdJn1QYyEFlRJmHVOehQJEw.ZQm22DwzNQTWBz_i7zykTA',
    ],
  ])('is decrypted %s', async (_name, token) => {
    const params = { token, secret: 'secret', salt: OLD_PLAIN }
    expect(await decode({ ...params, migrateSessions: true })).toEqual({ name: 'Vec', sub: '42' })
    await expect(decode(params)).rejects.toBeInstanceOf(JWTSessionError)
    await expect(
      decode({ ...params, salt: OLD_SECURE, migrateSessions: true }),
    ).rejects.toBeInstanceOf(JWTSessionError)
  })

  test.each([
    [
      OLD_PLAIN,
      '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
    ],
    [
      OLD_SECURE,
      '7E3YIGAxRtn6djTGy1UjZrFvXELHKzM9vfWl0nQ4b88EsnrmmX0grN0VKis7G3fjgB626TXm_lEtBG1N0E7Xyg',
    ],
  ])('derives the key id of next-auth (%s)', async (salt, kid) => {
    expect((await keyFor('secret', salt, 'next-auth')).kid).toBe(kid)
  })
})

describe('getToken', () => {
  const req = (cookie: string) => new Request('https://app.test', { headers: { cookie } })

  test.each([OLD_SECURE, OLD_PLAIN])('finds a session in %s with migrateSessions', async (name) => {
    const cookie = await oldCookie(ADA, { name })
    const params = { req: { headers: { cookie } }, secret: SECRET }
    expect(await getToken({ ...params, migrateSessions: true })).toMatchObject(ADA)
    expect(await getToken({ ...params, migrateSessions: true, raw: true })).toBe(
      cookie.slice(name.length + 1),
    )
    expect(await getToken(params)).toBeNull()
  })

  test('prefers the cookie of lib-auth', async () => {
    const own = await encode({ token: { sub: '2' }, secret: SECRET, salt: SESSION })
    const both = req(`${await oldCookie(ADA)}; ${SESSION}=${own}`)
    const token = await getToken({ req: both, secret: SECRET, migrateSessions: true })
    expect(token?.sub).toBe('2')
  })

  test.each([
    [true, OLD_SECURE],
    [false, OLD_PLAIN],
  ])('with secureCookie: %s reads only %s', async (secureCookie, name) => {
    for (const each of [OLD_SECURE, OLD_PLAIN]) {
      const request = req(await oldCookie(ADA, { name: each }))
      const token = await getToken({
        req: request,
        secret: SECRET,
        secureCookie,
        migrateSessions: true,
      })
      expect(token?.sub).toBe(each === name ? '1' : undefined)
    }
  })

  test('finds it in a cookie with another name, and in chunks', async () => {
    const [name, value = ''] = (
      await oldCookie({ ...ADA, notes: 'n'.repeat(6000) }, { name: 'my-session' })
    ).split('=')
    const chunks = (value.match(/.{1,3936}/g) ?? []).map((chunk, at) => `${name}.${at}=${chunk}`)
    expect(chunks).toHaveLength(3)
    const params = { secret: SECRET, cookieName: 'my-session', migrateSessions: true }
    const token = await getToken({ req: req(chunks.join('; ')), ...params })
    expect(token).toMatchObject(ADA)
  })

  test('finds it in an Authorization header', async () => {
    const token = (await oldCookie(ADA)).slice(OLD_SECURE.length + 1)
    const request = { headers: { authorization: `Bearer ${token}` } }
    const params = { req: request, secret: SECRET }
    expect(await getToken({ ...params, migrateSessions: true })).toMatchObject(ADA)
    expect(await getToken(params)).toBeNull()
  })
})
