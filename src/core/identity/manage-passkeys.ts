/** Lists, renames and removes the passkeys of the user who is signed in. */
import type { AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import { changeRequirement } from '../assurance/change-requirement.ts'
import { answer } from '../call-result.ts'
import { parseChosenName } from '../checks/chosen-name.ts'
import type { Answer } from '../call-result.ts'
import type { AuthConfig } from '../config/types.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { InvalidConfiguration, LastSignInMethod, MissingAdapter } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { requireAssured } from '../require-auth.ts'
import { currentUser } from './evict.ts'
import type { Passkey, RemovePasskeyOptions } from './passkey.ts'
import { canSignIn, readMethods } from './sign-in-methods.ts'

interface Owner {
  readonly ctx: AuditContext & SessionContext & DatabaseAccess
  readonly user: AdapterUser
}

/** The user of the session; `null` if signed out, or if the session is older than the verification of the address. */
async function findOwner(session: AuditContext & SessionContext): Promise<Owner | null> {
  const { config } = session
  if (!config.database)
    throw new MissingAdapter('Passkeys are stored in a database. Set adapter in the configuration.')
  const database = await config.database()
  // The callbacks may end the session.
  if ((await config.session.read(session)) === null) return null
  const ctx: Owner['ctx'] = {
    ...session,
    database,
    query: (method, ...args) => database.call(session, method, ...args),
  }
  const current = await currentUser(ctx, null)
  return current?.mayLink ? { ctx, user: current.user } : null
}

/** `null`: signed out. */
async function manage<T>(
  caller: ReadRequest,
  config: AuthConfig,
  access: 'reads' | 'changes',
  work: (owner: Owner) => Promise<T>,
): Promise<Answer<T | null>> {
  return answer({ caller, config, access }, async (ctx) => {
    const owner = await findOwner(ctx)
    return owner && work(owner)
  })
}

function describe(row: AdapterAuthenticator): Passkey {
  const { credentialID, name, created, lastUsed, transports } = row
  return {
    credentialID,
    name: name || null,
    created: created ?? null,
    lastUsed: lastUsed ?? null,
    deviceType: row.credentialDeviceType === 'multiDevice' ? 'multiDevice' : 'singleDevice',
    isBackedUp: row.credentialBackedUp,
    transports: transports ? transports.split(',') : [],
  }
}

const readRows = ({ ctx, user }: Owner) => ctx.query('listAuthenticatorsByUserId', user.id)

/** Oldest first. */
export function list(caller: ReadRequest, config: AuthConfig): Promise<Answer<Passkey[] | null>> {
  const time = ({ created }: AdapterAuthenticator) => created?.getTime() ?? 0
  return manage(caller, config, 'reads', async (owner) =>
    (await readRows(owner)).sort((one, other) => time(one) - time(other)).map(describe),
  )
}

/** Returns `null` if the user has no such passkey. @throws InvalidRequest */
export function rename(
  caller: ReadRequest,
  config: AuthConfig,
  credentialID: string,
  given: unknown,
): Promise<Answer<Passkey | null>> {
  return manage(caller, config, 'changes', async (owner) => {
    const name = parseChosenName('a passkey', given)
    const rows = await readRows(owner)
    if (!rows.some((row) => row.credentialID === credentialID)) return null
    const renamed = await owner.ctx.query('updateAuthenticator', credentialID, { name })
    if (renamed.name) return describe(renamed)
    throw new InvalidConfiguration(
      'The adapter did not store the name of a passkey: its table has no column "name". Run npx lib-auth migrate, or add the column to your Drizzle table or Prisma model.',
    )
  })
}

/** A lost response must not skip the check that follows; some adapters throw if the row does not exist. */
async function deletePasskey({ ctx }: Owner, credentialID: string): Promise<void> {
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
async function unlinkPasskey({ ctx }: Owner, passkey: AdapterAuthenticator): Promise<void> {
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

/** With the option `account` or `secondStep`, only a recent sign-in removes a sign-in method. @throws StepUpRequired */
async function requireRecent({ ctx, user }: Owner, caller: ReadRequest): Promise<void> {
  const options = await changeRequirement(ctx, user.id)
  if (options) await requireAssured(ctx, caller, { caller: 'passkeys.remove', options })
}

/** Returns the removed passkey; `null` if the user has no such passkey. @throws LastSignInMethod, StepUpRequired */
export function remove(
  caller: ReadRequest,
  config: AuthConfig,
  credentialID: string,
  options?: RemovePasskeyOptions,
): Promise<Answer<Passkey | null>> {
  return manage(caller, config, 'changes', async (owner) => {
    const { ctx, user } = owner
    await requireRecent(owner, caller)
    const rows = await readRows(owner)
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
    return describe(passkey)
  })
}
