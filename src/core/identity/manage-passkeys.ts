/** Lists, renames and removes the passkeys of the user who is signed in. */
import type { AdapterAuthenticator } from '../database/adapter.ts'
import { changeRequirement } from '../assurance/change-requirement.ts'
import { answer } from '../call-result.ts'
import { parseChosenName } from '../checks/chosen-name.ts'
import type { Answer } from '../call-result.ts'
import type { AuthConfig } from '../config/types.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import { InvalidConfiguration, MissingAdapter } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { requireAssured } from '../require-auth.ts'
import { currentUser } from './evict.ts'
import type { Passkey, RemovePasskeyOptions } from './passkey.ts'
import { readPasskeys, removePasskey } from './remove-passkey.ts'
import type { PasskeyOwner } from './remove-passkey.ts'

/** The user of the session; `null` if signed out, or if the session is older than the verification of the address. */
async function findOwner(session: AuditContext & SessionContext): Promise<PasskeyOwner | null> {
  const { config } = session
  if (!config.database)
    throw new MissingAdapter('Passkeys are stored in a database. Set adapter in the configuration.')
  const database = await config.database()
  // The callbacks may end the session.
  if ((await config.session.read(session)) === null) return null
  const ctx: PasskeyOwner['ctx'] = {
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
  work: (owner: PasskeyOwner) => Promise<T>,
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

/** Oldest first. */
export function list(caller: ReadRequest, config: AuthConfig): Promise<Answer<Passkey[] | null>> {
  const time = ({ created }: AdapterAuthenticator) => created?.getTime() ?? 0
  return manage(caller, config, 'reads', async (owner) =>
    (await readPasskeys(owner)).sort((one, other) => time(one) - time(other)).map(describe),
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
    const rows = await readPasskeys(owner)
    if (!rows.some((row) => row.credentialID === credentialID)) return null
    const renamed = await owner.ctx.query('updateAuthenticator', credentialID, { name })
    if (renamed.name) return describe(renamed)
    throw new InvalidConfiguration(
      'The adapter did not store the name of a passkey: its table has no column "name". Run npx lib-auth migrate, or add the column to your Drizzle table or Prisma model.',
    )
  })
}

/** With the option `account` or `secondStep`, only a recent sign-in removes a sign-in method. @throws StepUpRequired */
async function requireRecent({ ctx, user }: PasskeyOwner, caller: ReadRequest): Promise<void> {
  const options = await changeRequirement(ctx, user.id)
  if (!options) return
  await requireAssured(ctx, caller, { caller: 'passkeys.remove', options, userId: user.id })
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
    const removed = await removePasskey({ ctx, user }, credentialID, options)
    return removed && describe(removed)
  })
}
