import type { AdapterUser } from './adapters/index.ts'
import { checkSource } from './checks/csrf.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import { createContext } from './context.ts'
import { createJar } from './cookies/jar.ts'
import { LastSignInMethod, MissingAdapter } from './errors/classes.ts'
import { logError } from './get-session.ts'
import type { ReadRequest } from './http/read-headers.ts'
import { listOwn, passkeyOwner, removeOwn, renameOwn } from './identity/passkeys.ts'
import type { Passkey, RemovePasskeyOptions } from './identity/passkey.ts'
import type { PasskeyContext } from './identity/passkeys.ts'
import type { ResponseCookie } from './types.ts'

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
  try {
    const resolved = resolve(config)
    const ctx = createContext(caller, createJar(caller.headers.get('cookie')), resolved)
    if (access === 'changes') checkSource(caller.headers, ctx.origin)
    if (!resolved.database)
      throw new MissingAdapter(
        'Passkeys are stored in a database. Set adapter in the configuration.',
      )
    const owner = await passkeyOwner(ctx, await resolved.database())
    const value = owner && (await work(owner.ctx, owner.user))
    return { value, cookies: ctx.jar.changes() }
  } catch (error) {
    // A refusal that the caller shows to the user.
    throw error instanceof LastSignInMethod ? error : logError(error, config)
  }
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
    work: (ctx, user) => removeOwn(ctx, user, removal),
  })
