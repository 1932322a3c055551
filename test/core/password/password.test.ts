/** Passwords are hashed with scrypt, within limits. */
import crypto, { createHash, scryptSync } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'
import { array, asyncProperty, assert as check, string } from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashPassword, needsRehash, verifyPassword } from '../../../src/password.ts'
import { pass, stopClock, until } from '../../sessions.ts'

/** A hash with low costs, so that a test of a format takes no time. */
function cheap(password: string, salt = Buffer.from('0123456789abcdef')): string {
  const hash = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=1,r=1,p=1$${text(salt)}$${text(hash)}`
}

type WithOptions = (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, hash: Buffer) => void,
) => void

/** Records the costs of hashes, and how many are computed at once. */
function watchScrypt() {
  const calls: object[] = []
  let running = 0
  let most = 0
  const scrypt: WithOptions = crypto.scrypt
  const watch: WithOptions = (password, salt, length, options, done) => {
    calls.push({ ...options, length, salt: salt.length })
    most = Math.max(most, ++running)
    scrypt(password, salt, length, options, (error, hash) => {
      running--
      done(error, hash)
    })
  }
  const watched = vi.spyOn(crypto, 'scrypt').mockImplementation(watch as typeof crypto.scrypt)
  onTestFinished(() => watched.mockRestore())
  return { calls, mostAtOnce: () => most }
}

test('a password is that of its hash, and no other one is', async () => {
  const stored = await hashPassword('correct horse battery staple')
  expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verifyPassword('correct horse battery staple', stored)).toBe(true)
  expect(await verifyPassword('Correct horse battery staple', stored)).toBe(false)
  expect(await verifyPassword('correct horse battery staple ', stored)).toBe(false)
  expect(needsRehash(stored)).toBe(false)
  expect(await hashPassword('correct horse battery staple')).not.toBe(stored)
})

/** RFC 7914 §12. */
test.each([
  [
    'password',
    '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA',
  ],
  [
    'pleaseletmein',
    '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw',
  ],
])('the test vector of %s is verified, and needs another hash', async (password, stored) => {
  expect(await verifyPassword(password, stored)).toBe(true)
  expect(await verifyPassword(`${password}!`, stored)).toBe(false)
  expect(needsRehash(stored)).toBe(true)
})

test('any text is that of its own hash only', async () => {
  await check(
    asyncProperty(
      array(string({ unit: 'grapheme', minLength: 1 }), { minLength: 2, maxLength: 2 }),
      async ([one = '', other = '']) => {
        const stored = cheap(one.normalize('NFKC'))
        expect(await verifyPassword(one, stored)).toBe(true)
        expect(await verifyPassword(other, stored)).toBe(
          one.normalize('NFKC') === other.normalize('NFKC'),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('different spellings of the same characters are equal', async () => {
  const stored = await hashPassword('Zürich ﬁre')
  expect(await verifyPassword('Zu\u0308rich fire', stored)).toBe(true)
})

test('a long password is not truncated', async () => {
  const long = 'x'.repeat(4095)
  const stored = cheap(`${long}1`)
  expect([
    await verifyPassword(`${long}1`, stored),
    await verifyPassword(`${long}2`, stored),
  ]).toEqual([true, false])
})

test.each<[string, unknown]>([
  ['empty', ''],
  ['of 1 MB', 'x'.repeat(1_000_000)],
  ['of 4096 characters that take more bytes', 'ü'.repeat(4096)],
  ['that becomes longer when it is normalized', '\ufdfa'.repeat(1000)],
  ['of a million combining marks', `a${'\u0301'.repeat(1_000_000)}`],
  ['with a lone surrogate', 'pass\ud800word'],
  ['with a NUL at the end', 'password\0'],
  ['that is a number', 12345678],
  ['that is an array', ['password']],
  ['that is missing', undefined],
])('a password %s is rejected without a hash', async (_name, password) => {
  const stored = cheap('password')
  const { calls } = watchScrypt()
  await expect(hashPassword(password as string)).rejects.toMatchObject({ type: 'InvalidRequest' })
  expect(await verifyPassword(password, stored)).toBe(false)
  expect(calls).toEqual([])
})

test('a password with NUL is another one than what precedes it', async () => {
  const stored = cheap('pass\0word')
  expect([
    await verifyPassword('pass\0word', stored),
    await verifyPassword('pass', stored),
  ]).toEqual([true, false])
})

test('for an unknown user, a password is hashed with the same costs', async () => {
  const stored = await hashPassword('correct horse battery staple')
  const { calls } = watchScrypt()
  for (const hash of [stored, null, undefined]) await verifyPassword('wrong', hash)
  const costs = { N: 2 ** 15, r: 8, p: 3, maxmem: expect.any(Number), length: 32, salt: 16 }
  expect(calls).toEqual([costs, costs, costs])
})

test('the hash of an unknown user has no password', async () => {
  for (const guess of ['a password of no user', 'A', '\0'.repeat(16)])
    expect(await verifyPassword(guess, null)).toBe(false)
})

test.each([
  ['bcrypt', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
  ['argon2', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$QUFBQUFBQUFBQUFBQUFBQUFBQUFBQQ'],
  ['SHA-256', createHash('sha256').update('password').digest('hex')],
  ['plain text', 'password'],
  ['an empty text', ''],
  ['scrypt with too much memory', cheap('password').replace('ln=1', 'ln=21')],
  [
    'scrypt with too many blocks',
    cheap('password').replace('r=1', 'r=99').replace('ln=1', 'ln=15'),
  ],
  ['scrypt with too much work', cheap('password').replace('p=1', 'p=17')],
  ['scrypt with no work', cheap('password').replace('p=1', 'p=0')],
  ['a hash that was cut', cheap('password').slice(0, -30)],
  ['a hash with spaces around it', ` ${cheap('password')}\n`],
])('%s in place of a hash is an error that names the function', async (_name, stored) => {
  await expect(verifyPassword('password', stored)).rejects.toMatchObject({
    type: 'InvalidConfiguration',
    message: expect.stringContaining('not one of hashPassword'),
  })
  expect(needsRehash(stored)).toBe(true)
})

test('of 100 passwords at once, at most four are hashed and 32 wait; the others get 503', async () => {
  const stored = cheap('correct horse battery staple')
  const watched = watchScrypt()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => verifyPassword('correct horse battery staple', stored)),
  )
  const rejected = outcomes.filter((each) => each.status === 'rejected')
  expect(outcomes.length - rejected.length).toBe(36)
  for (const { reason } of rejected) expect(reason).toMatchObject({ status: 503 })
  expect(watched.mostAtOnce()).toBe(4)
  expect(await verifyPassword('correct horse battery staple', stored)).toBe(true)
})

test('a password that has waited for five seconds gets 503, and makes room for others', async () => {
  stopClock()
  onTestFinished(() => void vi.useRealTimers())
  const started: (() => void)[] = []
  const hold: WithOptions = (_password, _salt, length, _options, done) =>
    void started.push(() => done(null, Buffer.alloc(length)))
  const held = vi.spyOn(crypto, 'scrypt').mockImplementation(hold as typeof crypto.scrypt)
  onTestFinished(() => held.mockRestore())
  const stored = cheap('correct horse battery staple')
  const verify = () => verifyPassword('a guess', stored).catch(({ status }) => status)
  const early = Array.from({ length: 36 }, verify)
  await pass(6)
  const late = verify()
  const waited = await Promise.all(early.slice(4))
  expect(new Set(waited)).toEqual(new Set([503]))
  expect(started).toHaveLength(4)
  for (const finish of started.splice(0)) finish()
  await until(() => started.length > 0)
  for (const finish of started) finish()
  expect(await Promise.all([...early.slice(0, 4), late])).toEqual([1, 2, 3, 4, 5].map(() => false))
})

test('on an edge runtime, the error names the runtimes that check passwords', async () => {
  vi.resetModules()
  vi.doMock('../../../src/core/crypto/node.ts', () => ({ node: null }))
  const edge = await import('../../../src/password.ts')
  await expect(edge.hashPassword('password')).rejects.toThrow('runs on Node.js, Bun and Deno')
  vi.doUnmock('../../../src/core/crypto/node.ts')
  // The next file of this worker would import the modules that have been loaded without node:crypto.
  vi.resetModules()
})
