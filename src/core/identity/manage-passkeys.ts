import type { AdapterUser } from '../database/adapter.ts'
import { checkSource } from '../checks/source.ts'
import { resolve } from '../config/resolve.ts'
import type { AuthConfig } from '../config/types.ts'
import { createContext } from '../context.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import { createJar } from '../cookies/jar.ts'
import { LastSignInMethod, MissingAdapter } from '../errors/classes.ts'
import { logError } from '../get-session.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { listOwn, passkeyOwner, removeOwn, renameOwn } from './passkeys.ts'
import type { Passkey, RemovePasskeyOptions } from './passkey.ts'
import type { PasskeyContext } from './passkeys.ts'
import type { ResponseCookie } from '../types.ts'

export interface Managed<T> {
  /** `null`: signed out. */
  readonly value: T | null
  /** Of the session, which may have been extended or may have ended. */
  readonly cookies: readonly ResponseCookie[]
}

type Work<T> = (ctx: PasskeyContext, user: AdapterUser) => Promise<T>

/** `changes`: the request must not come from a page of another origin. */
async function manage<T>(
  caller: ReadRequest,
  config: AuthConfig,
  { access, work }: { readonly access: 'reads' | 'changes'; readonly work: Work<T> },
): Promise<Managed<T>> {
  let ctx: (SessionContext & AuditContext) | undefined
  try {
    const resolved = resolve(config)
    const request = { headers: caller.headers }
    ctx = { ...createContext(caller, createJar(caller.headers.get('cookie')), resolved), request }
    if (access === 'changes') checkSource(caller.headers, ctx.origin)
    if (!resolved.database)
      throw new MissingAdapter(
        'Passkeys are stored in a database. Set adapter in the configuration.',
      )
    const owner = await passkeyOwner(ctx, await resolved.database())
    const value = owner && (await work(owner.ctx, owner.user))
    return { value, cookies: ctx.jar.changes() }
  } catch (error) {
    if (error instanceof Error) await ctx?.config.audit?.recordFailure(ctx, error)
    // A refusal that the caller shows to the user.
    throw error instanceof LastSignInMethod ? error : logError(error, config)
  }
}

function recordRemoval(
  ctx: PasskeyContext,
  { id }: AdapterUser,
  { credentialID }: Passkey,
): Promise<void> | undefined {
  return ctx.config.audit?.record(ctx, {
    type: 'factor.removed',
    outcome: 'success',
    actor: { kind: 'user', id },
    target: { kind: 'factor', id: credentialID },
  })
}

export const list = (caller: ReadRequest, config: AuthConfig): Promise<Managed<Passkey[]>> =>
  manage(caller, config, { access: 'reads', work: listOwn })

export const rename = (
  caller: ReadRequest,
  config: AuthConfig,
  change: { readonly credentialID: string; readonly name: string },
): Promise<Managed<Passkey | null>> =>
  manage(caller, config, {
    access: 'changes',
    work: (ctx, user) => renameOwn(ctx, user, change),
  })

export const remove = (
  caller: ReadRequest,
  config: AuthConfig,
  removal: { readonly credentialID: string } & RemovePasskeyOptions,
): Promise<Managed<Passkey | null>> =>
  manage(caller, config, {
    access: 'changes',
    async work(ctx, user) {
      const removed = await removeOwn(ctx, user, removal)
      if (removed) await recordRemoval(ctx, user, removed)
      return removed
    },
  })
