/** Registration and sign-in with real keys, over adapters of other packages. */
import { expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import { listPasskeys } from '../../src/passkeys.ts'
import { headersOf } from '../passkeys.ts'
import { BE, BS, createAuthenticator, UP, UV } from '../core/flows/webauthn/authenticator.ts'
import {
  authenticate,
  NOT_LINKED,
  passkeySite,
  register,
  REJECTED,
  signedInAs,
  target,
} from '../core/flows/webauthn/site.ts'

/** What an adapter that stores authenticators must support. */
export function testCeremonies(adapter: () => Adapter): void {
  test.each(['database', 'jwt'] as const)(
    'registers a passkey and signs in with it, with %s sessions',
    async (strategy) => {
      const site = passkeySite({ adapter: adapter(), config: { session: { strategy } } })
      const email = `${crypto.randomUUID()}@example.com`
      const passkey = createAuthenticator({ flags: UP | UV | BE | BS })
      expect(target(await register(site.tab, passkey, { email }))).toBe('302 /')
      for (const typed of [{}, { email }]) {
        const tab = site.open()
        expect(target(await authenticate(tab, passkey, typed))).toBe('302 /')
        expect(await signedInAs(tab)).toBe(email)
      }
      expect(site.log.errors).toEqual([])
      const { value } = await listPasskeys(headersOf(site.tab), site.config)
      expect(value).toMatchObject([
        { deviceType: 'multiDevice', isBackedUp: true, transports: ['hybrid', 'internal'] },
      ])
    },
  )

  test('rejects a counter that goes back, and a passkey that is registered already', async () => {
    const site = passkeySite({ adapter: adapter() })
    const email = `${crypto.randomUUID()}@example.com`
    const passkey = createAuthenticator({ counter: 5 })
    await register(site.tab, passkey, { email })
    expect(target(await authenticate(site.tab, passkey, { counter: 3 }))).toBe(REJECTED)
    expect(target(await authenticate(site.open(), createAuthenticator()))).toBe(REJECTED)
    const other = { email: `other-${email}` }
    expect(target(await register(site.open(), passkey, other))).toBe(NOT_LINKED)
    expect(target(await register(site.open(), createAuthenticator(), { email }))).toBe(NOT_LINKED)
  })
}
