import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { cipher, keyFor } from '../../src/crypto/seal.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../config.ts'
import {
  DAY,
  pass,
  readWith,
  resolveSession,
  cookieFor,
  SESSION,
  stopClock,
  cookieValue,
  cookiesSetBy,
} from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const OLD = 'the secret before this one, also long enough'
const ADA = { sub: '1', name: 'Ada Lovelace' }

/** A session token without exp. */
async function endless(claims: object): Promise<string> {
  return `${SESSION}=${await cipher.encrypt(await keyFor(SECRET, SESSION), JSON.stringify(claims))}`
}

describe('a cookie that is not a session', () => {
  test.each([
    ['garbage', () => `${SESSION}=garbage`],
    ['text in the form of a token', () => `${SESSION}=a..b.c.d`],
    ['a token that was changed', async () => (await cookieFor(ADA)).slice(0, -4) + 'AAAA'],
    [
      'a token made for another cookie',
      async () => (await cookieFor(ADA, { salt: 'x' })).replace('x', SESSION),
    ],
    ['a token made with another secret', () => cookieFor(ADA, { secret: OLD })],
    ['a token that has expired', () => cookieFor(ADA, { maxAge: -60 })],
    ['a token that does not expire', () => endless(ADA)],
    ['a chunk without the first one', () => `${SESSION}.1=rest`],
  ])('creates no session and is deleted: %s', async (_name, cookie) => {
    const { config, log } = passwordConfig()
    const header = await cookie()
    const [name = ''] = header.split('=')
    expect(await resolveSession(header, config)).toEqual([null, [`-${name}`]])
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
    expect(
      await resolveSession(`${SESSION}-legacy=x; ${SESSION}.-1=x; ${SESSION}.1e3=x`, config),
    ).toEqual([null, []])
    const cookie = await cookieFor(ADA)
    expect(await resolveSession(`${SESSION}-legacy=x; ${cookie}`, config)).toEqual([
      'Ada Lovelace',
      [],
    ])
  })
})

describe('a list of secrets', () => {
  test('decrypts sessions of each of them', async () => {
    const { config } = passwordConfig({ secret: [SECRET, OLD] })
    expect(await resolveSession(await cookieFor(ADA, { secret: OLD }), config)).toEqual([
      'Ada Lovelace',
      [],
    ])
    expect(await resolveSession(await cookieFor(ADA), config)).toEqual(['Ada Lovelace', []])
  })

  test('encrypts with the first, so that the others can be removed', async () => {
    const { config } = passwordConfig({ secret: [SECRET, OLD] })
    const tab = browser(config)
    tab.cookies.set(
      SESSION,
      (await cookieFor(ADA, { secret: OLD, maxAge: 9 * DAY })).split('=')[1] ?? '',
    )
    const before = `${SESSION}=${cookieValue(tab)}`
    await pass(DAY)
    expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
    const alone = passwordConfig().config
    expect(await resolveSession(`${SESSION}=${cookieValue(tab)}`, alone)).toEqual([
      'Ada Lovelace',
      [],
    ])
    expect(await resolveSession(before, alone)).toEqual([null, [`-${SESSION}`]])
  })

  test('is read from jwt.secret if that is set', async () => {
    const { config } = passwordConfig({ jwt: { secret: OLD } })
    expect(await resolveSession(await cookieFor(ADA, { secret: OLD }), config)).toEqual([
      'Ada Lovelace',
      [],
    ])
    expect((await resolveSession(await cookieFor(ADA), config))[0]).toBeNull()
  })
})

describe('a session under a former name', () => {
  const SHARED = '__Secure-lib.session-token'
  const cookies = { sessionToken: { options: { domain: 'app.test' } } }

  test('moves from the __Host- name to the __Secure- name when a domain is configured', async () => {
    const { config } = passwordConfig({ cookies })
    const { session, headers } = await readWith(await cookieFor(ADA), config)
    expect(session).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(cookiesSetBy({ headers })).toEqual([SHARED, `-${SESSION}`])
    const [moved = ''] = headers.getSetCookie()
    expect(await resolveSession(moved.split(';')[0] ?? '', config)).toEqual(['Ada Lovelace', []])
  })

  test('is deleted by a sign-out', async () => {
    const { config } = passwordConfig({ cookies })
    const tab = browser(config)
    tab.cookies.set(SESSION, (await cookieFor(ADA)).slice(SESSION.length + 1))
    await tab.post('signout')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(await tab.session()).toBeNull()
  })

  test('is ignored next to a session under the current name', async () => {
    const { config } = passwordConfig({ cookies })
    const former = await cookieFor({ sub: '2', name: 'Eve' })
    const current = await cookieFor(ADA, { salt: SHARED })
    expect((await resolveSession(`${former}; ${current}`, config))[0]).toBe('Ada Lovelace')
  })

  test.each(['jwt', 'database'] as const)(
    'is not read from a __Secure- cookie, which a sibling subdomain can set, with strategy %s',
    async (strategy) => {
      const database = { adapter: MemoryAdapter(), session: { strategy } } as const
      const { config } = passwordConfig(strategy === 'jwt' ? {} : database, { createUser: true })
      const attacker = browser(config)
      await enter(attacker)
      const token =
        strategy === 'jwt'
          ? (await cookieFor(ADA, { salt: SHARED })).slice(SHARED.length + 1)
          : cookieValue(attacker)
      const victim = browser(config)
      victim.cookies.set(SHARED, token)
      const response = await victim.request('session')
      expect(await response.json()).toBeNull()
      expect(cookiesSetBy(response)).toEqual([])
      expect(await attacker.session()).not.toBeNull()
    },
  )
})

describe('two cookies of the same name', () => {
  test.each([
    ['first', async () => `${SESSION}=garbage; ${await cookieFor(ADA)}`],
    ['last', async () => `${await cookieFor(ADA)}; ${SESSION}=garbage`],
    ['first, and empty', async () => `${SESSION}=; ${await cookieFor(ADA)}`],
  ])('resolve to the valid one if the invalid one is sent %s', async (_name, cookie) => {
    const { config } = passwordConfig()
    expect(await resolveSession(await cookie(), config)).toEqual(['Ada Lovelace', []])
  })

  test('are reported in the debug log', async () => {
    const { config, log } = passwordConfig()
    await readWith(`${SESSION}=garbage; ${await cookieFor(ADA)}`, config)
    expect(log.debug).toContainEqual(['cookie.duplicate', { name: SESSION }])
  })
})
