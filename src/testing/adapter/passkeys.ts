import { asRecord } from '../../core/is-record.ts'
import { adapterCase, callEach, createUsers, runSteps, stepCases } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { LATER, lookalikes, newRows, ODD_TEXT, unique } from './rows.ts'

export const passkeyCases: readonly AdapterCase[] = [
  ...stepCases(0, {
    'updateAuthenticatorCounter throws for an unknown passkey': () => [
      ['updateAuthenticatorCounter', [unique(), 1], 'an error'],
    ],
    'updateAuthenticator throws for an unknown passkey': () => [
      ['updateAuthenticator', [unique(), { counter: 1 }], 'an error'],
    ],
  }),
  ...stepCases(2, {
    'createAuthenticator stores a passkey and returns the stored row': ({ passkey, passkey2 }) => {
      const bare = { ...passkey2, credentialBackedUp: false, transports: null }
      return [passkey, bare].flatMap((row): Step[] => [
        ['createAuthenticator', [row], row],
        ['getAuthenticator', [row.credentialID], row],
      ])
    },
    'createAuthenticator throws for an id that already exists': ({ user, other, passkey }) => [
      ['createAuthenticator', [passkey]],
      ['createAuthenticator', [{ ...passkey, userId: other.id }], 'an error'],
      ['getAuthenticator', [passkey.credentialID], { userId: user.id }],
    ],
    'getAuthenticator matches the exact id only': ({ passkey }) => [
      ['createAuthenticator', [passkey]],
      ...callEach('getAuthenticator', [unique(), ...lookalikes(passkey.credentialID)], null),
    ],
    'listAuthenticatorsByUserId returns all passkeys of a user': (rows) => {
      const passkeys = [rows.passkey, rows.passkey2]
      const ids = passkeys.map(({ credentialID }) => ({ credentialID }))
      return [
        ...callEach('listAuthenticatorsByUserId', [rows.user.id, unique()], []),
        ...callEach('createAuthenticator', [...passkeys, rows.otherPasskey]),
        ['listAuthenticatorsByUserId', [rows.user.id], ids],
      ]
    },
    'updateAuthenticatorCounter sets the counter of one passkey': ({ passkey, passkey2 }) => {
      const { credentialID } = passkey
      // The counter is an unsigned 32-bit integer (WebAuthn §6.1).
      const updates = [1, 2_147_483_647].flatMap((counter): Step[] => [
        ['updateAuthenticatorCounter', [credentialID, counter], { ...passkey, counter }],
        ['getAuthenticator', [credentialID], { ...passkey, counter }],
      ])
      return [
        ...callEach('createAuthenticator', [passkey, passkey2]),
        ...updates,
        ['getAuthenticator', [passkey2.credentialID], passkey2],
      ]
    },
    'updateAuthenticator changes the given fields of one passkey': ({ passkey, passkey2 }) => {
      const { credentialID } = passkey
      const used = { counter: 7, credentialBackedUp: false }
      const counted = { ...passkey, ...used, counter: 8 }
      return [
        ...callEach('createAuthenticator', [passkey, passkey2]),
        ['updateAuthenticator', [credentialID, used], { ...passkey, ...used }],
        ['updateAuthenticator', [credentialID, { counter: 8 }], counted],
        ['getAuthenticator', [credentialID], counted],
        ['getAuthenticator', [passkey2.credentialID], passkey2],
      ]
    },
    'deleteAuthenticator deletes one passkey': ({ passkey, passkey2 }) => [
      ...callEach('createAuthenticator', [passkey, passkey2]),
      ['deleteAuthenticator', [passkey.credentialID]],
      ['getAuthenticator', [passkey.credentialID], null],
      ['getAuthenticator', [passkey2.credentialID], passkey2],
      ['deleteAuthenticator', [passkey.credentialID], 'preferably no error'],
      ['createAuthenticator', [passkey], passkey],
    ],
    'deleteAuthenticator matches the exact id only': ({ passkey }) => {
      const { credentialID } = passkey
      const others = [unique(), ...lookalikes(credentialID)]
      return [
        ['createAuthenticator', [passkey]],
        ...callEach('deleteAuthenticator', others, 'preferably no error'),
        ['getAuthenticator', [credentialID], passkey],
      ]
    },
  }),
  adapterCase(
    'updateAuthenticator stores name and lastUsed',
    () => ['createUser', 'createAuthenticator', 'updateAuthenticator', 'getAuthenticator'],
    async (adapter, report) => {
      const { passkey } = newRows(await createUsers(adapter, 1))
      const { credentialID } = await adapter.createAuthenticator(passkey)
      const given = Object.entries({ name: ODD_TEXT, lastUsed: LATER })
      const updated = await adapter.updateAuthenticator(credentialID, Object.fromEntries(given))
      const stored = given.filter(([field]) => asRecord(updated)[field] !== undefined)
      if (stored.length < given.length)
        report(
          'updateAuthenticator drops name or lastUsed. Add these columns; otherwise users cannot tell their passkeys apart.',
        )
      const fields = Object.fromEntries(stored)
      const cleared = Object.fromEntries(stored.map(([field]) => [field, null]))
      const after = 'updateAuthenticator'
      const steps: Step[] = [
        ['getAuthenticator', [credentialID], { ...passkey, ...fields }],
        ['updateAuthenticator', [credentialID, cleared], { ...passkey, ...cleared }],
        ['getAuthenticator', [credentialID], { ...passkey, ...cleared }],
      ]
      await runSteps(adapter, steps, { after })
    },
  ),
]
