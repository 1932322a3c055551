/** The user of a request who changes their account, and the application that changes that of any user. */
import { answer } from '../call-result.ts'
import type { Answer } from '../call-result.ts'
import { changeRequirement } from '../assurance/change-requirement.ts'
import { mayActFor, onlyStored } from '../checks/stored-subject.ts'
import { withDatabase } from '../checks/with-database.ts'
import { describeValue } from '../config/describe-value.ts'
import { resolve } from '../config/resolve.ts'
import type { AuthConfig } from '../config/types.ts'
import { backgroundContext } from '../context.ts'
import type { AuditContext, AuditFact, SessionContext, Subject } from '../contracts.ts'
import { AccountNotLinked, InvalidConfiguration } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { logError } from '../log/logger.ts'
import { requireAssured } from '../require-auth.ts'
import type { ManagedUser } from './managed-user.ts'

export type CallContext = AuditContext & SessionContext

const NEEDED = 'Accounts are stored in a database.'

/** `null` if the session does not show that it is that of a stored user, or is older than the verification of the address. */
export async function findManaged(
  call: CallContext,
  read: Subject | null,
): Promise<ManagedUser | null> {
  const ctx = await withDatabase(call, NEEDED)
  const subject = onlyStored(ctx, read)
  if (!subject) return null
  const user = subject.user ?? (await ctx.query('getUser', subject.id))
  if (!user || !mayActFor(subject, user)) return null
  return { ctx, user, current: subject, actor: { kind: 'user', id: user.id } }
}

/** The user of a session that may change how they sign in. @throws SessionRequired, StepUpRequired, AccountNotLinked */
async function requireOwner(
  ctx: CallContext,
  caller: ReadRequest,
  name: string,
): Promise<ManagedUser> {
  const requirement = await changeRequirement(ctx, null)
  const isOfFactors = name.startsWith('factors.')
  if (!requirement || !(isOfFactors ? ctx.config.secondStep : ctx.config.account))
    throw new InvalidConfiguration(
      `${name} changes how a user signs in, which needs a recent sign-in. Set ${isOfFactors ? 'secondStep: {}' : 'account: {}'}.`,
    )
  const options = { maxAge: requirement.maxAge }
  const { subject } = await requireAssured(ctx, caller, { caller: name, options })
  const managed = await findManaged(ctx, subject)
  if (!managed)
    throw new AccountNotLinked(
      'The session does not show that its user is in the database, or is older than the verification of the e-mail address. Sign in again.',
      { code: 'session_cannot_link' },
    )
  const userId = managed.user.id
  const { level } = (await changeRequirement(ctx, userId)) ?? {}
  const both = { ...options, level }
  if (level) await requireAssured(ctx, caller, { caller: name, options: both, userId })
  return managed
}

/** Changes the account of the user of a recent session. @throws SessionRequired, StepUpRequired, AccountNotLinked */
export function change<T>(
  caller: ReadRequest,
  config: AuthConfig,
  name: string,
  work: (managed: ManagedUser) => Promise<T>,
): Promise<Answer<T>> {
  return answer({ caller, config, access: 'changes' }, async (ctx) =>
    work(await requireOwner(ctx, caller, name)),
  )
}

/** Who acts for the application, in the audit log. */
export interface ManageAccountsOptions {
  /** Id of the user who acts, such as a member of staff. @default the application */
  readonly actor?: string | undefined
}

/** `null` if there is no such user. Logs the error that it throws. */
export async function govern<T>(
  config: AuthConfig,
  { userId, actor }: ManageAccountsOptions & { readonly userId: unknown },
  work: (managed: ManagedUser) => Promise<T>,
): Promise<T | null> {
  try {
    if (typeof userId !== 'string' || userId === '')
      throw new InvalidConfiguration(
        `The id of the user is not a text (got ${describeValue(userId)}).`,
      )
    const background = {
      ...backgroundContext(resolve(config)),
      request: { headers: new Headers() },
    }
    const ctx = await withDatabase(background, NEEDED)
    const user = await ctx.query('getUser', userId)
    const by: AuditFact['actor'] =
      actor === undefined ? { kind: 'application' } : { kind: 'user', id: actor }
    return user && (await work({ ctx, user, current: null, actor: by }))
  } catch (error) {
    throw logError(error, config)
  }
}
