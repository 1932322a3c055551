import type { AdapterAccount } from '../../../src/adapters/index.ts'
import { fault, folded, delay, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

/** Records the linked accounts, for faulty queries. */
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
    'getUserByAccount returning the account',
    'getUserByAccount returns the owner of a linked account',
    /^getUserByAccount\(\{ .* \}\) after linkAccount, field id: expected ".*", got undefined/,
    (memory) => ({
      getUserByAccount: async ({ providerAccountId, provider }) =>
        untyped(await memory.getAccount(providerAccountId, provider)),
    }),
  ),
  fault(
    'getUserByAccount ignoring the provider',
    'getUserByAccount matches provider and providerAccountId exactly',
    /^getUserByAccount\(\{ provider: "other", .* \}\) after linkAccount: expected null, got \{/,
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
    'a providerAccountId column that ignores case',
    'getUserByAccount matches provider and providerAccountId exactly',
    /^getUserByAccount\(\{ provider: "example", providerAccountId: "A.*" \}\) after linkAccount: expected null, got \{/,
    (memory) => ({
      linkAccount: async (account) =>
        memory.linkAccount({ ...account, providerAccountId: folded(account.providerAccountId) }),
      getUserByAccount: async ({ provider, providerAccountId }) =>
        memory.getUserByAccount({ provider, providerAccountId: folded(providerAccountId) }),
    }),
  ),
  fault(
    'providerAccountId being unique across providers',
    'linkAccount links the same id at two providers to two users',
    /^linkAccount\(\{ .*provider: "other".* \}\) after linkAccount: expected no error, got Error: duplicate key/,
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
    'a providerAccountId column that truncates',
    'linkAccount stores long ids and Unicode',
    /^getUserByAccount\(\{ .*" \(254 characters\) \}\) after linkAccount: expected null, got \{/,
    (memory) => {
      const truncate = (text: string) => text.slice(0, 191)
      return {
        linkAccount: async (account) =>
          memory.linkAccount({
            ...account,
            providerAccountId: truncate(account.providerAccountId),
          }),
        getUserByAccount: async ({ provider, providerAccountId }) =>
          memory.getUserByAccount({ provider, providerAccountId: truncate(providerAccountId) }),
      }
    },
  ),
  fault(
    'linkAccount overwriting an existing account',
    'linkAccount throws for an account that is already linked',
    /^linkAccount\(\{ .* \}\) after linkAccount: expected an error, got/,
    (memory) => ({
      async linkAccount(account) {
        await memory.unlinkAccount(account)
        await memory.linkAccount(account)
      },
    }),
  ),
  fault(
    'linkAccount with a race condition between lookup and insert',
    'linkAccount links an account in one of fifty concurrent calls',
    /^linkAccount, 50 concurrent calls: expected exactly one to succeed, got 50/,
    (memory) => ({
      async linkAccount(account) {
        if (await memory.getUserByAccount(account)) throw new Error('duplicate key')
        await delay()
        await memory.unlinkAccount(account)
        await memory.linkAccount(account)
      },
    }),
  ),
  fault(
    'linkAccount storing only the key',
    'getAccount returns every field of a linked account',
    /^getAccount\(".*", "example"\) after linkAccount, field access_token: expected "an access token", got undefined/,
    (memory) => ({
      linkAccount: async ({ userId, type, provider, providerAccountId }) =>
        memory.linkAccount({ userId, type, provider, providerAccountId }),
    }),
  ),
  fault(
    'numbers returned as strings',
    'getAccount returns every field of a linked account',
    /field expires_at: expected 2114380800, got "2114380800"/,
    (memory) => ({
      async getAccount(id, provider) {
        const account = await memory.getAccount(id, provider)
        return account && { ...account, expires_at: untyped(String(account.expires_at)) }
      },
    }),
  ),
  fault(
    'getAccount ignoring the provider',
    'getAccount matches providerAccountId and provider, in this order',
    /^getAccount\(".*", "other"\) after linkAccount: expected null, got \{/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      return {
        linkAccount,
        getAccount: async (id) => accounts.find((each) => each.providerAccountId === id) ?? null,
      }
    },
  ),
  fault(
    'getAccount with swapped arguments',
    'getAccount matches providerAccountId and provider, in this order',
    /^getAccount\("example", ".*"\) after linkAccount: expected null, got \{/,
    (memory) => ({ getAccount: async (provider, id) => memory.getAccount(id, provider) }),
  ),
  fault(
    'unlinkAccount ignoring the provider',
    'unlinkAccount deletes one account and keeps its user',
    /^getUserByAccount\(\{ .* \}\) after unlinkAccount: expected \{ id: ".*" \}, got null/,
    (memory) => ({
      unlinkAccount: async ({ providerAccountId }) =>
        memory.unlinkAccount({ provider: 'example', providerAccountId }),
    }),
  ),
  fault(
    'unlinkAccount having no effect',
    'unlinkAccount deletes one account and keeps its user',
    /^getUserByAccount\(\{ .* \}\) after unlinkAccount: expected null, got \{/,
    () => ({ unlinkAccount: async () => undefined }),
  ),
  fault(
    'updateAccount replacing the row',
    'updateAccount changes the given fields of one account',
    /^getAccount\(.*\) after updateAccount, field refresh_token: expected "a refresh token", got undefined/,
    (memory) => ({
      async updateAccount(account) {
        const { provider, providerAccountId } = account
        const found = await memory.getAccount(providerAccountId, provider)
        if (!found) throw new Error('The account does not exist.')
        await memory.unlinkAccount(account)
        await memory.linkAccount({ userId: found.userId, type: found.type, ...account })
      },
    }),
  ),
  fault(
    'updateAccount ignoring an unknown account',
    'updateAccount throws for an unknown account',
    /^updateAccount\(\{ .*scope: "openid" \}\): expected an error, got null/,
    (memory) => ({
      updateAccount: async (account) =>
        (await memory.getUserByAccount(account)) ? memory.updateAccount(account) : null,
    }),
  ),
  fault(
    'listAccounts returning the accounts of all users',
    'listAccounts returns all accounts of a user',
    /^listAccounts\(".*"\) after linkAccount: expected \[.*\], got \[\{/,
    (memory) => {
      const { accounts, linkAccount } = recording(memory)
      return {
        linkAccount,
        listAccounts: async (id) => ((await memory.listAccounts(id)).length ? accounts : []),
      }
    },
  ),
]
