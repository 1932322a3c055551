import { callEach, stepCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { keyOf, lookalikes, newAccount, ODD_TEXT, unique } from './rows.ts'

export const accountCases: readonly AdapterCase[] = [
  stepCase('getUserByAccount returns the owner of a linked account', 1, (user) => {
    const account = newAccount(user.id)
    return [
      ['linkAccount', [account]],
      ['getUserByAccount', [keyOf(account)], user],
    ]
  }),
  stepCase('getUserByAccount matches provider and providerAccountId exactly', 1, (user) => {
    const { provider, providerAccountId } = newAccount(user.id)
    const others = lookalikes(providerAccountId).map((id) => ({ provider, providerAccountId: id }))
    return [
      ['linkAccount', [newAccount(user.id, { provider, providerAccountId })]],
      ...callEach('getUserByAccount', [{ provider: 'other', providerAccountId }, ...others], null),
    ]
  }),
  stepCase('linkAccount links the same id at two providers to two users', 2, (user, other) => {
    const account = newAccount(user.id)
    const same = { ...account, provider: 'other', userId: other.id }
    return [
      ...callEach('linkAccount', [account, same]),
      ['getUserByAccount', [keyOf(account)], { id: user.id }],
      ['getUserByAccount', [keyOf(same)], { id: other.id }],
    ]
  }),
  stepCase('linkAccount stores long ids and Unicode', 1, (user) => {
    const odd = newAccount(user.id, { providerAccountId: `${unique()} ${ODD_TEXT}` })
    // Maximum length of `sub` (OpenID Connect Core §2).
    const long = newAccount(user.id, { providerAccountId: unique().repeat(8).slice(0, 255) })
    const truncated = { ...keyOf(long), providerAccountId: long.providerAccountId.slice(0, -1) }
    return [
      ...callEach('linkAccount', [odd, long]),
      ...callEach('getUserByAccount', [keyOf(odd), keyOf(long)], { id: user.id }),
      ['getUserByAccount', [truncated], null],
    ]
  }),
  stepCase('linkAccount throws for an account that is already linked', 2, (owner, other) => {
    const account = newAccount(owner.id)
    return [
      ['linkAccount', [account]],
      ['linkAccount', [{ ...account, userId: other.id }], 'an error'],
      ['linkAccount', [account], 'an error'],
      ['getUserByAccount', [keyOf(account)], { id: owner.id }],
    ]
  }),
  stepCase('getAccount returns every field of a linked account', 1, (user) => {
    const account = newAccount(user.id)
    return [
      ['linkAccount', [account]],
      ['getAccount', [account.providerAccountId, account.provider], account],
    ]
  }),
  stepCase('getAccount matches providerAccountId and provider, in this order', 1, (user) => {
    const account = newAccount(user.id)
    const { provider, providerAccountId: id } = account
    return [
      ['linkAccount', [account]],
      ['getAccount', [id, 'other'], null],
      ['getAccount', [unique(), provider], null],
      ['getAccount', [provider, id], null],
    ]
  }),
  stepCase('unlinkAccount deletes one account and keeps its user', 1, (user) => {
    const [account, kept] = [newAccount(user.id), newAccount(user.id)]
    return [
      ...callEach('linkAccount', [account, kept]),
      ['unlinkAccount', [{ ...keyOf(account), provider: 'other' }], 'preferably no error'],
      ['getUserByAccount', [keyOf(account)], { id: user.id }],
      ['unlinkAccount', [keyOf(account)]],
      ['getUserByAccount', [keyOf(account)], null],
      ['getUserByAccount', [keyOf(kept)], { id: user.id }],
      ['getUser', [user.id], user],
      ['linkAccount', [account]],
    ]
  }),
  stepCase('updateAccount changes the given fields of one account', 1, (user) => {
    const [account, other] = [newAccount(user.id), newAccount(user.id)]
    const changes = { access_token: 'another', expires_at: 2_114_380_900 }
    return [
      ...callEach('linkAccount', [account, other]),
      ['updateAccount', [{ ...keyOf(account), ...changes }]],
      ['getAccount', [account.providerAccountId, account.provider], { ...account, ...changes }],
      ['getAccount', [other.providerAccountId, other.provider], other],
    ]
  }),
  stepCase('updateAccount throws for an unknown account', 0, () => [
    ['updateAccount', [{ ...keyOf(newAccount('')), scope: 'openid' }], 'an error'],
  ]),
  stepCase('listAccounts returns all accounts of a user', 2, (user, other) => {
    const accounts = [newAccount(user.id), newAccount(user.id, { provider: 'other' })]
    return [
      ['listAccounts', [user.id], []],
      ...callEach('linkAccount', [...accounts, newAccount(other.id)]),
      ['listAccounts', [user.id], accounts.map(keyOf)],
    ]
  }),
]
