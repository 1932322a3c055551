/** Removes an account at a provider from a user, who keeps a sign-in method. */
import type { AdapterAccount } from '../database/adapter.ts'
import { LastSignInMethod } from '../errors/classes.ts'
import { emit } from '../hooks.ts'
import { checkLinkFromSession } from '../identity/evict.ts'
import { canSignIn, readMethods } from '../identity/sign-in-methods.ts'
import { notify } from '../mail/send.ts'
import { reportRevoked } from '../tokens/report-revoked.ts'
import { revokeAll } from '../tokens/revoke.ts'
import { readTokens } from '../tokens/stored-tokens.ts'
import type { StoredTokens } from '../tokens/stored-tokens.ts'
import { isWithSession, sessionVault } from '../tokens/vault.ts'
import type { LinkedAccount, LinkedAccountKey, UnlinkAccountOptions } from './account-info.ts'
import { describeAccount, isSameAccount, readAccounts, withoutAccount } from './list-accounts.ts'
import type { ManagedUser } from './managed-user.ts'

function lastMethod({ provider }: AdapterAccount): LastSignInMethod {
  return new LastSignInMethod(
    `The account of provider ${provider} is the last sign-in method of its user. To unlink it anyway, pass { last: "allow" }.`,
    { provider, code: 'account' },
  )
}

/** A lost response must not skip what follows; some adapters throw if the row does not exist. */
async function deleteRow(managed: ManagedUser, account: AdapterAccount): Promise<void> {
  const { provider, providerAccountId } = account
  try {
    await managed.ctx.query('unlinkAccount', { provider, providerAccountId })
  } catch (error) {
    const rows = await readAccounts(managed).catch(() => null)
    if (!rows || rows.some((row) => isSameAccount(row, account))) throw error
  }
}

/** Deletes the tokens that are stored with the session of the request, and returns them. */
async function forgetTokens(
  { ctx, current }: ManagedUser,
  { provider, providerAccountId: account }: AdapterAccount,
): Promise<StoredTokens | null> {
  if (!current || !ctx.config.tokens.isKept || !(await isWithSession(ctx))) return null
  const vault = await sessionVault(ctx, { subject: current, provider, account })
  const tokens = await vault.read()
  if (tokens?.providerAccountId !== account) return null
  await vault.remove(tokens)
  return tokens
}

/** Ends other sessions that began at the provider, if there is a list of them and the user has no other account there. */
async function endSessions(managed: ManagedUser, { provider }: AdapterAccount): Promise<void> {
  const { ctx, user, current } = managed
  const { session } = ctx.config
  if (!session.isListed) return
  if ((await readAccounts(managed)).some((row) => row.provider === provider)) return
  const own = await current?.sid()
  const { headers } = ctx.request
  const reason = current ? 'user' : 'application'
  for (const { sid, via } of await session.list(ctx, user.id))
    if (via === provider && sid !== own && (await session.endOne(ctx, user.id, sid)))
      await reportRevoked(ctx, { userId: user.id, sid, reason, headers })
}

/** Returns the unlinked account; `null` if the user has no such account. @throws LastSignInMethod */
export async function unlinkAccount(
  managed: ManagedUser,
  key: LinkedAccountKey,
  { last = 'refuse' }: UnlinkAccountOptions,
): Promise<LinkedAccount | null> {
  const { ctx, user, actor, current } = managed
  const account = (await readAccounts(managed)).find((row) => isSameAccount(row, key))
  if (!account) return null
  const methods = await readMethods(ctx, user)
  // A user who cannot sign in anyway, such as with a provider that is no longer configured, loses nothing.
  const isChecked = last !== 'allow' && canSignIn(methods)
  if (isChecked && !canSignIn(withoutAccount(methods, account))) throw lastMethod(account)
  await deleteRow(managed, account)
  try {
    // A concurrent request may have removed the others. Isolation levels below serializable do not prevent that, so the
    // methods are read again after the deletion: of several requests, at least the last one finds none.
    if (isChecked && !canSignIn(await readMethods(ctx, user))) throw lastMethod(account)
  } catch (error) {
    await ctx.query('linkAccount', account)
    // An eviction, which has removed the others, must not have missed it.
    if (current) await checkLinkFromSession(ctx, { user, account })
    throw error
  }
  const tokens = await forgetTokens(managed, account)
  await endSessions(managed, account)
  const { provider, providerAccountId, type } = account
  const message = { user, account: { provider, providerAccountId, type, userId: user.id } }
  await emit(ctx, 'unlinkAccount', message)
  await ctx.config.audit?.record(ctx, {
    type: 'account.unlinked',
    outcome: 'success',
    actor,
    target: { kind: 'account', id: providerAccountId },
    provider,
  })
  const { name = provider } = ctx.config.providers.get(provider) ?? {}
  await notify(ctx, user, { change: 'account-unlinked', provider: name })
  await revokeAll(ctx, [readTokens(account, account), ...(tokens ? [tokens] : [])])
  return describeAccount(account, methods)
}
