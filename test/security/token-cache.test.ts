/** Decrypted session tokens are cached: what must not change by that (decision 12). */
import crypto from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { JWTDecodeParams } from '../../src/core/session/jwt-options.ts'
import { decode } from '../../src/jwt.ts'
import { tokenCache } from '../../src/core/crypto/token-cache.ts'
import { passwordConfig } from '../config.ts'
import { cookieFor, DAY, pass, readWith, SESSION, stopClock } from '../sessions.ts'

const ADA = { sub: '1', name: 'Ada' }

function configWith(overrides: Partial<AuthConfig> = {}): AuthConfig {
  return passwordConfig(overrides).config
}

async function nameWith(cookie: string, config: AuthConfig): Promise<string | null> {
  return (await readWith(cookie, config)).session?.user?.name ?? null
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The same text with another character at one place: its highest bit, because the lowest ones may be padding. */
function changedAt(text: string, at: number): string {
  const other = BASE64URL[BASE64URL.indexOf(text[at] ?? '') ^ 32] ?? 'A'
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`
}

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('decrypts the token of several requests once', async () => {
  const decipher = vi.spyOn(crypto, 'createDecipheriv')
  const config = configWith()
  const cookie = await cookieFor(ADA)
  for (let count = 0; count < 5; count++) expect(await nameWith(cookie, config)).toBe('Ada')
  expect(decipher).toHaveBeenCalledTimes(1)
})

test('rejects a token that differs from a cached one in any character', async () => {
  const config = configWith()
  const cookie = await cookieFor(ADA)
  expect(await nameWith(cookie, config)).toBe('Ada')
  for (let at = SESSION.length + 1; at < cookie.length; at++)
    expect(await nameWith(changedAt(cookie, at), config)).toBeNull()
  for (const other of [`${cookie}A`, cookie.slice(0, -1)])
    expect(await nameWith(other, config)).toBeNull()
  expect(await nameWith(cookie, config)).toBe('Ada')
})

describe('rejects a cached token', () => {
  test('under the cookie name of another protocol', async () => {
    const config = configWith()
    const cookie = await cookieFor(ADA)
    expect(await nameWith(cookie, config)).toBe('Ada')
    const plain = new Headers({
      host: 'app.test',
      'x-forwarded-proto': 'http',
      cookie: cookie.replace(SESSION, 'lib.session-token'),
    })
    expect((await getSession(plain, config)).session).toBeNull()
  })

  test('in the cookie of a migrated session', async () => {
    const config = configWith({ migrateSessions: true })
    const cookie = await cookieFor(ADA)
    expect(await nameWith(cookie, config)).toBe('Ada')
    const migrated = cookie.replace(SESSION, '__Secure-authjs.session-token')
    expect(await nameWith(migrated, config)).toBeNull()
  })

  test('with the secret of another configuration', async () => {
    const cookie = await cookieFor(ADA)
    expect(await nameWith(cookie, configWith())).toBe('Ada')
    const other = configWith({ secret: 'another secret of thirty-two bytes or more' })
    expect(await nameWith(cookie, other)).toBeNull()
  })

  test('after it has expired', async () => {
    const config = configWith()
    const cookie = await cookieFor(ADA, { maxAge: 60 })
    expect(await nameWith(cookie, config)).toBe('Ada')
    await pass(60 + 15)
    expect(await nameWith(cookie, config)).toBeNull()
  })

  test('after absoluteMaxAge', async () => {
    const config = configWith({ session: { absoluteMaxAge: 2 * DAY, maxAge: DAY } })
    const auth_time = Math.floor(Date.now() / 1000) - DAY
    const cookie = await cookieFor({ ...ADA, auth_time }, { maxAge: 10 * DAY })
    expect(await nameWith(cookie, config)).toBe('Ada')
    await pass(DAY)
    expect(await nameWith(cookie, config)).toBeNull()
  })
})

test('extends a cached session when it is due', async () => {
  const config = configWith({ session: { updateAge: 60 } })
  const cookie = await cookieFor(ADA)
  expect((await readWith(cookie, config)).headers.getSetCookie()).toEqual([])
  await pass(61)
  for (let count = 0; count < 2; count++)
    expect((await readWith(cookie, config)).headers.getSetCookie()).toHaveLength(1)
})

test('calls the callbacks and the event for each read of a cached session', async () => {
  const jwt = vi.fn(({ token }) => token)
  const session = vi.fn((params) => params.session)
  const event = vi.fn()
  const config = configWith({ callbacks: { jwt, session }, events: { session: event } })
  const cookie = await cookieFor(ADA)
  for (let count = 1; count <= 3; count++) {
    await nameWith(cookie, config)
    for (const called of [jwt, session, event]) expect(called).toHaveBeenCalledTimes(count)
  }
})

test('keeps changes of a callback to the token out of later reads', async () => {
  const seen: unknown[] = []
  const config = configWith({
    callbacks: {
      jwt({ token }) {
        seen.push(token['visits'])
        token['visits'] = 1
        return token
      },
    },
  })
  const cookie = await cookieFor({ ...ADA, nested: { list: [] } })
  await nameWith(cookie, config)
  await nameWith(cookie, config)
  expect(seen).toEqual([undefined, undefined])
})

test('calls jwt.decode of the application for each read', async () => {
  const own = vi.fn((params: JWTDecodeParams) => decode(params))
  const config = configWith({ jwt: { decode: own } })
  const cookie = await cookieFor(ADA)
  for (let count = 1; count <= 3; count++) {
    expect(await nameWith(cookie, config)).toBe('Ada')
    expect(own).toHaveBeenCalledTimes(count)
  }
})

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('keeps less than a megabyte of 100,000 sessions in memory', () => {
  vi.useRealTimers()
  const cache = tokenCache<string>()
  const salt = SESSION
  const before = heapUsed()
  for (let index = 0; index < 100_000; index++) {
    // The token is part of a long Cookie header.
    const header = `${'x'.repeat(8000)}; ${SESSION}=${String(index).padStart(430, 'token')}; y=1`
    const token = header.slice(8003 + SESSION.length, -5)
    const contents = JSON.stringify({ index, n: 'n'.repeat(300) })
    cache.set(token, { salt, family: 'own', contents, length: contents.length })
  }
  expect(heapUsed() - before).toBeLessThan(1_000_000)
  const last = '99999'.padStart(430, 'token')
  expect(cache.get(last, { salt, family: 'own' })).toContain('"index":99999')
  expect(cache.get(last, { salt, family: 'next-auth' })).toBeUndefined()
  expect(cache.get(last, { salt: 'other', family: 'own' })).toBeUndefined()
  expect(cache.get('1'.padStart(430, 'token'), { salt, family: 'own' })).toBeUndefined()
})
