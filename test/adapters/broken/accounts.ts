import type { AdapterAccount } from '../../../src/adapters/index.ts'
import { fault, folded, query, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

/** Remembers the accounts, for queries that are wrong. */
function recording(memory: { linkAccount(account: AdapterAccount): unknown }) {
  const accounts: AdapterAccount[] = []
  return {
    accounts,
    linkAccount: async (account: AdapterAccount) => {
      await memory.linkAccount(account)
      accounts.push(account)
    },
  }
}

export const accountFaults: readonly Fault[] = [
  fault(
    'getUserByAccount that returns the account',
    'getUserByAccount finds the user of a linked account',
    /^getUserByAccount, field id/,
    (memory) => ({
      getUserByAccount: async ({ providerAccountId, provider }) =>
        untyped(await memory.getAccount(providerAccountId, provider)),
    }),
  ),
  fault(
    'getUserByAccount that ignores the provider',
    'getUserByAccount finds nobody when one half of the key is another',
    /^getUserByAccount, with another provider: expected null, got \{/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      const owner = (id: string) =>
        accounts.find(({ providerAccountId }) => providerAccountId === id)?.userId ?? ''
      return {
        linkAccount,
        getUserByAccount: async ({ providerAccountId }) => memory.getUser(owner(providerAccountId)),
      }
    },
  ),
  fault(
    'a column for account ids that ignores case',
    'getUserByAccount finds nobody when one half of the key is another',
    /^getUserByAccount, with "A.*" when there is "a.*": expected null/,
    (memory) => ({
      linkAccount: async (account) =>
        memory.linkAccount({ ...account, providerAccountId: folded(account.providerAccountId) }),
      getUserByAccount: async ({ provider, providerAccountId }) =>
        memory.getUserByAccount({ provider, providerAccountId: folded(providerAccountId) }),
    }),
  ),
  fault(
    'account ids that are unique whatever the provider is',
    'linkAccount keeps equal ids of two providers apart',
    /^linkAccount keeps equal ids of two providers apart: the adapter threw Error: duplicate key/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      return {
        async linkAccount(account) {
          const { providerAccountId: id } = account
          if (accounts.some((each) => each.providerAccountId === id))
            throw new Error('duplicate key')
          await linkAccount(account)
        },
      }
    },
  ),
  fault(
    'a column for account ids that is too short',
    'linkAccount stores odd and long ids',
    /^linkAccount of a long id cuts it: expected null, got \{/,
    (memory) => {
      const cut = (text: string) => text.slice(0, 191)
      return {
        linkAccount: async (account) =>
          memory.linkAccount({ ...account, providerAccountId: cut(account.providerAccountId) }),
        getUserByAccount: async ({ provider, providerAccountId }) =>
          memory.getUserByAccount({ provider, providerAccountId: cut(providerAccountId) }),
      }
    },
  ),
  fault(
    'linkAccount that gives the account to whoever comes last',
    'linkAccount refuses an account that somebody has',
    /^linkAccount of an account that another user has: expected an error, got/,
    (memory) => ({
      async linkAccount(account) {
        await memory.unlinkAccount(account)
        await memory.linkAccount(account)
      },
    }),
  ),
  fault(
    'linkAccount that looks for the account first, and stores then',
    'linkAccount gives an account to one of many users at once',
    /^linkAccount, 50 times at once: expected exactly one to succeed, got 50/,
    (memory) => ({
      async linkAccount(account) {
        if (await memory.getUserByAccount(account)) throw new Error('duplicate key')
        await query()
        await memory.unlinkAccount(account)
        await memory.linkAccount(account)
      },
    }),
  ),
  fault(
    'linkAccount that stores the key only',
    'getAccount returns every field that was linked',
    /^getAccount, of what linkAccount stored, field access_token: expected "an access token", got undefined/,
    (memory) => ({
      linkAccount: async ({ userId, type, provider, providerAccountId }) =>
        memory.linkAccount({ userId, type, provider, providerAccountId }),
    }),
  ),
  fault(
    'numbers that come out as texts',
    'getAccount returns every field that was linked',
    /field expires_at: expected 2114380800, got "2114380800"/,
    (memory) => ({
      async getAccount(id, provider) {
        const account = await memory.getAccount(id, provider)
        return account && { ...account, expires_at: untyped(String(account.expires_at)) }
      },
    }),
  ),
  fault(
    'getAccount that ignores the provider',
    'getAccount needs both: the id, then the provider',
    /^getAccount, with another provider: expected null, got \{/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      return {
        linkAccount,
        getAccount: async (id) => accounts.find((each) => each.providerAccountId === id) ?? null,
      }
    },
  ),
  fault(
    'getAccount with its arguments in another order',
    'getAccount needs both: the id, then the provider',
    /^getAccount, the wrong way round: expected null, got \{/,
    (memory) => ({ getAccount: async (provider, id) => memory.getAccount(id, provider) }),
  ),
  fault(
    'unlinkAccount that ignores the provider',
    'unlinkAccount takes away exactly that account',
    /^unlinkAccount, with another provider, leaves it: expected ".*", got undefined/,
    (memory) => ({
      unlinkAccount: async ({ providerAccountId }) =>
        memory.unlinkAccount({ provider: 'example', providerAccountId }),
    }),
  ),
  fault(
    'unlinkAccount that does nothing',
    'unlinkAccount takes away exactly that account',
    /^unlinkAccount, then getUserByAccount: expected null, got \{/,
    () => ({ unlinkAccount: async () => undefined }),
  ),
  fault(
    'updateAccount that replaces the row',
    'updateAccount changes what is given, and leaves the rest',
    /^updateAccount, with access_token and expires_at only, field refresh_token/,
    (memory) => ({
      async updateAccount(account) {
        const { provider, providerAccountId } = account
        const found = await memory.getAccount(providerAccountId, provider)
        if (!found) throw new Error('There is no such account.')
        await memory.unlinkAccount(account)
        await memory.linkAccount({ userId: found.userId, type: found.type, ...account })
      },
    }),
  ),
  fault(
    'updateAccount that does nothing when there is no such account',
    'updateAccount refuses an account that is not there',
    /^updateAccount, of an unknown account: expected an error, got null/,
    (memory) => ({
      updateAccount: async (account) =>
        (await memory.getUserByAccount(account)) ? memory.updateAccount(account) : null,
    }),
  ),
  fault(
    'listAccounts that lists those of everybody',
    'listAccounts returns all accounts of a user',
    /^listAccounts: expected \["a.*"\], got \["a/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      return {
        linkAccount,
        listAccounts: async (id) => ((await memory.listAccounts(id)).length ? accounts : []),
      }
    },
  ),
]
