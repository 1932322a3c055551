/** How a passkey is matched to a user. */
import type { ProvisionedUser, UserMatch } from '../contracts.ts'
import type { KnownPasskey, PasskeyProof } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { WebAuthnVerificationError } from '../errors/classes.ts'
import type { DatabaseContext } from './create-user.ts'
import { confirmOwner } from './evict.ts'
import { matchNew } from './register-passkey.ts'

interface KnownContext extends DatabaseContext {
  readonly evidence: PasskeyProof
  readonly passkey: KnownPasskey
}

/** Rejects a counter that does not increase, unless the authenticator has none (WebAuthn §6.1.1). */
function checkCounter({ config }: DatabaseContext, stored: number, counter: number): void {
  if (counter > stored || (counter === 0 && stored === 0)) return
  config.log.warn(
    'passkey.counter',
    `The signature counter of a passkey did not increase (stored ${stored}, received ${counter}): the passkey may have been cloned. The sign-in is rejected.`,
  )
  throw new WebAuthnVerificationError('The signature counter of the passkey did not increase.')
}

/** With transactions, one of several concurrent sign-ins with the same counter succeeds, in any process. */
async function advanceCounter(ctx: KnownContext): Promise<void> {
  const { authenticator, reported } = ctx.passkey
  const { credentialID } = authenticator
  const { counter } = reported
  const isAtomic = counter > 0 && (await ctx.database.has('transaction'))
  async function advance(database: Database): Promise<void> {
    // Locks a row: below the isolation level serializable, concurrent transactions would read the same counter.
    if (isAtomic && (await database.has('updateAccount')))
      await database.call(ctx, 'updateAccount', ctx.evidence.stored)
    if (counter > 0) {
      const stored = await database.call(ctx, 'getAuthenticator', credentialID)
      if (!stored)
        throw new WebAuthnVerificationError('The passkey was removed during the sign-in.')
      checkCounter(ctx, stored.counter, counter)
    }
    await database.call(ctx, 'updateAuthenticatorCounter', credentialID, counter)
  }
  await (isAtomic ? ctx.database.transaction(ctx, advance) : advance(ctx.database))
}

/** Stores the backup state and the last use, if that is possible. */
async function noteUse(ctx: KnownContext): Promise<void> {
  const { authenticator, reported } = ctx.passkey
  if (!(await ctx.database.has('updateAuthenticator'))) return
  const { credentialBackedUp } = reported
  const changes = { credentialBackedUp, lastUsed: new Date() }
  try {
    await ctx.query('updateAuthenticator', authenticator.credentialID, changes)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
  }
}

async function matchKnown(ctx: KnownContext): Promise<UserMatch> {
  const { authenticator, reported } = ctx.passkey
  const user = await ctx.query('getUserByAccount', ctx.evidence.account)
  if (!user || user.id !== authenticator.userId)
    throw new WebAuthnVerificationError('The passkey is no longer linked to its user.')
  checkCounter(ctx, authenticator.counter, reported.counter)
  const account = { ...ctx.evidence.account, userId: user.id }
  const confirm = async (): Promise<void> => {
    await confirmOwner(ctx, { user, account })
    await noteUse(ctx)
  }
  const provision = async (): Promise<ProvisionedUser> => {
    await advanceCounter(ctx)
    const wasVerified = user.emailVerified !== null
    return { user, account, isNewUser: false, wasVerified, events: [], confirm }
  }
  return { user, account, provision }
}

export async function matchPasskey(
  database: DatabaseContext,
  evidence: PasskeyProof,
): Promise<UserMatch> {
  const { passkey } = evidence
  return passkey.kind === 'known'
    ? matchKnown({ ...database, evidence, passkey })
    : matchNew({ ...database, evidence, passkey })
}
