import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import {
  expectKeys,
  expectNull,
  expectRow,
  expectThrow,
  expectValue,
  preferNoThrow,
} from './expect.ts'
import { lookalikes, newAccount, newUser, ODD_TEXT, twoUsers, unique } from './rows.ts'

export const accountCases: readonly AdapterCase[] = [
  adapterCase(
    'getUserByAccount finds the user of a linked account',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      const found = await adapter.getUserByAccount({ provider, providerAccountId })
      expectRow('getUserByAccount', found, user)
    },
  ),
  adapterCase(
    'getUserByAccount finds nobody when one half of the key is another',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const { provider, providerAccountId } = newAccount(user.id)
      await adapter.linkAccount(newAccount(user.id, { provider, providerAccountId }))
      const find = (key: { provider: string; providerAccountId: string }) =>
        adapter.getUserByAccount(key)
      expectNull(
        'getUserByAccount, with another provider',
        await find({ provider: 'other', providerAccountId }),
      )
      for (const other of lookalikes(providerAccountId))
        expectNull(
          `getUserByAccount, with "${other}" when there is "${providerAccountId}"`,
          await find({ provider, providerAccountId: other }),
        )
    },
  ),
  adapterCase(
    'linkAccount keeps equal ids of two providers apart',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const [first, second] = await twoUsers(adapter)
      const providerAccountId = unique()
      const here = newAccount(first.id, { provider: 'here', providerAccountId })
      const there = newAccount(second.id, { provider: 'there', providerAccountId })
      await adapter.linkAccount(here)
      await adapter.linkAccount(there)
      for (const account of [here, there])
        expectValue(
          'linkAccount of the same id at two providers, then getUserByAccount',
          (await adapter.getUserByAccount(account))?.id,
          account.userId,
        )
    },
  ),
  adapterCase(
    'linkAccount stores odd and long ids',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const odd = `${unique()} ${ODD_TEXT}`
      // Maximum length of `sub` (OpenID Connect Core §2).
      const long = unique().repeat(8).slice(0, 255)
      for (const providerAccountId of [odd, long]) {
        const account = newAccount(user.id, { providerAccountId })
        await adapter.linkAccount(account)
        const found = await adapter.getUserByAccount(account)
        expectValue(`linkAccount of "${providerAccountId}"`, found?.id, user.id)
      }
      const cut = newAccount(user.id, { providerAccountId: long.slice(0, -1) })
      expectNull('linkAccount of a long id cuts it', await adapter.getUserByAccount(cut))
    },
  ),
  adapterCase(
    'linkAccount refuses an account that somebody has',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const [owner, other] = await twoUsers(adapter)
      const account = newAccount(owner.id)
      await adapter.linkAccount(account)
      for (const userId of [other.id, owner.id]) {
        const whose = userId === owner.id ? 'the same user' : 'another user'
        const again = () => adapter.linkAccount({ ...account, userId })
        await expectThrow(`linkAccount of an account that ${whose} has`, again)
      }
      const found = await adapter.getUserByAccount(account)
      expectValue('linkAccount of an account twice changes the owner', found?.id, owner.id)
    },
  ),
  adapterCase(
    'getAccount returns every field that was linked',
    ['createUser', 'linkAccount', 'getAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user.id)
      await adapter.linkAccount(account)
      const found = await adapter.getAccount(account.providerAccountId, account.provider)
      expectRow('getAccount, of what linkAccount stored', found, account)
    },
  ),
  adapterCase(
    'getAccount needs both: the id, then the provider',
    ['createUser', 'linkAccount', 'getAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user.id)
      const { provider, providerAccountId: id } = account
      await adapter.linkAccount(account)
      expectNull('getAccount, with another provider', await adapter.getAccount(id, 'other'))
      expectNull('getAccount, with another id', await adapter.getAccount(unique(), provider))
      expectNull('getAccount, the wrong way round', await adapter.getAccount(provider, id))
    },
  ),
  adapterCase(
    'unlinkAccount takes away exactly that account',
    ['createUser', 'getUser', 'linkAccount', 'unlinkAccount', 'getUserByAccount'],
    async (adapter, report) => {
      const user = await adapter.createUser(newUser())
      const [account, kept] = [newAccount(user.id), newAccount(user.id)]
      await adapter.linkAccount(account)
      await adapter.linkAccount(kept)
      const { provider, providerAccountId } = account
      await preferNoThrow(
        'unlinkAccount, with the provider of no account',
        () => adapter.unlinkAccount({ provider: 'other', providerAccountId }),
        report,
      )
      const still = await adapter.getUserByAccount(account)
      expectValue('unlinkAccount, with another provider, leaves it', still?.id, user.id)
      await adapter.unlinkAccount({ provider, providerAccountId })
      expectNull('unlinkAccount, then getUserByAccount', await adapter.getUserByAccount(account))
      const others = await adapter.getUserByAccount(kept)
      expectValue('unlinkAccount leaves other accounts', others?.id, user.id)
      expectRow('unlinkAccount leaves the user', await adapter.getUser(user.id), user)
      await adapter.linkAccount(account)
    },
  ),
  adapterCase(
    'updateAccount changes what is given, and leaves the rest',
    ['createUser', 'linkAccount', 'updateAccount', 'getAccount'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [account, other] = [newAccount(user.id), newAccount(user.id)]
      const { provider, providerAccountId } = account
      await adapter.linkAccount(account)
      await adapter.linkAccount(other)
      const changes = { access_token: 'another', expires_at: 2_114_380_900 }
      await adapter.updateAccount({ provider, providerAccountId, ...changes })
      expectRow(
        'updateAccount, with access_token and expires_at only',
        await adapter.getAccount(providerAccountId, provider),
        { ...account, ...changes },
      )
      const untouched = await adapter.getAccount(other.providerAccountId, provider)
      expectRow('updateAccount leaves other accounts', untouched, other)
    },
  ),
  adapterCase(
    'updateAccount refuses an account that is not there',
    ['updateAccount'],
    async (adapter) => {
      const key = { provider: 'example', providerAccountId: unique() }
      const update = () => adapter.updateAccount({ ...key, scope: 'openid' })
      await expectThrow('updateAccount, of an unknown account', update)
    },
  ),
  adapterCase(
    'listAccounts returns all accounts of a user',
    ['createUser', 'linkAccount', 'listAccounts'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      expectKeys(
        'listAccounts, of a user without any',
        await adapter.listAccounts(user.id),
        'providerAccountId',
        [],
      )
      const accounts = [newAccount(user.id), newAccount(user.id, { provider: 'other' })]
      for (const account of [...accounts, newAccount(other.id)]) await adapter.linkAccount(account)
      const listed = await adapter.listAccounts(user.id)
      const expected = accounts.map(({ providerAccountId }) => providerAccountId)
      expectKeys('listAccounts', listed, 'providerAccountId', expected)
    },
  ),
]
