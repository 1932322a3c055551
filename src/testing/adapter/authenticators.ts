import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectKeys, expectNull, expectRow, expectThrow, expectValue } from './expect.ts'
import { lookalikes, newAuthenticator, newUser, twoUsers, unique } from './rows.ts'

export const authenticatorCases: readonly AdapterCase[] = [
  adapterCase(
    'createAuthenticator returns what it stored',
    ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkeys = [
        newAuthenticator(user.id),
        newAuthenticator(user.id, { credentialBackedUp: false, transports: null }),
      ]
      for (const passkey of passkeys) {
        const created = await adapter.createAuthenticator(passkey)
        expectRow('createAuthenticator', created, passkey)
        const found = await adapter.getAuthenticator(passkey.credentialID)
        expectRow('getAuthenticator', found, passkey)
      }
    },
  ),
  adapterCase(
    'createAuthenticator refuses an id that is taken',
    ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async (adapter) => {
      const [owner, other] = await twoUsers(adapter)
      const passkey = newAuthenticator(owner.id)
      await adapter.createAuthenticator(passkey)
      await expectThrow('createAuthenticator, with an id that is taken', () =>
        adapter.createAuthenticator({ ...passkey, userId: other.id }),
      )
      const found = await adapter.getAuthenticator(passkey.credentialID)
      expectValue('createAuthenticator twice changes the owner', found?.userId, owner.id)
    },
  ),
  adapterCase(
    'getAuthenticator finds a passkey by the exact id',
    ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkey = newAuthenticator(user.id)
      await adapter.createAuthenticator(passkey)
      for (const id of [unique(), ...lookalikes(passkey.credentialID)])
        expectNull(
          `getAuthenticator, with "${id}" when there is "${passkey.credentialID}"`,
          await adapter.getAuthenticator(id),
        )
    },
  ),
  adapterCase(
    'listAuthenticatorsByUserId returns all passkeys of a user',
    ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      const list = (userId: string) => adapter.listAuthenticatorsByUserId(userId)
      const what = 'listAuthenticatorsByUserId'
      expectKeys(`${what}, of a user without any`, await list(user.id), 'credentialID', [])
      const nobody = await list(crypto.randomUUID())
      expectKeys(`${what}, of an unknown user`, nobody, 'credentialID', [])
      const passkeys = [newAuthenticator(user.id), newAuthenticator(user.id)]
      for (const passkey of [...passkeys, newAuthenticator(other.id)])
        await adapter.createAuthenticator(passkey)
      const expected = passkeys.map(({ credentialID }) => credentialID)
      expectKeys(what, await list(user.id), 'credentialID', expected)
    },
  ),
  adapterCase(
    'updateAuthenticatorCounter sets the counter, and leaves the rest',
    ['createUser', 'createAuthenticator', 'updateAuthenticatorCounter', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [passkey, other] = [newAuthenticator(user.id), newAuthenticator(user.id)]
      await adapter.createAuthenticator(passkey)
      await adapter.createAuthenticator(other)
      // The counter is an unsigned 32-bit integer (WebAuthn §6.1).
      for (const counter of [1, 2_147_483_647]) {
        const expected = { ...passkey, counter }
        const updated = await adapter.updateAuthenticatorCounter(passkey.credentialID, counter)
        expectRow('updateAuthenticatorCounter returns the authenticator', updated, expected)
        const found = await adapter.getAuthenticator(passkey.credentialID)
        expectRow('updateAuthenticatorCounter', found, expected)
      }
      const untouched = await adapter.getAuthenticator(other.credentialID)
      expectRow('updateAuthenticatorCounter leaves others', untouched, other)
    },
  ),
  adapterCase(
    'updateAuthenticatorCounter refuses a passkey that is not there',
    ['updateAuthenticatorCounter'],
    async (adapter) => {
      const update = () => adapter.updateAuthenticatorCounter(unique(), 1)
      await expectThrow('updateAuthenticatorCounter, of an unknown passkey', update)
    },
  ),
]
