/** Magic links. Only a hash of the token is stored: read access to the database is not enough to sign in. */
import type { VerificationToken } from '../../adapters/index.ts'
import { deleteResumeCookie, readResumeCookie, setResumeCookie } from '../../checks/resume.ts'
import {
  createTransaction,
  deleteTransaction,
  findUsed,
  markUnused,
  markUsed,
  readTransaction,
} from '../../checks/transaction.ts'
import type { EmailConfig } from '../../config/email.ts'
import type { Context } from '../../contracts.ts'
import { sha256 } from '../../crypto/digest.ts'
import type { Database } from '../../database/database.ts'
import { AdapterError } from '../../errors/session.ts'
import { Verification } from '../../errors/sign-in.ts'

/** Milliseconds for which the same browser can reuse a link after the database response was lost. */
const RESUME_MAX_AGE: number = 10 * 60_000

export interface EmailProvider {
  readonly id: string
  readonly config: EmailConfig
  readonly database: Database
}

export type LinkKey = Pick<VerificationToken, 'identifier' | 'token'>

export interface LinkParts {
  readonly address: string
  readonly token: string
}

/** Returns the keys under which a link may be stored, one for each secret; links are created with the first. */
export async function linkKeys(
  { config: { secrets } }: Context,
  { config: { secret } }: EmailProvider,
  { address, token }: LinkParts,
): Promise<[LinkKey, ...LinkKey[]]> {
  const keyFor = async (each: string) => ({
    identifier: address,
    token: await sha256(token + each, 'hex'),
  })
  const [current = '', ...former] = secret ? [secret] : secrets
  return Promise.all([keyFor(current), ...former.map(keyFor)])
}

/** Uses the keyed hash: an unkeyed hash of a short custom token could be brute-forced from the cookie. */
function transactionKey({ id }: EmailProvider, hash: string) {
  return { provider: id, state: hash, from: 'same-site' } as const
}

/** Sets a transaction cookie, so that this browser can use the link without confirmation. */
export async function rememberLink(
  ctx: Context,
  provider: EmailProvider,
  { identifier, token, expires, returnTo }: VerificationToken & { readonly returnTo: string },
): Promise<void> {
  const { from, ...key } = transactionKey(provider, token)
  const maxAge = Math.ceil((expires.getTime() - Date.now()) / 1000)
  await createTransaction(ctx, { ...key, address: identifier, returnTo }, { from, maxAge })
}

export interface MagicLink {
  /** Whether this browser has requested the link. */
  wasRequestedHere(): Promise<boolean>
  /**
   * Redeems the link: one of several concurrent requests succeeds. Throws Verification if it is unknown or expired.
   * `restore` makes the link valid again if the sign-in fails.
   */
  redeem(returnTo: string): Promise<{ readonly restore: () => Promise<void> }>
}

export function openLink(ctx: Context, provider: EmailProvider, link: LinkParts): MagicLink {
  const { id, database } = provider

  /** Names a link that was deleted without a sign-in and could not be stored again. */
  const resumeName = ({ identifier, token }: LinkKey): readonly string[] => [
    'link',
    id,
    identifier,
    token,
  ]

  async function hasRequested({ identifier, token }: LinkKey): Promise<boolean> {
    const transaction = await readTransaction(ctx, transactionKey(provider, token))
    return transaction?.address === identifier
  }

  /** If the response is lost, the row may be gone: the browser that requested the link gets a resume cookie. */
  async function useRow(key: LinkKey): Promise<VerificationToken | null> {
    try {
      return await database.call(ctx, 'useVerificationToken', key)
    } catch (error) {
      if ((await hasRequested(key)) && !findUsed(key.token))
        await setResumeCookie(ctx, resumeName(key), String(Date.now() + RESUME_MAX_AGE))
      throw error
    }
  }

  /** Returns the row of the link, or the one that a resume cookie replaces. */
  async function useLink(): Promise<VerificationToken | null> {
    for (const key of await linkKeys(ctx, provider, link)) {
      const expires = await readResumeCookie(ctx, resumeName(key))
      const row = await useRow(key)
      if (expires !== null && !findUsed(key.token))
        return { ...key, expires: new Date(Number(expires)) }
      if (row) return row
    }
    return null
  }

  /** Stores the link again. If that fails, sets a resume cookie for the same browser. */
  async function restoreRow(row: VerificationToken): Promise<void> {
    try {
      await database.call(ctx, 'createVerificationToken', row)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.error(error)
      await setResumeCookie(ctx, resumeName(row), String(row.expires.getTime()))
    }
  }

  return {
    async wasRequestedHere() {
      for (const key of await linkKeys(ctx, provider, link))
        if (await hasRequested(key)) return true
      return false
    },
    async redeem(returnTo) {
      const row = await useLink()
      if (!row) throw new Verification('The magic link is unknown or was already used.')
      const expires = new Date(row.expires)
      if (!(expires.getTime() > Date.now())) throw new Verification('The magic link has expired.')
      const { identifier, token } = row
      const key = transactionKey(provider, token)
      const isRequestedHere = (await readTransaction(ctx, key)) !== null
      await deleteTransaction(ctx, key)
      deleteResumeCookie(ctx)
      markUsed(token, returnTo)
      return {
        async restore() {
          markUnused(token)
          const restored = { identifier, token, expires }
          await restoreRow(restored)
          if (isRequestedHere) await rememberLink(ctx, provider, { ...restored, returnTo })
        },
      }
    },
  }
}
