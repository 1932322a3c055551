/**
 * Creates a user with an account. Without a transaction, the user is inserted before the account, and deleted if that
 * fails. If deleting fails too, a sealed cookie keeps the id of the user, and the next sign-in with the same account in
 * this browser links the account to that user.
 */
import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import { deleteResumeCookie, readResumeCookie, setResumeCookie } from '../checks/resume.ts'
import type { ResumeName } from '../checks/resume.ts'
import { existingUser } from '../database/rows.ts'
import { AuthError } from '../errors/base.ts'
import type { AccountEvidence, StoredAccount } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { insertOrRead, newUser } from './create-user.ts'
import type { SignedUp } from './create-user.ts'

function resumeName({ provider, providerAccountId }: AdapterAccountKey): ResumeName {
  return ['account', provider, providerAccountId]
}

/** Changes when the address is verified: from then on, the user may belong to another person. */
function stateOf({ id, emailVerified }: AdapterUser): string {
  return JSON.stringify([id, emailVerified !== null])
}

/** Whether an incomplete sign-up with this account in this browser created the user, who is unchanged since. */
export async function isIncomplete(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<boolean> {
  return (await readResumeCookie(ctx, resumeName(account))) === stateOf(user)
}

/** Returns the owner, who is another user if a concurrent request has linked the account. */
export async function linkAccount(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: StoredAccount,
): Promise<AdapterUser> {
  const insert = ctx.query('linkAccount', { ...account, userId: user.id })
  return insertOrRead(
    insert.then(() => user),
    () => ctx.query('getUserByAccount', account),
  )
}

/** `incomplete`: the user of an incomplete sign-up with this account. */
export async function signUp(
  ctx: DatabaseContext,
  evidence: AccountEvidence,
  incomplete: AdapterUser | null,
): Promise<SignedUp> {
  const { stored: account } = evidence
  const row = newUser(evidence.user, evidence.emailVerified ? new Date() : null)

  /** Deletes the user, unless its address was verified in the meantime. A user who is not found may be inserted later. */
  async function undo(user: AdapterUser): Promise<void> {
    const { log } = ctx.config
    try {
      const stored = await ctx.query('getUser', user.id)
      if (stored && stateOf(stored) === stateOf(user)) await ctx.query('deleteUser', user.id)
      if (stored) return
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      log.debug?.('user not deleted', { reason: error.message })
      log.warn(
        'sign-up-incomplete',
        'A user was created, but linking its account failed. The same browser can repeat the sign-up.',
      )
    }
    await setResumeCookie(ctx, resumeName(account), stateOf(user))
  }

  /** Looks a lost insert up by the proposed id: a user with the same address may be another person. */
  async function createUser(): Promise<AdapterUser> {
    return insertOrRead(ctx.query('createUser', row), async () => {
      const stored = await ctx.query('getUser', row.id)
      return stored && stateOf(stored) === stateOf(row) ? stored : null
    })
  }

  async function createInSteps(): Promise<SignedUp> {
    let user = incomplete ?? row
    let owner: AdapterUser | undefined
    try {
      user = incomplete ?? (await createUser())
      owner = await linkAccount(ctx, user, account)
      return { user: owner, isNew: owner.id === user.id }
    } finally {
      if (owner?.id !== user.id) await undo(user)
    }
  }

  async function createAtOnce(): Promise<SignedUp> {
    const created = await ctx.database.transaction(ctx, async (inner) => {
      const user = await inner.call(ctx, 'createUser', row)
      await inner.call(ctx, 'linkAccount', { ...account, userId: user.id })
      return user
    })
    return { user: existingUser(created, 'transaction'), isNew: true }
  }

  const isAtomic = incomplete === null && (await ctx.database.has('transaction'))
  const signedUp = await (isAtomic ? createAtOnce() : createInSteps())
  deleteResumeCookie(ctx)
  return signedUp
}
