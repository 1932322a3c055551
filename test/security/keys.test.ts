/** A value that is sealed for one use is not accepted for another. */
import { EncryptJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { getToken } from '../../src/jwt.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, passwordConfig, SECRET } from '../config.ts'
import { OLD_SECURE, outcomeOf } from '../cli/migrate-imports/next-auth-site.ts'
import { readWith, SESSION } from '../sessions.ts'
import { derivedKey } from '../core/crypto/runtimes.ts'

const ADA = { sub: '1', name: 'Ada Lovelace' }

describe('a session cookie with the name of an internal value', () => {
  test('is not a session if it contains a transaction', async () => {
    const op = await issuer()
    const { config } = configFor(op, { cookies: { sessionToken: { name: 'lib.transaction' } } })
    const tab = browser(config, { issuer: op })
    await tab.begin('op')
    const sealed = tab.cookies.all().find(({ name }) => name.startsWith('__Host-lib.state.'))
    expect(sealed?.value).toMatch(/^eyJ/)
    const cookie = `lib.transaction=${sealed?.value ?? ''}`
    expect((await readWith(cookie, config)).session).toBeNull()
    expect(await getToken({ req: { headers: { cookie } }, config })).toBeNull()
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
  })
})

describe('a session token encrypted with A256GCM', () => {
  const token = (salt: string, family: 'own' | 'next-auth') =>
    new EncryptJWT(ADA)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .encrypt(derivedKey(SECRET, salt, { length: 32, family }))

  test('is rejected under our key', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    expect((await outcomeOf(`${SESSION}=${await token(SESSION, 'own')}`, config))[0]).toBeNull()
  })

  test('is accepted under the key of a migrated session', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const cookie = `${OLD_SECURE}=${await token(OLD_SECURE, 'next-auth')}`
    expect((await outcomeOf(cookie, config))[0]).toBe('Ada Lovelace')
  })
})
