import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow, expectThrow, expectValue, fail, preferNoThrow } from './expect.ts'
import {
  lookalikes,
  newAccount,
  newAuthenticator,
  newSession,
  newUser,
  ODD_TEXT,
  twoUsers,
  unique,
} from './rows.ts'

export const userCases: readonly AdapterCase[] = [
  adapterCase('createUser returns what it stored', ['createUser', 'getUser'], async (adapter) => {
    const { id, ...fields } = newUser()
    const created = await adapter.createUser({ id, ...fields })
    if (typeof created?.id !== 'string' || !created.id)
      fail('createUser, field id', 'a text', created?.id)
    expectRow('createUser', created, fields)
    expectRow('getUser, of a user just created', await adapter.getUser(created.id), created)
  }),
  adapterCase(
    'createUser stores odd and long texts, and no date',
    ['createUser', 'getUserByEmail'],
    async (adapter) => {
      const email = `o'${unique()}+${'x'.repeat(20)}@${'long.'.repeat(36)}example`
      const user = { name: ODD_TEXT, email, image: null, emailVerified: null }
      await adapter.createUser(newUser(user))
      const found = await adapter.getUserByEmail(email)
      expectRow('createUser, with odd and long texts', found, user)
    },
  ),
  adapterCase('getUser knows nobody by another id', ['getUser'], async (adapter) => {
    expectNull('getUser, with an unknown id', await adapter.getUser(crypto.randomUUID()))
  }),
  adapterCase(
    'getUserByEmail finds a user by the exact address',
    ['createUser', 'getUserByEmail'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const found = await adapter.getUserByEmail(user.email)
      expectRow('getUserByEmail', found, user)
      const others = [...lookalikes(user.email), user.email.replace('e', 'é')]
      for (const email of others)
        expectNull(
          `getUserByEmail, with "${email}" when there is "${user.email}"`,
          await adapter.getUserByEmail(email),
        )
    },
  ),
  adapterCase(
    'updateUser changes what is given, and leaves the rest',
    ['createUser', 'getUser', 'updateUser'],
    async (adapter) => {
      // Columns that the database maintains, such as the time of the last change, are ignored.
      const given = newUser()
      const { id } = await adapter.createUser(given)
      const user = { ...given, id }
      const other = await adapter.createUser(newUser())
      const emailVerified = new Date('2022-03-04T05:06:07.891Z')
      const expected = { ...user, emailVerified }
      const updated = await adapter.updateUser({ id: user.id, emailVerified })
      expectRow('updateUser, with emailVerified only, returns the whole user', updated, expected)
      const stored = await adapter.getUser(user.id)
      expectRow('updateUser, with emailVerified only, leaves the rest', stored, expected)
      const untouched = await adapter.getUser(other.id)
      expectRow('updateUser leaves other users alone', untouched, other)
    },
  ),
  adapterCase(
    'updateUser clears what is null',
    ['createUser', 'getUser', 'updateUser'],
    async (adapter) => {
      const user = newUser()
      const { id } = await adapter.createUser(user)
      await adapter.updateUser({ id, name: null, emailVerified: null })
      const expected = { ...user, id, name: null, emailVerified: null }
      expectRow('updateUser, with null', await adapter.getUser(id), expected)
    },
  ),
  adapterCase('updateUser refuses a user who is not there', ['updateUser'], async (adapter) => {
    const user = { id: crypto.randomUUID(), name: 'Nobody' }
    await expectThrow('updateUser, of an unknown user', () => adapter.updateUser(user))
  }),
  adapterCase(
    'deleteUser deletes one user',
    ['createUser', 'getUser', 'getUserByEmail', 'deleteUser'],
    async (adapter, report) => {
      const user = await adapter.createUser(newUser())
      const other = await adapter.createUser(newUser())
      await adapter.deleteUser(user.id)
      expectNull('deleteUser, then getUser', await adapter.getUser(user.id))
      expectNull('deleteUser, then getUserByEmail', await adapter.getUserByEmail(user.email))
      expectRow('deleteUser leaves other users alone', await adapter.getUser(other.id), other)
      const again = () => adapter.deleteUser(user.id)
      await preferNoThrow('deleteUser, of a user who is gone', again, report)
    },
  ),
  adapterCase(
    'deleteUser deletes the accounts of the user',
    ['createUser', 'deleteUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      const [account, kept] = [newAccount(user.id), newAccount(other.id)]
      await adapter.linkAccount(account)
      await adapter.linkAccount(kept)
      await adapter.deleteUser(user.id)
      expectNull('deleteUser, then getUserByAccount', await adapter.getUserByAccount(account))
      // A remaining account would prevent every other user from linking it.
      try {
        await adapter.linkAccount({ ...account, userId: other.id })
      } catch (error) {
        fail('deleteUser, then linkAccount of the account', 'the account to be gone', error)
      }
      const owner = await adapter.getUserByAccount(kept)
      expectValue('deleteUser leaves the accounts of others', owner?.id, other.id)
    },
  ),
  adapterCase(
    'deleteUser deletes the sessions of the user',
    ['createUser', 'deleteUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      const [session, kept] = [newSession(user.id), newSession(other.id)]
      await adapter.createSession(session)
      await adapter.createSession(kept)
      await adapter.deleteUser(user.id)
      const left = await adapter.getSessionAndUser(session.sessionToken)
      expectNull('deleteUser, then getSessionAndUser', left)
      try {
        await adapter.createSession({ ...session, userId: other.id })
      } catch (error) {
        fail('deleteUser, then createSession with the same token', 'the session to be gone', error)
      }
      const found = await adapter.getSessionAndUser(kept.sessionToken)
      expectValue('deleteUser leaves the sessions of others', found?.user.id, other.id)
    },
  ),
  adapterCase(
    'deleteUser deletes the authenticators of the user',
    ['createUser', 'deleteUser', 'createAuthenticator', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const { credentialID } = await adapter.createAuthenticator(newAuthenticator(user.id))
      await adapter.deleteUser(user.id)
      const left = await adapter.getAuthenticator(credentialID)
      expectNull('deleteUser, then getAuthenticator', left)
    },
  ),
]
