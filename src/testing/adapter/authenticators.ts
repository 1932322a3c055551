import { callEach, stepCase } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { lookalikes, newAuthenticator, unique } from './rows.ts'

export const authenticatorCases: readonly AdapterCase[] = [
  stepCase('createAuthenticator stores a passkey and returns the stored row', 1, (user) => {
    const passkey = newAuthenticator(user.id)
    const bare = newAuthenticator(user.id, { credentialBackedUp: false, transports: null })
    return [
      ['createAuthenticator', [passkey], passkey],
      ['getAuthenticator', [passkey.credentialID], passkey],
      ['createAuthenticator', [bare], bare],
      ['getAuthenticator', [bare.credentialID], bare],
    ]
  }),
  stepCase('createAuthenticator throws for an id that already exists', 2, (owner, other) => {
    const passkey = newAuthenticator(owner.id)
    return [
      ['createAuthenticator', [passkey]],
      ['createAuthenticator', [{ ...passkey, userId: other.id }], 'an error'],
      ['getAuthenticator', [passkey.credentialID], { userId: owner.id }],
    ]
  }),
  stepCase('getAuthenticator matches the exact id only', 1, (user) => {
    const passkey = newAuthenticator(user.id)
    return [
      ['createAuthenticator', [passkey]],
      ...callEach('getAuthenticator', [unique(), ...lookalikes(passkey.credentialID)], null),
    ]
  }),
  stepCase('listAuthenticatorsByUserId returns all passkeys of a user', 2, (user, other) => {
    const passkeys = [newAuthenticator(user.id), newAuthenticator(user.id)]
    const ids = passkeys.map(({ credentialID }) => ({ credentialID }))
    return [
      ...callEach('listAuthenticatorsByUserId', [user.id, crypto.randomUUID()], []),
      ...callEach('createAuthenticator', [...passkeys, newAuthenticator(other.id)]),
      ['listAuthenticatorsByUserId', [user.id], ids],
    ]
  }),
  stepCase('updateAuthenticatorCounter sets the counter of one passkey', 1, (user) => {
    const [passkey, other] = [newAuthenticator(user.id), newAuthenticator(user.id)]
    const { credentialID } = passkey
    // The counter is an unsigned 32-bit integer (WebAuthn §6.1).
    const updates = [1, 2_147_483_647].flatMap((counter): Step[] => [
      ['updateAuthenticatorCounter', [credentialID, counter], { ...passkey, counter }],
      ['getAuthenticator', [credentialID], { ...passkey, counter }],
    ])
    return [
      ...callEach('createAuthenticator', [passkey, other]),
      ...updates,
      ['getAuthenticator', [other.credentialID], other],
    ]
  }),
  stepCase('updateAuthenticatorCounter throws for an unknown passkey', 0, () => [
    ['updateAuthenticatorCounter', [unique(), 1], 'an error'],
  ]),
]
