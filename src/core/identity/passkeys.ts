/** The passkeys of the user who is signed in. */
import type { AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import type { Database, DatabaseAccess } from '../database/database.ts'
import { InvalidConfiguration, InvalidRequest, LastSignInMethod } from '../errors/classes.ts'
import { currentUser } from './evict.ts'
import type { Passkey, RemovePasskeyOptions } from './passkey.ts'

export type PasskeyContext = AuditContext & SessionContext & DatabaseAccess

export interface PasskeyOwner {
  readonly ctx: PasskeyContext
  readonly user: AdapterUser
}

/** The user of the session; `null` if signed out, or if the session is older than the verification of the address. */
export async function passkeyOwner(
  ctx: AuditContext & SessionContext,
  database: Database,
): Promise<PasskeyOwner | null> {
  // The callbacks may end the session.
  if ((await ctx.config.session.read(ctx)) === null) return null
  const access: PasskeyContext = {
    ...ctx,
    database,
    query: (method, ...args) => database.call(ctx, method, ...args),
  }
  const current = await currentUser(access, null)
  return current?.mayLink ? { ctx: access, user: current.user } : null
}

function describePasskey(row: AdapterAuthenticator): Passkey {
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

const rowsOf = (ctx: PasskeyContext, { id }: AdapterUser) =>
  ctx.query('listAuthenticatorsByUserId', id)

/** Oldest first. */
export async function listOwn(ctx: PasskeyContext, user: AdapterUser): Promise<Passkey[]> {
  const time = ({ created }: AdapterAuthenticator) => created?.getTime() ?? 0
  const rows = await rowsOf(ctx, user)
  return rows.sort((one, other) => time(one) - time(other)).map(describePasskey)
}

const MAX_NAME_LENGTH = 100

function parseName(name: unknown): string {
  const trimmed = typeof name === 'string' ? name.trim() : ''
  // Databases cannot store NUL or a lone surrogate.
  if (trimmed && trimmed.length <= MAX_NAME_LENGTH && !/[\p{Cc}\p{Surrogate}]/u.test(trimmed))
    return trimmed
  throw new InvalidRequest(
    `The name of a passkey is not a text of 1 to ${MAX_NAME_LENGTH} characters without control characters.`,
  )
}

/** Returns `null` if the user has no such passkey. @throws InvalidRequest */
export async function renameOwn(
  ctx: PasskeyContext,
  user: AdapterUser,
  { credentialID, name: given }: { readonly credentialID: string; readonly name: unknown },
): Promise<Passkey | null> {
  const name = parseName(given)
  const rows = await rowsOf(ctx, user)
  if (!rows.some((row) => row.credentialID === credentialID)) return null
  const renamed = await ctx.query('updateAuthenticator', credentialID, { name })
  if (renamed.name) return describePasskey(renamed)
  throw new InvalidConfiguration(
    'The adapter did not store the name of a passkey: its table has no column "name". Run npx lib-auth migrate, or add the column to your Drizzle table or Prisma model.',
  )
}

type Passkeys = readonly AdapterAuthenticator[]

/** Reads the sign-in methods; returns whether the user can sign in with these passkeys, or without any. */
async function readMethods(
  ctx: PasskeyContext,
  user: AdapterUser,
): Promise<(passkeys: Passkeys) => boolean> {
  const { providers } = ctx.config
  const takesMail = providers.ids.some((id) => providers.get(id)?.offer.kind === 'email')
  if (takesMail && user.emailVerified) return () => true
  if (!(await ctx.database.has('listAccounts'))) return ({ length }) => length > 0
  const accounts = await ctx.query('listAccounts', user.id)
  const usable = accounts.filter(({ provider }) => providers.get(provider))
  // A passkey cannot sign in without its account, or its provider.
  return (passkeys) => {
    const ids = new Set(passkeys.map(({ providerAccountId }) => providerAccountId))
    return usable.some(({ type, providerAccountId: id }) => type !== 'webauthn' || ids.has(id))
  }
}

function lastMethod(): LastSignInMethod {
  return new LastSignInMethod(
    'The passkey is the last sign-in method of its user. To remove it anyway, pass { last: "allow" }.',
  )
}

/** A lost response must not skip the check that follows; some adapters throw if the row does not exist. */
async function deletePasskey(ctx: PasskeyContext, credentialID: string): Promise<void> {
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
async function unlinkPasskey(ctx: PasskeyContext, passkey: AdapterAuthenticator): Promise<void> {
  for (const method of ['listAccounts', 'unlinkAccount'] as const)
    if (!(await ctx.database.has(method))) return
  for (const account of await ctx.query('listAccounts', passkey.userId))
    if (account.type === 'webauthn' && account.providerAccountId === passkey.providerAccountId)
      await ctx.query('unlinkAccount', account)
}

/** Returns the removed passkey; `null` if the user has no such passkey. @throws LastSignInMethod */
export async function removeOwn(
  ctx: PasskeyContext,
  user: AdapterUser,
  { credentialID, last }: { readonly credentialID: string } & RemovePasskeyOptions,
): Promise<Passkey | null> {
  const rows = await rowsOf(ctx, user)
  const passkey = rows.find((row) => row.credentialID === credentialID)
  if (!passkey) return null
  const others = rows.filter((row) => row !== passkey)
  const canSignIn = last === 'allow' ? null : await readMethods(ctx, user)
  // A passkey that cannot sign in is not a sign-in method: its removal loses nothing.
  const isChecked = canSignIn?.(rows)
  if (isChecked && !canSignIn?.(others)) throw lastMethod()
  await deletePasskey(ctx, credentialID)
  try {
    // A concurrent request may have removed the others. Isolation levels below serializable do not prevent that, so
    // the check runs after the deletion is committed: of several requests, at least the last one finds no passkey.
    const left = isChecked && (await rowsOf(ctx, user))
    if (left && !(await readMethods(ctx, user))(left)) throw lastMethod()
  } catch (error) {
    await ctx.query('createAuthenticator', passkey)
    throw error
  }
  await unlinkPasskey(ctx, passkey)
  return describePasskey(passkey)
}
