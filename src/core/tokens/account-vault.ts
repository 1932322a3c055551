/** Tokens in the columns of the account. */
import type { SessionContext } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { isReplaced, readTokens, toColumns } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { TokenVault, VaultKey } from './token-vault.ts'

export function accountVault(
  ctx: SessionContext,
  database: Database,
  { userId, provider, account }: VaultKey,
): TokenVault {
  let last: StoredTokens | null = null
  // Later reads are of the same account: databases return rows in any order.
  let selected = account
  return {
    isShared: true,
    isOfSession: false,
    async read() {
      const rows = await database.call(ctx, 'listAccounts', userId)
      const own = rows.filter((row) => row.provider === provider)
      selected ??= own.map((row) => row.providerAccountId).sort()[0]
      const found = own.find((row) => row.providerAccountId === selected)
      last = found ? readTokens(found, found) : null
      return last
    },
    async write(tokens) {
      await database.call(ctx, 'updateAccount', toColumns(tokens))
    },
    async replace(tokens) {
      const before = last
      const now = await this.read()
      if (before && now && !isReplaced(before, now)) await this.write(tokens)
    },
    async remove(tokens) {
      const { provider: at, providerAccountId } = tokens
      const now = await this.read()
      if (now && isReplaced(tokens, now)) return
      // Not `null`, which the type of the rows does not allow; an empty token is none.
      const none = { access_token: '', refresh_token: '', id_token: '' }
      await database.call(ctx, 'updateAccount', { provider: at, providerAccountId, ...none })
    },
  }
}

/** Without accounts: the session does not show that its user is the one in the database. */
export const NO_ACCOUNT: TokenVault = {
  isShared: true,
  isOfSession: false,
  read: async () => null,
  write: async () => undefined,
  replace: async () => undefined,
  remove: async () => undefined,
}
