/** Checks the code of an authenticator app, or a recovery code, and uses it up. */
import type { SessionContext } from '../contracts.ts'
import type { StoredFactor } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { equalText } from '../crypto/digest.ts'
import { hashCode } from './recovery-codes.ts'
import { openKey } from './stored-key.ts'
import { findStep } from './totp.ts'

export interface FactorContext extends SessionContext, DatabaseAccess {}

/** What was used up. */
export interface AcceptedCode {
  readonly type: StoredFactor['type']
  /** Its id. */
  readonly factor: string
  /** Unique among the codes that a user can enter. */
  readonly id: string
}

/** Digits of any script, with the spaces and dashes of a code that was copied in groups. */
function readDigits(code: string): string | null {
  const text = code.replace(/[\s\p{Pd}]/gu, '').normalize('NFKC')
  return /^\d{6}$/.test(text) ? text : null
}

async function acceptTotp(
  ctx: FactorContext,
  factors: readonly StoredFactor[],
  digits: string,
): Promise<AcceptedCode | null> {
  for (const factor of factors) {
    const { id, lastStep } = factor
    const key = await openKey(ctx, factor)
    if (!key) {
      ctx.config.log.warnOnce(
        'factor-unreadable',
        'The key of an authenticator app cannot be decrypted, so its codes are rejected: it was encrypted with a secret that is not in the configuration any more. Add the earlier secret to the list secret.',
      )
      continue
    }
    const step = await findStep(key, digits, lastStep)
    // Of concurrent requests with one code, one uses it.
    if (step !== null && (await ctx.query('useFactor', { id, step })))
      return { type: 'totp', factor: id, id: `${id}.${step}` }
  }
  return null
}

async function acceptRecovery(
  ctx: FactorContext,
  factors: readonly StoredFactor[],
  hashes: readonly string[],
): Promise<AcceptedCode | null> {
  const found = factors.find(({ secret }) => hashes.some((hash) => equalText(hash, secret)))
  const deleted = found && (await ctx.query('deleteFactor', found.id))
  return deleted ? { type: 'recovery', factor: deleted.id, id: deleted.id } : null
}

/** `null` if it is no current code of one of the factors, or was used. */
export async function acceptCode(
  ctx: FactorContext,
  userId: string,
  { code, factors }: { readonly code: string; readonly factors: readonly StoredFactor[] },
): Promise<AcceptedCode | null> {
  const digits = readDigits(code)
  const ofType = (type: StoredFactor['type']) => factors.filter((each) => each.type === type)
  if (digits !== null) return acceptTotp(ctx, ofType('totp'), digits)
  return acceptRecovery(ctx, ofType('recovery'), await hashCode(ctx, userId, code))
}
