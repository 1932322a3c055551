/** The reasons for a rejected session cookie in the debug log. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { cipher, keyFor } from '../../src/crypto/seal.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, passwordConfig, SECRET } from '../config.ts'
import { captureConsole, debug, printed } from '../debug-log.ts'
import { OLD_SECURE } from '../migration/next-auth-site.ts'
import { DAY, pass, readWith, cookieFor, SESSION, stopClock, cookieValue } from '../sessions.ts'

const op = await issuer()

beforeEach(() => {
  captureConsole()
  stopClock()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const ADA = { sub: '1', name: 'Ada Lovelace' }

describe('the debug log reports that a session cookie is rejected because', () => {
  const FOREIGN = 'a secret of another deployment, long enough'
  const rejected = (reason: string) =>
    `session rejected ${JSON.stringify({ name: SESSION, reason })}`

  test.each<[string, Partial<AuthConfig>, () => Promise<string> | string, string]>([
    ['the browser sent none', {}, () => 'theme=dark', 'no session cookie'],
    [
      'it has expired',
      {},
      () => cookieFor(ADA, { maxAge: -60 }),
      rejected('expired at 2026-05-04T03:01:01.000Z'),
    ],
    [
      'another secret encrypted it',
      {},
      () => cookieFor(ADA, { secret: FOREIGN }),
      rejected('cannot be decrypted with 1 secret'),
    ],
    [
      'none of several secrets decrypts it',
      { secret: [SECRET, `${SECRET} 2`] },
      () => cookieFor(ADA, { secret: FOREIGN }),
      rejected('cannot be decrypted with 2 secrets'),
    ],
    ['it is not encrypted', {}, () => `${SESSION}=a.b.c`, rejected('not a compact JWE')],
    ['its first chunk is missing', {}, () => `${SESSION}.1=abc`, rejected('chunk 0 is missing')],
    [
      'the absolute timeout has passed',
      { session: { absoluteMaxAge: 60 } },
      () => cookieFor({ ...ADA, auth_time: Date.now() / 1000 - 61 }),
      rejected('session.absoluteMaxAge has passed'),
    ],
    [
      'nbf is in the future',
      {},
      () => cookieFor({ ...ADA, nbf: Date.now() / 1000 + 60 }),
      rejected('nbf is not in the past'),
    ],
    [
      'the absolute timeout has passed after nbf',
      { session: { absoluteMaxAge: 60 } },
      () => cookieFor({ ...ADA, nbf: 1, auth_time: Date.now() / 1000 - 61 }),
      rejected('session.absoluteMaxAge has passed'),
    ],
    [
      'the absolute timeout has passed, and exp within the clock tolerance',
      { session: { absoluteMaxAge: 60 } },
      () => cookieFor({ ...ADA, auth_time: Date.now() / 1000 - 61 }, { maxAge: -5 }),
      rejected('session.absoluteMaxAge has passed'),
    ],
    [
      'jwt.decode returned nothing',
      { jwt: { decode: () => null } },
      () => `${SESSION}=abc`,
      rejected('jwt.decode returned no token'),
    ],
    [
      'the database does not have it',
      { adapter: MemoryAdapter(), session: { strategy: 'database' } },
      () => `${SESSION}=abc`,
      rejected('not in the database'),
    ],
  ])('%s', async (_what, overrides, cookie, line) => {
    const { config } = passwordConfig({ ...debug, ...overrides })
    const { session } = await readWith(await cookie(), config)
    expect(session).toBeNull()
    expect(printed()).toEqual([line])
  })

  test.each([
    [
      'the absolute timeout has passed',
      { absoluteMaxAge: 60 },
      'session.absoluteMaxAge has passed',
    ],
    ['it has expired', { maxAge: 60, updateAge: 0 }, 'expired at 2026-05-04T03:01:01.000Z'],
  ])('a next-auth token without exp is not valid: %s', async (_what, session, reason) => {
    const { config } = passwordConfig({ ...debug, migrateSessions: true, session })
    const key = await keyFor(SECRET, OLD_SECURE, 'next-auth')
    const token = await cipher.encrypt(
      key,
      JSON.stringify({ ...ADA, iat: Date.now() / 1000 - 120 }),
    )
    const read = await readWith(`${OLD_SECURE}=${token}`, config)
    expect(read.session).toBeNull()
    expect(printed()).toEqual([`session rejected ${JSON.stringify({ name: OLD_SECURE, reason })}`])
  })

  test('it has expired in the database', async () => {
    const adapter = MemoryAdapter()
    const { config } = configFor(op, { ...debug, adapter })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    const cookie = `${SESSION}=${cookieValue(tab)}`
    printed()
    await pass(31 * DAY)
    await readWith(cookie, config)
    expect(printed()).toEqual([rejected('expired at 2026-06-03T03:02:01.000Z')])
  })
})

test('the debug log reports that a session is extended', async () => {
  const { config } = passwordConfig(debug)
  const cookie = await cookieFor(ADA, { maxAge: 30 * DAY })
  await pass(2 * DAY)
  await readWith(cookie, config)
  expect(printed()).toEqual([
    `session read {"name":"${SESSION}"}`,
    'session extended {"expires":"2026-06-05T03:02:01.000Z"}',
  ])
})
