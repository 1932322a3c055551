import { describe, expect, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import {
  authenticate,
  createUser,
  passkeySite,
  register,
  signInAs,
  signedInAs,
  target,
} from './site.ts'

describe.each([{ strategy: 'database' }, { strategy: 'jwt' }] as const)(
  'with session strategy $strategy',
  (session) => {
    test('a new user registers with a passkey, and signs in with it in another browser', async () => {
      const site = passkeySite({ config: { session } })
      const passkey = createAuthenticator()
      expect(target(await register(site.tab, passkey, { email: 'Ada@Example.com' }))).toBe('302 /')
      expect(await signedInAs(site.tab)).toBe('ada@example.com')
      const other = site.open()
      expect(target(await authenticate(other, passkey))).toBe('302 /')
      expect(await signedInAs(other)).toBe('ada@example.com')
    })

    test('a signed-in user adds a passkey, and signs in with it', async () => {
      const site = passkeySite({ config: { session } })
      const ada = await createUser(site, 'ada@example.com')
      await signInAs(site.tab, ada)
      const passkey = createAuthenticator()
      expect(target(await register(site.tab, passkey))).toBe('302 /')
      expect(await signedInAs(site.tab)).toBe('ada@example.com')
      const other = site.open()
      await authenticate(other, passkey, { email: 'ada@example.com' })
      expect(await signedInAs(other)).toBe('ada@example.com')
    })
  },
)
