import { findPasswords } from '../checks/find-passwords.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { requireTransport } from '../mail/send.ts'
import type { ManagedUser } from './managed-user.ts'

const CALLER = 'manageAccounts.startReset'

/** Sends the user a link to choose a new password. @throws AccountMailError, InvalidConfiguration */
export async function startReset({ ctx, user, actor }: ManagedUser): Promise<void> {
  const passwords = findPasswords(ctx)
  if (!passwords)
    throw new InvalidConfiguration(
      `${CALLER} needs the provider Password. Add Password() of lib-auth/password to providers.`,
    )
  if (!ctx.origin)
    throw new InvalidConfiguration(
      `${CALLER} sends a link to this site, whose URL is unknown outside of a request. Set AUTH_URL to the URL of the site (origin in the configuration).`,
    )
  requireTransport(ctx, CALLER)
  if (!user.email)
    throw new InvalidConfiguration(`${CALLER} sends an e-mail, and the user has no address.`)
  await passwords.sendReset(ctx, user)
  await ctx.config.audit?.record(ctx, {
    type: 'reset.requested',
    outcome: 'success',
    actor,
    target: { kind: 'user', id: user.id },
  })
}
