/** The password of the user of a request. */
import { answer } from '../call-result.ts'
import type { Answer } from '../call-result.ts'
import { findPasswords } from '../checks/find-passwords.ts'
import type { AuthConfig } from '../config/types.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import type { PasswordInfo } from './account-info.ts'
import { findManaged } from './account-owner.ts'

export function readOwnPassword(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<PasswordInfo | null>> {
  return answer({ caller, config, access: 'reads' }, async (ctx) => {
    if (!findPasswords(ctx))
      throw new InvalidConfiguration(
        'No passwords are stored. Add Password() of lib-auth/password to providers.',
      )
    const managed = await findManaged(ctx, await ctx.config.session.readSubject(ctx))
    const stored = managed && (await managed.ctx.query('getPassword', managed.user.id))
    return stored && { changed: stored.changed }
  })
}
