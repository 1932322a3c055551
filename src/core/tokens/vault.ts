/** Selects where tokens are stored. */
import { chain } from '../async/awaitable.ts'
import { onlyStored } from '../checks/stored-subject.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import type { Database, DatabaseAccess } from '../database/database.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { userOfSubject } from '../identity/evict.ts'
import { accountVault, NO_ACCOUNT } from './account-vault.ts'
import { tokenProviders } from './delete-records.ts'
import { cookieVault } from './cookie-vault.ts'
import { recordVault } from './record-vault.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { SessionKey, TokenVault, VaultKey } from './token-vault.ts'
import type { Awaitable } from '../types.ts'

const ACCOUNT_METHODS = ['listAccounts', 'updateAccount'] as const

/** The database, if the tokens are stored with the account. */
function accountDatabase({ config }: SessionContext): Awaitable<Database | null> {
  const { where } = config.tokens
  if (where === 'store' || where === 'cookie' || !config.database) return null
  return chain(config.database(), (database) => {
    const isAccount = where === 'account' || database.adapterWith(ACCOUNT_METHODS)
    return chain(isAccount, (is) => (is ? database : null))
  })
}

/** Whether the session may use the accounts of the stored user with its id. */
function hasAccounts(
  ctx: SessionContext,
  database: Database,
  subject: Subject,
): Awaitable<boolean> {
  const stored = onlyStored(ctx, subject)
  // No eviction has followed, and without the user there are no accounts.
  if (stored?.isStored === true && stored.wasVerified === true) return true
  const query: DatabaseAccess['query'] = (method, ...args) => database.call(ctx, method, ...args)
  // A session from before the address was verified may be that of an evicted user.
  return userOfSubject({ query }, stored, null).then((current) => current?.mayLink ?? false)
}

function ownAccount(
  ctx: SessionContext,
  database: Database,
  { subject, provider, account }: SessionKey,
): Awaitable<TokenVault> {
  return chain(hasAccounts(ctx, database, subject), (has) =>
    has ? accountVault(ctx, database, { userId: subject.id, provider, account }) : NO_ACCOUNT,
  )
}

function vaultOfSession(ctx: SessionContext, key: SessionKey): Awaitable<TokenVault> {
  const { records, tokens } = ctx.config
  if (!tokens.isKept)
    throw new InvalidConfiguration(
      'The tokens of providers are not stored. Set tokens: {} in the configuration, and sign in again.',
    )
  if (!records || tokens.where === 'cookie') return cookieVault(ctx, key)
  return chain(records.adapter(), (adapter) =>
    adapter ? recordVault(ctx, records, key) : cookieVault(ctx, key),
  )
}

/** The tokens of the user who is signed in. @throws InvalidConfiguration if tokens are not stored */
export function sessionVault(ctx: SessionContext, key: SessionKey): Awaitable<TokenVault> {
  return chain(accountDatabase(ctx), (database) =>
    database ? ownAccount(ctx, database, key) : vaultOfSession(ctx, key),
  )
}

/** Whether tokens end with the session. */
export async function isWithSession(ctx: SessionContext): Promise<boolean> {
  return (await accountDatabase(ctx)) === null
}

/** The tokens of a session at all providers. */
export async function allTokens(
  ctx: SessionContext,
  subject: Subject,
): Promise<readonly StoredTokens[]> {
  const read = async (provider: string) =>
    (await sessionVault(ctx, { subject, provider, account: undefined })).read()
  const tokens = await Promise.all(tokenProviders(ctx).map(read))
  return tokens.filter((each) => each !== null)
}

/** The tokens of any user. @throws InvalidConfiguration unless they are stored with the account */
export async function userVault(ctx: SessionContext, key: VaultKey): Promise<TokenVault> {
  const database = await accountDatabase(ctx)
  if (database) return accountVault(ctx, database, key)
  throw new InvalidConfiguration(
    "getAccessTokenFor only reads tokens that are stored with the account. Set adapter to one with listAccounts and updateAccount, and tokens.where to 'account'.",
  )
}
