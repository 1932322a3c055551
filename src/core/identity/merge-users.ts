/** Merges a user into the one who is signed in, and who has proved to be both. */
import type { AuditContext, AuditFact, SessionContext } from '../contracts.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import type { Database, DatabaseAccess } from '../database/database.ts'
import {
  AccessDenied,
  AccountMergeError,
  InvalidConfiguration,
  MissingAdapterMethods,
} from '../errors/classes.ts'
import { callHook, emit } from '../hooks.ts'
import { forgetBrowsers } from '../limits/known-browser.ts'
import { issueReference } from '../log/reference.ts'
import { notify } from '../mail/send.ts'
import { withRecords } from '../records/with-records.ts'
import { addressState } from './address-state.ts'
import { endSessions } from './end-sessions.ts'

const METHODS = [
  'transaction',
  'updateUser',
  'listAccounts',
  'unlinkAccount',
  'linkAccount',
  'deleteUser',
] as const
const PASSKEY_METHODS = [
  'listAuthenticatorsByUserId',
  'deleteAuthenticator',
  'createAuthenticator',
] as const

/** The two users of a merge. */
export interface Merge {
  readonly ctx: AuditContext & SessionContext & DatabaseAccess
  /** Who is signed in, and stays. */
  readonly user: AdapterUser
  /** Who is deleted. */
  readonly from: AdapterUser
}

/** @throws InvalidConfiguration, MissingAdapterMethods */
export async function requireMergeable({ ctx }: Pick<Merge, 'ctx'>): Promise<void> {
  const { account, providers } = ctx.config
  if (!account?.mergeUsers)
    throw new InvalidConfiguration(
      'account.merge needs the option account.mergeUsers, a function that gives the rows of your application to the user who stays.',
    )
  const hasPasskeys = providers.ids.some((id) => providers.get(id)?.type === 'webauthn')
  const methods = [...METHODS, ...(hasPasskeys ? PASSKEY_METHODS : [])]
  const has = await Promise.all(methods.map((method) => ctx.database.has(method)))
  const missing = methods.filter((_, index) => !has[index])
  if (missing.length > 0)
    throw new MissingAdapterMethods(
      `The adapter has no method ${missing.join(', ')}, which a merge of users needs: it is made in one transaction.`,
    )
}

type Passkeys = readonly AdapterAuthenticator[]

async function listPasskeys({ ctx, from }: Merge, database: Database): Promise<Passkeys> {
  return (await database.has('listAuthenticatorsByUserId'))
    ? database.call(ctx, 'listAuthenticatorsByUserId', from.id)
    : []
}

/** A passkey refers to its account in some schemas, so it is deleted before, and created after it. */
async function moveMethods(merge: Merge, database: Database): Promise<void> {
  const { ctx, user, from } = merge
  const accounts: readonly AdapterAccount[] = await database.call(ctx, 'listAccounts', from.id)
  const passkeys = await listPasskeys(merge, database)
  for (const { credentialID } of passkeys)
    await database.call(ctx, 'deleteAuthenticator', credentialID)
  for (const account of accounts) {
    const { provider, providerAccountId } = account
    await database.call(ctx, 'unlinkAccount', { provider, providerAccountId })
    await database.call(ctx, 'linkAccount', { ...account, userId: user.id })
  }
  for (const passkey of passkeys)
    await database.call(ctx, 'createAuthenticator', { ...passkey, userId: user.id })
}

/**
 * Locks both rows, in the order of their ids: of concurrent merges, also in opposite directions, one succeeds, and the others
 * find that a user does not exist any more.
 */
async function lock({ ctx, user, from }: Merge, database: Database): Promise<void> {
  for (const each of [user, from].toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const { id, name = null } = each
    const row = await database.call(ctx, 'updateUser', { id, name })
    if (addressState(row) !== addressState(each))
      throw new AccessDenied('A user was changed or evicted during the merge.')
  }
}

async function askApplication({ ctx, user, from }: Merge, database: Database): Promise<void> {
  const adapter = await database.adapterWith([])
  const move = ctx.config.account?.mergeUsers
  if (!move || !adapter) return
  const what = 'account.mergeUsers'
  await callHook(ctx, { what, run: () => move({ from, into: user, adapter }) })
}

async function isDeleted({ ctx, from }: Merge): Promise<boolean> {
  try {
    return (await ctx.query('getUser', from.id)) === null
  } catch {
    return false
  }
}

async function moveAll(merge: Merge): Promise<void> {
  const { ctx, from } = merge
  let isMoved = false
  try {
    await ctx.database.transaction(ctx, async (database) => {
      // Some adapters repeat the work after a conflict.
      isMoved = false
      await lock(merge, database)
      await moveMethods(merge, database)
      await askApplication(merge, database)
      await database.call(ctx, 'deleteUser', from.id)
      isMoved = true
    })
  } catch (error) {
    // The response to the commit may have been lost.
    if (!(isMoved && (await isDeleted(merge)))) throw error
  }
}

async function record(
  { ctx, user, from }: Merge,
  fact: Pick<AuditFact, 'outcome' | 'reason' | 'ref'>,
): Promise<void> {
  await ctx.config.audit?.record(ctx, {
    type: 'user.merged',
    ...fact,
    actor: { kind: 'user', id: user.id },
    target: { kind: 'user', id: from.id },
  })
}

/**
 * Everything is moved or nothing. The sessions of the other user end before, so that nothing has changed if that fails, and
 * after it, because one could begin until then.
 *
 * @throws AccountMergeError
 */
export async function mergeUsers(merge: Merge): Promise<void> {
  const { ctx, user, from } = merge
  ctx.secrets.addKeysOf({ user, from })
  const end = { userId: from.id, spare: 'none', change: 'Two users were merged' } as const
  try {
    await endSessions(ctx, end)
    await moveAll(merge)
  } catch (cause) {
    const error = new AccountMergeError('Two users could not be merged, so nothing was moved.', {
      cause,
    })
    await record(merge, { outcome: 'failure', reason: error.type, ref: issueReference(error) })
    throw error
  }
  await endSessions(ctx, end).catch((error: unknown) => {
    if (error instanceof Error) ctx.config.log.error(error)
  })
  await withRecords(ctx, (records) => records.delete(ctx, { owner: `user:${from.id}` }))
  await forgetBrowsers(ctx, from.id)
  await emit(ctx, 'deleteUser', { user: from })
  await record(merge, { outcome: 'success' })
  await notify(ctx, user, { change: 'users-merged' })
  await notify(ctx, from, { change: 'merged-into' })
}
