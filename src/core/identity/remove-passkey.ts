/** Removes a passkey from its user, who keeps a sign-in method. */
import type { AuditContext, SessionContext } from '../contracts.ts'
import type { AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { LastSignInMethod } from '../errors/classes.ts'
import type { RemovePasskeyOptions } from './passkey.ts'
import { canSignIn, readMethods } from './sign-in-methods.ts'

export interface PasskeyOwner {
  readonly ctx: AuditContext & SessionContext & DatabaseAccess
  readonly user: AdapterUser
}

export function readPasskeys({ ctx, user }: PasskeyOwner): Promise<AdapterAuthenticator[]> {
  return ctx.query('listAuthenticatorsByUserId', user.id)
}

/** A lost response must not skip the check that follows; some adapters throw if the row does not exist. */
async function deletePasskey({ ctx }: PasskeyOwner, credentialID: string): Promise<void> {
  try {
    await ctx.query('deleteAuthenticator', credentialID)
  } catch (error) {
    const isGone = await ctx.query('getAuthenticator', credentialID).then(
      (row) => row === null,
      () => false,
    )
    if (!isGone) throw error
  }
}

/** Deletes the account of a passkey, which would look like another sign-in method. */
async function unlinkPasskey({ ctx }: PasskeyOwner, passkey: AdapterAuthenticator): Promise<void> {
  for (const method of ['listAccounts', 'unlinkAccount'] as const)
    if (!(await ctx.database.has(method))) return
  for (const account of await ctx.query('listAccounts', passkey.userId))
    if (account.type === 'webauthn' && account.providerAccountId === passkey.providerAccountId)
      await ctx.query('unlinkAccount', account)
}

function lastMethod(): LastSignInMethod {
  return new LastSignInMethod(
    'The passkey is the last sign-in method of its user. To remove it anyway, pass { last: "allow" }.',
  )
}

/** Returns the removed passkey; `null` if the user has no such passkey. @throws LastSignInMethod */
export async function removePasskey(
  owner: PasskeyOwner,
  credentialID: string,
  options?: RemovePasskeyOptions,
): Promise<AdapterAuthenticator | null> {
  const { ctx, user } = owner
  const rows = await readPasskeys(owner)
  const passkey = rows.find((row) => row.credentialID === credentialID)
  if (!passkey) return null
  const methods = options?.last === 'allow' ? null : await readMethods(ctx, user, rows)
  // A passkey that cannot sign in is not a sign-in method: its removal loses nothing.
  const isChecked = methods !== null && canSignIn(methods)
  const isOther = (each: AdapterAuthenticator) => each.credentialID !== credentialID
  if (isChecked && !canSignIn({ ...methods, passkeys: methods.passkeys.filter(isOther) }))
    throw lastMethod()
  await deletePasskey(owner, credentialID)
  try {
    // A concurrent request may have removed the others. Isolation levels below serializable do not prevent that, so
    // the check runs after the deletion is committed: of several requests, at least the last one finds no passkey.
    if (isChecked && !canSignIn(await readMethods(ctx, user))) throw lastMethod()
  } catch (error) {
    await ctx.query('createAuthenticator', passkey)
    throw error
  }
  await unlinkPasskey(owner, passkey)
  await ctx.config.audit?.record(ctx, {
    type: 'factor.removed',
    outcome: 'success',
    actor: { kind: 'user', id: user.id },
    target: { kind: 'factor', id: credentialID },
  })
  if (ctx.config.account) {
    const { notify } = await import('../mail/send.ts')
    await notify(ctx, user, { change: 'passkey-removed' })
  }
  return passkey
}
