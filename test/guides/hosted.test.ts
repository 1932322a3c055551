/** docs/migrate/hosted.md */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import { Password } from '../../src/password.ts'
import type { VerifyLegacyPassword } from '../../src/password.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('hosted', 'docs/migrate/hosted.md')

/** The example in the documentation of the hash. */
const PARAMETERS = {
  FIREBASE_SIGNER_KEY:
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  FIREBASE_SALT_SEPARATOR: 'Bw==',
}
const HASH =
  '$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
const PASSWORD = 'user1password'

type Link = (
  adapter: Required<Adapter>,
  userId: string,
  identities: readonly { provider: string; id: string }[],
) => Promise<unknown[]>

let linkAccounts: Link
let firebase: VerifyLegacyPassword

beforeAll(async () => {
  for (const [name, value] of Object.entries(PARAMETERS)) vi.stubEnv(name, value)
  ;({ linkAccounts } = await guide.load<{ linkAccounts: Link }>('link-accounts.ts'))
  ;({ firebase } = await guide.load<{ firebase: VerifyLegacyPassword }>('firebase.ts'))
})
afterAll(() => void vi.unstubAllEnvs())

const userOf = (id: string) => ({ id, name: null, email: `${id}@example.com`, image: null })

async function siteWith(...ids: string[]) {
  const adapter = MemoryAdapter()
  for (const id of ids) await adapter.createUser({ ...userOf(id), emailVerified: new Date() })
  return adapter
}

describe('a hash of Firebase', () => {
  test('is that of the example of its documentation', async () => {
    expect(await firebase(PASSWORD, HASH)).toBe(true)
    expect(await firebase('user2password', HASH)).toBe(false)
  })

  test.each([
    '',
    '$firebase$42xEC+ixf3L2lw==$',
    '$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95',
    '$2b$10$x',
  ])('is not "%s"', async (hash) => {
    expect(await firebase(PASSWORD, hash)).toBe(false)
  })

  test('signs its user in, and is replaced', async () => {
    const adapter = await siteWith('ada')
    await adapter.setPassword('ada', { hash: HASH, changed: new Date() }, null)
    const op = await issuer()
    const providers = [Password({ legacy: [firebase] })]
    const { config } = configFor(op, { adapter, providers })
    const tab = browser(config)
    await tab.post('callback/password', { email: 'ada@example.com', password: PASSWORD })
    expect((await tab.session())?.user?.email).toBe('ada@example.com')
    expect((await adapter.getPassword('ada'))?.hash).toMatch(/^\$scrypt\$/)
  })
})

describe('the accounts of a service', () => {
  test('sign in as the user with the old id; without the import, the same sign-in is refused', async () => {
    const adapter = await siteWith('auth0|1')
    const op = await issuer()
    const { config } = configFor(op, { adapter, providers: [oidc(op, { id: 'google' })] })
    const person = { sub: '117', email: 'auth0|1@example.com' }
    const refused = await browser(config, { issuer: op }).signIn('google', person)
    expect(refused.headers.get('location')).toContain('OAuthAccountNotLinked')
    const identities = [{ provider: 'google-oauth2', id: '117' }]
    expect(await linkAccounts(adapter, 'auth0|1', identities)).toEqual([])
    const tab = browser(config, { issuer: op })
    await tab.signIn('google', person)
    expect(
      (await adapter.getUserByAccount({ provider: 'google', providerAccountId: '117' }))?.id,
    ).toBe('auth0|1')
    expect((await tab.session())?.user?.email).toBe(person.email)
  })

  test('can be linked again, and not to a second user', async () => {
    const adapter = await siteWith('ada', 'bob')
    const github = { provider: 'github.com', id: '7' }
    const phone = { provider: 'phone', id: '+1' }
    expect(await linkAccounts(adapter, 'ada', [github, phone])).toEqual([phone])
    expect(await linkAccounts(adapter, 'ada', [github])).toEqual([])
    expect(await linkAccounts(adapter, 'bob', [github])).toEqual([github])
    expect(await adapter.listAccounts('bob')).toEqual([])
  })
})
