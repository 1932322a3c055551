/** What users do with their second factors, and the application with those of any user. */
import { answer } from '../call-result.ts'
import type { Answer } from '../call-result.ts'
import { parseChosenName } from '../checks/chosen-name.ts'
import type { AuthConfig } from '../config/types.ts'
import { InvalidRequest, Verification } from '../errors/classes.ts'
import {
  canImport,
  enroll,
  findApp,
  finishEnrollment,
  importApp,
  listFactors,
  removeApp,
  renewCodes,
  resetFactors,
} from '../factors/enrollment.ts'
import type {
  AuthenticatorApp,
  ConfirmedFactor,
  Enrollment,
  EnrollOptions,
  ImportedApp,
  SecondFactors,
} from '../factors/factor-info.ts'
import { parseKey } from '../factors/totp.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { forgetBrowsers, keepKnown } from '../limits/known-browser.ts'
import { asRecord } from '../is-record.ts'
import { notify } from '../mail/send.ts'
import { change, findManaged } from './account-owner.ts'
import type { ManagedUser } from './managed-user.ts'

function parseText(what: string, text: unknown): string {
  if (typeof text === 'string' && text !== '' && text.length <= 191) return text
  throw new InvalidRequest(`The ${what} is not a text of 1 to 191 characters.`)
}

function parseAppName(name: string | undefined): string | null {
  return name === undefined ? null : parseChosenName('an authenticator app', name)
}

async function record(
  { ctx, actor }: ManagedUser,
  type: 'factor.added' | 'factor.removed',
  id: string,
): Promise<void> {
  await ctx.config.audit?.record(ctx, {
    type,
    outcome: 'success',
    actor,
    target: { kind: 'factor', id },
  })
}

/** Sessions from before a factor was added or removed may be those of someone else. */
async function endOthers({ ctx, user, current }: ManagedUser): Promise<void> {
  const spare = current ? 'current' : 'none'
  await endSessions(ctx, { userId: user.id, spare, change: 'A second factor was changed' })
  await forgetBrowsers(ctx, user.id)
  if (current) await keepKnown(ctx, user.id)
}

export function listOwn(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<SecondFactors | null>> {
  return answer({ caller, config, access: 'reads' }, async (ctx) => {
    const managed = await findManaged(ctx, await ctx.config.session.readSubject(ctx))
    return managed && listFactors(managed)
  })
}

export function enrollOwn(
  caller: ReadRequest,
  config: AuthConfig,
  { name }: EnrollOptions = {},
): Promise<Answer<Enrollment>> {
  return change(caller, config, 'factors.enroll', async (managed) =>
    enroll(managed, parseAppName(name)),
  )
}

export function confirmOwn(
  caller: ReadRequest,
  config: AuthConfig,
  enrollment: { readonly id: string; readonly code: string },
): Promise<Answer<ConfirmedFactor>> {
  return change(caller, config, 'factors.confirm', async (managed) => {
    const { id, code } = asRecord(enrollment)
    const finished = await finishEnrollment(managed, parseText('id', id), parseText('code', code))
    if (!finished)
      throw new Verification(
        'The code is wrong or was used, or the enrolment has ended. Enter the next code that the app shows, or call factors.enroll again.',
        { code: 'invalid_code' },
      )
    const { app, recoveryCodes, undo } = finished
    try {
      await endOthers(managed)
    } catch (error) {
      await undo()
      throw error
    }
    await record(managed, 'factor.added', app.id)
    await notify(managed.ctx, managed.user, { change: 'factor-added' })
    return { app, recoveryCodes }
  })
}

/** `null`: the user has no such app. */
export async function removeOf(managed: ManagedUser, id: string): Promise<AuthenticatorApp | null> {
  const app = await findApp(managed, parseText('id', id))
  if (!app) return null
  // Before the app is removed: else a call that is repeated after an error would end no session.
  await endOthers(managed)
  await removeApp(managed, app.id)
  await record(managed, 'factor.removed', app.id)
  await notify(managed.ctx, managed.user, { change: 'factor-removed' })
  return app
}

export function removeOwn(
  caller: ReadRequest,
  config: AuthConfig,
  id: string,
): Promise<Answer<AuthenticatorApp | null>> {
  return change(caller, config, 'factors.remove', (managed) => removeOf(managed, id))
}

export function renewOwn(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<readonly string[]>> {
  return change(caller, config, 'factors.renewRecoveryCodes', async (managed) => {
    const codes = await renewCodes(managed)
    await notify(managed.ctx, managed.user, { change: 'recovery-codes-created' })
    return codes
  })
}

/** Returns whether the user had any. */
export async function resetOf(managed: ManagedUser): Promise<boolean> {
  const hadFactors = await resetFactors(managed)
  await endOthers(managed)
  if (!hadFactors) return false
  await record(managed, 'factor.removed', managed.user.id)
  await notify(managed.ctx, managed.user, { change: 'factor-removed' })
  return true
}

/**
 * Adds an authenticator app that the user has in another system; returns whether it was added, and not before. The user
 * is not notified, because nothing changes for them.
 */
export async function importOf(
  managed: ManagedUser,
  { secret, name }: ImportedApp,
): Promise<boolean> {
  const key = typeof secret === 'string' ? parseKey(secret) : null
  if (!key)
    throw new InvalidRequest(
      'The secret of the authenticator app is not a Base32 text of 10 to 64 bytes. Convert it if your system stores it in hexadecimal digits, encrypted, or as an otpauth:// address.',
    )
  const appName = parseAppName(name)
  if (!(await canImport(managed, key))) return false
  // Before the app is added: else a call that is repeated after an error would end no session.
  await endOthers(managed)
  const app = await importApp(managed, key, appName)
  await record(managed, 'factor.added', app.id)
  return true
}
