import type { AdapterUser } from '../../core/database/adapter.ts'
import { adapterCase, callEach, runSteps, stepCases } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectMatch, fail } from './expect.ts'
import { accountKey, lookalikes, newAccount, newUser, ODD_TEXT, unique } from './rows.ts'

/** Without columns that the database maintains, such as the time of the last change. */
function contractFields({ id, name, email, image, emailVerified }: AdapterUser) {
  return { id, name, email, image, emailVerified }
}

export const userCases: readonly AdapterCase[] = [
  adapterCase(
    'createUser stores a user and returns the stored row',
    () => ['createUser', 'getUser'],
    async (adapter) => {
      const { id, ...fields } = newUser()
      const created = await adapter.createUser({ id, ...fields })
      if (typeof created?.id !== 'string' || !created.id)
        fail('createUser, field id', 'a string', created?.id)
      expectMatch('createUser', created, fields)
      await runSteps(adapter, [['getUser', [created.id], created]], { after: 'createUser' })
    },
  ),
  ...stepCases(0, {
    'createUser stores long texts, Unicode and null': () => {
      const email = `o'${unique()}+${'x'.repeat(20)}@${'long.'.repeat(36)}example`
      const fields = { name: ODD_TEXT, email, image: null, emailVerified: null }
      return [
        ['createUser', [newUser(fields)]],
        ['getUserByEmail', [email], fields],
      ]
    },
    'getUser returns null for an unknown id': ({ user }) => [['getUser', [user.id], null]],
    'updateUser throws for an unknown user': ({ user: { id } }) => [
      ['updateUser', [{ id, name: 'Grace Hopper' }], 'an error'],
    ],
    'updateAccount throws for an unknown account': ({ account }) => [
      ['updateAccount', [{ ...accountKey(account), scope: 'openid' }], 'an error'],
    ],
  }),
  ...stepCases(2, {
    'getUserByEmail matches the exact address only': ({ user: { email }, user }) => [
      ['getUserByEmail', [email], user],
      ...callEach('getUserByEmail', [...lookalikes(email), email.replace('e', 'é')], null),
    ],
    'updateUser changes the given fields of one user': ({ user, other }) => {
      const emailVerified = new Date('2022-03-04T05:06:07.891Z')
      const expected = { ...contractFields(user), emailVerified }
      return [
        ['updateUser', [{ id: user.id, emailVerified }], expected],
        ['getUser', [user.id], expected],
        ['getUser', [other.id], other],
      ]
    },
    'updateUser clears fields that are null': ({ user }) => {
      const changes = { id: user.id, name: null, emailVerified: null }
      return [
        ['updateUser', [changes]],
        ['getUser', [user.id], { ...contractFields(user), ...changes }],
      ]
    },
    'deleteUser deletes one user': ({ user, other }) => [
      ['deleteUser', [user.id]],
      ['getUser', [user.id], null],
      ['getUserByEmail', [user.email], null],
      ['getUser', [other.id], other],
      ['deleteUser', [user.id], 'preferably no error'],
    ],
    'deleteUser deletes the accounts of the user': ({ user, other, account, otherAccount }) => [
      ...callEach('linkAccount', [account, otherAccount]),
      ['deleteUser', [user.id]],
      ['getUserByAccount', [accountKey(account)], null],
      ['getUserByAccount', [accountKey(otherAccount)], { id: other.id }],
      // A remaining account would prevent every other user from linking it.
      ['linkAccount', [{ ...account, userId: other.id }]],
    ],
    'deleteUser deletes the sessions of the user': ({ user, other, session, otherSession }) => [
      ...callEach('createSession', [session, otherSession]),
      ['deleteUser', [user.id]],
      ['getSessionAndUser', [session.sessionToken], null],
      ['getSessionAndUser', [otherSession.sessionToken], { user: { id: other.id } }],
      ['createSession', [{ ...session, userId: other.id }]],
    ],
    'deleteUser deletes the passkeys of the user': ({ user, passkey }) => [
      ['createAuthenticator', [passkey]],
      ['deleteUser', [user.id]],
      ['getAuthenticator', [passkey.credentialID], null],
    ],
    'getUserByAccount returns the owner of a linked account': ({ user, account }) => [
      ['linkAccount', [account]],
      ['getUserByAccount', [accountKey(account)], user],
    ],
    'getUserByAccount matches provider and providerAccountId exactly': ({ account }) => {
      const { provider, providerAccountId } = account
      const alike = lookalikes(providerAccountId).map((id) => ({ provider, providerAccountId: id }))
      return [
        ['linkAccount', [account]],
        ...callEach('getUserByAccount', [{ provider: 'other', providerAccountId }, ...alike], null),
      ]
    },
    'linkAccount links the same id at two providers to two users': ({ user, other, account }) => {
      const same = { ...account, provider: 'other', userId: other.id }
      return [
        ...callEach('linkAccount', [account, same]),
        ['getUserByAccount', [accountKey(account)], { id: user.id }],
        ['getUserByAccount', [accountKey(same)], { id: other.id }],
      ]
    },
    'linkAccount stores long ids and Unicode': ({ user: { id } }) => {
      const odd = newAccount(id, { providerAccountId: `${unique()} ${ODD_TEXT}` })
      // Maximum length of `sub` (OpenID Connect Core §2).
      const long = newAccount(id, { providerAccountId: unique().repeat(8).slice(0, 255) })
      const truncated = {
        ...accountKey(long),
        providerAccountId: long.providerAccountId.slice(0, -1),
      }
      return [
        ...callEach('linkAccount', [odd, long]),
        ...callEach('getUserByAccount', [accountKey(odd), accountKey(long)], { id }),
        ['getUserByAccount', [truncated], null],
      ]
    },
    'linkAccount throws for an account that is already linked': ({ user, other, account }) => [
      ['linkAccount', [account]],
      ['linkAccount', [{ ...account, userId: other.id }], 'an error'],
      ['linkAccount', [account], 'an error'],
      ['getUserByAccount', [accountKey(account)], { id: user.id }],
    ],
    'getAccount returns every field of a linked account': ({ account }) => [
      ['linkAccount', [account]],
      ['getAccount', [account.providerAccountId, account.provider], account],
    ],
    'getAccount matches providerAccountId and provider, in this order': ({ account }) => {
      const { provider, providerAccountId: id } = account
      return [
        ['linkAccount', [account]],
        ['getAccount', [id, 'other'], null],
        ['getAccount', [unique(), provider], null],
        ['getAccount', [provider, id], null],
      ]
    },
    'unlinkAccount deletes one account and keeps its user': ({ user, account, account2 }) => [
      ...callEach('linkAccount', [account, account2]),
      ['unlinkAccount', [{ ...accountKey(account), provider: 'other' }], 'preferably no error'],
      ['getUserByAccount', [accountKey(account)], { id: user.id }],
      ['unlinkAccount', [accountKey(account)]],
      ['getUserByAccount', [accountKey(account)], null],
      ['getUserByAccount', [accountKey(account2)], { id: user.id }],
      ['getUser', [user.id], user],
      ['linkAccount', [account]],
    ],
    'updateAccount changes the given fields of one account': ({ account, account2 }) => {
      const changes = { access_token: 'another', expires_at: 2_114_380_900 }
      return [
        ...callEach('linkAccount', [account, account2]),
        ['updateAccount', [{ ...accountKey(account), ...changes }]],
        ['getAccount', [account.providerAccountId, account.provider], { ...account, ...changes }],
        ['getAccount', [account2.providerAccountId, account2.provider], account2],
      ]
    },
    'listAccounts returns all accounts of a user': ({ user, account, account2, otherAccount }) => {
      const accounts = [account, { ...account2, provider: 'other' }]
      return [
        ['listAccounts', [user.id], []],
        ...callEach('linkAccount', [...accounts, otherAccount]),
        ['listAccounts', [user.id], accounts.map(accountKey)],
      ]
    },
  }),
]
