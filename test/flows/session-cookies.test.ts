import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { cipher, keyFor } from '../../src/crypto/seal.ts'
import { SessionUnavailable } from '../../src/errors.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../config.ts'
import { DAY, pass, readWith, sealed, SESSION, stopClock, valueOf, writtenBy } from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const OLD = 'the secret before this one, also long enough'
const ADA = { sub: '1', name: 'Ada Lovelace' }

/** A session token without exp. */
async function endless(claims: object): Promise<string> {
  return `${SESSION}=${await cipher.encrypt(await keyFor(SECRET, SESSION), JSON.stringify(claims))}`
}

/** The user name that a Cookie header resolves to, and the cookies that are set. */
async function seen(cookie: string, config: AuthConfig): Promise<[string | null, string[]]> {
  const { session, headers } = await readWith(cookie, config)
  return [session?.user?.name ?? null, writtenBy({ headers })]
}

describe('a cookie that is not a session', () => {
  // Covers: life.read-jwt
  test.each([
    ['garbage', () => `${SESSION}=garbage`],
    ['text in the form of a token', () => `${SESSION}=a..b.c.d`],
    ['a token that was changed', async () => (await sealed(ADA)).slice(0, -4) + 'AAAA'],
    [
      'a token made for another cookie',
      async () => (await sealed(ADA, { salt: 'x' })).replace('x', SESSION),
    ],
    ['a token made with another secret', () => sealed(ADA, { secret: OLD })],
    ['a token that has expired', () => sealed(ADA, { maxAge: -60 })],
    ['a token that does not expire', () => endless(ADA)],
    ['a chunk without the first one', () => `${SESSION}.1=rest`],
  ])('creates no session and is deleted: %s', async (_name, cookie) => {
    const { config, log } = passwordConfig()
    const header = await cookie()
    const [name = ''] = header.split('=')
    expect(await seen(header, config)).toEqual([null, [`-${name}`]])
    expect(log.errors).toEqual([])
  })

  test('is deleted with the attributes that it was set with, because browsers keep it otherwise', async () => {
    const { config } = passwordConfig()
    const { headers } = await readWith(`${SESSION}=garbage`, config)
    expect(headers.getSetCookie()).toEqual([
      `${SESSION}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
  })

  test('is kept when it has another name', async () => {
    const { config } = passwordConfig()
    expect(await seen(`${SESSION}-legacy=x; ${SESSION}.-1=x; ${SESSION}.1e3=x`, config)).toEqual([
      null,
      [],
    ])
    const cookie = await sealed(ADA)
    expect(await seen(`${SESSION}-legacy=x; ${cookie}`, config)).toEqual(['Ada Lovelace', []])
  })
})

describe('a list of secrets', () => {
  // Covers: config.secret, authentication.rotation
  test('decrypts sessions of each of them', async () => {
    const { config } = passwordConfig({ secret: [SECRET, OLD] })
    expect(await seen(await sealed(ADA, { secret: OLD }), config)).toEqual(['Ada Lovelace', []])
    expect(await seen(await sealed(ADA), config)).toEqual(['Ada Lovelace', []])
  })

  // Covers: config.secret
  test('encrypts with the first, so that the others can be removed', async () => {
    const { config } = passwordConfig({ secret: [SECRET, OLD] })
    const tab = browser(config)
    tab.cookies.set(
      SESSION,
      (await sealed(ADA, { secret: OLD, maxAge: 9 * DAY })).split('=')[1] ?? '',
    )
    const before = `${SESSION}=${valueOf(tab)}`
    await pass(DAY)
    expect(writtenBy(await tab.request('session'))).toEqual([SESSION])
    const alone = passwordConfig().config
    expect(await seen(`${SESSION}=${valueOf(tab)}`, alone)).toEqual(['Ada Lovelace', []])
    expect(await seen(before, alone)).toEqual([null, [`-${SESSION}`]])
  })

  // Covers: config.jwt
  test('is read from jwt.secret if that is set', async () => {
    const { config } = passwordConfig({ jwt: { secret: OLD } })
    expect(await seen(await sealed(ADA, { secret: OLD }), config)).toEqual(['Ada Lovelace', []])
    expect((await seen(await sealed(ADA), config))[0]).toBeNull()
  })
})

describe('a session under a former name', () => {
  const SHARED = '__Secure-lib.session-token'
  const cookies = { sessionToken: { options: { domain: 'app.test' } } }

  // Covers: cookie.former-names
  test('moves from the __Host- name to the __Secure- name when a domain is configured', async () => {
    const { config } = passwordConfig({ cookies })
    const { session, headers } = await readWith(await sealed(ADA), config)
    expect(session).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(writtenBy({ headers })).toEqual([SHARED, `-${SESSION}`])
    const [moved = ''] = headers.getSetCookie()
    expect(await seen(moved.split(';')[0] ?? '', config)).toEqual(['Ada Lovelace', []])
  })

  test('is deleted by a sign-out', async () => {
    const { config } = passwordConfig({ cookies })
    const tab = browser(config)
    tab.cookies.set(SESSION, (await sealed(ADA)).slice(SESSION.length + 1))
    await tab.post('signout')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(await tab.session()).toBeNull()
  })

  test('is ignored next to a session under the current name', async () => {
    const { config } = passwordConfig({ cookies })
    const former = await sealed({ sub: '2', name: 'Eve' })
    const current = await sealed(ADA, { salt: SHARED })
    expect((await seen(`${former}; ${current}`, config))[0]).toBe('Ada Lovelace')
  })

  // Covers: cookie.former-names
  test.each(['jwt', 'database'] as const)(
    'is not read from a __Secure- cookie, which a sibling subdomain can set, with strategy %s',
    async (strategy) => {
      const database = { adapter: MemoryAdapter(), session: { strategy } } as const
      const { config } = passwordConfig(strategy === 'jwt' ? {} : database, { createUser: true })
      const attacker = browser(config)
      await enter(attacker)
      const token =
        strategy === 'jwt'
          ? (await sealed(ADA, { salt: SHARED })).slice(SHARED.length + 1)
          : valueOf(attacker)
      const victim = browser(config)
      victim.cookies.set(SHARED, token)
      const response = await victim.request('session')
      expect(await response.json()).toBeNull()
      expect(writtenBy(response)).toEqual([])
      expect(await attacker.session()).not.toBeNull()
    },
  )
})

describe('two cookies of the same name', () => {
  test.each([
    ['first', async () => `${SESSION}=garbage; ${await sealed(ADA)}`],
    ['last', async () => `${await sealed(ADA)}; ${SESSION}=garbage`],
    ['first, and empty', async () => `${SESSION}=; ${await sealed(ADA)}`],
  ])('resolve to the valid one if the invalid one is sent %s', async (_name, cookie) => {
    const { config } = passwordConfig()
    expect(await seen(await cookie(), config)).toEqual(['Ada Lovelace', []])
  })

  test('are reported in the debug log', async () => {
    const { config, log } = passwordConfig()
    await readWith(`${SESSION}=garbage; ${await sealed(ADA)}`, config)
    expect(log.debug).toContainEqual(['cookie.duplicate', { name: SESSION }])
  })
})

describe('tokens of the application', () => {
  const encode = vi.fn(
    ({ token }: { token?: object | undefined }) => `mine.${btoa(JSON.stringify(token))}`,
  )
  const decode = vi.fn(({ token }: { token?: string | undefined }) => {
    const [kind, text = ''] = token?.split('.') ?? []
    if (kind !== 'mine') throw new Error('not mine')
    return JSON.parse(atob(text))
  })

  // Covers: config.jwt, shape.jwt-options
  test('replace the encrypted tokens', async () => {
    const { config } = passwordConfig({ jwt: { encode, decode, maxAge: 600 } })
    const tab = browser(config)
    await enter(tab)
    expect(valueOf(tab)).toMatch(/^mine\./)
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(encode).toHaveBeenLastCalledWith({
      token: expect.objectContaining({ sub: '1' }),
      secret: SECRET,
      salt: SESSION,
      maxAge: 600,
    })
    expect(decode).toHaveBeenLastCalledWith({ token: valueOf(tab), secret: SECRET, salt: SESSION })
  })

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('bad signature')
      },
    ],
    ['returns null', (() => null) as () => never],
    ['returns a string', (() => 'ada') as () => never],
  ])('end the session when decode %s', async (_name, bad) => {
    const { config } = passwordConfig({ jwt: { decode: bad } })
    expect(await seen(`${SESSION}=mine.e30`, config)).toEqual([null, [`-${SESSION}`]])
  })

  test('keep the session when decode throws SessionUnavailable', async () => {
    const { config } = passwordConfig({
      jwt: { decode: () => Promise.reject(new SessionUnavailable('The key store is down.')) },
    })
    await expect(readWith(`${SESSION}=mine.e30`, config)).rejects.toThrow('The key store is down.')
  })

  test('keep the session when decode times out', async () => {
    const { config } = passwordConfig({ jwt: { decode: () => new Promise(() => undefined) } })
    const answer = browser(config)
    answer.cookies.set(SESSION, 'mine.e30')
    const response = answer.request('session')
    await pass(10)
    expect((await response).status).toBe(503)
    expect(answer.cookies.get(SESSION)?.value).toBe('mine.e30')
  })

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('no key')
      },
    ],
    ['returns nothing', (() => undefined) as () => never],
    ['never resolves', (() => new Promise(() => undefined)) as () => never],
  ])('create no session when encode %s', async (_name, bad) => {
    const { config, log } = passwordConfig({ jwt: { encode: bad } })
    const tab = browser(config)
    const csrfToken = await tab.csrfToken()
    const answer = tab.request('callback/password', {
      method: 'POST',
      json: { csrfToken, username: 'ada', password: 'correct horse battery staple' },
    })
    await pass(10)
    expect((await answer).status).toBe(503)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toHaveLength(1)
  })
})
