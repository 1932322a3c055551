/** Users sign in with a password that the library stores. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import type { PasswordOptions } from '../../../src/password.ts'
import { down, without } from '../../database.ts'
import { mailProvider, requestLink, followLink } from '../../email.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import { errorTypes } from '../../database.ts'
import {
  ADA,
  cheapHash,
  enter,
  locationOf,
  passwordSite,
  REJECTED,
  RIGHT,
  STRATEGIES,
} from './password-site.ts'

const DEFAULT = '32768/8/3'

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  const open = (password?: PasswordOptions, config: Partial<AuthConfig> = {}) =>
    passwordSite({
      ...(password && { password }),
      config: { session: { strategy }, protection: 'off', ...config },
    })

  test('the right password signs in, also with another spelling of it and of the address', async () => {
    const site = open()
    const id = await site.createUser(ADA, { hash: cheapHash('Zürich is a fine city') })
    const tab = site.open()
    const response = await enter(tab, 'Zu\u0308rich is a ﬁne city', ' Ada@EXAMPLE.com ')
    expect(locationOf(response)).toBe('https://app.test')
    expect((await tab.session())?.user?.email).toBe(ADA)
    expect(site.log.errors).toEqual([])
    expect(site.audited.at(-1)).toMatchObject({ type: 'signin', actor: { kind: 'user', id } })
  })

  test.each([
    ['wrong', RIGHT.toUpperCase()],
    ['empty', ''],
    ['with a NUL behind it', `${RIGHT}\0`],
    ['with a space behind it', `${RIGHT} `],
    ['that is longer than normalized texts may be', '\ufdfa'.repeat(1000)],
    ['of 4096 bytes', 'x'.repeat(4096)],
    ['of combining marks', `a${'\u0301'.repeat(2000)}`],
  ])('a password %s is rejected', async (_name, password) => {
    const site = open()
    await site.createUser()
    const tab = site.open()
    expect(locationOf(await enter(tab, password))).toBe(REJECTED)
    expect(await tab.session()).toBeNull()
  })

  test('a password of 4097 bytes or 1 MB is too large for every address', async () => {
    const site = open()
    await site.createUser()
    for (const password of ['x'.repeat(4097), 'x'.repeat(1_000_000)])
      for (const email of [ADA, 'unknown@example.com']) {
        const response = await enter(site.open(), password, email)
        expect(response.status).toBe(413)
        expect(site.hashes).toEqual([])
      }
  })

  test('an unknown address, a user without a password and a wrong password take the same steps', async () => {
    const site = open()
    await site.createUser(ADA, { hash: cheapHash(RIGHT).replace('ln=1,r=1,p=1', 'ln=15,r=8,p=3') })
    await site.createUser('none@example.com', { hash: null })
    const { hashes } = site
    const seen = []
    for (const email of [ADA, 'none@example.com', 'unknown@example.com', 'not an address']) {
      const tab = site.open()
      await tab.csrfToken()
      site.called()
      const response = await enter(tab, 'a wrong password', email)
      const names = [...response.headers.keys()].sort()
      const cookies = tab.cookies.all().map(({ name }) => name)
      const { status } = response
      seen.push({ status, location: locationOf(response), names, cookies, calls: site.called() })
    }
    expect(seen.map(({ calls }) => calls)).toEqual(
      seen.map(() => ['getUserByEmail', 'getPassword']),
    )
    for (const each of seen) expect(each).toEqual(seen[0])
    expect(hashes).toEqual([DEFAULT, DEFAULT, DEFAULT, DEFAULT])
    expect(site.log.errors.map(({ message }) => message)).toEqual(
      Array(4).fill(site.log.errors[0]?.message),
    )
  })

  test('a hash with other costs is replaced at the next sign-in, and its time is kept', async () => {
    const site = open()
    const id = await site.createUser()
    const before = await site.stored.getPassword?.(id)
    await enter(site.open())
    const after = await site.stored.getPassword?.(id)
    expect(after?.hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
    expect(after?.changed).toEqual(before?.changed)
    await enter(site.open())
    expect(await site.stored.getPassword?.(id)).toEqual(after)
    expect((await site.open().session()) ?? null).toBeNull()
  })

  test('a hash that was changed during the sign-in is not replaced, and no session begins', async () => {
    const site = open()
    const id = await site.createUser()
    const changed = { hash: cheapHash('another password'), changed: new Date() }
    site.faults.getPassword = async (run) => {
      const row = await run()
      delete site.faults.getPassword
      await site.stored.setPassword?.(id, changed)
      return row
    }
    const tab = site.open()
    expect(locationOf(await enter(tab))).toContain('error=AccessDenied')
    expect(await tab.session()).toBeNull()
    expect(await site.stored.getPassword?.(id)).toMatchObject(changed)
  })

  test('the user signs in although the new hash could not be stored', async () => {
    const site = open()
    const id = await site.createUser()
    site.faults.setPassword = down
    const tab = site.open()
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    expect(errorTypes(site.log)).toEqual(['AdapterError'])
    expect((await site.stored.getPassword?.(id))?.hash).toBe(cheapHash(RIGHT))
  })

  test.each(['getUserByEmail', 'getPassword'] as const)(
    'while %s fails, the response is 503 for every address',
    async (method) => {
      const site = open()
      await site.createUser()
      site.faults[method] = down
      for (const email of [ADA, 'unknown@example.com'])
        expect(locationOf(await enter(site.open(), RIGHT, email))).toBe(
          'https://app.test/auth/error?error=TemporarilyUnavailable',
        )
    },
  )

  test('a full queue is 503, and the user can sign in afterwards', async () => {
    const site = open()
    await site.createUser(ADA, { hash: cheapHash(RIGHT).replace('ln=1,r=1,p=1', 'ln=15,r=8,p=3') })
    const tabs = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const tab = site.open()
        await tab.csrfToken()
        return tab
      }),
    )
    const places = await Promise.all(tabs.map(async (tab) => locationOf(await enter(tab, 'wrong'))))
    const full = places.filter((place) => place?.endsWith('error=TemporarilyUnavailable'))
    expect(full.length).toBeGreaterThan(0)
    expect(places.filter((place) => place === REJECTED).length).toBe(60 - full.length)
  })

  test('an unverified user whose address is verified by a magic link loses password and sessions', async () => {
    const mails: VerificationRequest[] = []
    const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
    const site = open(undefined, { session, providers: [Password(), mailProvider(mails)] })
    const id = await site.createUser(ADA, { emailVerified: null })
    const attacker = site.open()
    await enter(attacker)
    expect(await attacker.session()).not.toBeNull()
    const owner = site.open()
    await followLink(owner, await requestLink(owner, { mails }))
    expect((await owner.session())?.user?.email).toBe(ADA)
    expect(await site.stored.getPassword?.(id)).toBeNull()
    expect(await attacker.session()).toBeNull()
    expect(locationOf(await enter(attacker))).toContain('error=CredentialsSignin')
  })

  test.each([
    ['a user', true],
    ['a user who was created by it', false],
  ])('a verification at a whole second leaves the next sign-in of %s', async (_name, exists) => {
    const mails: VerificationRequest[] = []
    const providers = [Password(), mailProvider(mails)]
    const site = open(
      {},
      { providers, ...(strategy === 'jwt' && { session: { strategy, revocation: {} } }) },
    )
    if (exists) await site.createUser()
    const now = new Date('2030-01-02T03:04:05.000Z')
    vi.useFakeTimers({ toFake: ['Date'], now })
    onTestFinished(() => void vi.useRealTimers())
    const tab = site.open()
    await followLink(tab, await requestLink(tab, { mails }))
    const stored = await site.stored.getUserByEmail?.(ADA)
    expect(stored?.emailVerified?.getTime()).toBeGreaterThan(now.getTime())
    const row = { hash: cheapHash(RIGHT), changed: now }
    if (!exists) await site.stored.setPassword?.(stored?.id ?? '', row)
    vi.setSystemTime(now.getTime() + 50)
    const next = site.open()
    await enter(next)
    expect((await next.session())?.user?.email).toBe(ADA)
    expect(site.log.errors).toEqual([])
  })
})

describe('hashes of other systems', () => {
  const reversed = (password: string) => `reversed:${Array.from(password).reverse().join('')}`
  const verify = vi.fn((password: string, hash: string) => {
    if (!hash.startsWith('reversed:')) throw new Error('Another format.')
    return hash === reversed(password)
  })
  const other = () => {
    throw new Error('Not a hash of mine.')
  }
  const legacy = [other, verify]

  test('are verified, and replaced at the sign-in', async () => {
    const site = passwordSite({ password: { legacy } })
    const id = await site.createUser(ADA, { hash: reversed(RIGHT) })
    const tab = site.open()
    expect(locationOf(await enter(tab, 'wrong'))).toBe(REJECTED)
    expect((await site.stored.getPassword?.(id))?.hash).toBe(reversed(RIGHT))
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    expect((await site.stored.getPassword?.(id))?.hash).toMatch(/^\$scrypt\$/)
    verify.mockClear()
    await enter(site.open())
    expect(verify).not.toHaveBeenCalled()
  })

  test('receive the password as it was typed', async () => {
    const site = passwordSite({ password: { legacy } })
    await site.createUser(ADA, { hash: reversed('Zu\u0308rich') })
    const tab = site.open()
    await enter(tab, 'Zu\u0308rich')
    expect(await tab.session()).not.toBeNull()
  })

  test.each([
    ['that no function reads', 'md5:5f4dcc3b5aa765d61d8327deb882cf99', legacy],
    ['without a function', reversed(RIGHT), []],
    ['of an attacker who made it expensive', cheapHash(RIGHT).replace('ln=1', 'ln=30'), []],
  ])('%s: the password is rejected as for an unknown user', async (_name, hash, functions) => {
    const site = passwordSite({ password: { legacy: functions } })
    await site.createUser(ADA, { hash })
    expect(locationOf(await enter(site.open()))).toBe(REJECTED)
    expect(site.hashes).toEqual([DEFAULT])
    expect(site.log.errors[0]?.message).toContain('No function reads the stored hash')
  })
})

describe('a hasher of the application', () => {
  const hasher = {
    hash: vi.fn(async (password: string) => `mine:${password}`),
    verify: vi.fn(async (password: string, hash: string) => {
      if (!hash.startsWith('mine:')) throw new Error('Another format.')
      return hash === `mine:${password}`
    }),
    needsRehash: (hash: string) => hash.endsWith('Zürich'),
  }

  test('replaces scrypt, also for unknown users', async () => {
    const site = passwordSite({ password: { hasher } })
    const id = await site.createUser(ADA, { hash: 'mine:Zürich' })
    const { hashes } = site
    const tab = site.open()
    await enter(tab, 'Zu\u0308rich')
    expect(await tab.session()).not.toBeNull()
    expect((await site.stored.getPassword?.(id))?.hash).toBe('mine:Zürich')
    hasher.verify.mockClear()
    await enter(site.open(), 'wrong')
    const known = hasher.verify.mock.calls.length
    await enter(site.open(), 'wrong', 'unknown@example.com')
    expect([known, hasher.verify.mock.calls.length]).toEqual([1, 2])
    expect(hashes).toEqual([])
  })

  test('reads hashes of the library as those of another system', async () => {
    const { verifyPassword } = await import('../../../src/password.ts')
    const site = passwordSite({ password: { hasher, legacy: [verifyPassword] } })
    const id = await site.createUser()
    const tab = site.open()
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    expect((await site.stored.getPassword?.(id))?.hash).toBe(`mine:${RIGHT}`)
  })

  test('that does not return a text is an error of the configuration', async () => {
    const broken = { hash: async () => 5 as unknown as string, verify: async () => true }
    const site = passwordSite({ password: { hasher: broken } })
    await site.createUser()
    expect((await enter(site.open())).status).toBe(500)
    expect(errorTypes(site.log)).toEqual(['InvalidConfiguration'])
  })
})

test('guesses are limited by account, before a password is hashed', async () => {
  const site = passwordSite()
  await site.createUser()
  const { hashes } = site
  const places = []
  for (let guess = 0; guess < 12; guess++) {
    const email = ['ada@example.com', 'ADA@example.com', 'a.d.a+x@example.com'][guess % 3]
    places.push(locationOf(await enter(site.open(), `guess ${guess}`, email)))
  }
  expect(places.at(-1)).toContain('error=TooManyAttempts')
  expect(hashes.length).toBeLessThanOrEqual(10)
})

test('one line in the configuration shows the form on the sign-in page', async () => {
  const site = passwordSite({ config: { theme: { messages: { password: 'Kennwort' } } } })
  const html = await (await site.open().request('https://app.test/auth/signin')).text()
  expect(html).toMatch(/<input [^>]*type="email" autocomplete="username" required[^>]*name="email"/)
  expect(html).toMatch(/autocomplete="current-password"/)
  expect(html).toContain('>E-mail address</label>')
  expect(html).toContain('>Kennwort</label>')
  const mails: VerificationRequest[] = []
  const both = passwordSite({ config: { providers: [Password(), mailProvider(mails)] } })
  const page = await (await both.open().request('https://app.test/auth/signin')).text()
  expect(page.match(/type="email"/g)).toHaveLength(1)
  expect(page).toContain('>Use a password</summary>')
})

test.each<[string, PasswordOptions]>([
  ['minLength is not a whole number from 8 to 64', { minLength: 7 }],
  ['minLength is not a whole number from 8 to 64', { minLength: 12.5 }],
  ['check is not a function', { check: true as unknown as PasswordOptions['check'] }],
  [
    'hasher is not an object with the functions hash and verify',
    { hasher: {} as PasswordOptions['hasher'] },
  ],
  [
    'legacy is not an array of functions',
    { legacy: ['bcrypt'] as unknown as PasswordOptions['legacy'] },
  ],
  ['commonPasswords is not true or false', { commonPasswords: 'no' as unknown as boolean }],
])('%s', async (message, password) => {
  const { config, log } = passwordSite({ password })
  await Auth(new Request('https://app.test/auth/signin'), config)
  expect(log.errors[0]?.message).toContain(`providers[0] (password): ${message}`)
})

test.each<[string, Partial<AuthConfig>]>([
  ['adapter is missing', { adapter: undefined, session: { strategy: 'jwt' } }],
  [
    'The adapter lacks getPassword, setPassword',
    { adapter: without(MemoryAdapter(), 'getPassword', 'setPassword') },
  ],
  ['a second provider of passwords', { providers: [Password(), Password({ id: 'other' })] }],
])('%s: an error of the configuration', async (message, overrides) => {
  const { config, log } = passwordSite({ config: overrides })
  await Auth(new Request('https://app.test/auth/signin'), config)
  expect(log.errors[0]?.message).toContain(message)
})
