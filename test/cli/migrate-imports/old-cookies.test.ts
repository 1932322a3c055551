/** When a `next-auth` session cookie is accepted, and when it is ignored or cleared. */
import { describe, expect, test, vi } from 'vitest'
import { encryptText, keyFor } from '../../../src/core/crypto/seal.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../../config.ts'
import { DAY, readWith, SESSION } from '../../sessions.ts'
import { OLD_PLAIN, OLD_SECURE, oldCookie, outcomeOf } from './next-auth-site.ts'

const OLD_SECRET = 'the secret before this one, also long enough'
const ADA = { sub: '1', name: 'Ada Lovelace', email: 'ada@example.com' }

describe('a next-auth cookie', () => {
  /** A `next-auth` token with tokenWith these claims. */
  async function tokenWith(claims: object): Promise<string> {
    const key = await keyFor(SECRET, OLD_SECURE, 'next-auth')
    return `${OLD_SECURE}=${await encryptText(key, JSON.stringify(claims))}`
  }
  const now = () => Math.floor(Date.now() / 1000)

  test('is neither read nor deleted without the option', async () => {
    const { config } = passwordConfig()
    expect(await outcomeOf(await oldCookie(ADA), config)).toEqual([null, []])
    expect(await outcomeOf(await oldCookie(ADA), { ...config, migrateSessions: false })).toEqual([
      null,
      [],
    ])
  })

  test('is ignored next to a valid session cookie of lib-auth', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const tab = browser(config)
    await enter(tab)
    const own = `${SESSION}=${tab.cookies.get(SESSION)?.value}`
    const cookie = `${await oldCookie({ sub: '2', name: 'Eve' })}; ${own}`
    expect(await outcomeOf(cookie, config)).toEqual(['Ada Lovelace', []])
  })

  test('is accepted if the session cookie of lib-auth is not valid', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const cookie = `${SESSION}=garbage; ${await oldCookie(ADA)}`
    expect((await outcomeOf(cookie, config))[0]).toBe('Ada Lovelace')
  })

  test('without exp is accepted for session.maxAge', async () => {
    const { config } = passwordConfig({ migrateSessions: true, session: { maxAge: DAY } })
    const good = await tokenWith({ ...ADA, iat: now() - DAY + 60 })
    expect((await outcomeOf(good, config))[0]).toBe('Ada Lovelace')
    const expired = await tokenWith({ ...ADA, iat: now() - DAY - 60 })
    expect(await outcomeOf(expired, config)).toEqual([null, [`-${OLD_SECURE}`]])
  })

  test.each([
    ['garbage', () => `${OLD_SECURE}=garbage`],
    ['a modified token', async () => `${(await oldCookie(ADA)).slice(0, -4)}AAAA`],
    ['a token encrypted with another secret', () => oldCookie(ADA, { secret: OLD_SECRET })],
    ['a token encrypted for another cookie', () => oldCookie(ADA, { salt: 'authjs.state' })],
    ['a token of the cookie for http', () => oldCookie(ADA, { salt: OLD_PLAIN })],
    ['a token that has expired', () => oldCookie(ADA, { maxAge: -60 })],
    ['a token without exp and iat', () => tokenWith(ADA)],
    ['an incomplete set of chunks', () => `${OLD_SECURE}.1=rest`],
  ])('is rejected and cleared: %s', async (_name, cookie) => {
    const { config, log } = passwordConfig({ migrateSessions: true })
    const header = await cookie()
    expect(await outcomeOf(header, config)).toEqual([null, [`-${header.split('=')[0]}`]])
    expect(log.errors).toEqual([])
  })

  test.each([
    ['of http sites, on https', OLD_PLAIN],
    ['whose name only has the same prefix', `${OLD_SECURE}-legacy`],
    ['of version 4', '__Secure-next-auth.session-token'],
  ])('is ignored if it is one %s', async (_name, name) => {
    const { config } = passwordConfig({ migrateSessions: true })
    expect(await outcomeOf(await oldCookie(ADA, { name }), config)).toEqual([null, []])
  })

  test('is encrypted with other keys than a lib-auth cookie', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const own = await keyFor(SECRET, OLD_SECURE)
    const claims = JSON.stringify({ ...ADA, exp: now() + DAY })
    expect(
      (await outcomeOf(`${OLD_SECURE}=${await encryptText(own, claims)}`, config))[0],
    ).toBeNull()
    const old = await keyFor(SECRET, SESSION, 'next-auth')
    expect((await outcomeOf(`${SESSION}=${await encryptText(old, claims)}`, config))[0]).toBeNull()
  })

  test('is deleted with the attributes it was set with', async () => {
    const { config } = passwordConfig({
      migrateSessions: true,
      cookies: { sessionToken: { options: { domain: 'app.test' } } },
    })
    const { headers } = await readWith(`${OLD_SECURE}=garbage`, config)
    expect(headers.getSetCookie()).toEqual([
      `${OLD_SECURE}=; Max-Age=0; Domain=app.test; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
  })

  test('is passed to jwt.decode of the application with migrateSessions: true', async () => {
    const decode = vi.fn(async () => ({ ...ADA, exp: now() + DAY }))
    const { config } = passwordConfig({ migrateSessions: true, jwt: { decode } })
    expect((await outcomeOf(`${OLD_SECURE}=token`, config))[0]).toBe('Ada Lovelace')
    const given = { token: 'token', secret: SECRET, salt: OLD_SECURE, migrateSessions: true }
    expect(decode.mock.calls).toEqual([[given]])
  })
})
