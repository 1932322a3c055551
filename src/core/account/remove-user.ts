/** Deletes a user, with all that the library has stored about them. */
import type { AdapterAccount } from '../database/adapter.ts'
import { AccountRemovalError, MissingAdapterMethods } from '../errors/classes.ts'
import { AuthError } from '../errors/base.ts'
import { callHook, emit } from '../hooks.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { forgetBrowsers } from '../limits/known-browser.ts'
import { verifiedClaims } from '../logout/keep-hints.ts'
import {
  findProviderSessions,
  ownersOf,
  removeProviderSession,
} from '../logout/provider-sessions.ts'
import { withRecords } from '../records/with-records.ts'
import { forgetTokens } from '../tokens/forget.ts'
import { revokeAll } from '../tokens/revoke.ts'
import { readTokens } from '../tokens/stored-tokens.ts'
import type { ManagedUser } from './managed-user.ts'

/** Lets the application delete its own data. @throws what the function throws, which keeps the user */
async function askApplication({ ctx, user }: ManagedUser): Promise<void> {
  const { beforeRemove } = ctx.config.account ?? {}
  if (!beforeRemove) return
  ctx.secrets.addKeysOf({ user })
  const what = 'account.beforeRemove'
  try {
    await callHook(ctx, {
      what,
      run: () => beforeRemove({ user }),
      passes: (error) => error instanceof AuthError,
    })
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new AccountRemovalError(`${what} threw an error, so the user was not deleted.`, { cause })
  }
}

async function deleteRow({ ctx, user }: ManagedUser): Promise<void> {
  try {
    await ctx.query('deleteUser', user.id)
  } catch (error) {
    // The response may have been lost.
    const isGone = await ctx.query('getUser', user.id).then(
      (row) => row === null,
      () => false,
    )
    if (!isGone) throw error
  }
}

/** Deletes the records by which a provider ends sessions of the user. */
async function forgetProvider({ ctx, user }: ManagedUser, row: AdapterAccount): Promise<void> {
  const { logout } = ctx.config.providers.get(row.provider) ?? {}
  const { iss: issuer, sub } = verifiedClaims(row.id_token)
  if (!ctx.config.logout || !logout || typeof issuer !== 'string' || typeof sub !== 'string') return
  const issued = { issuer, clientId: logout.clientId }
  for (const session of await findProviderSessions(ctx, issued, { sub }))
    if (session.userId === user.id)
      await removeProviderSession(ctx, await ownersOf(issued, session), session.sid)
}

async function deleteRecords(
  managed: ManagedUser,
  accounts: readonly AdapterAccount[],
): Promise<void> {
  const { ctx, user } = managed
  await withRecords(ctx, async (records) => {
    await records.delete(ctx, { owner: `user:${user.id}` })
    for (const account of accounts) await forgetProvider(managed, account)
  })
}

/** Can be repeated after a failure. @throws AccountRemovalError, MissingAdapterMethods */
export async function removeUser(managed: ManagedUser): Promise<void> {
  const { ctx, user, current, actor } = managed
  const { database } = ctx
  if (!(await database.has('deleteUser')))
    throw new MissingAdapterMethods(
      'The adapter has no method deleteUser, which the deletion of a user needs.',
    )
  await askApplication(managed)
  const rows = (await database.has('listAccounts')) ? await ctx.query('listAccounts', user.id) : []
  const finish = current ? await forgetTokens(ctx) : async () => undefined
  try {
    await endSessions(ctx, { userId: user.id, spare: 'none', change: 'A user was deleted' })
    if (current) await ctx.config.session.destroy(ctx)
    await deleteRow(managed)
  } catch (cause) {
    throw new AccountRemovalError(
      'The user could not be deleted. Their sessions may have ended. Repeat the call.',
      { cause },
    )
  }
  await deleteRecords(managed, rows)
  await forgetBrowsers(ctx, user.id)
  await emit(ctx, 'deleteUser', { user })
  await ctx.config.audit?.record(ctx, {
    type: 'user.deleted',
    outcome: 'success',
    actor,
    target: { kind: 'user', id: user.id },
  })
  await Promise.all([
    revokeAll(
      ctx,
      rows.map((row) => readTokens(row, row)),
    ),
    finish(),
  ])
}
