/** Replaces the password of a user, which ends sessions. */
import type { AuditFact } from '../contracts.ts'
import type { AdapterUser, StoredPassword } from '../database/adapter.ts'
import { PasswordRejected } from '../errors/classes.ts'
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

/**
 * Sessions end before the write, so that nothing has changed if that fails, and after it, because the old password could
 * begin one until then.
 *
 * @throws PasswordRejected `conflict`: a concurrent request has changed the password
 */
export async function replacePassword(
  ctx: PasswordContext,
  replacement: Replacement,
  actor: AuditFact['actor'],
): Promise<void> {
  const { user, before, password, spare } = replacement
  const value = password !== null && {
    hash: await createHash(ctx, ctx.settings, password),
    changed: changedAfter(before),
  }
  const end = { userId: user.id, spare, change: 'A password was changed' }
  await endSessions(ctx, end)
  if (!(await ctx.query('setPassword', user.id, value || null, before?.hash ?? null)))
    throw new PasswordRejected('The password was changed by another request.', {
      code: 'conflict',
    })
  await endSessions(ctx, end)
  await forgetBrowsers(ctx, user.id)
  if (spare === 'current') await keepKnown(ctx, user.id)
  await record(ctx, replacement, actor)
  const change = password === null ? 'password-removed' : 'password-changed'
  await notify(ctx, user, { change })
}
