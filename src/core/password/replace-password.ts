/** Replaces the password of a user, which ends sessions. */
import type { AuditFact } from '../contracts.ts'
import type { AdapterUser, StoredPassword } from '../database/adapter.ts'
import { AdapterError, PasswordRejected } from '../errors/classes.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { forgetBrowsers, keepKnown } from '../limits/known-browser.ts'
import { notify } from '../mail/send.ts'
import type { PasswordContext } from './password-context.ts'
import { createHash } from './verify-stored.ts'

export interface Replacement {
  readonly user: AdapterUser
  /** The stored password; `null`: the user has none. */
  readonly before: StoredPassword | null
  /** The accepted one; `null` removes it. */
  readonly password: string | null
  /** Whose session stays. */
  readonly spare: 'none' | 'current'
  /** Checks the change, and reverts it if it throws: it runs before the change is reported. */
  readonly confirm?: () => Promise<void>
}

/** Later than the last time in each database, some of which store whole seconds: links are bound to it. */
function changedAfter(before: StoredPassword | null): Date {
  return new Date(Math.max(Date.now(), (before?.changed.getTime() ?? 0) + 1000))
}

async function record(
  ctx: PasswordContext,
  { user, password }: Replacement,
  actor: AuditFact['actor'],
): Promise<void> {
  await ctx.config.audit?.record(ctx, {
    type: password === null ? 'password.removed' : 'password.changed',
    outcome: 'success',
    actor,
    target: { kind: 'user', id: user.id },
    provider: ctx.settings.id,
  })
}

type NewPassword = Pick<StoredPassword, 'hash' | 'changed'>

/** Returns whether the stored password was the expected one. The response of the database may be lost. */
async function writePassword(
  { query }: PasswordContext,
  id: string,
  value: NewPassword | null,
  expected: string | null,
): Promise<boolean> {
  try {
    return await query('setPassword', id, value, expected)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    if (((await query('getPassword', id))?.hash ?? null) === (value?.hash ?? null)) return true
    throw error
  }
}

/**
 * Sessions end before the write, so that nothing has changed if that fails, and after it, because the old password could
 * begin one until then. If that fails, the old password is valid again, so that the user can repeat what has failed.
 *
 * @throws PasswordRejected `conflict`: a concurrent request has changed the password
 */
export async function replacePassword(
  ctx: PasswordContext,
  replacement: Replacement,
  actor: AuditFact['actor'],
): Promise<void> {
  const { user, before, password, spare, confirm } = replacement
  const value =
    password === null
      ? null
      : { hash: await createHash(ctx, ctx.settings, password), changed: changedAfter(before) }
  const end = { userId: user.id, spare, change: 'A password was changed' }
  await endSessions(ctx, end)
  if (!(await writePassword(ctx, user.id, value, before?.hash ?? null)))
    throw new PasswordRejected('The password was changed by another request.', {
      code: 'conflict',
    })
  try {
    await endSessions(ctx, end)
  } catch (error) {
    const restored = before && { hash: before.hash, changed: before.changed }
    await ctx.query('setPassword', user.id, restored, value?.hash ?? null)
    throw error
  }
  await confirm?.()
  await forgetBrowsers(ctx, user.id)
  if (spare === 'current') await keepKnown(ctx, user.id)
  await record(ctx, replacement, actor)
  const change = password === null ? 'password-removed' : 'password-changed'
  await notify(ctx, user, { change })
}
