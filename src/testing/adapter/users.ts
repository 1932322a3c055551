import type { AdapterUser } from '../../adapters/index.ts'
import { adapterCase, callEach, runSteps, stepCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectMatch, fail } from './expect.ts'
import {
  keyOf,
  lookalikes,
  newAccount,
  newAuthenticator,
  newSession,
  newUser,
  ODD_TEXT,
  unique,
} from './rows.ts'

/** The fields of the contract, without columns that the database maintains, such as the time of the last change. */
function contractFields({ id, name, email, image, emailVerified }: AdapterUser) {
  return { id, name, email, image, emailVerified }
}

export const userCases: readonly AdapterCase[] = [
  adapterCase(
    'createUser stores a user and returns the stored row',
    ['createUser', 'getUser'],
    async (adapter) => {
      const { id, ...fields } = newUser()
      const created = await adapter.createUser({ id, ...fields })
      if (typeof created?.id !== 'string' || !created.id)
        fail('createUser, field id', 'a string', created?.id)
      expectMatch('createUser', created, fields)
      await runSteps(adapter, [['getUser', [created.id], created]], { after: 'createUser' })
    },
  ),
  stepCase('createUser stores long texts, Unicode and null', 0, () => {
    const email = `o'${unique()}+${'x'.repeat(20)}@${'long.'.repeat(36)}example`
    const fields = { name: ODD_TEXT, email, image: null, emailVerified: null }
    return [
      ['createUser', [newUser(fields)]],
      ['getUserByEmail', [email], fields],
    ]
  }),
  stepCase('getUser returns null for an unknown id', 0, () => [
    ['getUser', [crypto.randomUUID()], null],
  ]),
  stepCase('getUserByEmail matches the exact address only', 1, (user) => [
    ['getUserByEmail', [user.email], user],
    ...callEach('getUserByEmail', [...lookalikes(user.email), user.email.replace('e', 'é')], null),
  ]),
  stepCase('updateUser changes the given fields of one user', 2, (user, other) => {
    const emailVerified = new Date('2022-03-04T05:06:07.891Z')
    const expected = { ...contractFields(user), emailVerified }
    return [
      ['updateUser', [{ id: user.id, emailVerified }], expected],
      ['getUser', [user.id], expected],
      ['getUser', [other.id], other],
    ]
  }),
  stepCase('updateUser clears fields that are null', 1, (user) => {
    const changes = { id: user.id, name: null, emailVerified: null }
    return [
      ['updateUser', [changes]],
      ['getUser', [user.id], { ...contractFields(user), ...changes }],
    ]
  }),
  stepCase('updateUser throws for an unknown user', 0, () => [
    ['updateUser', [{ id: crypto.randomUUID(), name: 'Grace Hopper' }], 'an error'],
  ]),
  stepCase('deleteUser deletes one user', 2, (user, other) => [
    ['deleteUser', [user.id]],
    ['getUser', [user.id], null],
    ['getUserByEmail', [user.email], null],
    ['getUser', [other.id], other],
    ['deleteUser', [user.id], 'preferably no error'],
  ]),
  stepCase('deleteUser deletes the accounts of the user', 2, (user, other) => {
    const [account, kept] = [newAccount(user.id), newAccount(other.id)]
    return [
      ...callEach('linkAccount', [account, kept]),
      ['deleteUser', [user.id]],
      ['getUserByAccount', [keyOf(account)], null],
      ['getUserByAccount', [keyOf(kept)], { id: other.id }],
      // A remaining account would prevent every other user from linking it.
      ['linkAccount', [{ ...account, userId: other.id }]],
    ]
  }),
  stepCase('deleteUser deletes the sessions of the user', 2, (user, other) => {
    const [session, kept] = [newSession(user.id), newSession(other.id)]
    return [
      ...callEach('createSession', [session, kept]),
      ['deleteUser', [user.id]],
      ['getSessionAndUser', [session.sessionToken], null],
      ['getSessionAndUser', [kept.sessionToken], { user: { id: other.id } }],
      ['createSession', [{ ...session, userId: other.id }]],
    ]
  }),
  stepCase('deleteUser deletes the passkeys of the user', 1, (user) => {
    const passkey = newAuthenticator(user.id)
    return [
      ['createAuthenticator', [passkey]],
      ['deleteUser', [user.id]],
      ['getAuthenticator', [passkey.credentialID], null],
    ]
  }),
]
